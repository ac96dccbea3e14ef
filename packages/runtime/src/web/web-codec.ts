import type { Codec, CompressionName } from "../codec.ts";
import { unsupportedCompression, wrongSize } from "../compression/errors.ts";
import { lz4Compress, lz4Decompress } from "../compression/lz4-block.ts";
import { snappyCompress, snappyDecompress } from "../compression/snappy-block.ts";
import { ZstdEncoder } from "../compression/zstd-encoder.ts";
import { zstdDecompress } from "../compression/zstd-frame.ts";
import { createWebEncryption } from "./web-encryption.ts";

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, bytesMax: number) {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > bytesMax) {
      await reader.cancel();
      throw wrongSize("ZLIB", size, bytesMax);
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

/** What an empty last block looks like, in raw deflate. */
const LAST_BLOCK = [3, 0];

/**
 * Pulsar's Java client flushes its stream and does not end it, which the platform's decoder takes for a fault. Such a stream
 * ends with 00 00 FF FF, which the checksum at the end of any other cannot be; it is given an end.
 */
function ended(bytes: Uint8Array): Uint8Array | undefined {
  const { length } = bytes;
  if (length < 6) return undefined;
  const flushed =
    bytes[length - 1] === 255 && bytes[length - 2] === 255 && bytes[length - 3] === 0 && bytes[length - 4] === 0;
  if (!flushed) return undefined;
  const raw = new Uint8Array(length);
  raw.set(bytes.subarray(2));
  raw.set(LAST_BLOCK, length - 2);
  return raw;
}

async function inflate(bytes: Uint8Array, uncompressedSize: number): Promise<Uint8Array> {
  const raw = ended(bytes);
  const stream = new DecompressionStream(raw === undefined ? "deflate" : "deflate-raw");
  const out = await through(raw ?? bytes, stream, uncompressedSize);
  if (out.length !== uncompressedSize) throw wrongSize("ZLIB", out.length, uncompressedSize);
  return out;
}

/** Compression by the platform's streams, by JavaScript, and for sending ZSTD by WebAssembly. */
export function createWebCodec(): Codec {
  const zstd = new ZstdEncoder();
  return {
    encryption: createWebEncryption(),
    compressions: new Set<CompressionName>(["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"]),
    compress(type: CompressionName, bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
      switch (type) {
        case "NONE":
          return bytes;
        case "LZ4":
          return lz4Compress(bytes);
        case "ZLIB":
          return through(bytes, new CompressionStream("deflate"), Number.POSITIVE_INFINITY);
        case "ZSTD":
          return zstd.compress(bytes);
        case "SNAPPY":
          return snappyCompress(bytes);
        default:
          throw unsupportedCompression(type);
      }
    },
    decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array | Promise<Uint8Array> {
      switch (type) {
        case "NONE":
          return bytes;
        case "LZ4":
          return lz4Decompress(bytes, uncompressedSize);
        case "ZLIB":
          return inflate(bytes, uncompressedSize);
        case "ZSTD":
          return zstdDecompress(bytes, uncompressedSize);
        case "SNAPPY":
          return snappyDecompress(bytes, uncompressedSize);
        default:
          throw unsupportedCompression(type);
      }
    },
  };
}
