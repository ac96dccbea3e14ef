import { CommandAckValidationError } from "@pulsewire/protocol";
import { type Codec, Ring } from "@pulsewire/runtime";
import type { EntryDecryptor } from "../crypto/entry-decryptor.ts";
import { type ChunkAssembler, isChunk } from "./chunk-assembler.ts";
import { BrokenEntryError, checkBatchSize, permitsOf, type ReceivedEntry, uncompress } from "./entry-reader.ts";
import type { ConsumerCryptoFailureAction } from "./payload-options.ts";

export interface EntryIntakeOptions {
  readonly codec: Codec;
  readonly decryptor: EntryDecryptor;
  readonly cryptoFailureAction: ConsumerCryptoFailureAction;
  readonly chunks: ChunkAssembler;
  deliver(entry: ReceivedEntry, payload: Uint8Array): void;
  /** The entry is a chunk of a message that is not complete, or will never be. */
  withheld(entry: ReceivedEntry): void;
  /** What must be had before the entry can be delivered, where there is something. Must not reject. */
  prepare(entry: ReceivedEntry): Promise<void> | undefined;
  /** `deliver` threw, or the payload could not be opened. */
  failed(entry: ReceivedEntry, error: unknown): void;
}

/** An entry ready to be delivered; it is not the one that came where a message was put together. */
interface Opened {
  readonly entry: ReceivedEntry;
  readonly payload: Uint8Array;
}

/**
 * Opens entries: decrypts, puts chunks together, uncompresses. They are delivered in the order they come, whether the codec
 * answers at once or later.
 */
export class EntryIntake {
  readonly #options: EntryIntakeOptions;
  /** Entries that came while the one before them is being opened. */
  readonly #waiting = new Ring<ReceivedEntry>();
  #current: ReceivedEntry | undefined;

  constructor(options: EntryIntakeOptions) {
    this.#options = options;
  }

  push(entry: ReceivedEntry): void {
    if (this.#current === undefined) this.#take(entry);
    else this.#waiting.push(entry);
  }

  /** Forgets what was not delivered; answers how many messages that were, as the broker counts. */
  clear(): number {
    let messages = this.#current === undefined ? 0 : permitsOf(this.#current);
    for (const entry of this.#waiting) messages += permitsOf(entry);
    this.#waiting.clear();
    this.#current = undefined;
    this.#options.chunks.clear();
    return messages;
  }

  #take(entry: ReceivedEntry): void {
    try {
      const ready = this.#options.prepare(entry);
      if (ready !== undefined) {
        void this.#takeLater(
          entry,
          ready.then(() => this.#open(entry)),
        );
        return;
      }
      const opened = this.#open(entry);
      if (opened instanceof Promise) void this.#takeLater(entry, opened);
      else this.#deliver(entry, opened);
    } catch (error) {
      this.#options.failed(entry, error);
    }
  }

  async #takeLater(entry: ReceivedEntry, opening: Promise<Opened | undefined>): Promise<void> {
    this.#current = entry;
    try {
      const opened = await opening;
      if (this.#current === entry) this.#deliver(entry, opened);
    } catch (error) {
      if (this.#current === entry) this.#options.failed(entry, error);
    }
    // cleared meanwhile, and maybe filled anew
    if (this.#current !== entry) return;
    this.#current = undefined;
    while (this.#current === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#take(next);
    }
  }

  #deliver(entry: ReceivedEntry, opened: Opened | undefined): void {
    if (opened === undefined) this.#options.withheld(entry);
    else this.#options.deliver(opened.entry, opened.payload);
  }

  /** Undefined: there is nothing to deliver yet. */
  #open(entry: ReceivedEntry): Opened | undefined | Promise<Opened | undefined> {
    checkBatchSize(entry);
    const { metadata, payload } = entry.parsed;
    if (metadata.encryptionKeys.length === 0) return this.#assemble(entry, payload);
    let plain: Uint8Array | Promise<Uint8Array>;
    try {
      plain = this.#options.decryptor.decrypt(metadata, payload);
    } catch (error) {
      return this.#undecryptable(entry, error);
    }
    if (!(plain instanceof Promise)) return this.#assemble(entry, plain);
    return plain.then(
      // the chunks of what was cleared meanwhile are not to be mixed with those of what comes now
      (bytes) => (this.#current === entry ? this.#assemble(entry, bytes) : undefined),
      (error) => this.#undecryptable(entry, error),
    );
  }

  /** Delivered raw it is one message, whatever it was: neither a batch nor a chunk can be made of it. */
  #undecryptable(entry: ReceivedEntry, error: unknown): Opened {
    const { cryptoFailureAction } = this.#options;
    if (cryptoFailureAction === "CONSUME") {
      return { entry: { ...entry, encrypted: true }, payload: entry.parsed.payload };
    }
    const reason = cryptoFailureAction === "DISCARD" ? CommandAckValidationError.DecryptionError : undefined;
    throw new BrokenEntryError(reason, String(error), { cause: error });
  }

  #assemble(entry: ReceivedEntry, payload: Uint8Array): Opened | undefined | Promise<Opened | undefined> {
    if (!isChunk(entry.parsed.metadata)) return this.#uncompress(entry, payload);
    const assembled = this.#options.chunks.add(entry, payload);
    return assembled === undefined ? undefined : this.#uncompress(assembled.entry, assembled.payload);
  }

  #uncompress(entry: ReceivedEntry, payload: Uint8Array): Opened | Promise<Opened> {
    const bytes = uncompress(entry, payload, this.#options.codec);
    if (bytes instanceof Promise) return bytes.then((done) => ({ entry, payload: done }));
    return { entry, payload: bytes };
  }
}
