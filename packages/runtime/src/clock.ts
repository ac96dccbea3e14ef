/** A timer that was set. `cancel` may be called at any time and more than once. */
export interface Timer {
  cancel(): void;
}

export interface TimerOptions {
  /** Whether this timer alone keeps a process alive. Default false. */
  keepAlive?: boolean;
  /**
   * It looks whether something is overdue and is set again when it went off. Time that is moved far ahead by hand need not
   * stop for each of them, as it need not for each tick of a ticker. Default false.
   */
  recurring?: boolean;
}

/** Time, as everything here sees it. Real, or moved by hand, or by a simulator. */
export interface Clock {
  /** Wall-clock time, in milliseconds since 1970. */
  now(): number;
  /** Time that never goes back, in milliseconds with fractions, from an arbitrary start. */
  monotonicMs(): number;
  /** Calls back once, `delayMs` from now (at least 0). */
  setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer;
  /** Calls back every `periodMs` until cancelled, first after one period. */
  setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer;
  /** Calls back after what is pending in this turn of the event loop (I/O included) had its go. */
  soon(callback: () => void): void;
}
