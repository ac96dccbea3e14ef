import { type Codec, Ring } from "@pulsewire/runtime";
import { permitsOf, type ReceivedEntry, uncompress } from "./entry-reader.ts";

export interface EntryIntakeOptions {
  readonly codec: Codec;
  deliver(entry: ReceivedEntry, payload: Uint8Array): void;
  /** What must be had before the entry can be delivered, where there is something. Must not reject. */
  prepare(entry: ReceivedEntry): Promise<void> | undefined;
  /** `deliver` threw, or the payload could not be uncompressed. */
  failed(entry: ReceivedEntry, error: unknown): void;
}

/** Uncompresses entries in the order they come, whether the codec answers at once or later. */
export class EntryIntake {
  readonly #options: EntryIntakeOptions;
  /** Entries that came while the one before them is being uncompressed. */
  readonly #waiting = new Ring<ReceivedEntry>();
  #current: ReceivedEntry | undefined;

  constructor(options: EntryIntakeOptions) {
    this.#options = options;
  }

  push(entry: ReceivedEntry): void {
    if (this.#current === undefined) this.#uncompress(entry);
    else this.#waiting.push(entry);
  }

  /** Forgets what was not delivered; answers how many messages that were, as the broker counts. */
  clear(): number {
    let messages = this.#current === undefined ? 0 : permitsOf(this.#current);
    for (const entry of this.#waiting) messages += permitsOf(entry);
    this.#waiting.clear();
    this.#current = undefined;
    return messages;
  }

  #uncompress(entry: ReceivedEntry): void {
    const { codec } = this.#options;
    try {
      const ready = this.#options.prepare(entry);
      const open = (): Uint8Array | Promise<Uint8Array> => uncompress(entry, codec);
      const payload = ready === undefined ? open() : ready.then(open);
      if (payload instanceof Promise) void this.#deliverLater(entry, payload);
      else this.#options.deliver(entry, payload);
    } catch (error) {
      this.#options.failed(entry, error);
    }
  }

  async #deliverLater(entry: ReceivedEntry, uncompressing: Promise<Uint8Array>): Promise<void> {
    this.#current = entry;
    try {
      const payload = await uncompressing;
      if (this.#current === entry) this.#options.deliver(entry, payload);
    } catch (error) {
      if (this.#current === entry) this.#options.failed(entry, error);
    }
    // cleared meanwhile, and maybe filled anew
    if (this.#current !== entry) return;
    this.#current = undefined;
    while (this.#current === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#uncompress(next);
    }
  }
}
