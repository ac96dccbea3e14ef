import { autoClusterFailover, PulsarClient } from "@pulsewire/client";
import { adminPath, type Case, check, equal, numbers, rejects, sendAll, sorted, take, texts } from "./kit.ts";

const SERVICE_URL = process.env.PULSAR_URL ?? "pulsar://127.0.0.1:6650";
const ADMIN_URL = process.env.PULSAR_ADMIN_URL ?? "http://127.0.0.1:8080";

export const CONNECTING: readonly Case[] = [
  {
    name: "connecting: lookup over HTTP, partitions and a dead first host",
    async run({ topic, admin }) {
      const t = topic("http-lookup");
      await admin("PUT", `${adminPath(t)}/partitions`, 3);
      await using client = new PulsarClient({ serviceUrl: ADMIN_URL.replace("://", "://127.0.0.1:1,") });
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      equal(consumer.topics.length, 3, "partitions");
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 30), (i) => ({ key: `k${i}` }));
      equal(sorted(texts(await take(consumer, 30))), sorted(numbers(0, 30)), "messages");
      await rejects(client.getPartitionsForTopic(topic("http-missing")), ["TopicNotFound"], "a missing topic");
    },
  },
  {
    name: "connecting: a primary that is away is replaced, and what waits is sent",
    async run({ topic }) {
      const serviceUrlProvider = autoClusterFailover({
        primary: "pulsar://127.0.0.1:1",
        secondaries: [SERVICE_URL],
        failoverDelayMs: 200,
        checkIntervalMs: 100,
      });
      await using client = new PulsarClient({ serviceUrlProvider });
      const producer = await client.createProducer({ topic: topic("failover-cluster") });
      await producer.send("x");
    },
  },
  {
    name: "connecting: statistics count what was sent and received",
    async run({ client, topic }) {
      const t = topic("stats");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 100));
      await take(consumer, 100);
      const [sent, received] = [producer.stats(), consumer.stats()];
      equal([sent.messagesSent, sent.pendingMessages, sent.sendsFailed], [100, 0, 0], "sent");
      equal([received.messagesReceived, received.acknowledged], [100, 100], "received");
      check(sent.latencyMs.p99 > 0 && sent.messagesPerSecond > 0, "latency and rate");
    },
  },
];
