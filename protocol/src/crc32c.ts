import { createFolder, FOLD_BYTES_MAX, FOLD_FROM_BYTES, type Folder } from "./crc32c-fold.ts";

// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78): sixteen bytes a step over sixteen tables, read as words.
const TABLES = 16;
/** Table k is at k * 256: what a byte does that has k more bytes behind it. */
const TABLE: Int32Array = makeTable();

function makeTable(): Int32Array {
  const table = new Int32Array(TABLES * 256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
    table[n] = c;
  }
  for (let i = 256; i < table.length; i++) {
    const c = table[i - 256] as number;
    table[i] = (table[c & 255] as number) ^ (c >>> 8);
  }
  return table;
}

/** The words of a platform are little endian nearly everywhere; elsewhere it is one byte a step. */
const LITTLE_ENDIAN: boolean = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
/** Below this, making a view of words costs more than it saves. */
const WORDS_FROM_BYTES = 64;

function updateBytes(state: number, bytes: Uint8Array, start: number, end: number): number {
  let c = state;
  for (let i = start; i < end; i++) c = (TABLE[(c ^ (bytes[i] as number)) & 255] as number) ^ (c >>> 8);
  return c;
}

function updateWords(state: number, words: Int32Array): number {
  const t = TABLE;
  let s = state;
  for (let i = 0; i < words.length; i += 4) {
    const a = s ^ (words[i] as number);
    const b = words[i + 1] as number;
    const c = words[i + 2] as number;
    const d = words[i + 3] as number;
    s =
      (t[3840 + (a & 255)] as number) ^
      (t[3584 + ((a >>> 8) & 255)] as number) ^
      (t[3328 + ((a >>> 16) & 255)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 255)] as number) ^
      (t[2560 + ((b >>> 8) & 255)] as number) ^
      (t[2304 + ((b >>> 16) & 255)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 255)] as number) ^
      (t[1536 + ((c >>> 8) & 255)] as number) ^
      (t[1280 + ((c >>> 16) & 255)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 255)] as number) ^
      (t[512 + ((d >>> 8) & 255)] as number) ^
      (t[256 + ((d >>> 16) & 255)] as number) ^
      (t[d >>> 24] as number);
  }
  return s;
}

function updateTable(crc: number, bytes: Uint8Array, start: number, end: number): number {
  if (!LITTLE_ENDIAN || end - start < WORDS_FROM_BYTES) return ~updateBytes(~crc, bytes, start, end) >>> 0;
  const first = start + (-(bytes.byteOffset + start) & 3);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, ((end - first) >>> 4) * 4);
  const state = updateWords(updateBytes(~crc, bytes, start, first), words);
  return ~updateBytes(state, bytes, first + words.byteLength, end) >>> 0;
}

/** Made when first needed, which small messages never do. Scratch memory: nothing in it outlives a call. */
let folder: Folder | undefined | "not asked for" = "not asked for";

function updateFolded({ memory, fold }: Folder, crc: number, bytes: Uint8Array, start: number, end: number): number {
  let c = crc;
  for (let from = start; from < end; ) {
    const length = Math.min(FOLD_BYTES_MAX, end - from);
    if (length < FOLD_FROM_BYTES) return updateTable(c, bytes, from, end);
    memory.set(bytes.subarray(from, from + length));
    // the state before a message and its first four bytes meet in the same place
    for (let i = 0; i < 4; i++) memory[i] = (memory[i] as number) ^ (~c >>> (8 * i));
    c = updateTable(NOTHING_YET, memory, fold(length), length);
    from += length;
  }
  return c;
}

/** What a checksum is of whose state is 0: the table's functions take it inverted. */
const NOTHING_YET = 0xffffffff;

/**
 * CRC-32C of `bytes[start, end)`, as an unsigned number.
 * @param crc What an earlier call answered, to go on from there. Default 0.
 */
export function crc32c(bytes: Uint8Array, start = 0, end: number = bytes.length, crc = 0): number {
  if (end - start < FOLD_FROM_BYTES) return updateTable(crc, bytes, start, end);
  if (folder === "not asked for") folder = createFolder();
  return folder === undefined ? updateTable(crc, bytes, start, end) : updateFolded(folder, crc, bytes, start, end);
}
