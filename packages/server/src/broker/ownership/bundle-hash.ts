const TABLE: Int32Array = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    table[n] = c;
  }
  return table;
}

const encoder = new TextEncoder();

/** Where a topic's full name falls in its namespace's hash space: CRC-32 (IEEE), unsigned. */
export function bundleHash(topic: string): number {
  let c = -1;
  for (const byte of encoder.encode(topic)) c = (TABLE[(c ^ byte) & 255] as number) ^ (c >>> 8);
  return ~c >>> 0;
}
