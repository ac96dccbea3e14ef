import { expect, test } from "vitest";
import { KEEP_ALL, numbered, readLog, textsOf } from "../simulation/read-log.ts";
import { startSimulatedCluster } from "../simulation/simulated-cluster.ts";

const BOOKIES = 5;
const MESSAGES = 500;
/** A session of the metadata store takes 30 s to expire. */
const GONE_MS = 45_000;
const bookieOf = (index: number): string => `127.0.0.1:${3181 + index}`;

const faults = {
  network: { delayMsMin: 0.2, delayMsMax: 1 },
  messenger: { delayMsMin: 0.1, delayMsMax: 3, lossProbability: 0.01 },
  remote: { delayMsMin: 0.2, delayMsMax: 2, answerLossProbability: 0.01 },
};

test.each([1, 3])(
  "bookies are gone one after the other, each for longer than its session: their copies are made again, and no message is lost (seed %i)",
  async (seed) => {
    const settings = {
      ...KEEP_ALL,
      managedLedgerMaxEntriesPerLedger: 25,
      managedLedgerMinLedgerRolloverTimeMinutes: 0,
      openLedgerRereplicationGracePeriod: 5_000,
    };
    const cluster = { bookies: BOOKIES, ensembleSize: 3, settings };
    const { simulation, cluster: running, client, close } = await startSimulatedCluster({ seed, faults, cluster });
    const user = client("client");
    const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
    const sending: Promise<unknown>[] = [];
    for (const [i, text] of numbered(MESSAGES).entries()) {
      sending.push(producer.send(text));
      // all but two of them, so that in the end hardly a copy stands where it stood first
      if (i > 0 && i % 100 === 0 && i / 100 <= BOOKIES - 2) {
        const gone = bookieOf(i / 100);
        simulation.pause(gone);
        await simulation.run(GONE_MS);
        for (let left = 1; left > 0; await simulation.run(500)) {
          left = (await simulation.finish(running.recovery.progress())).underReplicated.length;
        }
        const session = running.metadata.session();
        expect(await simulation.finish(session.children("/ledgers/available"))).not.toContain(gone);
        await simulation.finish(session.close());
        simulation.resume(gone);
      }
      await simulation.run(20);
    }
    await simulation.finish(Promise.all(sending));
    // whatever was acknowledged has two copies at least: with one bookie away each has one
    simulation.pause(bookieOf(4));
    const log = await readLog(simulation, user, "t");
    expect(textsOf(log)).toEqual(numbered(MESSAGES));
    simulation.resume(bookieOf(4));
    const { statistics } = running.recovery;
    expect(statistics.auditor_NUM_UNDER_REPLICATED_LEDGERS).toBeGreaterThan(3);
    expect(statistics.replication_worker_NUM_ENTRIES_WRITTEN).toBeGreaterThan(100);
    await close();
  },
);
