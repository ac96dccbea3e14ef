import type { Clock, Timer, TimerOptions } from "@pulsewire/runtime";

interface Entry {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
  /** The timer of the clock underneath; undefined once it went off or was cancelled. */
  timer: Timer | undefined;
}

/** Turns of the event loop that things have to react to a timer before time goes on. */
const TURNS = 4;

/**
 * Time that passes as it does underneath, and can be moved ahead: what was to happen meanwhile happens at once, in order.
 * So a test may simply await what takes a moment, and skip what takes an hour.
 */
export class MovableClock implements Clock {
  readonly #base: Clock;
  readonly #entries = new Set<Entry>();
  #aheadMs = 0;
  #order = 0;
  #moving: Promise<void> = Promise.resolve();

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): number {
    return Math.floor(this.#base.now() + this.#aheadMs);
  }

  monotonicMs(): number {
    return this.#base.monotonicMs() + this.#aheadMs;
  }

  /** Timers that are set. */
  get pendingTimers(): number {
    return this.#entries.size;
  }

  setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer {
    const delay = Math.max(0, delayMs);
    const entry: Entry = { dueMs: this.monotonicMs() + delay, order: this.#order++, callback, timer: undefined };
    entry.timer = this.#base.setTimer(delay, () => this.#goOff(entry), options);
    this.#entries.add(entry);
    return { cancel: () => this.#forget(entry) };
  }

  setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer {
    let timer: Timer;
    const tick = (): void => {
      timer = this.setTimer(periodMs, tick, options);
      callback();
    };
    timer = this.setTimer(periodMs, tick, options);
    return { cancel: () => timer.cancel() };
  }

  soon(callback: () => void): void {
    this.#base.soon(callback);
  }

  /** Moves time ahead by `ms`; resolves when what fell due has gone off and been reacted to. One move at a time. */
  advance(ms: number): Promise<void> {
    if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0) {
      return Promise.reject(new TypeError(`advance takes a number of ms of at least 0, not ${String(ms)}`));
    }
    this.#moving = this.#moving.then(() => this.#move(ms));
    return this.#moving;
  }

  async #move(ms: number): Promise<void> {
    const targetMs = this.monotonicMs() + ms;
    await this.#turns();
    for (;;) {
      const next = this.#nextDue(targetMs);
      if (next === undefined) break;
      this.#aheadMs += Math.max(0, next.dueMs - this.monotonicMs());
      this.#goOff(next);
      await this.#turns();
    }
    this.#aheadMs += Math.max(0, targetMs - this.monotonicMs());
    await this.#turns();
  }

  #nextDue(targetMs: number): Entry | undefined {
    let best: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.dueMs > targetMs) continue;
      if (best === undefined || entry.dueMs < best.dueMs || (entry.dueMs === best.dueMs && entry.order < best.order)) {
        best = entry;
      }
    }
    return best;
  }

  #goOff(entry: Entry): void {
    if (!this.#entries.has(entry)) return;
    this.#forget(entry);
    entry.callback();
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry);
    entry.timer?.cancel();
    entry.timer = undefined;
  }

  async #turns(): Promise<void> {
    for (let i = 0; i < TURNS; i++) await new Promise<void>((resolve) => this.#base.soon(resolve));
  }
}
