import { expect, test } from "vitest";
import { runSeed } from "./run-seed.ts";

const SECONDS = 10;

/** Seeds that once found something, or that bring much together; in memory. */
const SEEDS = [3, 7, 13, 16, 30, 33, 37, 189, 1015, 2094, 21_394_272, 26_332_259];

test.each(SEEDS)("seed %d: nothing is lost, reordered or doubled under random faults", async (seed) => {
  const { failures } = await runSeed({ seed, seconds: SECONDS, storage: "memory" });
  expect(failures).toEqual([]);
});

/** The same, of bookies on disks. */
const DISK_SEEDS = [103, 105, 110, 20_194, 77_027];

test.each(DISK_SEEDS)("seed %d: nothing is lost, reordered or doubled when disks fail too", async (seed) => {
  const { failures } = await runSeed({ seed, seconds: SECONDS, storage: "disks" });
  expect(failures).toEqual([]);
});

test.each(["memory", "disks"] as const)("a seed runs the same way twice, in %s", async (storage) => {
  const first = await runSeed({ seed: 20, seconds: 5, storage });
  const again = await runSeed({ seed: 20, seconds: 5, storage });
  expect(again.hash).toBe(first.hash);
  expect(again.events).toBe(first.events);
});
