import type { Codec, CompressionName } from "../codec.ts";
import type { Encryption } from "../encryption.ts";
import { unsupportedCompression } from "./errors.ts";
import { lz4Compress, lz4Decompress } from "./lz4-block.ts";
import { snappyCompress, snappyDecompress } from "./snappy-block.ts";

/** One compression, either way. `uncompressedSize` is what has to come out, in bytes; anything else throws or rejects. */
interface Compressor {
  compress(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  decompress(bytes: Uint8Array, uncompressedSize: number): Uint8Array | Promise<Uint8Array>;
}

/** What each platform does in its own way. */
interface PlatformParts {
  readonly encryption: Encryption | undefined;
  readonly zlib: Compressor;
  readonly zstd: Compressor;
}

const NONE: Compressor = { compress: (bytes) => bytes, decompress: (bytes) => bytes };
const LZ4: Compressor = { compress: lz4Compress, decompress: lz4Decompress };
const SNAPPY: Compressor = { compress: snappyCompress, decompress: snappyDecompress };

/** The codec of a platform, with what is the same on all of them. */
export function platformCodec({ encryption, zlib, zstd }: PlatformParts): Codec {
  const compressors = new Map<CompressionName, Compressor>([
    ["NONE", NONE],
    ["LZ4", LZ4],
    ["ZLIB", zlib],
    ["ZSTD", zstd],
    ["SNAPPY", SNAPPY],
  ]);
  const get = (type: CompressionName): Compressor => {
    const compressor = compressors.get(type);
    if (compressor === undefined) throw unsupportedCompression(type);
    return compressor;
  };
  return {
    encryption,
    compressions: new Set(compressors.keys()),
    compress: (type, bytes) => get(type).compress(bytes),
    decompress: (type, bytes, uncompressedSize) => get(type).decompress(bytes, uncompressedSize),
  };
}
