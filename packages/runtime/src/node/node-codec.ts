import { constants, deflateSync, inflateSync } from "node:zlib";
import type { Codec } from "../codec.ts";
import { wrongSize } from "../compression/errors.ts";
import { platformCodec } from "../compression/platform-codec.ts";
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
  const zlib = { compress: (bytes: Uint8Array): Uint8Array => deflateSync(bytes), decompress: inflate };
  return platformCodec({ encryption: nodeEncryption, zlib, zstd: createZstd() });
}
