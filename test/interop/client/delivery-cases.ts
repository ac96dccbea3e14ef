import { MessageId } from "@pulsewire/client";
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

export const DELIVERY: readonly Case[] = [
  {
    name: "redelivery count: 0 after a reconnection, one more for each refusal, 0 where the type counts none",
    async run({ client, topic, admin }) {
      for (const type of ["Shared", "Key_Shared", "Exclusive", "Failover"] as const) {
        const t = topic(`counts${type}`);
        const options = { topic: t, subscription: "s", type, negativeAckRedeliveryDelayMs: 50 };
        const consumer = await client.subscribe(options);
        const producer = await client.createProducer({ topic: t });
        await producer.send({ data: "x", key: "k" });
        const counts: number[] = [];
        const next = async () => {
          const [message] = await take(consumer, 1, { ack: false });
          if (message === undefined) throw new Error("no message");
          counts.push(message.redeliveryCount);
          return message;
        };
        await next();
        await admin("PUT", `${adminPath(t)}/unload`);
        consumer.negativeAcknowledge(await next());
        consumer.negativeAcknowledge(await next());
        await consumer.acknowledge(await next());
        const counting = type === "Shared" || type === "Key_Shared";
        equal(counts, counting ? [0, 0, 1, 2] : [0, 0, 0, 0], type);
      }
    },
  },
  {
    name: "permits: batches as large as the queue keep flowing, and a queue of 0 goes on after an unload",
    async run({ client, topic, admin }) {
      for (const type of ["Exclusive", "Shared"] as const) {
        for (const receiverQueueSize of [5, 1, 0]) {
          const t = topic(`permits${type}${receiverQueueSize}`);
          const ackReceiptEnabled = true;
          const acks = { ackReceiptEnabled, acknowledgmentGroupTimeMs: 0 };
          const consumer = await client.subscribe({ topic: t, subscription: "s", type, receiverQueueSize, ...acks });
          const producer = await client.createProducer({
            topic: t,
            batchingMaxMessages: 5,
            batchingMaxPublishDelayMs: 50,
          });
          await sendAll(producer, numbers(0, 20));
          equal(texts(await take(consumer, 20)), numbers(0, 20), `${type}, queue of ${receiverQueueSize}`);
          const waiting = consumer.receive(20_000);
          await admin("PUT", `${adminPath(t)}/unload`);
          await sendAll(producer, numbers(20, 30));
          const first = await waiting;
          await consumer.acknowledge(first);
          equal([first.text(), ...texts(await take(consumer, 9))], numbers(20, 30), "after the unload");
        }
      }
    },
  },
  {
    name: "cumulative acknowledgement of one partition leaves the others as they are",
    async run({ client, topic, admin }) {
      const t = topic("cumparts");
      await admin("PUT", `${adminPath(t)}/partitions`, 2);
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t, messageRouter: (m) => Number(m.key) });
      for (const key of ["0", "1"])
        await sendAll(
          producer,
          numbers(0, 5).map((n) => key + n),
          () => ({ key }),
        );
      const got = await take(consumer, 10, { ack: false });
      const fourth = got.filter((m) => m.key === "0")[3];
      if (fourth === undefined) throw new Error("a message is missing");
      await consumer.acknowledgeCumulative(fourth.messageId);
      await consumer.close();
      const again = await take(await client.subscribe({ topic: t, subscription: "s" }), 6);
      equal(texts(again).sort(), ["04", "10", "11", "12", "13", "14"], "what is left");
    },
  },
  {
    name: "seek: nothing from before comes out of a listener's buffer or of a partition",
    async run({ client, topic, admin }) {
      const t = topic("seekclean");
      await admin("PUT", `${adminPath(t)}/partitions`, 3);
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 5 });
      await sendAll(
        producer,
        numbers(0, 300).map((n) => `old ${n}`),
        (i) => ({ key: `k${i}` }),
      );
      let resolved = false;
      const late: string[] = [];
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        initialPosition: "Earliest",
        messageListener: async (message) => {
          if (resolved) late.push(message.text());
          await sleep(1);
        },
      });
      await sleep(100);
      await consumer.seek(MessageId.latest);
      resolved = true;
      await sendAll(producer, ["new 1", "new 2", "new 3"], (i) => ({ key: `k${i}` }));
      await until("the new messages", 20_000, () => late.length >= 3);
      await sleep(200);
      equal(late.sort(), ["new 1", "new 2", "new 3"], "after the seek");
    },
  },
  {
    name: "a subscriber slower than its topic keeps a bounded queue and never stalls",
    async run({ client, topic }) {
      const t = topic("slow");
      const consumer = await client.subscribe({ topic: t, subscription: "s", receiverQueueSize: 50 });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false, blockIfQueueFull: true });
      const data = new Uint8Array(10_000);
      const sending = Promise.all(Array.from({ length: 1500 }, () => producer.send({ data })));
      let most = 0;
      for (let i = 0; i < 1500; i++) {
        most = Math.max(most, consumer.queuedMessages);
        await consumer.acknowledge(await consumer.receive(20_000));
        if (i % 20 === 0) await sleep(5);
      }
      await sending;
      check(most <= 50, `${most} messages in a queue of 50`);
      await nothing(consumer, 200);
    },
  },
  {
    name: "partitions of a topic that does not exist: an error, and nothing is made",
    async run({ client, topic, admin }) {
      const t = topic("missing");
      await rejects(client.getPartitionsForTopic(t), ["TopicNotFound"], "partitions");
      const all = (await admin("GET", "/admin/v2/persistent/public/default")) as string[];
      check(!all.includes(t), "it was made");
      const listed = (await admin("GET", "/admin/v2/persistent/public/default/partitioned")) as string[];
      check(!listed.includes(t), "it was made, partitioned");
    },
  },
  {
    name: "topic names with spaces, dots, colons and control characters are one topic for producer and consumer",
    async run({ client, topic }) {
      for (const odd of ["a b", "..", "x:y", "a\nb", "é", "50%"]) {
        const t = `${topic("odd")}${odd}`;
        const consumer = await client.subscribe({ topic: t, subscription: "s" });
        await (await client.createProducer({ topic: ` ${t} ` })).send("x");
        equal(
          (await take(consumer, 1)).map((m) => [m.text(), m.topic]),
          [["x", t]],
          JSON.stringify(odd),
        );
      }
      for (const wrong of ["tenant/cluster", "persistent://a/b/", "other://a/b/c", "persistent://a b/c/d", "  "]) {
        const options = { topic: wrong, subscription: "s" };
        await rejects(client.subscribe(options), ["InvalidTopicName", "InvalidConfiguration"], wrong);
      }
    },
  },
];
