import {
  MetadataError,
  type MetadataEvent,
  type MetadataStat,
  type MetadataStore,
  type MetadataValue,
  type PutOptions,
} from "./metadata-store.ts";

/** What becomes of a call: done and answered; never done; done, but its answer is lost. */
export type CallFate = "answered" | "lost" | "answer lost";

/** A session over a link that a test breaks. A call that is not answered rejects with Unavailable. */
export class UnreliableMetadata implements MetadataStore {
  /** Of changes. Default answered. */
  changes: CallFate = "answered";
  /** Of everything else. Default answered. */
  reads: CallFate = "answered";
  /** The keys whose changes `changes` decides about. Default all. */
  changedKeys: RegExp = /^/;
  readonly #session: MetadataStore;
  readonly #before = new Map<string, () => Promise<unknown>>();

  constructor(session: MetadataStore) {
    this.#session = session;
  }

  get sessionId(): number {
    return this.#session.sessionId;
  }

  get(key: string): Promise<MetadataValue | undefined> {
    return call(this.reads, () => this.#session.get(key));
  }

  exists(key: string): Promise<boolean> {
    return call(this.reads, () => this.#session.exists(key));
  }

  /** The next put of a key waits for something that happens first. */
  beforeNextPut(key: string, work: () => Promise<unknown>): void {
    this.#before.set(key, work);
  }

  async put(key: string, value: Uint8Array, options?: PutOptions): Promise<{ key: string; stat: MetadataStat }> {
    const before = this.#before.get(key);
    this.#before.delete(key);
    if (before !== undefined) await before();
    return call(this.#changing(key), () => this.#session.put(key, value, options));
  }

  delete(key: string, expectedVersion?: number): Promise<void> {
    return call(this.#changing(key), () => this.#session.delete(key, expectedVersion));
  }

  children(key: string): Promise<string[]> {
    return call(this.reads, () => this.#session.children(key));
  }

  nextSequence(key: string): Promise<number> {
    return call(this.reads, () => this.#session.nextSequence(key));
  }

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    return this.#session.watch(prefix, listener);
  }

  onSessionExpired(listener: () => void): Disposable {
    return this.#session.onSessionExpired(listener);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  #changing(key: string): CallFate {
    return this.changedKeys.test(key) ? this.changes : "answered";
  }
}

async function call<T>(fate: CallFate, done: () => Promise<T>): Promise<T> {
  if (fate === "lost") throw new MetadataError("Unavailable", "the call was lost");
  const result = await done();
  if (fate === "answer lost") throw new MetadataError("Unavailable", "the answer was lost");
  return result;
}
