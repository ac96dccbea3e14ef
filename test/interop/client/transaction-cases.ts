import { adminPath, type Case, check, equal, nothing, numbers, rejects, sendAll, take, texts, until } from "./kit.ts";

export const TRANSACTIONS: readonly Case[] = [
  {
    name: "transaction: messages are delivered when it is committed, and not at all when aborted",
    async run({ client, topic }) {
      for (const batchingEnabled of [false, true]) {
        const t = topic(`txn-produce-${batchingEnabled}`);
        const consumer = await client.subscribe({ topic: t, subscription: "s" });
        const producer = await client.createProducer({ topic: t, batchingEnabled });
        const aborted = await client.newTransaction({ timeoutMs: 30_000 });
        await sendAll(producer, ["x", "y"], () => ({ transaction: aborted }));
        await nothing(consumer, 500);
        await aborted.abort();
        equal(aborted.state, "ABORTED", "state");
        const transaction = await client.newTransaction();
        const sent = sendAll(producer, numbers(0, 10), () => ({ transaction }));
        const outside = producer.send("outside");
        await Promise.all([sent, outside]);
        await transaction.commit();
        equal(transaction.state, "COMMITTED", "state");
        equal(texts(await take(consumer, 11)).sort(), [...numbers(0, 10), "outside"].sort(), "what is delivered");
        await nothing(consumer, 300);
      }
    },
  },
  {
    name: "transaction: acknowledgements take effect when it is committed; aborted they come again",
    async run({ client, topic, admin }) {
      const t = topic("txn-ack");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared" });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 5));
      const aborted = await client.newTransaction();
      for (const m of await take(consumer, 5, { ack: false })) await consumer.acknowledge(m, { transaction: aborted });
      await aborted.abort();
      const again = await take(consumer, 5, { ack: false });
      equal(texts(again).sort(), numbers(0, 5), "they come again");
      const committed = await client.newTransaction();
      for (const m of again) await consumer.acknowledge(m, { transaction: committed });
      await committed.commit();
      await until("an empty backlog", 20_000, async () => {
        const stats = (await admin("GET", `${adminPath(t)}/stats`)) as {
          subscriptions: Record<string, { msgBacklog: number }>;
        };
        return stats.subscriptions.s?.msgBacklog === 0;
      });
    },
  },
  {
    name: "transaction: cumulative acknowledgement",
    async run({ client, topic }) {
      const t = topic("txn-cumulative");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Failover" });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 6));
      const messages = await take(consumer, 6, { ack: false });
      const transaction = await client.newTransaction();
      await consumer.acknowledgeCumulative(messages[3] as (typeof messages)[number], { transaction });
      await transaction.commit();
      await consumer.close();
      const next = await client.subscribe({ topic: t, subscription: "s", type: "Failover" });
      equal(texts(await take(next, 2)), numbers(4, 6), "what is left");
    },
  },
  {
    name: "transaction: consume, transform, produce, over partitions",
    async run({ client, topic, admin }) {
      const [from, to] = [topic("txn-from"), topic("txn-to")];
      await admin("PUT", `${adminPath(to)}/partitions`, 3);
      const consumer = await client.subscribe({ topic: from, subscription: "s", initialPosition: "Earliest" });
      const sink = await client.subscribe({ topic: to, subscription: "s" });
      const producer = await client.createProducer({ topic: to });
      await sendAll(await client.createProducer({ topic: from }), numbers(0, 20));
      await using transaction = await client.newTransaction();
      for (const m of await take(consumer, 20, { ack: false })) {
        await producer.send({ data: `${m.text()}!`, key: m.text(), transaction });
        await consumer.acknowledge(m, { transaction });
      }
      await transaction.commit();
      equal(
        texts(await take(sink, 20)).sort(),
        numbers(0, 20)
          .map((n) => `${n}!`)
          .sort(),
        "transformed",
      );
    },
  },
  {
    name: "transaction: two that acknowledge the same message are in conflict",
    async run({ client, topic }) {
      const t = topic("txn-conflict");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared" });
      await (await client.createProducer({ topic: t })).send("x");
      const message = await consumer.receive(20_000);
      const [first, second] = [await client.newTransaction(), await client.newTransaction()];
      await consumer.acknowledge(message, { transaction: first });
      await rejects(consumer.acknowledge(message, { transaction: second }), ["TransactionConflict"], "the second");
      await rejects(second.commit(), ["TransactionHasFailedOperation"], "committing it");
      equal(second.state, "ABORTED", "the second is aborted");
      await first.commit();
    },
  },
  {
    name: "transaction: one that is not ended in time is aborted",
    async run({ client, topic }) {
      const t = topic("txn-timeout");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      const transaction = await client.newTransaction({ timeoutMs: 1500 });
      await producer.send({ data: "never", transaction });
      await producer.send("after");
      await until("the end of its time", 20_000, () => transaction.state === "TIMED_OUT");
      await rejects(transaction.commit(), ["InvalidTxnStatus"], "commit");
      await rejects(producer.send({ data: "late", transaction }), ["InvalidTxnStatus"], "a late send");
      equal(texts(await take(consumer, 1, { ms: 20_000 })), ["after"], "what is delivered");
    },
  },
  {
    name: "transaction: one that is ended takes nothing more",
    async run({ client, topic }) {
      const producer = await client.createProducer({ topic: topic("txn-ended") });
      const transaction = await client.newTransaction();
      await producer.send({ data: "x", transaction });
      await transaction.commit();
      await rejects(producer.send({ data: "y", transaction }), ["InvalidTxnStatus"], "a send");
      await rejects(transaction.abort(), ["InvalidTxnStatus"], "an abort");
      check(String(transaction.id).startsWith("("), "its id");
    },
  },
];
