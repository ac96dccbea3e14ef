import { expect, test } from "vitest";
import { add, addMany, numberedFrom, textsOfLedger } from "../simulation/ledger-steps.ts";
import { startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 1, delayMsMax: 4 }, remote: { delayMsMin: 1, delayMsMax: 4 } };
const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

test("whoever takes a ledger over crashes after it fenced and before it closed: the next one finds every entry", async () => {
  for (let afterMs = 2; afterMs <= 40; afterMs += 2) {
    const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed: afterMs, bookies: 4, faults });
    const writer = await simulation.finish(bookkeeper("first").createLedger(QUORUM));
    await addMany(simulation, writer, 30);
    const tail = add(writer, "tail");
    bookkeeper("second")
      .openLedger(writer.ledgerId)
      .catch(() => undefined);
    await simulation.run(afterMs);
    simulation.crash("second");
    const texts = await textsOfLedger(simulation, bookkeeper("third"), writer.ledgerId);
    expect(texts.slice(0, 30), `crashed after ${afterMs} ms`).toEqual(numberedFrom("e", 30));
    await simulation.until(() => tail.outcome !== undefined);
    if (tail.outcome === 30) expect(texts[30]).toBe("tail");
    const late = add(writer, "late");
    await simulation.until(() => late.outcome !== undefined);
    expect(late.outcome).toBe("LedgerFenced");
    expect(bookies).toHaveLength(4);
  }
});
