import { expect, test } from "vitest";
import { runStorageSeed } from "./run-storage-seed.ts";

/** Seeds that once found something, or that bring much together. */
const SEEDS = [8, 18, 43, 116, 277, 23_288_387, 25_329_022, 25_329_076];

test.each(SEEDS)(
  "storage seed %d: what was acknowledged survives takeovers, crashes and failing disks",
  async (seed) => {
    const { failures } = await runStorageSeed({ seed, seconds: 10 });
    expect(failures).toEqual([]);
  },
);

test("a seed of storage runs the same way twice", async () => {
  const first = await runStorageSeed({ seed: 20, seconds: 4 });
  const again = await runStorageSeed({ seed: 20, seconds: 4 });
  expect(again.hash).toBe(first.hash);
  expect(again.events).toBe(first.events);
});
