/** Java's `String.hashCode` made non-negative, as Pulsar's `JavaStringHash` routes keys to partitions. */
export function javaStringHash(key: string): number {
  let h = 0;
  for (let i = 0; i < key.length; i++) h = (Math.imul(h, 31) + key.charCodeAt(i)) | 0;
  return h & 0x7fffffff;
}

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

function mixKey(k: number): number {
  const m = Math.imul(k, C1);
  return Math.imul((m << 15) | (m >>> 17), C2);
}

/** MurmurHash3 x86 32-bit of bytes, seed 0, unsigned. */
export function murmur3(bytes: Uint8Array, seed = 0): number {
  const length = bytes.length;
  const blocks = length & ~3;
  let h = seed;
  for (let i = 0; i < blocks; i += 4) {
    const k =
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    h ^= mixKey(k);
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = length - 1; i >= blocks; i--) tail = (tail << 8) | (bytes[i] as number);
  if (length !== blocks) h ^= mixKey(tail);
  h ^= length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const utf8 = new TextEncoder();

/** Pulsar's `Murmur3_32Hash`: MurmurHash3 made non-negative. Routes keys to partitions and to Key_Shared consumers. */
export function murmur3Hash(key: Uint8Array | string): number {
  return murmur3(typeof key === "string" ? utf8.encode(key) : key) & 0x7fffffff;
}
