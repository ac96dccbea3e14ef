import { MessageId } from "@pulsewire/client";
import { expect, test } from "vitest";
import { KEEP_ALL, numbered, readLog, textsOf } from "../simulation/read-log.ts";
import { startSimulatedCluster } from "../simulation/simulated-cluster.ts";

const MESSAGES = 600;
const faults = { network: { delayMsMin: 0.2, delayMsMax: 1 }, messenger: { delayMsMin: 0.1, delayMsMax: 1 } };

test.each([
  ["another takes its place", 4],
  ["none is there to take its place", 3],
])("a bookie is cut off during writes, and %s: nothing acknowledged is lost, order holds", async (_, bookies) => {
  const cluster = { bookies, ensembleSize: 3, settings: KEEP_ALL };
  const { simulation, client, close } = await startSimulatedCluster({ seed: 11, faults, cluster });
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  const ids: MessageId[] = [];
  const sending: Promise<void>[] = [];
  for (const [i, text] of numbered(MESSAGES).entries()) {
    sending.push(producer.send(text).then((id) => void ids.push(id)));
    if (i === 100) simulation.links.partition("broker-0", "127.0.0.1:3181");
    if (i === 400) simulation.links.heal();
    await simulation.run(50);
  }
  await simulation.finish(Promise.all(sending));
  const log = await readLog(simulation, user, "t");
  expect(textsOf(log)).toEqual(numbered(MESSAGES));
  expect(ids.map(String)).toEqual(log.map((message) => String(message.messageId)));
  expect(ids.every((id, i) => i === 0 || id.compareTo(ids[i - 1] ?? MessageId.earliest) > 0)).toBe(true);
  await close();
});
