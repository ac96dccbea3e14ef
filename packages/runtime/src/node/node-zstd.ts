import * as zlib from "node:zlib";
import { wrongSize } from "../compression/errors.ts";
import { ZstdEncoder } from "../compression/zstd-encoder.ts";
import { checkZstdFrame, zstdDecompress } from "../compression/zstd-frame.ts";

/** What Node has of ZSTD from 22.15 on; @types/node of Node 20 does not know it. */
interface ZlibWithZstd {
  zstdCompressSync?(bytes: Uint8Array): Uint8Array;
  zstdDecompressSync?(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
}

/** ZSTD by the platform, where it has it, else by JavaScript and WebAssembly. */
export interface Zstd {
  compress(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  decompress(bytes: Uint8Array, uncompressedSize: number): Uint8Array;
}

export function createZstd(platform: ZlibWithZstd = zlib as ZlibWithZstd): Zstd {
  const { zstdCompressSync, zstdDecompressSync } = platform;
  if (zstdCompressSync === undefined || zstdDecompressSync === undefined) {
    const encoder = new ZstdEncoder();
    return { compress: (bytes) => encoder.compress(bytes), decompress: zstdDecompress };
  }
  return {
    compress: (bytes) => zstdCompressSync(bytes),
    decompress(bytes, uncompressedSize) {
      checkZstdFrame(bytes, uncompressedSize);
      const out = zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, uncompressedSize) });
      if (out.length !== uncompressedSize) throw wrongSize("ZSTD", out.length, uncompressedSize);
      return out;
    },
  };
}
