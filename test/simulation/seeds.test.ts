import { expect, test } from "vitest";
import { runSeed } from "./run-seed.ts";

const SECONDS = 10;

/** Seeds that once found something, or that bring much together. */
const SEEDS = [3, 7, 13, 16, 30, 33, 37, 189, 1015, 2094, 21_394_272, 26_332_259];

test.each(SEEDS)("seed %d: nothing is lost, reordered or doubled under random faults", async (seed) => {
  const { failures } = await runSeed({ seed, seconds: SECONDS });
  expect(failures).toEqual([]);
});

test("a seed runs the same way twice", async () => {
  const first = await runSeed({ seed: 20, seconds: 5 });
  const again = await runSeed({ seed: 20, seconds: 5 });
  expect(again.hash).toBe(first.hash);
  expect(again.events).toBe(first.events);
});
