import type { Consumer } from "@pulsewire/client";
import {
  adminPath,
  type Case,
  check,
  equal,
  nothing,
  numbers,
  rejects,
  sendAll,
  sleep,
  sorted,
  take,
  texts,
  until,
} from "./kit.ts";

export const CONSUMING: readonly Case[] = [
  {
    name: "exclusive: the second is refused",
    async run({ client, topic }) {
      const t = topic("excl");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      await rejects(client.subscribe({ topic: t, subscription: "s" }), ["ConsumerBusy"], "second exclusive");
      await rejects(
        client.subscribe({ topic: t, subscription: "s", type: "Shared" }),
        ["ConsumerBusy"],
        "another type",
      );
      await consumer.close();
      await (await client.subscribe({ topic: t, subscription: "s", type: "Shared" })).close();
    },
  },
  {
    name: "failover: takeover",
    async run({ client, topic }) {
      const t = topic("failover");
      const open = (consumerName: string): Promise<Consumer> =>
        client.subscribe({ topic: t, subscription: "s", type: "Failover", consumerName, initialPosition: "Earliest" });
      const consumers = [await open("a"), await open("b")];
      await sleep(3000);
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 10));
      const active = consumers.find((c) => c.isActive);
      const standby = consumers.find((c) => c !== active);
      if (active === undefined || standby === undefined) throw new Error("nobody was told to be active");
      const got = await take(active, 10, { ack: false });
      equal(texts(got), numbers(0, 10), "the active one gets all");
      await nothing(standby, 300);
      for (const m of got.slice(0, 5)) await active.acknowledge(m);
      await active.close();
      await sendAll(producer, numbers(10, 20));
      equal(texts(await take(standby, 15)), numbers(5, 20), "the other takes over");
      check(standby.isActive, "the other was not told");
    },
  },
  {
    name: "shared: three consumers",
    async run({ client, topic }) {
      const t = topic("shared");
      const got: string[][] = [[], [], []];
      for (const list of got) {
        await client.subscribe({
          topic: t,
          subscription: "s",
          type: "Shared",
          receiverQueueSize: 10,
          messageListener: async (m, consumer) => {
            list.push(m.text());
            await consumer.acknowledge(m);
          },
        });
      }
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      for (const text of numbers(0, 60)) await producer.send(text);
      await until("60 messages", 20_000, () => got.flat().length >= 60);
      equal(sorted(got.flat()), sorted(numbers(0, 60)), "union");
      check(Math.min(...got.map((l) => l.length)) >= 10, `unfair: ${got.map((l) => l.length)}`);
    },
  },
  {
    name: "key_shared: order while one joins",
    async run({ client, topic }) {
      const t = topic("ks");
      const log: { who: string; key: string; n: number }[] = [];
      const join = (who: string): Promise<Consumer> =>
        client.subscribe({
          topic: t,
          subscription: "s",
          type: "Key_Shared",
          receiverQueueSize: 20,
          consumerName: who,
          messageListener: async (m, consumer) => {
            log.push({ who, key: m.key ?? "", n: Number(m.text()) });
            await sleep(1);
            await consumer.acknowledge(m);
          },
        });
      for (const who of ["c1", "c2", "c3"]) await join(who);
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 300), (i) => ({ key: `k${i % 40}` }));
      await join("c4");
      for (let from = 300; from < 900; from += 20) {
        await sendAll(producer, numbers(from, from + 20), (i) => ({ key: `k${(from + i) % 40}` }));
        await sleep(5);
      }
      await until("900 messages", 20_000, () => log.length >= 900);
      equal(sorted(log.map((l) => String(l.n))), sorted(numbers(0, 900)), "each once");
      for (let k = 0; k < 40; k++) {
        const seen = log.filter((l) => l.key === `k${k}`).map((l) => l.n);
        equal(
          seen,
          [...seen].sort((a, b) => a - b),
          `order of k${k}`,
        );
      }
      equal(new Set(log.map((l) => l.who)).size, 4, "consumers used");
    },
  },
  {
    name: "key_shared: sticky ranges",
    async run({ client, topic }) {
      const t = topic("sticky");
      const join = (ranges: [number, number][]): Promise<Consumer> =>
        client.subscribe({
          topic: t,
          subscription: "s",
          type: "Key_Shared",
          keySharedPolicy: { mode: "Sticky", ranges },
        });
      const low = await join([[0, 32_767]]);
      await rejects(join([[30_000, 40_000]]), ["ConsumerAssignError"], "overlapping ranges");
      const high = await join([[32_768, 65_535]]);
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 40), (i) => ({ key: `k${i}` }));
      const got = { low: 0, high: 0 };
      const count = async (consumer: Consumer, side: "low" | "high"): Promise<void> => {
        for await (const m of consumer) {
          got[side]++;
          await consumer.acknowledge(m);
        }
      };
      const loops = [count(low, "low"), count(high, "high")];
      await until("40 messages", 20_000, () => got.low + got.high >= 40);
      check(got.low > 0 && got.high > 0, "one side got nothing");
      await Promise.all([low.close(), high.close()]);
      await Promise.all(loops);
    },
  },
  {
    name: "receiver queue of 0",
    async run({ client, topic, admin }) {
      const t = topic("zero");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared", receiverQueueSize: 0 });
      const producer = await client.createProducer({ topic: t, batchingMaxMessages: 5, batchingMaxPublishDelayMs: 50 });
      await sendAll(producer, numbers(0, 10));
      equal(texts(await take(consumer, 10)), numbers(0, 10), "batches of 5");
      const waiting = consumer.receive(20_000);
      await admin("PUT", `${adminPath(t)}/unload`);
      await producer.send("after");
      equal((await waiting).text(), "after", "a receive that waits through an unload");
    },
  },
  {
    name: "batch receive",
    async run({ client, topic }) {
      const t = topic("batchreceive");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      equal((await consumer.batchReceive({ timeoutMs: 100 })).length, 0, "none in time");
      await sendAll(producer, numbers(0, 25));
      const got: string[] = [];
      while (got.length < 25) {
        const batch = await consumer.batchReceive({ maxNumMessages: 10, timeoutMs: 500 });
        check(batch.length > 0 && batch.length <= 10, `a batch of ${batch.length}`);
        got.push(...texts(batch));
      }
      equal(got, numbers(0, 25), "order");
    },
  },
  {
    name: "several topics",
    async run({ client, topic, admin }) {
      const topics = [topic("m0"), topic("m1"), topic("m2")];
      await admin("PUT", `${adminPath(topics[2] as string)}/partitions`, 2);
      const consumer = await client.subscribe({ topics, subscription: "s", type: "Shared" });
      const expected: string[] = [];
      for (const [i, t] of topics.entries()) {
        const bodies = Array.from({ length: 10 }, (_, j) => `${i}-${j}`);
        expected.push(...bodies);
        await sendAll(await client.createProducer({ topic: t, batchingEnabled: false }), bodies);
      }
      const messages = await take(consumer, 30);
      equal(sorted(texts(messages)), sorted(expected), "union");
      equal(new Set(messages.map((m) => m.topic)).size, 4, "topics");
    },
  },
  {
    name: "abort, time out, and close while receiving",
    async run({ client, topic }) {
      const consumer = await client.subscribe({ topic: topic("abort"), subscription: "s" });
      const controller = new AbortController();
      const receiving = rejects(consumer.receive({ signal: controller.signal }), ["Aborted"], "aborted");
      controller.abort();
      await receiving;
      await rejects(consumer.receive(50), ["Timeout"], "timed out");
      const closing = rejects(consumer.receive(), ["AlreadyClosed"], "closed");
      await consumer.close();
      await closing;
      await consumer.close();
    },
  },
  {
    name: "a listener that throws",
    async run({ client, topic }) {
      const t = topic("throws");
      const got: string[] = [];
      await client.subscribe({
        topic: t,
        subscription: "s",
        messageListener: (m) => {
          got.push(m.text());
          if (got.length % 2 === 0) throw new Error("on purpose");
          return Promise.reject(new Error("on purpose, later"));
        },
      });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 20));
      await until("20 messages", 20_000, () => got.length === 20);
      equal(got, numbers(0, 20), "order");
    },
  },
  {
    name: "redeliver everything",
    async run({ client, topic }) {
      const t = topic("redeliver");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared" });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 10));
      for (let n = 0; n < 3; n++) {
        const messages = await take(consumer, 10, { ack: n === 2 });
        equal(new Set(messages.map((m) => m.redeliveryCount)), new Set([n]), "redelivery count");
        if (n < 2) consumer.redeliverUnacknowledgedMessages();
      }
      await nothing(consumer);
    },
  },
  {
    name: "unsubscribe",
    async run({ client, topic, admin }) {
      const t = topic("unsub");
      let consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 5));
      const names = async (): Promise<string[]> =>
        ((await admin("GET", `${adminPath(t)}/subscriptions`)) as string[]).filter((s) => !s.startsWith("__"));
      equal(await names(), ["s"], "subscriptions");
      await consumer.unsubscribe();
      equal(await names(), [], "subscriptions afterwards");
      await rejects(consumer.receive(), ["AlreadyClosed"], "receive afterwards");
      consumer = await client.subscribe({ topic: t, subscription: "s" });
      await nothing(consumer);
    },
  },
];
