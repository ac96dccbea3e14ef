import { MessageId, PulsarClient } from "@pulsewire/client";
import { startCluster } from "@pulsewire/server";
import { expect, test } from "vitest";

interface Shown {
  /** Of a subscription, in the metrics. */
  of(subscription: string): number | undefined;
  storage: number | undefined;
  logical: number | undefined;
  stats: { msgOutCounter: number; bytesOutCounter: number; storageSize: number } | undefined;
}

async function shown(adminUrl: string, topic: string): Promise<Shown> {
  const lines = (await (await fetch(`${adminUrl}/metrics/`)).text()).split("\n");
  const value = (name: string, label: string): number | undefined => {
    const line = lines.find((l) => l.startsWith(`${name}{`) && l.includes(`topic="${topic}"`) && l.includes(label));
    return line === undefined ? undefined : Number(line.split(" ").at(-1));
  };
  const answer = await fetch(`${adminUrl}/admin/v2/${topic.replace("://", "/")}/stats`);
  return {
    of: (subscription) => value("pulsar_out_messages_total", `subscription="${subscription}"`),
    storage: value("pulsar_storage_size", ""),
    logical: value("pulsar_storage_logical_size", ""),
    stats: answer.ok ? ((await answer.json()) as Shown["stats"]) : undefined,
  };
}

test("what was delivered stays counted when consumers, readers and subscriptions are gone, and every copy is counted as stored", async () => {
  await using cluster = await startCluster();
  await using client = new PulsarClient({ serviceUrl: cluster.serviceUrl });
  const topic = "persistent://public/default/counted";
  const producer = await client.createProducer({ topic, batchingEnabled: false });
  await client.subscribe({ topic, subscription: "keeps" });
  const consumer = await client.subscribe({ topic, subscription: "s", type: "Shared" });
  for (let i = 0; i < 5; i++) await producer.send(`m${i}`);
  for (let i = 0; i < 5; i++) await consumer.acknowledge(await consumer.receive());
  await consumer.close();
  const closed = await shown(cluster.adminUrl, topic);
  expect([closed.of("s"), closed.of("keeps"), closed.stats?.msgOutCounter]).toEqual([5, 5, 10]);
  expect(closed.logical).toBe(closed.stats?.storageSize);
  expect(closed.storage).toBe(3 * (closed.logical as number));

  const leaving = await client.subscribe({ topic, subscription: "s", type: "Shared" });
  await leaving.unsubscribe();
  const reader = await client.createReader({ topic, startMessageId: MessageId.earliest });
  for (let i = 0; i < 5; i++) await reader.readNext(5_000);
  await reader.close();
  const left = await shown(cluster.adminUrl, topic);
  expect([left.of("s"), left.of("keeps"), left.stats?.msgOutCounter]).toEqual([undefined, 5, 15]);
  expect(left.stats?.bytesOutCounter).toBe((3 * (closed.stats?.bytesOutCounter as number)) / 2);
});

test("so it is on topics that keep nothing", async () => {
  await using cluster = await startCluster();
  await using client = new PulsarClient({ serviceUrl: cluster.serviceUrl });
  const topic = "non-persistent://public/default/counted";
  const producer = await client.createProducer({ topic, batchingEnabled: false });
  const consumers = [];
  for (let i = 0; i < 2; i++) consumers.push(await client.subscribe({ topic, subscription: "s", type: "Shared" }));
  for (let i = 0; i < 4; i++) await producer.send(`m${i}`);
  for (const consumer of consumers) for (let i = 0; i < 2; i++) await consumer.receive();
  await consumers[0]?.close();
  const { of, storage } = await shown(cluster.adminUrl, topic);
  expect([of("s"), storage]).toEqual([4, 0]);
});
