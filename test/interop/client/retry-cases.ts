import { adminPath, type Case, equal, nothing, take } from "./kit.ts";

export const RETRYING: readonly Case[] = [
  {
    name: "reconsume later: comes again after its delay, then to the dead-letter topic",
    async run({ client, topic }) {
      const t = topic("reconsume");
      const dead = await client.subscribe({ topic: `${t}-s-DLQ`, subscription: "d" });
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        type: "Shared",
        retryEnable: true,
        deadLetterPolicy: { maxRedeliverCount: 2 },
      });
      const producer = await client.createProducer({ topic: t });
      const id = await producer.send({
        data: "v",
        key: new Uint8Array([1, 200]),
        orderingKey: "o",
        eventTime: 77,
        properties: { mine: "kept" },
      });
      for (let round = 0; round <= 2; round++) {
        const [message] = await take(consumer, 1, { ack: false });
        if (message === undefined) throw new Error("no message");
        equal(message.topic, round === 0 ? t : `${t}-s-RETRY`, "topic");
        equal(message.properties.RECONSUMETIMES ?? "0", String(round), "count");
        const startMs = Date.now();
        await consumer.reconsumeLater(message, { delayMs: 500 });
        if (round === 2) break;
        equal((await take(consumer, 1, { ack: false }))[0]?.messageId.topic, `${t}-s-RETRY`, "again");
        const waitedMs = Date.now() - startMs;
        if (waitedMs < 450) throw new Error(`came after ${waitedMs} ms already`);
        consumer.redeliverUnacknowledgedMessages();
      }
      const [letter] = await take(dead, 1);
      equal(
        [letter?.text(), [...(letter?.keyBytes ?? [])], letter?.hasBase64EncodedKey, letter?.eventTime],
        ["v", [1, 200], true, 77],
        "what the producer gave",
      );
      equal(new TextDecoder().decode(letter?.orderingKey), "o", "ordering key");
      const { mine, REAL_TOPIC, REAL_SUBSCRIPTION, ORIGIN_MESSAGE_ID, RECONSUMETIMES, DELAY_TIME } =
        letter?.properties ?? {};
      equal(
        [mine, REAL_TOPIC, REAL_SUBSCRIPTION, ORIGIN_MESSAGE_ID, RECONSUMETIMES, DELAY_TIME],
        ["kept", t, "s", String(id), "3", "500"],
        "properties",
      );
      await nothing(consumer);
    },
  },
  {
    name: "reconsume later: partitions, batches and null values",
    async run({ client, topic, admin }) {
      const t = topic("reconsumeparts");
      await admin("PUT", `${adminPath(t)}/partitions`, 2);
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared", retryEnable: true });
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 50 });
      await Promise.all([0, 1, 2, 3].map((i) => producer.send({ key: String(i), data: i === 2 ? null : String(i) })));
      for (const message of await take(consumer, 4, { ack: false })) await consumer.reconsumeLater(message);
      const again = await take(consumer, 4);
      equal(
        again.map((m) => [m.key, m.hasNullValue]).sort(),
        [0, 1, 2, 3].map((i) => [String(i), i === 2]),
        "all",
      );
      equal([...new Set(again.map((m) => m.topic))], [`${t}-s-RETRY`], "one retry topic for all partitions");
      equal([...new Set(again.map((m) => m.properties.REAL_TOPIC))], [t], "the topic without a partition");
      await nothing(consumer);
    },
  },
  {
    name: "reconsume later: exclusive and failover",
    async run({ client, topic }) {
      for (const type of ["Exclusive", "Failover"] as const) {
        const t = topic(`reconsume${type}`);
        const consumer = await client.subscribe({ topic: t, subscription: "s", type, retryEnable: true });
        const producer = await client.createProducer({ topic: t });
        await producer.send("a");
        const [message] = await take(consumer, 1, { ack: false });
        if (message === undefined) throw new Error("no message");
        await consumer.reconsumeLaterCumulative(message, { delayMs: 100, properties: { why: "later" } });
        const [again] = await take(consumer, 1);
        equal([again?.text(), again?.properties.why, again?.topic], ["a", "later", `${t}-s-RETRY`], type);
        await nothing(consumer, 300);
      }
    },
  },
  {
    name: "dead letters of a partition go to the topic's dead-letter topic",
    async run({ client, topic, admin }) {
      const t = topic("dlqparts");
      await admin("PUT", `${adminPath(t)}/partitions`, 2);
      const dead = await client.subscribe({ topic: `${t}-s-DLQ`, subscription: "d" });
      const deadLetterPolicy = { maxRedeliverCount: 1 };
      const negativeAckRedeliveryDelayMs = 50;
      const options = { topic: t, subscription: "s", type: "Shared" as const, deadLetterPolicy };
      const consumer = await client.subscribe({ ...options, negativeAckRedeliveryDelayMs });
      const producer = await client.createProducer({ topic: t });
      await producer.send({ data: "x", key: "k" });
      for (const message of await take(consumer, 1, { ack: false })) consumer.negativeAcknowledge(message);
      for (const message of await take(consumer, 1, { ack: false })) consumer.negativeAcknowledge(message);
      const [letter] = await take(dead, 1);
      equal([letter?.text(), letter?.properties.REAL_TOPIC, letter?.key], ["x", t, "k"], "dead letter");
    },
  },
];
