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

async function inflate(bytes: Uint8Array, uncompressedSize: number): Promise<Uint8Array> {
  const out = await through(bytes, new DecompressionStream("deflate"), uncompressedSize);
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
