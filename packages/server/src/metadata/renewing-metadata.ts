import type { MetadataEvent, MetadataStat, MetadataStore, MetadataValue, PutOptions } from "./metadata-store.ts";

interface KeptWatch {
  readonly prefix: string;
  readonly listener: (event: MetadataEvent) => void;
  inner: Disposable;
}

/**
 * The metadata store as a node has it that outlives its sessions: when one expires, those who watch for that are told,
 * then the next one is begun, watches go on in it, and those who have ephemeral keys to put again are told.
 * States: open -> closed (final).
 */
export class RenewingMetadata implements MetadataStore {
  readonly #open: () => MetadataStore;
  readonly #watches = new Set<KeptWatch>();
  readonly #expiredListeners = new Set<() => void>();
  readonly #renewedListeners = new Set<() => void>();
  #session: MetadataStore;
  #closed = false;

  /** @param open Begins a session. */
  constructor(open: () => MetadataStore) {
    this.#open = open;
    this.#session = open();
    this.#session.onSessionExpired(() => this.#renew());
  }

  get sessionId(): number {
    return this.#session.sessionId;
  }

  get(key: string): Promise<MetadataValue | undefined> {
    return this.#session.get(key);
  }

  exists(key: string): Promise<boolean> {
    return this.#session.exists(key);
  }

  put(key: string, value: Uint8Array, options?: PutOptions): Promise<{ key: string; stat: MetadataStat }> {
    return this.#session.put(key, value, options);
  }

  delete(key: string, expectedVersion?: number): Promise<void> {
    return this.#session.delete(key, expectedVersion);
  }

  children(key: string): Promise<string[]> {
    return this.#session.children(key);
  }

  nextSequence(key: string): Promise<number> {
    return this.#session.nextSequence(key);
  }

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    const kept: KeptWatch = { prefix, listener, inner: this.#session.watch(prefix, listener) };
    this.#watches.add(kept);
    return {
      [Symbol.dispose]: () => {
        this.#watches.delete(kept);
        kept.inner[Symbol.dispose]();
      },
    };
  }

  /** Told at the end of each session. What it changes at once goes nowhere: there is no session. */
  onSessionExpired(listener: () => void): Disposable {
    this.#expiredListeners.add(listener);
    return { [Symbol.dispose]: () => this.#expiredListeners.delete(listener) };
  }

  /** Told at the beginning of each session but the first: ephemeral keys are to be put again. */
  onSessionRenewed(listener: () => void): Disposable {
    this.#renewedListeners.add(listener);
    return { [Symbol.dispose]: () => this.#renewedListeners.delete(listener) };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#session.close();
  }

  #renew(): void {
    if (this.#closed) return;
    for (const listener of [...this.#expiredListeners]) listener();
    this.#session = this.#open();
    this.#session.onSessionExpired(() => this.#renew());
    for (const kept of this.#watches) {
      kept.inner[Symbol.dispose]();
      kept.inner = this.#session.watch(kept.prefix, kept.listener);
    }
    for (const listener of [...this.#renewedListeners]) listener();
  }
}

/** Told when another session began, where sessions are renewed; never where they are not. */
export function onSessionRenewed(metadata: MetadataStore, listener: () => void): Disposable {
  if (metadata instanceof RenewingMetadata) return metadata.onSessionRenewed(listener);
  return { [Symbol.dispose]: () => undefined };
}
