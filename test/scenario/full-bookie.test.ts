import { expect, test } from "vitest";
import { addMany, numberedFrom, textsOfLedger } from "../simulation/ledger-steps.ts";
import { startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 2 } };
const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

test("a bookie whose disk is full is replaced, still read from, and still takes what a recovery writes again", async () => {
  const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed: 95, bookies: 4, faults });
  const writer = await simulation.finish(bookkeeper("writer").createLedger(QUORUM));
  await addMany(simulation, writer, 20);
  const [id] = writer.metadata.fragments[0]?.bookies ?? [];
  const full = bookies.find((bookie) => bookie.id === id);
  await simulation.finish(full?.setReadOnly(true) ?? Promise.reject(new Error("there is no such bookie")));
  await addMany(simulation, writer, 20, "f");
  expect(writer.metadata.fragments.at(-1)?.bookies).not.toContain(id);
  expect(full?.stats.refusedEntries).toBeGreaterThan(0);
  const before = full?.stats.readEntries ?? 0;
  simulation.pause("writer");
  const texts = await textsOfLedger(simulation, bookkeeper("successor"), writer.ledgerId);
  expect(texts).toEqual([...numberedFrom("e", 20), ...numberedFrom("f", 20)]);
  expect(full?.stats.readEntries).toBeGreaterThan(before);
});

test("no new ledger takes a full bookie; with too few others it is refused", async () => {
  const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed: 96, bookies: 4, faults });
  await simulation.finish(bookies[2]?.setReadOnly(true) ?? Promise.resolve());
  for (let i = 0; i < 10; i++) {
    const writer = await simulation.finish(bookkeeper(`w${i}`).createLedger(QUORUM));
    expect(writer.metadata.fragments[0]?.bookies).not.toContain("bookie-2");
  }
  await simulation.finish(bookies[3]?.setReadOnly(true) ?? Promise.resolve());
  const creating = bookkeeper("late").createLedger(QUORUM);
  await expect(simulation.finish(creating)).rejects.toMatchObject({ code: "NotEnoughBookies" });
});
