import type { Clock, Timer } from "../clock.ts";

interface Entry {
  dueMs: number;
  order: number;
  callback: () => void;
  cancelled: boolean;
}

export interface ManualClockOptions {
  /** What `now()` starts at, in ms since 1970. Default 1,700,000,000,000. */
  startMs?: number;
  /**
   * Waits until everything that already could run has run; called between timers. Default: a number of microtask
   * turns, which is enough for code that awaits nothing but this package's memory ports.
   */
  drain?: () => Promise<void>;
}

const MICROTASK_TURNS = 100;

async function microtasks(): Promise<void> {
  for (let i = 0; i < MICROTASK_TURNS; i++) await undefined;
}

/** Time that stands still until it is moved. For tests, and for clusters whose time a test moves. */
export class ManualClock implements Clock {
  readonly #startMs: number;
  readonly #drain: () => Promise<void>;
  #elapsedMs = 0;
  #order = 0;
  #timers: Entry[] = [];
  #soon: (() => void)[] = [];

  constructor(options: ManualClockOptions = {}) {
    this.#startMs = options.startMs ?? 1_700_000_000_000;
    this.#drain = options.drain ?? microtasks;
  }

  /** Timers that are set and not cancelled. */
  get pendingTimers(): number {
    return this.#timers.filter((t) => !t.cancelled).length;
  }

  now(): number {
    return Math.floor(this.#startMs + this.#elapsedMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    const entry: Entry = {
      dueMs: this.#elapsedMs + Math.max(0, delayMs),
      order: this.#order++,
      callback,
      cancelled: false,
    };
    this.#timers.push(entry);
    return {
      cancel: () => {
        entry.cancelled = true;
      },
    };
  }

  setTicker(periodMs: number, callback: () => void): Timer {
    let timer: Timer;
    const tick = (): void => {
      timer = this.setTimer(periodMs, tick);
      callback();
    };
    timer = this.setTimer(periodMs, tick);
    return { cancel: () => timer.cancel() };
  }

  soon(callback: () => void): void {
    this.#soon.push(callback);
    if (this.#soon.length === 1) queueMicrotask(() => this.#runSoon());
  }

  /** Moves time by `ms`, running what falls due in order, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#elapsedMs + ms;
    await this.#drain();
    for (;;) {
      const next = this.#takeDue(targetMs);
      if (next === undefined) break;
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
      next.callback();
      await this.#drain();
    }
    this.#elapsedMs = targetMs;
  }

  /** Lets everything that can run without time passing run. */
  async settle(): Promise<void> {
    await this.advance(0);
  }

  #takeDue(targetMs: number): Entry | undefined {
    let best: Entry | undefined;
    this.#timers = this.#timers.filter((t) => !t.cancelled);
    for (const t of this.#timers) {
      if (t.dueMs > targetMs) continue;
      if (best === undefined || t.dueMs < best.dueMs || (t.dueMs === best.dueMs && t.order < best.order)) best = t;
    }
    if (best !== undefined) best.cancelled = true;
    return best;
  }

  #runSoon(): void {
    const callbacks = this.#soon;
    this.#soon = [];
    for (const callback of callbacks) callback();
  }
}
