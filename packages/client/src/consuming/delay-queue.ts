import type { Clock, Timer } from "@pulsewire/runtime";

interface Delayed<T> {
  readonly dueMs: number;
  readonly order: number;
  readonly key: string;
  readonly item: T;
}

/** How many places of removed items are kept before they are looked for. */
const REMOVED_MAX = 64;

/**
 * Items that fall due at times of their own, at most one for each key; one timer for the earliest. `onDue` gets
 * together all that are due. A heap: adding and removing cost little however many there are.
 */
export class DelayQueue<T> {
  readonly #clock: Clock;
  readonly #onDue: (items: T[]) => void;
  readonly #heap: Delayed<T>[] = [];
  readonly #byKey = new Map<string, Delayed<T>>();
  #order = 0;
  #timer: Timer | undefined;
  #timerDueMs = 0;

  constructor(clock: Clock, onDue: (items: T[]) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Items kept in memory: those there are, and some that were removed. */
  get held(): number {
    return this.#heap.length;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key)?.item;
  }

  *items(): Generator<T> {
    for (const delayed of this.#byKey.values()) yield delayed.item;
  }

  /** Takes the place of an item with the same key. */
  add(key: string, delayMs: number, item: T): void {
    const delayed = { dueMs: this.#clock.monotonicMs() + delayMs, order: this.#order++, key, item };
    this.#byKey.set(key, delayed);
    this.#push(delayed);
    this.#compact();
    this.#arm();
  }

  delete(key: string): T | undefined {
    const delayed = this.#byKey.get(key);
    if (delayed === undefined) return undefined;
    // its place in the heap is passed over when it comes up
    this.#byKey.delete(key);
    if (this.#byKey.size === 0) this.clear();
    else this.#compact();
    return delayed.item;
  }

  /** Removes the items a test picks. */
  deleteWhere(test: (item: T) => boolean): void {
    for (const [key, delayed] of [...this.#byKey]) if (test(delayed.item)) this.delete(key);
  }

  clear(): void {
    this.#byKey.clear();
    this.#heap.length = 0;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Places of what was removed hold on to it, so they are given up once they are the majority. */
  #compact(): void {
    if (this.#heap.length <= 2 * this.#byKey.size + REMOVED_MAX) return;
    this.#heap.length = 0;
    // by their keys they are in no order of time
    for (const delayed of this.#byKey.values()) this.#push(delayed);
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined) return;
    if (this.#timer !== undefined) {
      if (this.#timerDueMs <= first.dueMs) return;
      this.#timer.cancel();
    }
    this.#timerDueMs = first.dueMs;
    this.#timer = this.#clock.setTimer(first.dueMs - this.#clock.monotonicMs(), () => this.#fire());
  }

  #fire(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonicMs();
    const due: T[] = [];
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined) break;
      const stale = this.#byKey.get(first.key) !== first;
      // half a millisecond early is due: platforms' timers are no finer
      if (!stale && first.dueMs > nowMs + 0.5) break;
      this.#pop();
      if (stale) continue;
      this.#byKey.delete(first.key);
      due.push(first.item);
    }
    this.#arm();
    if (due.length > 0) this.#onDue(due);
  }

  #push(delayed: Delayed<T>): void {
    const heap = this.#heap;
    let at = heap.push(delayed) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(delayed, heap[parent] as Delayed<T>)) break;
      heap[at] = heap[parent] as Delayed<T>;
      at = parent;
    }
    heap[at] = delayed;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Delayed<T>;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Delayed<T>, heap[child] as Delayed<T>)) child++;
      if (!before(heap[child] as Delayed<T>, last)) break;
      heap[at] = heap[child] as Delayed<T>;
      at = child;
    }
    heap[at] = last;
  }
}

function before<T>(a: Delayed<T>, b: Delayed<T>): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}
