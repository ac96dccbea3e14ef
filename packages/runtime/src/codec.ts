import type { Encryption } from "./encryption.ts";

/** Pulsar's compression types, by the names of the protocol. */
export type CompressionName = "NONE" | "LZ4" | "ZLIB" | "ZSTD" | "SNAPPY";

/**
 * Work that a platform may do better or on other threads. Every method may answer at once or by a promise; a
 * simulated port answers at once.
 */
export interface Codec {
  /** The compression types this port can do. */
  readonly compressions: ReadonlySet<CompressionName>;
  /** End-to-end encryption, where the platform has it. */
  readonly encryption?: Encryption | undefined;
  /** Throws or rejects when the type is not supported. */
  compress(type: CompressionName, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** `uncompressedSize` bounds what comes out, in bytes; anything else is an error. */
  decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array | Promise<Uint8Array>;
}
