// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78), eight bytes a step over eight tables.
const TABLES: readonly Int32Array[] = makeTables();

function makeTables(): Int32Array[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  const [first] = tables as [Int32Array];
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
    first[n] = c;
  }
  for (let n = 0; n < 256; n++) {
    let c = first[n] as number;
    for (let t = 1; t < 8; t++) {
      c = (first[c & 255] as number) ^ (c >>> 8);
      (tables[t] as Int32Array)[n] = c;
    }
  }
  return tables;
}

const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function updateTable(crc: number, bytes: Uint8Array, start: number, end: number): number {
  let c = ~crc;
  let i = start;
  for (; i + 8 <= end; i += 8) {
    c ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    c =
      (T7[c & 255] as number) ^
      (T6[(c >>> 8) & 255] as number) ^
      (T5[(c >>> 16) & 255] as number) ^
      (T4[c >>> 24] as number) ^
      (T3[bytes[i + 4] as number] as number) ^
      (T2[bytes[i + 5] as number] as number) ^
      (T1[bytes[i + 6] as number] as number) ^
      (T0[bytes[i + 7] as number] as number);
  }
  for (; i < end; i++) c = (T0[(c ^ (bytes[i] as number)) & 255] as number) ^ (c >>> 8);
  return ~c >>> 0;
}

/**
 * CRC-32C of `bytes[start, end)`, as an unsigned number.
 * @param crc What an earlier call answered, to go on from there. Default 0.
 */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, crc = 0): number {
  return updateTable(crc, bytes, start, end);
}
