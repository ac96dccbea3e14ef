import { expect, test } from "vitest";
import { KEEP_ALL, numbered, readLog, textsOf } from "../simulation/read-log.ts";
import { startSimulatedCluster } from "../simulation/simulated-cluster.ts";

const CUTS = 20;
const SENDS_BETWEEN_CUTS = 25;
const faults = { network: { delayMsMin: 1, delayMsMax: 10 }, messenger: { delayMsMin: 0.5, delayMsMax: 5 } };

test.each([
  ["one by one", false],
  ["in batches", true],
])("the connection is cut 20 times while messages are sent %s: each is stored once, in order", async (_, batching) => {
  const cluster = { settings: { ...KEEP_ALL, brokerDeduplicationEnabled: true } };
  const { simulation, client, close } = await startSimulatedCluster({ seed: 12, faults, cluster });
  const user = client("client");
  const options = { topic: "t", producerName: "p", batchingEnabled: batching, batchingMaxPublishDelayMs: 5 };
  const producer = await simulation.finish(user.createProducer(options));
  const sends: Promise<unknown>[] = [];
  const texts = numbered(CUTS * SENDS_BETWEEN_CUTS);
  let cut = 0;
  for (const [i, text] of texts.entries()) {
    sends.push(producer.send(text));
    await simulation.run(2);
    if (i % SENDS_BETWEEN_CUTS !== SENDS_BETWEEN_CUTS - 1) continue;
    // only while it is attached is there something to lose
    await simulation.until(() => producer.isConnected);
    await simulation.run(simulation.random.integer(12));
    cut += simulation.network.cut("client", "broker-0");
  }
  await simulation.finish(Promise.all(sends));
  expect(cut).toBeGreaterThanOrEqual(CUTS);
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(texts);
  await close();
});
