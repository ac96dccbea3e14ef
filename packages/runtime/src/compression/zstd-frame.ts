import { Decompress } from "fzstd";
import { wrongSize } from "./errors.ts";

/** The largest window a frame may ask for that does not say how much it holds: what the format asks decoders to take. */
const WINDOW_BYTES_MAX = 8 * 1024 * 1024;
const CORRUPT = "corrupt ZSTD frame";
const MAGIC: readonly number[] = [0x28, 0xb5, 0x2f, 0xfd];
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;

interface FrameHeader {
  /** Undefined where the frame does not tell. */
  readonly contentSize: number | undefined;
  readonly windowBytes: number;
}

function numberAt(bytes: Uint8Array, at: number, length: number): number {
  if (at + length > bytes.length) throw new RangeError(CORRUPT);
  let value = 0;
  for (let k = length - 1; k >= 0; k--) value = value * 256 + (bytes[at + k] as number);
  return value;
}

/** Reads what a frame says of itself, before a decoder trusts it with memory. */
function readHeader(bytes: Uint8Array): FrameHeader {
  for (let i = 0; i < 4; i++) if (bytes[i] !== MAGIC[i]) throw new RangeError(CORRUPT);
  const descriptor = numberAt(bytes, 4, 1);
  const single = (descriptor & 0x20) !== 0;
  const window = single ? 0 : numberAt(bytes, 5, 1);
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (single ? 1 : 0) : 1 << sizeFlag;
  const at = 5 + (single ? 0 : 1) + (DICTIONARY_ID_BYTES[descriptor & 3] as number);
  const contentSize = sizeBytes === 0 ? undefined : numberAt(bytes, at, sizeBytes) + (sizeFlag === 1 ? 256 : 0);
  const base = 2 ** (10 + (window >> 3));
  return { contentSize, windowBytes: single ? (contentSize ?? 0) : base + (base / 8) * (window & 7) };
}

/**
 * Decompresses one ZSTD frame to exactly `uncompressedSize` bytes. Throws on anything else, before memory is taken for
 * what the frame promises.
 */
export function zstdDecompress(bytes: Uint8Array, uncompressedSize: number): Uint8Array {
  checkZstdFrame(bytes, uncompressedSize);
  const out = new Uint8Array(uncompressedSize);
  let size = 0;
  const decoder = new Decompress((part) => {
    if (size + part.length > uncompressedSize) throw wrongSize("ZSTD", size + part.length, uncompressedSize);
    out.set(part, size);
    size += part.length;
  });
  decoder.push(bytes, true);
  if (size !== uncompressedSize) throw wrongSize("ZSTD", size, uncompressedSize);
  return out;
}

/** Throws for a frame that says to hold something else than `uncompressedSize` bytes, or asks for too much memory. */
export function checkZstdFrame(bytes: Uint8Array, uncompressedSize: number): void {
  const { contentSize, windowBytes } = readHeader(bytes);
  if (contentSize !== undefined && contentSize !== uncompressedSize) {
    throw wrongSize("ZSTD", contentSize, uncompressedSize);
  }
  if (windowBytes > Math.max(WINDOW_BYTES_MAX, uncompressedSize)) {
    throw new RangeError(`ZSTD: a window of ${windowBytes} bytes is more than the ${WINDOW_BYTES_MAX} that are taken`);
  }
}
