import type { Timer } from "../clock.ts";

/** Platforms take delays as 32 bits with a sign, about 24.8 days, and have a longer one go off at once. */
export const DELAY_MAX_MS: number = 2 ** 31 - 1;

/** A timer of any delay, by one timer of the platform after the other. */
export function longTimer(delayMs: number, callback: () => void, set: (ms: number, go: () => void) => Timer): Timer {
  let leftMs = delayMs;
  let timer: Timer;
  const step = (): void => {
    const ms = Math.min(leftMs, DELAY_MAX_MS);
    leftMs -= ms;
    timer = set(ms, leftMs > 0 ? step : callback);
  };
  step();
  return { cancel: () => timer.cancel() };
}

/** The same again and again. */
export function longTicker(periodMs: number, callback: () => void, set: (ms: number, go: () => void) => Timer): Timer {
  let timer: Timer;
  const tick = (): void => {
    timer = longTimer(periodMs, tick, set);
    callback();
  };
  timer = longTimer(periodMs, tick, set);
  return { cancel: () => timer.cancel() };
}
