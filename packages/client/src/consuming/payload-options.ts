import { oneOf, trueOrFalse, wholeNumber } from "../check-options.ts";
import { type CryptoKeyReader, checkKeyReader } from "../crypto/crypto-key-reader.ts";

/**
 * What becomes of an entry that cannot be decrypted. `FAIL`: it is not delivered and stays unacknowledged, for a consumer
 * that has the key. `DISCARD`: it is acknowledged and dropped. `CONSUME`: it is delivered as it is, see
 * `message.encryptionContext`.
 */
export type ConsumerCryptoFailureAction = "FAIL" | "DISCARD" | "CONSUME";

/** What a consumer does to payloads before the application gets them. */
export interface ConsumerPayloadOptions {
  /**
   * Chunked messages that may be incomplete at one time, for each partition; beyond it the oldest is given up. 0 is no
   * limit. Default 10.
   */
  maxPendingChunkedMessage?: number;
  /** What is given up is acknowledged, else it is delivered again later. Default false. */
  autoAckOldestChunkedMessageOnQueueFull?: boolean;
  /** How long an incomplete chunked message is waited for before it is acknowledged, in ms; 0 is forever. Default 60,000. */
  expireTimeOfIncompleteChunkedMessageMs?: number;
  /** Knows the private keys of encrypted messages. */
  cryptoKeyReader?: CryptoKeyReader;
  /** Default `FAIL`. */
  cryptoFailureAction?: ConsumerCryptoFailureAction;
}

/** The names of the options above. */
export const PAYLOAD_OPTIONS: readonly (keyof ConsumerPayloadOptions)[] = [
  "maxPendingChunkedMessage",
  "autoAckOldestChunkedMessageOnQueueFull",
  "expireTimeOfIncompleteChunkedMessageMs",
  "cryptoKeyReader",
  "cryptoFailureAction",
];

export interface ResolvedConsumerPayloadOptions {
  readonly maxPendingChunkedMessage: number;
  readonly autoAckOldestChunkedMessageOnQueueFull: boolean;
  readonly expireTimeOfIncompleteChunkedMessageMs: number;
  readonly cryptoKeyReader: CryptoKeyReader | undefined;
  readonly cryptoFailureAction: ConsumerCryptoFailureAction;
}

const FAILURE_ACTIONS = ["FAIL", "DISCARD", "CONSUME"] as const;

/** Throws an InvalidConfigurationError that names the option and what it takes. */
export function resolveConsumerPayload(o: ConsumerPayloadOptions): ResolvedConsumerPayloadOptions {
  return {
    maxPendingChunkedMessage: wholeNumber("maxPendingChunkedMessage", o.maxPendingChunkedMessage, 10),
    autoAckOldestChunkedMessageOnQueueFull: trueOrFalse(
      "autoAckOldestChunkedMessageOnQueueFull",
      o.autoAckOldestChunkedMessageOnQueueFull,
      false,
    ),
    expireTimeOfIncompleteChunkedMessageMs: wholeNumber(
      "expireTimeOfIncompleteChunkedMessageMs",
      o.expireTimeOfIncompleteChunkedMessageMs,
      60_000,
    ),
    cryptoKeyReader: checkKeyReader(o.cryptoKeyReader),
    cryptoFailureAction: oneOf("cryptoFailureAction", o.cryptoFailureAction, FAILURE_ACTIONS, "FAIL"),
  };
}
