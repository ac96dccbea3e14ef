import type { Codec } from "../codec.ts";
import { wrongSize } from "../compression/errors.ts";
import { platformCodec } from "../compression/platform-codec.ts";
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

function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  return through(bytes, new CompressionStream("deflate"), Number.POSITIVE_INFINITY);
}

/** Compression by the platform's streams, by JavaScript, and for sending ZSTD by WebAssembly. */
export function createWebCodec(): Codec {
  const encoder = new ZstdEncoder();
  return platformCodec({
    encryption: createWebEncryption(),
    zlib: { compress: deflate, decompress: inflate },
    zstd: { compress: (bytes) => encoder.compress(bytes), decompress: zstdDecompress },
  });
}
