import { adminPath, type Case, check, equal, nothing, numbers, sendAll, sorted, take, texts, until } from "./kit.ts";

/** A namespace of the case's own, so that a pattern meets only what the case makes. */
async function ownNamespace(admin: (m: string, p: string, b?: unknown) => Promise<unknown>, topic: string) {
  const namespace = `public/${topic.slice(topic.lastIndexOf("/") + 1)}`;
  const clusters = (await admin("GET", "/admin/v2/clusters")) as string[];
  await admin("PUT", `/admin/v2/namespaces/${namespace}`, { replication_clusters: clusters.slice(0, 1) });
  return namespace;
}

const local = (topics: readonly string[]): string[] => topics.map((t) => t.slice(t.lastIndexOf("/") + 1)).sort();
const everyMs = { patternAutoDiscoveryPeriodMs: 0 };

export const PATTERNS: readonly Case[] = [
  {
    name: "pattern: topics there are, that come and that go, by the broker's word",
    async run({ client, topic, admin }) {
      const ns = await ownNamespace(admin, topic("pat"));
      for (const name of ["a-one", "b-one"]) await admin("PUT", `/admin/v2/persistent/${ns}/${name}`);
      await admin("PUT", `/admin/v2/persistent/${ns}/a-parts/partitions`, 2);
      const consumer = await client.subscribe({
        topicsPattern: new RegExp(`persistent://${ns}/a-.*`),
        subscription: "s",
        initialPosition: "Earliest",
        ...everyMs,
      });
      equal(local(consumer.topics), ["a-one", "a-parts-partition-0", "a-parts-partition-1"], "at first");
      const producer = await client.createProducer({ topic: `persistent://${ns}/a-two` });
      await sendAll(producer, numbers(0, 5));
      equal(texts(await take(consumer, 5)), numbers(0, 5), "of a topic that came");
      await admin("POST", `/admin/v2/persistent/${ns}/a-parts/partitions`, 3);
      await until("the third partition", 20_000, () => local(consumer.topics).includes("a-parts-partition-2"));
      const grown = await client.createProducer({ topic: `persistent://${ns}/a-parts`, messageRouter: () => 2 });
      await grown.send("third");
      equal(texts(await take(consumer, 1)), ["third"], "of the partition that came");
      await admin("DELETE", `/admin/v2/persistent/${ns}/a-one?force=true`);
      await until("a topic to go", 20_000, () => !local(consumer.topics).includes("a-one"));
      await producer.send("still");
      equal(texts(await take(consumer, 1)), ["still"], "of the others");
      const all = (await admin("GET", `/admin/v2/persistent/${ns}`)) as string[];
      check(!all.some((t) => t.endsWith("a-one")), "the deleted topic was made again");
    },
  },
  {
    name: "pattern: a name with a colon, as text, without and with flags",
    async run({ client, topic, admin }) {
      const ns = await ownNamespace(admin, topic("patcolon"));
      const producer = await client.createProducer({ topic: `persistent://${ns}/t1:t1` });
      const patterns = [`${ns}/t1:t1`, `persistent://${ns}/t1:.*`, new RegExp(`${ns}/T\\d:t(1|2)`, "i")];
      for (const [i, topicsPattern] of patterns.entries()) {
        const consumer = await client.subscribe({ topicsPattern, subscription: `s${i}` });
        equal(local(consumer.topics), ["t1:t1"], String(topicsPattern));
        await producer.send("x");
        equal(texts(await take(consumer, 1)), ["x"], "message");
        await consumer.close();
      }
    },
  },
  {
    name: "pattern: nothing at first; found by asking",
    async run({ client, topic, admin }) {
      const ns = await ownNamespace(admin, topic("patpoll"));
      const consumer = await client.subscribe({
        topicsPattern: `${ns}/.*`,
        subscriptionTopicsMode: "AllTopics",
        subscription: "s",
        type: "Shared",
        initialPosition: "Earliest",
        patternAutoDiscoveryPeriodMs: 300,
      });
      equal(consumer.topics, [], "at first");
      const producer = await client.createProducer({ topic: `persistent://${ns}/one` });
      const fleeting = await client.createProducer({ topic: `non-persistent://${ns}/two` });
      await producer.send("a");
      equal(texts(await take(consumer, 1)), ["a"], "persistent");
      await until("the other", 20_000, () => consumer.topics.length === 2);
      await fleeting.send("b");
      equal(texts(await take(consumer, 1)), ["b"], "non-persistent");
    },
  },
  {
    name: "several topics of different namespaces, each acknowledged on its own",
    async run({ client, topic, admin }) {
      const ns = await ownNamespace(admin, topic("multins"));
      const topics = [topic("multi"), `persistent://${ns}/other`];
      await admin("PUT", `${adminPath(topics[1] as string)}/partitions`, 2);
      const consumer = await client.subscribe({ topics, subscription: "s" });
      equal(consumer.topics.length, 3, "topics");
      for (const t of topics) await sendAll(await client.createProducer({ topic: t }), numbers(0, 10));
      const got = await take(consumer, 20, { ack: false });
      equal(sorted(texts(got)), sorted([...numbers(0, 10), ...numbers(0, 10)]), "all");
      for (const m of got) await consumer.acknowledge(m.messageId);
      await consumer.close();
      const again = await client.subscribe({ topics, subscription: "s" });
      await nothing(again, 400);
    },
  },
  {
    name: "partitions that grow, of a single topic and of a list",
    async run({ client, topic, admin }) {
      const t = topic("grow");
      await admin("PUT", `${adminPath(t)}/partitions`, 3);
      const autoUpdatePartitionsIntervalMs = 300;
      // the broker gives a new partition the subscriptions of the others: nothing is missed, whatever the initial position
      const shared = { autoUpdatePartitionsIntervalMs };
      const single = await client.subscribe({ topic: t, subscription: "single", ...shared });
      const topics = [t, topic("grow-other")];
      const list = await client.subscribe({ topics, subscription: "list", ...shared });
      await admin("POST", `${adminPath(t)}/partitions`, 4);
      const producer = await client.createProducer({ topic: t, messageRouter: () => 3 });
      await producer.send("new");
      for (const consumer of [single, list]) {
        const [message] = await take(consumer, 1);
        equal([message?.text(), message?.messageId.partition], ["new", 3], "from the new partition");
      }
    },
  },
];
