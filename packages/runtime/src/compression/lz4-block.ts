// LZ4's block format: sequences of a token, literals and a match of at least 4 bytes within the last 64 KiB.
const MIN_MATCH = 4;
const HASH_BITS = 14;
/** The last match must start this many bytes before the end, and the last 5 bytes are literals. */
const MATCH_MARGIN = 12;
const LAST_LITERALS = 5;
const WINDOW = 65535;

/** The most bytes a block of `length` bytes can become. */
export function lz4Bound(length: number): number {
  return length + Math.floor(length / 255) + 16;
}

function writeLength(out: Uint8Array, at: number, length: number): number {
  let rest = length;
  let o = at;
  for (; rest >= 255; rest -= 255) out[o++] = 255;
  out[o++] = rest;
  return o;
}

function writeSequence(out: Uint8Array, at: number, input: Uint8Array, from: number, to: number): number {
  const literals = to - from;
  let o = at + 1;
  out[at] = Math.min(literals, 15) << 4;
  if (literals >= 15) o = writeLength(out, o, literals - 15);
  out.set(input.subarray(from, to), o);
  return o + literals;
}

const read32 = (b: Uint8Array, i: number): number =>
  (b[i] as number) | ((b[i + 1] as number) << 8) | ((b[i + 2] as number) << 16) | ((b[i + 3] as number) << 24);

/** Compresses to one LZ4 block, as Pulsar's LZ4 does. */
export function lz4Compress(input: Uint8Array): Uint8Array {
  const out = new Uint8Array(lz4Bound(input.length));
  const table = new Int32Array(1 << HASH_BITS).fill(-1);
  const matchLimit = input.length - MATCH_MARGIN;
  const end = input.length - LAST_LITERALS;
  let o = 0;
  let anchor = 0;
  let i = 0;
  while (i <= matchLimit) {
    const word = read32(input, i);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const candidate = table[hash] as number;
    table[hash] = i;
    if (candidate < 0 || i - candidate > WINDOW || read32(input, candidate) !== word) {
      // the longer nothing matches, the larger the steps
      i += 1 + ((i - anchor) >> 6);
      continue;
    }
    let length = MIN_MATCH;
    while (i + length < end && input[candidate + length] === input[i + length]) length++;
    const token = o;
    o = writeSequence(out, o, input, anchor, i);
    const offset = i - candidate;
    out[o++] = offset & 255;
    out[o++] = offset >>> 8;
    out[token] = (out[token] as number) | Math.min(length - MIN_MATCH, 15);
    if (length - MIN_MATCH >= 15) o = writeLength(out, o, length - MIN_MATCH - 15);
    i += length;
    anchor = i;
  }
  o = writeSequence(out, o, input, anchor, input.length);
  return out.slice(0, o);
}

const CORRUPT = "corrupt LZ4 block";

/** Decompresses one LZ4 block to exactly `uncompressedSize` bytes. Throws on anything else. */
export function lz4Decompress(input: Uint8Array, uncompressedSize: number): Uint8Array {
  const out = new Uint8Array(uncompressedSize);
  let i = 0;
  let o = 0;
  while (i < input.length) {
    const token = input[i++] as number;
    let literals = token >>> 4;
    if (literals === 15) {
      for (let b = 255; b === 255; literals += b) {
        if (i >= input.length) throw new RangeError(CORRUPT);
        b = input[i++] as number;
      }
    }
    if (i + literals > input.length || o + literals > uncompressedSize) throw new RangeError(CORRUPT);
    out.set(input.subarray(i, i + literals), o);
    i += literals;
    o += literals;
    if (i === input.length) break;
    if (i + 2 > input.length) throw new RangeError(CORRUPT);
    const offset = (input[i] as number) | ((input[i + 1] as number) << 8);
    i += 2;
    let length = token & 15;
    if (length === 15) {
      for (let b = 255; b === 255; length += b) {
        if (i >= input.length) throw new RangeError(CORRUPT);
        b = input[i++] as number;
      }
    }
    length += MIN_MATCH;
    const from = o - offset;
    if (offset === 0 || from < 0 || o + length > uncompressedSize) throw new RangeError(CORRUPT);
    if (offset >= length) out.copyWithin(o, from, from + length);
    else for (let k = 0; k < length; k++) out[o + k] = out[from + k] as number;
    o += length;
  }
  if (o !== uncompressedSize) throw new RangeError(CORRUPT);
  return out;
}
