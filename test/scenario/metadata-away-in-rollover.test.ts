import { expect, test } from "vitest";
import {
  type Appended,
  append,
  entriesOf,
  placeOf,
  type SimulatedStorage,
  startSimulatedStorage,
} from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 2 }, remote: { delayMsMin: 0.5, delayMsMax: 5 } };
const OPTIONS = { maxEntriesPerLedger: 10, minRolloverMs: 0, retentionMs: -1, retentionBytes: -1 };

/** Appends 100 entries, the ledger being full after ten, and takes metadata away so long after the entry of that number. */
async function appendWithout(
  { simulation, metadata, owner }: SimulatedStorage,
  entry: number,
  afterMs: number,
): Promise<{ appends: Appended[]; ledgers: number }> {
  const ledger = await simulation.finish(owner("broker").open("t", OPTIONS));
  const appends: Appended[] = [];
  const settled = (): boolean => appends.every(({ settledMs }) => settledMs !== undefined);
  for (let i = 0; i < 100; i++) {
    appends.push(append(simulation, ledger, `m${i}`));
    if (i === entry) {
      await simulation.run(afterMs);
      metadata.available = false;
    }
    await simulation.run(2);
  }
  await simulation.until(settled);
  const ledgers = ledger.ledgers.length;
  metadata.available = true;
  await simulation.run(20_000);
  for (let i = 100; i < 130; i++) appends.push(append(simulation, ledger, `m${i}`));
  await simulation.until(settled);
  return { appends, ledgers };
}

test("metadata is away when a ledger is full: that one takes more, and the next comes once metadata is back", async () => {
  const storage = await startSimulatedStorage({ seed: 1, bookies: 4, faults });
  const { appends, ledgers } = await appendWithout(storage, 5, 0);
  expect(appends.every(({ position }) => position !== undefined)).toBe(true);
  expect(ledgers).toBe(1);
  expect(new Set(appends.map(({ position }) => position?.ledgerId)).size).toBeGreaterThan(2);
});

test("metadata goes away at some moment of a rollover: what was acknowledged is there, and appends work once it is back", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const storage = await startSimulatedStorage({ seed, bookies: 4, faults });
    const { simulation, owner } = storage;
    const { appends } = await appendWithout(storage, 9, simulation.random.float() * 15);
    expect(
      appends.slice(100).every(({ position }) => position !== undefined),
      `seed ${seed}`,
    ).toBe(true);
    const log = await simulation
      .finish(owner("successor").open("t", OPTIONS))
      .then((l) => simulation.finish(entriesOf(l)));
    const stored = appends.filter(({ position }) => position !== undefined);
    for (const appended of stored) expect(log.get(placeOf(appended)), `seed ${seed}`).toBe(appended.text);
    const numbers = [...log.values()].map((text) => Number(text.slice(1)));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  }
});
