import type { ConsumerInterceptor, ProducerInterceptor } from "@pulsewire/client";
import { type Case, check, equal, nothing, numbers, sendAll, take, texts, until } from "./kit.ts";

export const INTERCEPTORS: readonly Case[] = [
  {
    name: "interceptors: of a producer and a consumer, one of them broken",
    async run({ client, topic }) {
      const t = topic("intercept");
      const heard: string[] = [];
      const broken = {
        beforeSend: () => {
          throw new Error("on purpose");
        },
        beforeConsume: () => {
          throw new Error("on purpose");
        },
      };
      const sending: ProducerInterceptor = {
        beforeSend: (_, message) => ({ ...message, properties: { ...message.properties, by: "interceptor" } }),
        onSendAcknowledgement: (_, message, id) => void heard.push(`sent ${message.data} ${id !== undefined}`),
      };
      const receiving: ConsumerInterceptor = {
        onArrival: (_, message) => void heard.push(`arrived ${message.text()}`),
        onAcknowledge: (_, id) => void heard.push(`acknowledged ${id.topic}`),
        onNegativeAcksSend: (_, ids) => void heard.push(`refused ${ids.length}`),
      };
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        type: "Shared",
        negativeAckRedeliveryDelayMs: 100,
        interceptors: [broken, receiving],
      });
      const producer = await client.createProducer({ topic: t, interceptors: [broken, sending] });
      await producer.send("a");
      const [first] = await take(consumer, 1, { ack: false });
      if (first === undefined) throw new Error("no message");
      equal(first.properties, { by: "interceptor" }, "properties");
      consumer.negativeAcknowledge(first);
      await take(consumer, 1);
      await until("all to be heard", 20_000, () => heard.length >= 5);
      equal(
        heard.filter((h) => !h.startsWith("sent")),
        ["arrived a", "refused 1", "arrived a", `acknowledged ${t}`],
        "what the consumer's heard",
      );
      check(heard.includes("sent a true"), "the producer's heard nothing");
    },
  },
  {
    name: "subscription that is not durable, from either end",
    async run({ client, topic, admin }) {
      const t = topic("nondurable");
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 5));
      const subscriptionMode = "NonDurable" as const;
      const early = await client.subscribe({
        topic: t,
        subscription: "e",
        subscriptionMode,
        initialPosition: "Earliest",
      });
      const late = await client.subscribe({ topic: t, subscription: "l", subscriptionMode });
      equal(texts(await take(early, 5)), numbers(0, 5), "earliest");
      await producer.send("new");
      equal(texts(await take(late, 1)), ["new"], "latest");
      await late.close();
      const path = `/admin/v2/persistent/${t.slice("persistent://".length)}/subscriptions`;
      await until(
        "the subscription to be gone",
        20_000,
        async () => !((await admin("GET", path)) as string[]).includes("l"),
      );
    },
  },
  {
    name: "failover: a listener of who is active",
    async run({ client, topic }) {
      const t = topic("eventlistener");
      const heard: string[] = [];
      const open = (consumerName: string) =>
        client.subscribe({
          topic: t,
          subscription: "s",
          type: "Failover",
          consumerName,
          consumerEventListener: {
            becameActive: (_, partition) => void heard.push(`${consumerName} active ${partition}`),
            becameInactive: (_, partition) => void heard.push(`${consumerName} inactive ${partition}`),
          },
        });
      const consumers = new Map([["a", await open("a")]]);
      await until("the first to be active", 20_000, () => heard.includes("a active -1"));
      consumers.set("b", await open("b"));
      // which of them is active from now on, the topic's name decides
      await until("the second to know", 20_000, () => heard.some((line) => line.startsWith("b ")));
      const [active, other] = heard.includes("b active -1") ? ["b", "a"] : ["a", "b"];
      await until("the other to know", 20_000, () => heard.includes(`${other} inactive -1`));
      heard.length = 0;
      await consumers.get(active)?.close();
      await until("the other to be active", 20_000, () => heard.includes(`${other} active -1`));
    },
  },
  {
    name: "acknowledgement timeout and a negative acknowledgement after it count once each, up to the dead letter",
    async run({ client, topic }) {
      const t = topic("timeoutnack");
      const dead = await client.subscribe({ topic: `${t}-s-DLQ`, subscription: "d" });
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        type: "Shared",
        ackTimeoutMs: 1001,
        negativeAckRedeliveryDelayMs: 100,
        deadLetterPolicy: { maxRedeliverCount: 3 },
      });
      const producer = await client.createProducer({ topic: t });
      await producer.send("slow");
      const counts: number[] = [];
      for (let i = 0; i <= 3; i++) {
        const [message] = await take(consumer, 1, { ack: false });
        if (message === undefined) throw new Error("no message");
        counts.push(message.redeliveryCount);
        await new Promise((resolve) => setTimeout(resolve, 1200));
        consumer.negativeAcknowledge(message);
      }
      equal(counts, [0, 1, 2, 3], "counts");
      equal(texts(await take(dead, 1)), ["slow"], "dead letter");
      await nothing(consumer, 300);
    },
  },
];
