import { expect, test } from "vitest";
import { startSimulatedCluster } from "../simulation/simulated-cluster.ts";

const MESSAGES = 500;

async function produceAndConsume(seed: number): Promise<{ texts: string[]; hash: string; elapsedMs: number }> {
  const faults = { network: { delayMsMin: 0.2, delayMsMax: 2 }, messenger: { delayMsMin: 0.1, delayMsMax: 1 } };
  const { simulation, client, close } = await startSimulatedCluster({ seed, faults });
  const user = client("client");
  const consumer = await simulation.finish(user.subscribe({ topic: "first-light", subscription: "s" }));
  const producer = await simulation.finish(user.createProducer({ topic: "first-light" }));
  const sends = Array.from({ length: MESSAGES }, (_, i) => producer.send(`m${i}`));
  await simulation.finish(Promise.all(sends));
  const texts: string[] = [];
  const reading = (async () => {
    while (texts.length < MESSAGES) {
      const message = await consumer.receive();
      texts.push(message.text());
      await consumer.acknowledge(message);
    }
  })();
  await simulation.finish(reading);
  await close();
  return { texts, hash: simulation.trace.hash, elapsedMs: simulation.elapsedMs };
}

test("client, broker and three bookies under one seed: 500 messages come out as they went in", async () => {
  const { texts, elapsedMs } = await produceAndConsume(1);
  expect(texts).toEqual(Array.from({ length: MESSAGES }, (_, i) => `m${i}`));
  expect(elapsedMs).toBeLessThan(5_000);
});

test("the same seed gives the same run, another seed another one", async () => {
  const first = await produceAndConsume(2);
  const again = await produceAndConsume(2);
  const other = await produceAndConsume(3);
  expect(again.hash).toBe(first.hash);
  expect(again.elapsedMs).toBe(first.elapsedMs);
  expect(other.hash).not.toBe(first.hash);
  expect(other.texts).toEqual(first.texts);
});
