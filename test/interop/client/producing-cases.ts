import { PulsarClient } from "@pulsewire/client";
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
  take,
  texts,
  until,
} from "./kit.ts";

function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i += 65_536) crypto.getRandomValues(bytes.subarray(i, i + 65_536));
  return bytes;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function compression(type: "LZ4" | "ZLIB" | "ZSTD" | "SNAPPY"): Case {
  return {
    name: `compression ${type}`,
    async run({ client, topic }) {
      const t = topic(`z${type.toLowerCase()}`);
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const bodies = Array.from({ length: 20 }, (_, i) => `${i}-${"abc".repeat(2000)}`);
      for (const batchingEnabled of [false, true]) {
        const producer = await client.createProducer({ topic: t, compressionType: type, batchingEnabled });
        await sendAll(producer, bodies);
        equal(texts(await take(consumer, 20)), bodies, `payloads, batched ${batchingEnabled}`);
        await producer.close();
      }
    },
  };
}

export const PRODUCING: readonly Case[] = [
  {
    name: "connect and look up",
    async run({ client, topic, admin }) {
      const t = topic("lookup");
      await rejects(client.getPartitionsForTopic(t), ["TopicNotFound"], "partitions of a missing topic");
      const producer = await client.createProducer({ topic: t });
      await producer.send("x");
      check(producer.isConnected, "the producer is not connected");
      const found = (await admin("GET", `/lookup/v2/topic/${t.replace("://", "/")}`)) as { brokerUrl?: string };
      check(found.brokerUrl !== undefined, "lookup by REST");
      equal(await client.getPartitionsForTopic(t), [t], "partitions");
    },
  },
  {
    name: "several hosts in the service URL",
    async run({ topic }) {
      // the first host of the list is one where nobody listens
      const serviceUrl = (process.env.PULSAR_URL ?? "pulsar://127.0.0.1:6650").replace("://", "://127.0.0.1:1,");
      await using client = new PulsarClient({ serviceUrl });
      const producer = await client.createProducer({ topic: topic("hosts") });
      await producer.send("x");
    },
  },
  {
    name: "1000 messages in batches",
    async run({ client, topic }) {
      const t = topic("batched");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({
        topic: t,
        batchingMaxMessages: 50,
        batchingMaxPublishDelayMs: 20,
        properties: { who: "cases" },
      });
      const ids = await sendAll(producer, numbers(0, 1000), (i) => ({
        properties: { i: String(i), é: "ü" },
        key: `k${i % 7}`,
        eventTime: 1000 + i,
        orderingKey: `o${i}`,
      }));
      const messages = await take(consumer, 1000);
      equal(texts(messages), numbers(0, 1000), "order");
      messages.forEach((m, i) => {
        equal(m.properties, { i: String(i), é: "ü" }, "properties");
        equal(
          [m.key, m.eventTime, new TextDecoder().decode(m.orderingKey)],
          [`k${i % 7}`, 1000 + i, `o${i}`],
          "fields",
        );
        equal(m.topic, t, "topic");
        equal(String(m.messageId), String(ids[i]), "id from send and from receive");
        check(Math.abs(m.publishTime - Date.now()) < 60_000, "publish time");
      });
      check(
        messages.some((m) => m.messageId.batchIndex > 0),
        "nothing was batched",
      );
      equal(producer.lastSequenceId, 999, "last sequence id");
      await nothing(consumer, 300);
    },
  },
  {
    name: "500 messages one by one",
    async run({ client, topic }) {
      const t = topic("single");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      const ids = await sendAll(producer, numbers(0, 500), (i) => ({ properties: { i: String(i) }, key: "k" }));
      const messages = await take(consumer, 500);
      equal(texts(messages), numbers(0, 500), "order");
      check(
        messages.every((m) => m.messageId.batchIndex === -1 && m.key === "k"),
        "batch index or key",
      );
      equal(new Set(ids.map(String)).size, 500, "different ids");
    },
  },
  {
    name: "batches by key",
    async run({ client, topic }) {
      const t = topic("keyed");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({
        topic: t,
        batchingType: "KeyBased",
        batchingMaxPublishDelayMs: 100,
      });
      await sendAll(producer, numbers(0, 100), (i) => ({ key: `k${i % 4}` }));
      const messages = await take(consumer, 100);
      for (let k = 0; k < 4; k++) {
        const got = texts(messages.filter((m) => m.key === `k${k}`));
        equal(
          got,
          numbers(0, 100).filter((_, i) => i % 4 === k),
          `order of k${k}`,
        );
      }
      check(
        messages.some((m) => m.messageId.batchSize === 25),
        "a batch of one key",
      );
    },
  },
  compression("LZ4"),
  compression("ZLIB"),
  compression("ZSTD"),
  compression("SNAPPY"),
  {
    name: "null and empty payloads",
    async run({ client, topic }) {
      const t = topic("null");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      await Promise.all([producer.send({ data: null, key: "k" }), producer.send(""), producer.send({ data: null })]);
      await producer.send({ data: null, key: "alone" });
      const messages = await take(consumer, 4);
      equal(
        messages.map((m) => m.hasNullValue),
        [true, false, true, true],
        "null flags",
      );
      equal(
        messages.map((m) => m.data.length),
        [0, 0, 0, 0],
        "sizes",
      );
    },
  },
  {
    name: "keys as bytes",
    async run({ client, topic }) {
      const t = topic("bytekey");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      const key = Uint8Array.of(0, 255, 7, 128);
      await Promise.all([producer.send({ data: "a", key }), producer.send({ data: "b", key })]);
      for (const m of await take(consumer, 2)) check(sameBytes(m.keyBytes ?? new Uint8Array(), key), "key bytes");
    },
  },
  {
    name: "a payload near 5 MB, and one too big",
    async run({ client, topic }) {
      const t = topic("large");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      const big = randomBytes(5 * 1024 * 1024 - 10 * 1024);
      await producer.send(big);
      const [received] = await take(consumer, 1);
      check(received !== undefined && sameBytes(received.data, big), "the payload differs");
      await rejects(producer.send(new Uint8Array(5 * 1024 * 1024 + 1024)), ["MessageTooBig"], "too big");
      await producer.send("small");
      equal(texts(await take(consumer, 1)), ["small"], "the producer goes on");
      equal(client.pendingBytes, 0, "memory accounted");
    },
  },
  {
    name: "non-persistent topic",
    async run({ client, topic }) {
      const t = topic("np").replace("persistent:", "non-persistent:");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 50));
      equal(texts(await take(consumer, 50)), numbers(0, 50), "order");
    },
  },
  {
    name: "partitions: by key, in turn, growing",
    async run({ client, topic, admin }) {
      const t = topic("part");
      await admin("PUT", `${adminPath(t)}/partitions`, 4);
      equal((await client.getPartitionsForTopic(t)).length, 4, "partitions");
      const consumer = await client.subscribe({ topic: t, subscription: "s", autoUpdatePartitionsIntervalMs: 500 });
      const producer = await client.createProducer({ topic: t, autoUpdatePartitionsIntervalMs: 500 });
      await sendAll(producer, numbers(0, 200), (i) => ({ key: `key-${i % 20}` }));
      const where = new Map<string, Set<string>>();
      const order = new Map<string, string[]>();
      for (const m of await take(consumer, 200)) {
        const key = m.key ?? "";
        where.set(key, (where.get(key) ?? new Set()).add(m.topic));
        order.set(key, [...(order.get(key) ?? []), m.text()]);
      }
      for (const [key, topics] of where) equal(topics.size, 1, `partitions of ${key}`);
      for (const [key, got] of order)
        equal(
          got,
          [...got].sort((a, b) => Number(a) - Number(b)),
          `order of ${key}`,
        );
      check(new Set([...where.values()].map((s) => [...s][0])).size >= 3, "the keys are not spread");
      const single = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(single, numbers(0, 40));
      const counts = new Map<string, number>();
      for (const m of await take(consumer, 40)) counts.set(m.topic, (counts.get(m.topic) ?? 0) + 1);
      equal([...counts.values()], [10, 10, 10, 10], "in turn");
      await admin("POST", `${adminPath(t)}/partitions`, 6);
      await until("6 partitions", 20_000, () => producer.numberOfPartitions >= 6 && consumer.topics.length >= 6);
      equal([producer.numberOfPartitions, consumer.topics.length], [6, 6], "grown");
      await Promise.all(numbers(0, 60).map((data, i) => producer.send({ data, key: `n${i}` })));
      const grown = await take(consumer, 60);
      check(
        grown.some((m) => /partition-[45]$/.test(m.topic)),
        "the new partitions are used",
      );
    },
  },
  {
    name: "access modes",
    async run({ client, topic }) {
      const t = topic("access");
      const first = await client.createProducer({ topic: t, accessMode: "Exclusive" });
      await first.send("1");
      await rejects(
        client.createProducer({ topic: t, accessMode: "Exclusive" }),
        ["ProducerFenced"],
        "second exclusive",
      );
      await rejects(client.createProducer({ topic: t }), ["ProducerBusy"], "shared beside exclusive");
      const fencing = await client.createProducer({ topic: t, accessMode: "ExclusiveWithFencing" });
      await fencing.send("2");
      await rejects(first.send("fenced"), ["ProducerFenced"], "the fenced one");
      let ready = false;
      const waiting = client.createProducer({ topic: t, accessMode: "WaitForExclusive" }).then((p) => {
        ready = true;
        return p;
      });
      await sleep(700);
      check(!ready, "WaitForExclusive did not wait");
      await fencing.close();
      await (await waiting).send("3");
    },
  },
  {
    name: "producer name conflict",
    async run({ client, topic }) {
      const t = topic("name");
      const producer = await client.createProducer({ topic: t, producerName: "same" });
      equal(producer.producerName, "same", "name");
      await rejects(client.createProducer({ topic: t, producerName: "same" }), ["ProducerBusy"], "same name");
      await producer.close();
      await (await client.createProducer({ topic: t, producerName: "same" })).send("x");
    },
  },
  {
    name: "deduplication by sequence id",
    async run({ client, topic, namespace }) {
      const t = topic("dedup", await namespace("dedup"));
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      let producer = await client.createProducer({ topic: t, producerName: "dd" });
      const sequence = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 7, 9, 10, 15, 12, 16];
      for (const s of sequence) await producer.send({ data: String(s), sequenceId: s });
      equal(texts(await take(consumer, 13)), [...numbers(0, 11), "15", "16"], "duplicates dropped");
      await nothing(consumer);
      await producer.close();
      producer = await client.createProducer({ topic: t, producerName: "dd" });
      equal(producer.lastSequenceId, 16, "last sequence id after reopening");
      await Promise.all([
        producer.send({ data: "dup", sequenceId: 16 }),
        producer.send({ data: "17", sequenceId: 17 }),
        producer.send({ data: "18", sequenceId: 18 }),
        producer.send({ data: "again", sequenceId: 17 }),
      ]);
      equal(texts(await take(consumer, 2)), ["17", "18"], "after reopening, at once");
      await nothing(consumer);
    },
  },
  {
    name: "delayed delivery",
    async run({ client, topic }) {
      const t = topic("delay");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared" });
      const producer = await client.createProducer({ topic: t });
      const startMs = Date.now();
      await Promise.all([
        producer.send({ data: "after", deliverAfterMs: 2000 }),
        producer.send({ data: "at", deliverAt: startMs + 3000 }),
        producer.send("now"),
      ]);
      const got: [string, number][] = [];
      for (let i = 0; i < 3; i++) got.push([texts(await take(consumer, 1))[0] ?? "", Date.now() - startMs]);
      equal(
        got.map((g) => g[0]),
        ["now", "after", "at"],
        "order",
      );
      check((got[1]?.[1] ?? 0) >= 1900 && (got[2]?.[1] ?? 0) >= 2900, `too early: ${JSON.stringify(got)}`);
    },
  },
  {
    name: "terminated topic",
    async run({ client, topic, admin }) {
      const t = topic("term");
      const producer = await client.createProducer({ topic: t });
      let ended = false;
      const onReachedEndOfTopic = (): void => {
        ended = true;
      };
      const consumer = await client.subscribe({ topic: t, subscription: "s", onReachedEndOfTopic });
      await sendAll(producer, numbers(0, 3));
      await admin("POST", `${adminPath(t)}/terminate`);
      await rejects(producer.send("x"), ["TopicTerminatedError"], "send to a terminated topic");
      equal(texts(await take(consumer, 3)), numbers(0, 3), "the backlog is readable");
      await until("the end to be told", 20_000, () => ended);
      check(consumer.hasReachedEndOfTopic, "it does not know of the end");
    },
  },
  {
    name: "flush and close settle every send",
    async run({ client, topic }) {
      const t = topic("flush");
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 10_000 });
      const sends = Promise.all(numbers(0, 10).map((data) => producer.send(data)));
      await producer.flush();
      equal((await sends).length, 10, "flushed");
      const last = producer.send("last");
      await producer.close();
      check((await last).entryId >= 0, "close waits for the receipt");
      await rejects(producer.send("x"), ["AlreadyClosed"], "send after close");
      await producer.close();
    },
  },
  {
    name: "pending limit: fail and wait",
    async run({ client, topic }) {
      const t = topic("pending");
      const failing = await client.createProducer({ topic: t, maxPendingMessages: 10 });
      const results = await Promise.allSettled(numbers(0, 30).map((data) => failing.send(data)));
      equal(results.filter((r) => r.status === "fulfilled").length, 10, "let in");
      await failing.send("after");
      const waiting = await client.createProducer({ topic: t, maxPendingMessages: 10, blockIfQueueFull: true });
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const sent = sendAll(waiting, numbers(0, 500));
      await waiting.flush();
      equal((await sent).length, 500, "all were sent");
      equal(texts(await take(consumer, 500)), numbers(0, 500), "order");
      equal(client.pendingBytes, 0, "memory accounted");
    },
  },
];
