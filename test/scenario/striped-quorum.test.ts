import { expect, test } from "vitest";
import { add, addMany, numberedFrom, textsOfLedger } from "../simulation/ledger-steps.ts";
import { startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 2 } };
const STRIPED = { ensembleSize: 6, writeQuorum: 4, ackQuorum: 3 };

test("E 6, Qw 4, Qa 3: with one bookie gone writes go on at once, with a second it takes its replacement", async () => {
  const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed: 64, bookies: 8, faults });
  const writer = await simulation.finish(bookkeeper("writer").createLedger(STRIPED));
  await addMany(simulation, writer, 60);
  const ensemble = writer.metadata.fragments[0]?.bookies ?? [];
  const gone = bookies.filter(({ id }) => id === ensemble[0] || id === ensemble[1]);
  gone[0]?.kill();
  const before = simulation.elapsedMs;
  const one = add(writer, "one gone");
  await simulation.until(() => one.outcome !== undefined);
  expect(simulation.elapsedMs - before).toBeLessThan(20);
  gone[1]?.kill();
  const added = await addMany(simulation, writer, 60, "f");
  expect(added.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 60 }, (_, i) => 61 + i));
  expect(writer.metadata.fragments.length).toBeGreaterThan(1);
  await simulation.finish(writer.close());
  const texts = await textsOfLedger(simulation, bookkeeper("reader"), writer.ledgerId);
  expect(texts).toEqual([...numberedFrom("e", 60), "one gone", ...numberedFrom("f", 60)]);
});

test("E 6, Qw 4, Qa 3: with two bookies gone a takeover still finds everything that was acknowledged", async () => {
  for (let seed = 1; seed <= 15; seed++) {
    const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed, bookies: 8, faults });
    const writer = await simulation.finish(bookkeeper("writer").createLedger(STRIPED));
    const added = await addMany(simulation, writer, 60);
    simulation.pause("writer");
    const ensemble = writer.metadata.fragments[0]?.bookies ?? [];
    const first = seed % 6;
    // two that no write quorum of four is too small without: recovery needs Qw - Qa + 1 = 2 of each
    const lost = new Set([ensemble[first], ensemble[(first + 3) % 6]]);
    for (const bookie of bookies) if (lost.has(bookie.id)) bookie.kill();
    const texts = await textsOfLedger(simulation, bookkeeper("successor"), writer.ledgerId);
    expect(texts, `seed ${seed}`).toEqual(added.map(({ text }) => text));
  }
});
