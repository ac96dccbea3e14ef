/** Somebody who waits for memory. */
export interface MemoryWaiter {
  /** Called when there is room again; takes what it needs by `tryReserve`. */
  onMemoryFreed(): void;
}

/**
 * The bytes of payloads that a client's producers hold, against a limit. The last one let in may overshoot, so that a
 * payload larger than the limit passes too, alone.
 */
export class MemoryLimit {
  readonly #limitBytes: number;
  readonly #waiters = new Set<MemoryWaiter>();
  #usedBytes = 0;

  /** 0 is no limit. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get isFull(): boolean {
    return this.#limitBytes > 0 && this.#usedBytes >= this.#limitBytes;
  }

  tryReserve(bytes: number): boolean {
    if (this.isFull) return false;
    this.#usedBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes;
    if (this.#waiters.size === 0 || this.#usedBytes >= this.#limitBytes) return;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.onMemoryFreed();
  }

  /** Has a waiter called at the next release that makes room, once. */
  notify(waiter: MemoryWaiter): void {
    this.#waiters.add(waiter);
  }

  forget(waiter: MemoryWaiter): void {
    this.#waiters.delete(waiter);
  }
}
