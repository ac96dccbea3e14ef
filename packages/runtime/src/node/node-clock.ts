import { performance } from "node:perf_hooks";
import type { Clock, Timer, TimerOptions } from "../clock.ts";

/** The system's time. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer {
    const handle = setTimeout(callback, delayMs);
    if (options?.keepAlive !== true) handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
  setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer {
    const handle = setInterval(callback, periodMs);
    if (options?.keepAlive !== true) handle.unref();
    return { cancel: () => clearInterval(handle) };
  },
  soon(callback: () => void): void {
    setImmediate(callback);
  },
};
