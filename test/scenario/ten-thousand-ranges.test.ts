import { expect, test } from "vitest";
import { type Appended, append, startSimulatedStorage } from "../simulation/simulated-storage.ts";

const RANGES = 10_000;
const BEYOND = 50;

test("10,000 ranges of acknowledged messages survive a broker's crash; what lies beyond them is delivered again", async () => {
  const { simulation, owner } = await startSimulatedStorage({ seed: 10, bookies: 3 });
  const options = { maxEntriesPerLedger: 1_000_000, maxRangesToPersist: RANGES };
  const ledger = await simulation.finish(owner("broker").open("t", options));
  const cursor = await simulation.finish(ledger.openCursor("sub", { initialPosition: "earliest" }));
  const appends: Appended[] = Array.from({ length: 2 * (RANGES + BEYOND) }, (_, i) =>
    append(simulation, ledger, `m${i}`),
  );
  await simulation.until(() => appends.every(({ position }) => position !== undefined));
  // every second one, so that each is a range of its own
  const odd = appends
    .filter((_, i) => i % 2 === 1)
    .map(({ position }) => position as NonNullable<Appended["position"]>);
  for (const position of odd) cursor.acknowledge(position);
  await simulation.finish(cursor.flush());
  simulation.crash("broker");

  const second = await simulation.finish(owner("successor").open("t", options));
  const taken = await simulation.finish(second.openCursor("sub"));
  expect(odd.slice(0, RANGES).every((position) => taken.isAcknowledged(position))).toBe(true);
  expect(odd.slice(RANGES).some((position) => taken.isAcknowledged(position))).toBe(false);
  expect(taken.backlogEntries).toBe(RANGES + BEYOND + BEYOND);
  expect(taken.deletedRanges).toHaveLength(RANGES);
});
