import type { Clock, Timer } from "@pulsewire/runtime";
import type { MemoryMetadataState } from "./memory-metadata-state.ts";
import {
  MetadataError,
  type MetadataEvent,
  type MetadataStat,
  type MetadataStore,
  type MetadataValue,
  type PutOptions,
} from "./metadata-store.ts";

/** Keep-alives in one session timeout. */
const KEEP_ALIVES_PER_TIMEOUT = 3;

/**
 * One node's view of the memory store.
 * States: connected <-> disconnected -> expired (final); connected -> closed (final).
 */
export class MemorySession implements MetadataStore {
  readonly sessionId: number;
  readonly #store: MemoryMetadataState;
  readonly #keepAlive: Timer;
  readonly #watches = new Set<Disposable>();
  readonly #expiredListeners = new Set<() => void>();
  #end: () => void = () => undefined;
  #state: "connected" | "disconnected" | "expired" | "closed" = "connected";
  #lastSeenMs: number;
  #expiry: Timer;

  /** @param nodeClock The clock of the node: its keep-alives stop when the node does. */
  constructor(store: MemoryMetadataState, sessionId: number, nodeClock: Clock) {
    this.sessionId = sessionId;
    this.#store = store;
    this.#lastSeenMs = store.clock.monotonicMs();
    this.#expiry = this.#armExpiry(store.sessionTimeoutMs);
    this.#keepAlive = nodeClock.setTicker(store.sessionTimeoutMs / KEEP_ALIVES_PER_TIMEOUT, () => this.#seen());
  }

  async get(key: string): Promise<MetadataValue | undefined> {
    this.#check(key);
    const found = this.#store.get(key);
    await this.#store.settled(key);
    return found;
  }

  async exists(key: string): Promise<boolean> {
    return (await this.get(key)) !== undefined;
  }

  async put(key: string, value: Uint8Array, options: PutOptions = {}): Promise<{ key: string; stat: MetadataStat }> {
    this.#check(key);
    const done = this.#store.put(this.sessionId, key, value, options);
    if (options.sequential) await this.#store.settled(key);
    await this.#store.settled(done.key);
    return done;
  }

  async delete(key: string, expectedVersion?: number): Promise<void> {
    this.#check(key);
    this.#store.delete(key, expectedVersion);
    await this.#store.settled(key);
  }

  async children(key: string): Promise<string[]> {
    this.#check(key);
    const names = this.#store.children(key);
    await this.#store.settled(key, true);
    return names;
  }

  async nextSequence(key: string): Promise<number> {
    this.#check(key);
    const next = this.#store.nextSequence(key);
    await this.#store.settled(key);
    return next;
  }

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    const inner = this.#store.watch(prefix, (event) => {
      if (this.#state === "connected" || this.#state === "disconnected") listener(event);
    });
    const watch: Disposable = {
      [Symbol.dispose]: () => {
        this.#watches.delete(watch);
        inner[Symbol.dispose]();
      },
    };
    this.#watches.add(watch);
    return watch;
  }

  onSessionExpired(listener: () => void): Disposable {
    this.#expiredListeners.add(listener);
    return { [Symbol.dispose]: () => this.#expiredListeners.delete(listener) };
  }

  async close(): Promise<void> {
    if (this.#state === "closed" || this.#state === "expired") return;
    this.#finish("closed");
  }

  /** Who is told when the session is over, however it ended. */
  onEnd(end: () => void): void {
    this.#end = end;
  }

  setConnected(connected: boolean): void {
    if (this.#state !== "connected" && this.#state !== "disconnected") return;
    this.#state = connected ? "connected" : "disconnected";
    if (connected) this.#lastSeenMs = this.#store.clock.monotonicMs();
  }

  expire(): void {
    if (this.#state === "closed" || this.#state === "expired") return;
    const listeners = [...this.#expiredListeners];
    this.#finish("expired");
    for (const listener of listeners) listener();
  }

  #check(key: string): void {
    if (this.#state === "closed" || this.#state === "expired") {
      throw new MetadataError("SessionExpired", `session ${this.sessionId} is ${this.#state}, asked for ${key}`);
    }
    if (this.#state === "disconnected" || !this.#store.available) {
      throw new MetadataError("Unavailable", `the metadata store cannot be reached, asked for ${key}`);
    }
    this.#lastSeenMs = this.#store.clock.monotonicMs();
  }

  #seen(): void {
    if (this.#state === "connected") this.#lastSeenMs = this.#store.clock.monotonicMs();
  }

  #armExpiry(delayMs: number): Timer {
    const look = (): void => {
      // a store that is down judges nobody: sessions get their whole timeout again once it is back
      if (!this.#store.available) this.#lastSeenMs = this.#store.clock.monotonicMs();
      const leftMs = this.#lastSeenMs + this.#store.sessionTimeoutMs - this.#store.clock.monotonicMs();
      if (leftMs <= 0) this.expire();
      else this.#expiry = this.#armExpiry(leftMs);
    };
    return this.#store.clock.setTimer(delayMs, look, { recurring: true });
  }

  #finish(state: "expired" | "closed"): void {
    this.#state = state;
    this.#keepAlive.cancel();
    this.#expiry.cancel();
    for (const watch of [...this.#watches]) watch[Symbol.dispose]();
    this.#expiredListeners.clear();
    this.#store.dropEphemeral(this.sessionId);
    this.#end();
  }
}
