import { CompressionType, type Decoded, type MessageMetadata } from "@pulsewire/protocol";
import type { CompressionName } from "@pulsewire/runtime";

/** A data key as it came with a message: encrypted with one of the public keys. */
export interface EncryptedDataKey {
  readonly value: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

/** How a message was encrypted: all that is needed to decrypt it elsewhere. */
export interface EncryptionContext {
  /** By the name of the public key. */
  readonly keys: Readonly<Record<string, EncryptedDataKey>>;
  /** As the producer gave it; empty where it gave none, which stands for AES-256-GCM. */
  readonly algorithm: string;
  /** The initialisation vector. */
  readonly param: Uint8Array;
  /** The payload was compressed by it before it was encrypted. */
  readonly compressionType: CompressionName;
  /** The size of the payload before compression and encryption, in bytes. */
  readonly uncompressedMessageSize: number;
  /** How many messages the payload is a batch of; undefined where it is no batch. */
  readonly batchSize: number | undefined;
  /** Whether the payload is still encrypted: `message.data` is what the producer sent, and no part of a batch. */
  readonly isEncrypted: boolean;
}

const COMPRESSION_NAMES: Readonly<Record<number, CompressionName>> = {
  [CompressionType.NONE]: "NONE",
  [CompressionType.LZ4]: "LZ4",
  [CompressionType.ZLIB]: "ZLIB",
  [CompressionType.ZSTD]: "ZSTD",
  [CompressionType.SNAPPY]: "SNAPPY",
};

/** What an entry's metadata tells of its encryption; undefined where it is not encrypted. */
export function encryptionContextOf(
  metadata: Decoded<MessageMetadata>,
  isEncrypted: boolean,
): EncryptionContext | undefined {
  if (metadata.encryptionKeys.length === 0) return undefined;
  const keys: Record<string, EncryptedDataKey> = {};
  for (const { key, value, metadata: pairs = [] } of metadata.encryptionKeys) {
    keys[key] = { value, metadata: Object.fromEntries(pairs.map((p) => [p.key, p.value])) };
  }
  return {
    keys,
    algorithm: metadata.encryptionAlgo ?? "",
    param: metadata.encryptionParam ?? new Uint8Array(0),
    compressionType: COMPRESSION_NAMES[metadata.compression ?? 0] ?? "NONE",
    uncompressedMessageSize: metadata.uncompressedSize ?? 0,
    batchSize: metadata.numMessagesInBatch,
    isEncrypted,
  };
}
