// Snappy's raw block format: the uncompressed length as a varint, then literals and copies of what came before.
const HASH_BITS = 14;
const MIN_MATCH = 4;
/** The last bytes are always literals, so that a match can be read four bytes at a time. */
const MATCH_MARGIN = 15;
const WINDOW = 65_535;
const COPY_MAX = 64;
const CORRUPT = "corrupt Snappy block";

/** The most bytes a block of `length` bytes can become. */
function snappyBound(length: number): number {
  return 32 + length + Math.floor(length / 6);
}

const read32 = (b: Uint8Array, i: number): number =>
  (b[i] as number) | ((b[i + 1] as number) << 8) | ((b[i + 2] as number) << 16) | ((b[i + 3] as number) << 24);

function writeLength(out: Uint8Array, length: number): number {
  let o = 0;
  let rest = length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out[o++] = (rest % 128) | 128;
  out[o++] = rest;
  return o;
}

function writeLiteral(out: Uint8Array, at: number, input: Uint8Array, from: number, to: number): number {
  const length = to - from;
  if (length === 0) return at;
  let o = at;
  const n = length - 1;
  if (n < 60) {
    out[o++] = n << 2;
  } else {
    const bytes = n < 256 ? 1 : n < 65_536 ? 2 : n < 16_777_216 ? 3 : 4;
    out[o++] = (59 + bytes) << 2;
    for (let k = 0; k < bytes; k++) out[o++] = n >>> (8 * k);
  }
  out.set(input.subarray(from, to), o);
  return o + length;
}

function writeCopy(out: Uint8Array, at: number, offset: number, length: number): number {
  let o = at;
  let rest = length;
  while (rest > 0) {
    // a rest of less than 4 could not take the short form, so it is shared out
    const part = rest > COPY_MAX && rest < COPY_MAX + MIN_MATCH ? COPY_MAX - MIN_MATCH : Math.min(rest, COPY_MAX);
    if (part >= 4 && part < 12 && offset < 2048) {
      out[o++] = 1 | ((part - 4) << 2) | ((offset >>> 8) << 5);
    } else {
      out[o++] = 2 | ((part - 1) << 2);
      out[o++] = offset & 255;
      out[o++] = offset >>> 8;
      rest -= part;
      continue;
    }
    out[o++] = offset & 255;
    rest -= part;
  }
  return o;
}

/** Compresses to one raw Snappy block, as Pulsar's SNAPPY does. */
export function snappyCompress(input: Uint8Array): Uint8Array {
  const out = new Uint8Array(snappyBound(input.length));
  const table = new Int32Array(1 << HASH_BITS).fill(-1);
  const matchLimit = input.length - MATCH_MARGIN;
  let o = writeLength(out, input.length);
  let anchor = 0;
  let i = 0;
  while (i <= matchLimit) {
    const word = read32(input, i);
    const hash = Math.imul(word, 0x1e35a7bd) >>> (32 - HASH_BITS);
    const candidate = table[hash] as number;
    table[hash] = i;
    if (candidate < 0 || i - candidate > WINDOW || read32(input, candidate) !== word) {
      // the longer nothing matches, the larger the steps
      i += 1 + ((i - anchor) >> 5);
      continue;
    }
    let length = MIN_MATCH;
    while (i + length < input.length && input[candidate + length] === input[i + length]) length++;
    o = writeLiteral(out, o, input, anchor, i);
    o = writeCopy(out, o, i - candidate, length);
    i += length;
    anchor = i;
  }
  o = writeLiteral(out, o, input, anchor, input.length);
  return out.slice(0, o);
}

interface Cursor {
  at: number;
}

function readLength(input: Uint8Array, cursor: Cursor): number {
  let length = 0;
  let scale = 1;
  for (let k = 0; k < 5; k++) {
    if (cursor.at >= input.length) break;
    const byte = input[cursor.at++] as number;
    length += (byte & 127) * scale;
    if (byte < 128) return length;
    scale *= 128;
  }
  throw new RangeError(CORRUPT);
}

/** A little-endian number of up to four bytes. */
function readNumber(input: Uint8Array, cursor: Cursor, bytes: number): number {
  if (cursor.at + bytes > input.length) throw new RangeError(CORRUPT);
  let value = 0;
  for (let k = bytes - 1; k >= 0; k--) value = value * 256 + (input[cursor.at + k] as number);
  cursor.at += bytes;
  return value;
}

function copyWithin(out: Uint8Array, at: number, offset: number, length: number): void {
  const from = at - offset;
  if (offset === 0 || from < 0 || at + length > out.length) throw new RangeError(CORRUPT);
  if (offset >= length) out.copyWithin(at, from, from + length);
  else for (let k = 0; k < length; k++) out[at + k] = out[from + k] as number;
}

/** Decompresses one raw Snappy block to exactly `uncompressedSize` bytes. Throws a RangeError on anything else. */
export function snappyDecompress(input: Uint8Array, uncompressedSize: number): Uint8Array {
  const cursor: Cursor = { at: 0 };
  // compared before anything is allocated: the length in the block may lie
  if (readLength(input, cursor) !== uncompressedSize) throw new RangeError(CORRUPT);
  const out = new Uint8Array(uncompressedSize);
  let o = 0;
  while (cursor.at < input.length) {
    const tag = input[cursor.at++] as number;
    const kind = tag & 3;
    if (kind === 0) {
      const n = tag >>> 2;
      const length = (n < 60 ? n : readNumber(input, cursor, n - 59)) + 1;
      const end = cursor.at + length;
      if (end > input.length || o + length > out.length) throw new RangeError(CORRUPT);
      out.set(input.subarray(cursor.at, end), o);
      cursor.at = end;
      o += length;
      continue;
    }
    const length = kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
    const high = kind === 1 ? (tag >>> 5) << 8 : 0;
    const offset = high + readNumber(input, cursor, kind === 3 ? 4 : kind);
    copyWithin(out, o, offset, length);
    o += length;
  }
  if (o !== uncompressedSize) throw new RangeError(CORRUPT);
  return out;
}
