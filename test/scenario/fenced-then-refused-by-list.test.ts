import { expect, test } from "vitest";
import { add, addMany, numberedFrom, textsOfLedger } from "../simulation/ledger-steps.ts";
import { type Appended, append, entriesOf, startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 3 }, remote: { delayMsMin: 0.5, delayMsMax: 3 } };
const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

test("entry 90 of a broker that was replaced is refused by the fenced bookies", async () => {
  const { simulation, bookkeeper } = await startSimulatedStorage({ seed: 90, bookies: 3, faults });
  const writer = await simulation.finish(bookkeeper("zombie").createLedger(QUORUM));
  await addMany(simulation, writer, 90);
  simulation.pause("zombie");
  const { ledgerId } = writer;
  expect(await textsOfLedger(simulation, bookkeeper("successor"), ledgerId)).toEqual(numberedFrom("e", 90));
  simulation.resume("zombie");
  const late = add(writer, "e90");
  await simulation.until(() => late.outcome !== undefined);
  expect(late.outcome).toBe("LedgerFenced");
  expect(await textsOfLedger(simulation, bookkeeper("reader"), ledgerId)).toEqual(numberedFrom("e", 90));
});

test("a broker that was replaced and sends nothing to bookies is refused by the list of ledgers, and stores nothing", async () => {
  const { simulation, owner } = await startSimulatedStorage({ seed: 91, bookies: 3, faults });
  const zombie = await simulation.finish(owner("zombie").open("t"));
  const appends: Appended[] = numberedFrom("e", 90).map((text) => append(simulation, zombie, text));
  await simulation.until(() => appends.every(({ position }) => position !== undefined));
  simulation.pause("zombie");
  const successor = await simulation.finish(owner("successor").open("t", { retentionMs: -1, retentionBytes: -1 }));
  simulation.resume("zombie");
  await expect(simulation.finish(zombie.rollover())).rejects.toMatchObject({ code: "Fenced" });
  const late = append(simulation, zombie, "e90");
  const taken = append(simulation, successor, "s0");
  await simulation.until(() => late.error !== undefined && taken.position !== undefined);
  expect(late.error?.code).toBe("Fenced");
  const log = await simulation.finish(entriesOf(successor));
  expect([...log.values()]).toEqual([...numberedFrom("e", 90), "s0"]);
});
