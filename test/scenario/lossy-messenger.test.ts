import { expect, test } from "vitest";
import { ManagedLedgerError, type ManagedLedgerFactory } from "../../packages/server/src/managed-ledger/index.ts";
import { type Appended, append, entriesOf, placeOf, startSimulatedStorage } from "../simulation/simulated-storage.ts";

const TRIES_MAX = 50;

const faults = {
  messenger: {
    delayMsMin: 0.5,
    delayMsMax: 3,
    lossProbability: 0.05,
    duplicateProbability: 0.05,
    reorderProbability: 0.05,
    reorderDelayMsMax: 20,
  },
};

async function logOf(factory: ManagedLedgerFactory): Promise<Map<string, string>> {
  return entriesOf(await factory.open("t"));
}

/** Recovery and reads give up when too few answer; then they are tried again, as a broker's clients make it do. */
async function insistently<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ManagedLedgerError) || tries === TRIES_MAX) throw error;
    }
  }
}

test("5 % of the messages between broker and bookies are lost, 5 % come twice: every entry is stored, once, in order", async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { simulation, owner } = await startSimulatedStorage({ seed, bookies: 6, faults });
    const ledger = await simulation.finish(owner("broker").open("t"));
    const appends: Appended[] = [];
    for (let i = 0; i < 300; i++) {
      appends.push(append(simulation, ledger, `m${i}`));
      await simulation.run(1 + simulation.random.integer(20));
    }
    await simulation.until(() => appends.every((a) => a.settledMs !== undefined), 3_600_000);
    expect(
      appends.filter((a) => a.error !== undefined).map((a) => a.error?.message),
      `seed ${seed}`,
    ).toEqual([]);

    const successors = owner("successor");
    // whoever takes over reads the same, though what it asks and is told is lost as often
    const log = await simulation.finish(
      insistently(() => logOf(successors)),
      3_600_000,
    );
    expect([...log.values()], `seed ${seed}`).toEqual(appends.map((a) => a.text));
    for (const appended of appends) expect(log.get(placeOf(appended))).toBe(appended.text);
  }
});
