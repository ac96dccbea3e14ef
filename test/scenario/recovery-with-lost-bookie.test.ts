import { expect, test } from "vitest";
import { addMany, numberedFrom, textsOfLedger } from "../simulation/ledger-steps.ts";
import { startSimulatedStorage } from "../simulation/simulated-storage.ts";

const faults = { messenger: { delayMsMin: 0.5, delayMsMax: 3 } };
const QUORUM = { ensembleSize: 3, writeQuorum: 3, ackQuorum: 2 };

test.each([0, 1, 2])(
  "bookie %d of three is lost before the takeover: recovery goes on with the other two",
  async (lost) => {
    const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed: 40 + lost, bookies: 3, faults });
    const writer = await simulation.finish(bookkeeper("writer").createLedger(QUORUM));
    await addMany(simulation, writer, 50);
    simulation.pause("writer");
    bookies[lost]?.kill();
    expect(await textsOfLedger(simulation, bookkeeper("successor"), writer.ledgerId)).toEqual(numberedFrom("e", 50));
  },
);

test("with two of three lost it is refused, rather than ended where nobody can tell", async () => {
  const { simulation, bookkeeper, bookies } = await startSimulatedStorage({ seed: 44, bookies: 3, faults });
  const writer = await simulation.finish(bookkeeper("writer").createLedger(QUORUM));
  await addMany(simulation, writer, 50);
  simulation.pause("writer");
  for (const lost of [0, 1]) bookies[lost]?.kill();
  const opening = bookkeeper("successor").openLedger(writer.ledgerId);
  await expect(simulation.finish(opening)).rejects.toMatchObject({ code: "RecoveryFailed" });
});
