import { deflateSync, inflateSync } from "node:zlib";
import type { Codec, CompressionName } from "../codec.ts";
import { unsupportedCompression, wrongSize } from "../compression/errors.ts";
import { lz4Compress, lz4Decompress } from "../compression/lz4-block.ts";

/** Compression by Node's zlib and this package's LZ4. */
export const nodeCodec: Codec = {
  compressions: new Set<CompressionName>(["NONE", "LZ4", "ZLIB"]),
  compress(type: CompressionName, bytes: Uint8Array): Uint8Array {
    if (type === "NONE") return bytes;
    if (type === "LZ4") return lz4Compress(bytes);
    if (type === "ZLIB") return deflateSync(bytes);
    throw unsupportedCompression(type);
  },
  decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array {
    if (type === "NONE") return bytes;
    if (type === "LZ4") return lz4Decompress(bytes, uncompressedSize);
    if (type !== "ZLIB") throw unsupportedCompression(type);
    const out = inflateSync(bytes, { maxOutputLength: Math.max(1, uncompressedSize) });
    if (out.length !== uncompressedSize) throw wrongSize(type, out.length, uncompressedSize);
    return out;
  },
};
