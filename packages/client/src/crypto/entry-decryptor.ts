import type { Decoded, MessageMetadata } from "@pulsewire/protocol";
import type { DataKey, Encryption } from "@pulsewire/runtime";
import { PulsarError, TimeoutError } from "../errors.ts";
import type { Waits } from "../waits.ts";
import { type CryptoKeyReader, checkKeyInfo, type EncryptionKeyInfo } from "./crypto-key-reader.ts";
import { reasonOf } from "./entry-encryptor.ts";

/** Data keys that are kept, so that the key reader and RSA are asked once for each and not for each entry. */
const DATA_KEYS_MAX = 100;

export interface EntryDecryptorOptions {
  readonly topic: string;
  readonly keyReader: CryptoKeyReader | undefined;
  /** Undefined where the platform cannot. */
  readonly encryption: Encryption | undefined;
  readonly waits: Waits;
  /** How long the key reader may take for one key. */
  readonly timeoutMs: number;
}

/** Decrypts the entries of one partition. */
export class EntryDecryptor {
  readonly #options: EntryDecryptorOptions;
  /** By the encrypted data key; the latest used is the last. */
  readonly #dataKeys = new Map<string, DataKey>();

  constructor(options: EntryDecryptorOptions) {
    this.#options = options;
  }

  /** Answers at once where the data key is known and the platform does. Throws or rejects with code `CryptoError`. */
  decrypt(metadata: Decoded<MessageMetadata>, payload: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const { encryption, keyReader, topic } = this.#options;
    if (keyReader === undefined) throw new PulsarError("CryptoError", `${topic}: there is no cryptoKeyReader`);
    if (encryption === undefined) throw new PulsarError("CryptoError", `${topic}: this platform cannot decrypt`);
    for (const { value } of metadata.encryptionKeys) {
      const name = keyOf(value);
      const known = this.#dataKeys.get(name);
      if (known === undefined) continue;
      this.#remember(name, known);
      return this.#open(known, metadata, payload);
    }
    return this.#fetch(metadata, encryption, keyReader).then((key) => this.#open(key, metadata, payload));
  }

  #open(key: DataKey, metadata: Decoded<MessageMetadata>, payload: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const failed = (error: unknown): never => {
      throw new PulsarError("CryptoError", `${this.#options.topic}: ${reasonOf(error)}`, { cause: error });
    };
    try {
      const opened = key.decrypt(metadata.encryptionParam ?? new Uint8Array(0), payload);
      return opened instanceof Promise ? opened.catch(failed) : opened;
    } catch (error) {
      return failed(error);
    }
  }

  /** Tries the message's keys one after the other: one of them is enough. */
  async #fetch(
    metadata: Decoded<MessageMetadata>,
    encryption: Encryption,
    keyReader: CryptoKeyReader,
  ): Promise<DataKey> {
    const failures: unknown[] = [];
    for (const { key: name, value, metadata: pairs = [] } of metadata.encryptionKeys) {
      try {
        if (keyReader.getPrivateKey === undefined) throw new Error("the cryptoKeyReader has no getPrivateKey");
        const keyMetadata = Object.fromEntries(pairs.map((p) => [p.key, p.value]));
        const info = checkKeyInfo(await this.#ask(keyReader.getPrivateKey(name, keyMetadata)), name);
        const dataKey = encryption.dataKey(await encryption.unwrap(info.key, value));
        this.#remember(keyOf(value), dataKey);
        return dataKey;
      } catch (error) {
        failures.push(error);
      }
    }
    const names = metadata.encryptionKeys.map((k) => JSON.stringify(k.key)).join(", ");
    const detail = `${this.#options.topic}: none of the private keys ${names} can be used, ${failures.map(reasonOf).join("; ")}`;
    throw new PulsarError("CryptoError", detail, { cause: failures[0] });
  }

  async #ask(answer: EncryptionKeyInfo | Promise<EncryptionKeyInfo>): Promise<EncryptionKeyInfo> {
    const { waits, timeoutMs } = this.#options;
    if (!(answer instanceof Promise)) return answer;
    return waits.bounded(
      answer,
      timeoutMs,
      () => new TimeoutError(`the cryptoKeyReader did not answer within ${timeoutMs} ms`),
    );
  }

  #remember(name: string, key: DataKey): void {
    this.#dataKeys.delete(name);
    this.#dataKeys.set(name, key);
    if (this.#dataKeys.size <= DATA_KEYS_MAX) return;
    const [oldest] = this.#dataKeys.keys();
    if (oldest !== undefined) this.#dataKeys.delete(oldest);
  }
}

/** An encrypted data key as a text. */
function keyOf(value: Uint8Array): string {
  let text = "";
  for (const byte of value) text += String.fromCharCode(byte);
  return text;
}
