import { expect, test } from "vitest";
import { add, addMany, textsOfLedger } from "../simulation/ledger-steps.ts";
import { startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 4 }, remote: { delayMsMin: 0.5, delayMsMax: 4 } };
const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

test("the writer replaces a bookie while another takes the ledger over: one of them ends it, and nothing is lost", async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed, bookies: 5, faults });
    const writer = await simulation.finish(bookkeeper("writer").createLedger(QUORUM));
    await addMany(simulation, writer, 10);
    const failing = bookies.find(({ id }) => writer.metadata.fragments[0]?.bookies[1] === id);
    simulation.links.partition("writer", failing?.id ?? "none");
    const during = Array.from({ length: 10 }, (_, i) => add(writer, `d${i}`));
    await simulation.run(4_950 + simulation.random.float() * 150);
    const reader = await simulation.finish(bookkeeper("successor").openLedger(writer.ledgerId));
    await simulation.until(() => during.every(({ outcome }) => outcome !== undefined));
    const texts = await textsOfLedger(simulation, bookkeeper("reader"), writer.ledgerId);
    for (const { outcome, text } of during) {
      if (typeof outcome === "number") expect(texts[outcome], `seed ${seed}`).toBe(text);
    }
    expect(texts).toHaveLength(reader.lastConfirmed + 1);
    const late = add(writer, "late");
    await simulation.until(() => late.outcome !== undefined);
    expect(late.outcome).toBe("LedgerFenced");
  }
});
