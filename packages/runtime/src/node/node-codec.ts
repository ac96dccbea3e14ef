import { constants, deflateSync, inflateSync } from "node:zlib";
import type { Codec, CompressionName } from "../codec.ts";
import { unsupportedCompression, wrongSize } from "../compression/errors.ts";
import { lz4Compress, lz4Decompress } from "../compression/lz4-block.ts";
import { snappyCompress, snappyDecompress } from "../compression/snappy-block.ts";
import { nodeEncryption } from "./node-encryption.ts";
import { createZstd } from "./node-zstd.ts";

function inflate(bytes: Uint8Array, uncompressedSize: number): Uint8Array {
  // Pulsar's Java client flushes its stream and does not end it: what has come out is judged by its size alone
  const finishFlush = constants.Z_SYNC_FLUSH;
  const out = inflateSync(bytes, { finishFlush, maxOutputLength: Math.max(1, uncompressedSize) });
  if (out.length !== uncompressedSize) throw wrongSize("ZLIB", out.length, uncompressedSize);
  return out;
}

/** Compression by Node's zlib where it can, and by JavaScript where it cannot. */
export function createNodeCodec(): Codec {
  const zstd = createZstd();
  return {
    encryption: nodeEncryption,
    compressions: new Set<CompressionName>(["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"]),
    compress(type: CompressionName, bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
      switch (type) {
        case "NONE":
          return bytes;
        case "LZ4":
          return lz4Compress(bytes);
        case "ZLIB":
          return deflateSync(bytes);
        case "ZSTD":
          return zstd.compress(bytes);
        case "SNAPPY":
          return snappyCompress(bytes);
        default:
          throw unsupportedCompression(type);
      }
    },
    decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array {
      switch (type) {
        case "NONE":
          return bytes;
        case "LZ4":
          return lz4Decompress(bytes, uncompressedSize);
        case "ZLIB":
          return inflate(bytes, uncompressedSize);
        case "ZSTD":
          return zstd.decompress(bytes, uncompressedSize);
        case "SNAPPY":
          return snappyDecompress(bytes, uncompressedSize);
        default:
          throw unsupportedCompression(type);
      }
    },
  };
}
