import type { Clock, Timer } from "@pulsewire/runtime";
import type { Position } from "../../managed-ledger/position.ts";
import { PositionMap } from "./position-map.ts";

/** An entry that waits for its time, and its key hash. */
export interface DelayedEntry {
  deliverAtMs: number;
  position: Position;
  hash: number;
}

/** Entries whose time has not come, earliest first (a binary heap), and the timer that waits for the first. */
export class DelayedMessages {
  readonly #clock: Clock;
  readonly #onDue: (entries: readonly DelayedEntry[]) => void;
  readonly #known = new PositionMap<number>();
  #heap: DelayedEntry[] = [];
  #timer: { dueMs: number; timer: Timer } | undefined;

  constructor(clock: Clock, onDue: (entries: readonly DelayedEntry[]) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#known.size;
  }

  add(position: Position, deliverAtMs: number, hash: number): void {
    if (this.#known.has(position)) return;
    this.#known.set(position, deliverAtMs);
    this.#push({ deliverAtMs, position: { ledgerId: position.ledgerId, entryId: position.entryId }, hash });
    this.#arm();
  }

  clear(): void {
    this.#known.clear();
    this.#heap = [];
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined || (this.#timer !== undefined && this.#timer.dueMs <= first.deliverAtMs)) return;
    this.#timer?.timer.cancel();
    // timers take at most 2^31 - 1 ms; a later one looks again
    const delayMs = Math.min(Math.max(0, first.deliverAtMs - this.#clock.now()), 2 ** 31 - 1);
    this.#timer = { dueMs: first.deliverAtMs, timer: this.#clock.setTimer(delayMs, () => this.#onTimer()) };
  }

  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    const due: DelayedEntry[] = [];
    while (this.#heap[0] !== undefined && this.#heap[0].deliverAtMs <= now) {
      const entry = this.#pop();
      if (this.#known.delete(entry.position)) due.push(entry);
    }
    this.#arm();
    if (due.length > 0) this.#onDue(due);
  }

  #push(item: DelayedEntry): void {
    const heap = this.#heap;
    let i = heap.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if ((heap[parent] as DelayedEntry).deliverAtMs <= item.deliverAtMs) break;
      heap[i] = heap[parent] as DelayedEntry;
      i = parent;
    }
    heap[i] = item;
  }

  #pop(): DelayedEntry {
    const heap = this.#heap;
    const first = heap[0] as DelayedEntry;
    const last = heap.pop() as DelayedEntry;
    if (heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && right.deliverAtMs < (heap[child] as DelayedEntry).deliverAtMs) child++;
      if ((heap[child] as DelayedEntry).deliverAtMs >= last.deliverAtMs) break;
      heap[i] = heap[child] as DelayedEntry;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}
