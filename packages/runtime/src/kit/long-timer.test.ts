import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Clock } from "../clock.ts";
import { createNodeRuntime } from "../node/index.ts";
import { createWebRuntime } from "../web/index.ts";

const YEAR_MS = 365 * 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const clocks: [string, () => Clock][] = [
  ["Node", () => createNodeRuntime().clock],
  ["a page", () => createWebRuntime().clock],
];

it.each(clocks)("a timer of a year goes off in a year, and a ticker each year: %s", (_, clockOf) => {
  const clock = clockOf();
  const seen: string[] = [];
  clock.setTimer(YEAR_MS, () => seen.push("timer"));
  clock.setTimer(YEAR_MS, () => seen.push("never")).cancel();
  const ticker = clock.setTicker(YEAR_MS, () => seen.push("tick"));
  const late = clock.setTimer(YEAR_MS, () => seen.push("never"));
  vi.advanceTimersByTime(YEAR_MS - 1);
  expect(seen).toEqual([]);
  // cancelled when the first of its steps is long over
  late.cancel();
  vi.advanceTimersByTime(1);
  expect(seen).toEqual(["timer", "tick"]);
  vi.advanceTimersByTime(YEAR_MS);
  expect(seen).toEqual(["timer", "tick", "tick"]);
  ticker.cancel();
  expect(vi.getTimerCount()).toBe(0);
});
