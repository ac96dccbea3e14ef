import type { Clock, Timer, TimerOptions } from "@pulsewire/runtime";

interface Entry {
  readonly dueMs: number;
  readonly order: number;
  /** A ticker, or what looks after them: see `TimerOptions.recurring`. */
  readonly recurring: "tick" | "check" | undefined;
  readonly callback: () => void;
  /** The timer of the clock underneath; undefined once it went off or was cancelled. */
  timer: Timer | undefined;
}

/**
 * A move stops about so often at most for what recurs, whatever its length: a year of an idle cluster has 20 million ticks,
 * which do nothing. So they are late by up to a thousandth of the move.
 */
const STOPS_MAX = 1000;

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
    return this.#set(delayMs, callback, options, options?.recurring === true ? "check" : undefined);
  }

  #set(delayMs: number, callback: () => void, options: TimerOptions | undefined, recurring: Entry["recurring"]): Timer {
    const delay = Math.max(0, delayMs);
    const dueMs = this.monotonicMs() + delay;
    const entry: Entry = { dueMs, order: this.#order++, recurring, callback, timer: undefined };
    entry.timer = this.#base.setTimer(delay, () => this.#goOff(entry), options);
    this.#entries.add(entry);
    return { cancel: () => this.#forget(entry) };
  }

  setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer {
    let timer: Timer;
    const tick = (): void => {
      timer = this.#set(periodMs, tick, options, "tick");
      callback();
    };
    timer = this.#set(periodMs, tick, options, "tick");
    return { cancel: () => timer.cancel() };
  }

  soon(callback: () => void): void {
    this.#base.soon(callback);
  }

  /**
   * Moves time ahead by `ms`; resolves when what fell due has gone off and been reacted to. One move at a time. Timers go
   * off at their very time; of what recurs, several times may be one, up to a thousandth of the move late.
   */
  advance(ms: number): Promise<void> {
    if (typeof ms !== "number" || !Number.isFinite(ms) || ms < 0) {
      return Promise.reject(new TypeError(`advance takes a number of ms of at least 0, not ${String(ms)}`));
    }
    const move = this.#moving.then(() => this.#move(ms));
    // what a timer threw is told to whoever moved time then, and to nobody after
    this.#moving = move.catch(() => undefined);
    return move;
  }

  async #move(ms: number): Promise<void> {
    const targetMs = this.monotonicMs() + ms;
    const lateMs = ms / STOPS_MAX;
    await this.#turns();
    for (;;) {
      const next = this.#nextDue(targetMs);
      if (next === undefined) break;
      if (next.recurring === undefined) {
        this.#moveTo(next.dueMs);
        this.#goOff(next);
        await this.#turns();
      } else {
        await this.#recur(Math.min(next.dueMs + lateMs, targetMs));
      }
    }
    this.#moveTo(targetMs);
    await this.#turns();
  }

  /** Moves to a time, no further than to the next that is exact, and has what recurs go off, as one. */
  async #recur(latestMs: number): Promise<void> {
    let untilMs = latestMs;
    for (const { recurring, dueMs } of this.#entries) {
      if (recurring === undefined && dueMs < untilMs) untilMs = dueMs;
    }
    this.#moveTo(untilMs);
    // who ticks proves that he lives before anybody looks whether he does
    for (const kind of ["tick", "check"] as const) {
      const due = [...this.#entries].filter((e) => e.recurring === kind && e.dueMs <= untilMs);
      if (due.length === 0) continue;
      for (const entry of due.sort(byTime)) this.#goOff(entry);
      await this.#turns();
    }
  }

  #moveTo(timeMs: number): void {
    this.#aheadMs += Math.max(0, timeMs - this.monotonicMs());
  }

  #nextDue(targetMs: number): Entry | undefined {
    let best: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.dueMs > targetMs) continue;
      if (best === undefined || byTime(entry, best) < 0) best = entry;
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

function byTime(a: Entry, b: Entry): number {
  return a.dueMs - b.dueMs || a.order - b.order;
}
