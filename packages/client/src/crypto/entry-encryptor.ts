import type { EncryptionKeys } from "@pulsewire/protocol";
import type { Clock, DataKey, Encryption } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { AlreadyClosedError, PulsarError, TimeoutError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { ResolvedProducerOptions } from "../producing/producer-options.ts";
import type { Seal } from "../producing/send-frame.ts";
import type { Waits } from "../waits.ts";
import { type CryptoKeyReader, checkKeyInfo } from "./crypto-key-reader.ts";

/** How long one data key is used, in ms: as long as in Pulsar's own clients. */
const DATA_KEY_AGE_MS_MAX = 4 * 60 * 60 * 1000;
/** How long the old one serves on where a new one could not be made, in ms: a key store that is down is not asked for each message. */
const RENEW_AGAIN_MS = 60_000;
const DATA_KEY_BYTES = 32;
const IV_BYTES = 12;

/** A payload that was encrypted, and what its entry's metadata says of it. */
export interface Sealed {
  readonly bytes: Uint8Array;
  readonly seal: Seal;
}

interface CurrentKey {
  readonly dataKey: DataKey;
  /** The data key for each public key, encrypted with it. */
  readonly keys: readonly EncryptionKeys[];
  readonly madeMs: number;
}

export interface EntryEncryptorOptions {
  readonly topic: string;
  readonly keyNames: readonly string[];
  readonly keyReader: CryptoKeyReader;
  readonly encryption: Encryption;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly waits: Waits;
  /** How long the key reader may take for all keys. */
  readonly timeoutMs: number;
  randomBytes(length: number): Uint8Array;
}

/**
 * Encrypts the payloads of one producer: with a data key of its own, which goes with every entry, encrypted for each of the
 * public keys. Every four hours there is a new one.
 */
export class EntryEncryptor {
  readonly #options: EntryEncryptorOptions;
  #current: CurrentKey;
  #renewing = false;
  #renewAtMs: number;

  private constructor(options: EntryEncryptorOptions, current: CurrentKey) {
    this.#options = options;
    this.#current = current;
    this.#renewAtMs = current.madeMs + DATA_KEY_AGE_MS_MAX;
  }

  /** Rejects with code `CryptoError` where a key cannot be had or used, and with `Timeout` where it does not come. */
  static async open(options: EntryEncryptorOptions): Promise<EntryEncryptor> {
    return new EntryEncryptor(options, await keyInTime(options));
  }

  /** What the metadata of an entry may take at most. */
  get largestSeal(): Seal {
    return { keys: this.#current.keys, param: new Uint8Array(IV_BYTES) };
  }

  /** Encrypts pieces, each on its own. Answers at once where the platform does. */
  seal(pieces: readonly Uint8Array[]): Sealed[] | Promise<Sealed[]> {
    const { clock } = this.#options;
    const current = this.#current;
    if (clock.monotonicMs() >= this.#renewAtMs && !this.#renewing) void this.#renew();
    const sealed: Sealed[] = [];
    const later: Promise<Sealed>[] = [];
    for (const piece of pieces) {
      const param = this.#options.randomBytes(IV_BYTES);
      const seal: Seal = { keys: current.keys, param };
      const bytes = current.dataKey.encrypt(param, piece);
      if (bytes instanceof Promise) later.push(bytes.then((done) => ({ bytes: done, seal })));
      else sealed.push({ bytes, seal });
    }
    return later.length > 0 ? Promise.all(later) : sealed;
  }

  /** The old key serves until there is a new one: sends do not wait for a key store. */
  async #renew(): Promise<void> {
    const { clock } = this.#options;
    this.#renewing = true;
    try {
      this.#current = await keyInTime(this.#options);
      this.#renewAtMs = this.#current.madeMs + DATA_KEY_AGE_MS_MAX;
    } catch (error) {
      this.#renewAtMs = clock.monotonicMs() + RENEW_AGAIN_MS;
      if (error instanceof AlreadyClosedError) return;
      this.#options.logger.warn(`${this.#options.topic}: a new data key could not be made, ${String(error)}`);
    } finally {
      this.#renewing = false;
    }
  }
}

/** The key reader is the application's, and may never answer. */
function keyInTime(options: EntryEncryptorOptions): Promise<CurrentKey> {
  const { topic, keyNames, waits, timeoutMs } = options;
  return waits.bounded(makeKey(options), timeoutMs, () => {
    const keys = keyNames.map((name) => JSON.stringify(name)).join(", ");
    return new TimeoutError(`${topic}: the cryptoKeyReader did not answer for ${keys} within ${timeoutMs} ms`);
  });
}

async function makeKey(options: EntryEncryptorOptions): Promise<CurrentKey> {
  const { encryption, keyNames, clock } = options;
  const key = options.randomBytes(DATA_KEY_BYTES);
  const keys: EncryptionKeys[] = [];
  for (const name of keyNames) keys.push(await wrapFor(options, name, key));
  return { dataKey: encryption.dataKey(key), keys, madeMs: clock.monotonicMs() };
}

async function wrapFor(options: EntryEncryptorOptions, name: string, dataKey: Uint8Array): Promise<EncryptionKeys> {
  const { topic, keyReader, encryption } = options;
  try {
    if (keyReader.getPublicKey === undefined) throw new Error("the cryptoKeyReader has no getPublicKey");
    const info = checkKeyInfo(await keyReader.getPublicKey(name, {}), name);
    const value = await encryption.wrap(info.key, dataKey);
    const metadata = Object.entries(info.metadata ?? {}).map(([key, text]) => ({ key, value: text }));
    return { key: name, value, metadata };
  } catch (error) {
    const detail = `${topic}: the public key ${JSON.stringify(name)} cannot be used, ${reasonOf(error)}`;
    throw new PulsarError("CryptoError", detail, { cause: error });
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The encryptor a producer's options ask for. Rejects with code `CryptoError`, unless it may send unencrypted. */
export async function openEncryptor(
  context: ClientContext,
  options: ResolvedProducerOptions,
  topic: string,
): Promise<EntryEncryptor | undefined> {
  const { encryptionKeys: keyNames, cryptoKeyReader: keyReader, cryptoFailureAction } = options;
  if (keyNames.length === 0 || keyReader === undefined) return undefined;
  const { runtime, logger, waits, operationTimeoutMs: timeoutMs } = context;
  const { encryption } = runtime.codec;
  try {
    if (encryption === undefined) {
      throw new PulsarError(
        "CryptoError",
        `${topic}: this platform cannot encrypt; a page needs a secure context (https)`,
      );
    }
    const randomBytes = (length: number): Uint8Array => runtime.random.bytes(length);
    const { clock } = runtime;
    const own = { topic, keyNames, keyReader, encryption, clock, logger, waits, timeoutMs, randomBytes };
    return await EntryEncryptor.open(own);
  } catch (error) {
    if (cryptoFailureAction === "FAIL" || error instanceof AlreadyClosedError) throw error;
    logger.warn(`${topic}: messages go unencrypted, ${String(error)}`);
    return undefined;
  }
}
