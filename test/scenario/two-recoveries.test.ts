import { expect, test } from "vitest";
import { add, addMany, textsOfLedger } from "../simulation/ledger-steps.ts";
import { startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 8 }, remote: { delayMsMin: 0.5, delayMsMax: 8 } };
const QUORUM = { ensembleSize: 4, writeQuorum: 3, ackQuorum: 2 };

test("two recoveries of a ledger at once come to the same end, and leave out nothing that was acknowledged", async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const { simulation, bookkeeper } = await startSimulatedStorage({ seed, bookies: 5, faults });
    const writer = await simulation.finish(bookkeeper("writer").createLedger(QUORUM));
    await addMany(simulation, writer, 20);
    const tail = Array.from({ length: 10 }, (_, i) => add(writer, `tail${i}`));
    await simulation.run(simulation.random.float() * 10);
    const both = ["a", "b"].map((node) => bookkeeper(node).openLedger(writer.ledgerId));
    const [a, b] = await simulation.finish(Promise.all(both));
    expect(a?.lastConfirmed, `seed ${seed}`).toBe(b?.lastConfirmed);
    await simulation.until(() => tail.every(({ outcome }) => outcome !== undefined));
    const texts = await textsOfLedger(simulation, bookkeeper("reader"), writer.ledgerId);
    for (const { outcome, text } of tail) if (typeof outcome === "number") expect(texts[outcome]).toBe(text);
    expect(texts.length).toBe((a?.lastConfirmed ?? Number.NaN) + 1);
  }
});
