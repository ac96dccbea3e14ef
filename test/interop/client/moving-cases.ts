import { MessageId, PulsarClient } from "@pulsewire/client";
import { adminPath, type Case, check, equal, numbers, sleep, until } from "./kit.ts";

export const MOVING: readonly Case[] = [
  {
    name: "unload with a live producer and consumer",
    async run({ client, topic, admin, namespace }) {
      const t = topic("unload", await namespace("dedup"));
      const live: string[] = [];
      await client.subscribe({
        topic: t,
        subscription: "s",
        messageListener: async (m, consumer) => {
          live.push(m.text());
          await consumer.acknowledge(m);
        },
      });
      const producer = await client.createProducer({ topic: t, producerName: "u" });
      const sends: Promise<MessageId>[] = [];
      const producing = (async () => {
        for (const text of numbers(0, 600)) {
          sends.push(producer.send(text));
          await sleep(3);
        }
      })();
      for (let i = 0; i < 2; i++) {
        await sleep(600);
        await admin("PUT", `${adminPath(t)}/unload`);
      }
      await producing;
      await Promise.all(sends);
      await until("600 messages", 20_000, () => new Set(live).size === 600);
      equal([...new Set(live)], numbers(0, 600), "order of first deliveries");
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
      const log: string[] = [];
      while (await reader.hasMessageAvailable()) log.push((await reader.readNext(20_000)).text());
      equal(log, numbers(0, 600), "the log has each once");
    },
  },
  {
    name: "a reader goes on after an unload",
    async run({ client, topic, admin }) {
      const t = topic("readunload");
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 30 });
      await Promise.all(numbers(0, 10).map((text) => producer.send(text)));
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
      const got: string[] = [];
      for (let i = 0; i < 5; i++) got.push((await reader.readNext(20_000)).text());
      await admin("PUT", `${adminPath(t)}/unload`);
      await until("the reader lost its connection", 20_000, () => !reader.isConnected);
      await until("the reader is back", 20_000, () => reader.isConnected);
      for (let i = 0; i < 5; i++) got.push((await reader.readNext(20_000)).text());
      equal(got, numbers(0, 10), "each once");
    },
  },
  {
    name: "closing the client settles what waits",
    async run({ topic }) {
      const client = new PulsarClient({ serviceUrl: process.env.PULSAR_URL ?? "pulsar://127.0.0.1:6650" });
      const t = topic("closing");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      const received = consumer.receive().then(
        (m) => m.text(),
        (error) => error.code,
      );
      const sends = Promise.allSettled(numbers(0, 50).map((text) => producer.send(text)));
      await Promise.all([client.close(), client.close()]);
      check(
        (await sends).every((s) => s.status === "fulfilled"),
        "sends before close",
      );
      check(["0", "AlreadyClosed"].includes(await received), "the receive settled");
    },
  },
];
