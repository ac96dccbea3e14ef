import type { Codec, CompressionName } from "../codec.ts";
import { unsupportedCompression, wrongSize } from "../compression/errors.ts";
import { lz4Compress, lz4Decompress } from "../compression/lz4-block.ts";

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

/** Compression by the platform's streams and this package's LZ4. */
export const webCodec: Codec = {
  compressions: new Set<CompressionName>(["NONE", "LZ4", "ZLIB"]),
  compress(type: CompressionName, bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
    if (type === "NONE") return bytes;
    if (type === "LZ4") return lz4Compress(bytes);
    if (type === "ZLIB") return through(bytes, new CompressionStream("deflate"), Number.POSITIVE_INFINITY);
    throw unsupportedCompression(type);
  },
  decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array | Promise<Uint8Array> {
    if (type === "NONE") return bytes;
    if (type === "LZ4") return lz4Decompress(bytes, uncompressedSize);
    if (type !== "ZLIB") throw unsupportedCompression(type);
    return through(bytes, new DecompressionStream("deflate"), uncompressedSize).then((out) => {
      if (out.length !== uncompressedSize) throw wrongSize(type, out.length, uncompressedSize);
      return out;
    });
  },
};
