import { performance } from "node:perf_hooks";
import type { Clock, Timer, TimerOptions } from "../clock.ts";
import { DELAY_MAX_MS, longTicker, longTimer } from "../kit/long-timer.ts";

function setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer {
  if (delayMs > DELAY_MAX_MS) return longTimer(delayMs, callback, (ms, go) => setTimer(ms, go, options));
  const handle = setTimeout(callback, delayMs);
  if (options?.keepAlive !== true) handle.unref();
  return { cancel: () => clearTimeout(handle) };
}

/** The system's time. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer,
  setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer {
    if (periodMs > DELAY_MAX_MS) return longTicker(periodMs, callback, (ms, go) => setTimer(ms, go, options));
    const handle = setInterval(callback, periodMs);
    if (options?.keepAlive !== true) handle.unref();
    return { cancel: () => clearInterval(handle) };
  },
  soon(callback: () => void): void {
    setImmediate(callback);
  },
};
