import type { CompressionName } from "@pulsewire/runtime";
import { describe, oneOf, trueOrFalse, wholeNumber } from "../check-options.ts";
import { type CryptoKeyReader, checkKeyReader } from "../crypto/crypto-key-reader.ts";
import { InvalidConfigurationError } from "../errors.ts";

/** What a producer does with an entry it cannot encrypt. */
export type ProducerCryptoFailureAction = "FAIL" | "SEND";

/** What a producer does to payloads before they leave. */
export interface ProducerPayloadOptions {
  /** Default `NONE`. */
  compressionType?: CompressionName;
  /**
   * Sends a message that is larger than the broker takes in several entries, which consumers put together again. Batching
   * is off then: a batch cannot be cut. Default false.
   */
  chunkingEnabled?: boolean;
  /** The most a chunk holds, in bytes. Default 0: as much as the broker takes. */
  chunkMaxMessageSize?: number;
  /** The names of the public keys whose owners can read the messages. With `cryptoKeyReader`. Default: no encryption. */
  encryptionKeys?: readonly string[];
  /** Knows the keys of `encryptionKeys`. */
  cryptoKeyReader?: CryptoKeyReader;
  /** `SEND` sends unencrypted what cannot be encrypted, `FAIL` rejects. Default `FAIL`. */
  cryptoFailureAction?: ProducerCryptoFailureAction;
}

export interface ResolvedProducerPayloadOptions {
  readonly compressionType: CompressionName;
  readonly chunkingEnabled: boolean;
  readonly chunkMaxMessageSize: number;
  readonly encryptionKeys: readonly string[];
  readonly cryptoKeyReader: CryptoKeyReader | undefined;
  readonly cryptoFailureAction: ProducerCryptoFailureAction;
}

const COMPRESSIONS = ["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"] as const;
const FAILURE_ACTIONS = ["FAIL", "SEND"] as const;

/** Throws an InvalidConfigurationError that names the option and what it takes. */
export function resolvePayloadOptions(
  o: ProducerPayloadOptions & { batchingEnabled?: boolean },
  compressions: ReadonlySet<CompressionName>,
): ResolvedProducerPayloadOptions {
  const compressionType = oneOf("compressionType", o.compressionType, COMPRESSIONS, "NONE");
  if (!compressions.has(compressionType)) {
    const able = [...compressions].join(", ");
    throw new InvalidConfigurationError(`compressionType ${compressionType} is not supported here; it takes ${able}`);
  }
  const chunkingEnabled = trueOrFalse("chunkingEnabled", o.chunkingEnabled, false);
  if (chunkingEnabled && o.batchingEnabled === true) {
    throw new InvalidConfigurationError(
      "chunkingEnabled and batchingEnabled exclude each other: a batch cannot be cut",
    );
  }
  return {
    compressionType,
    chunkingEnabled,
    chunkMaxMessageSize: wholeNumber("chunkMaxMessageSize", o.chunkMaxMessageSize, 0),
    ...resolveEncryption(o),
  };
}

type Encryption = "encryptionKeys" | "cryptoKeyReader" | "cryptoFailureAction";

function resolveEncryption(o: ProducerPayloadOptions): Pick<ResolvedProducerPayloadOptions, Encryption> {
  const encryptionKeys = o.encryptionKeys ?? [];
  if (!Array.isArray(encryptionKeys) || encryptionKeys.some((name) => typeof name !== "string" || name === "")) {
    throw new InvalidConfigurationError(
      `encryptionKeys takes an array of names that are not empty, not ${describe(encryptionKeys)}`,
    );
  }
  const cryptoKeyReader = checkKeyReader(o.cryptoKeyReader);
  // one without the other would send in the clear what was meant to be secret
  if (encryptionKeys.length > 0 !== (cryptoKeyReader !== undefined)) {
    throw new InvalidConfigurationError("encryptionKeys and cryptoKeyReader go together");
  }
  return {
    encryptionKeys: [...new Set(encryptionKeys)],
    cryptoKeyReader,
    cryptoFailureAction: oneOf("cryptoFailureAction", o.cryptoFailureAction, FAILURE_ACTIONS, "FAIL"),
  };
}
