import { MessageId } from "@pulsewire/client";
import { AdminError, type NamespacePolicy, type NamespacePolicyValues, PulsarAdmin } from "@pulsewire/client/admin";
import { type Case, check, equal, numbers, sendAll, sorted, take, texts, until } from "./kit.ts";

const admin = new PulsarAdmin({ serviceUrl: process.env.PULSAR_ADMIN_URL ?? "http://127.0.0.1:8080" });
const RUN = `${Date.now() % 1_000_000_000}`;

async function refused(status: number, promise: Promise<unknown>, what: string): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (!(error instanceof AdminError) || error.status !== status) throw new Error(`${what}: ${String(error)}`);
  check(error.reason.length > 0, `${what}: no reason`);
}

type PolicyList = readonly { [P in NamespacePolicy]: readonly [P, NamespacePolicyValues[P]] }[NamespacePolicy][];

async function roundTrip(namespace: string, policies: PolicyList): Promise<void> {
  for (const [policy, value] of policies) {
    await admin.namespaces.setPolicy(namespace, policy, value);
    equal(await admin.namespaces.getPolicy(namespace, policy), value, policy);
    await admin.namespaces.removePolicy(namespace, policy);
    // what is unset is nothing, 0 or an empty list, as Pulsar has it for each
    const left = await admin.namespaces.getPolicy(namespace, policy);
    check([undefined, 0, "[]"].includes(Array.isArray(left) ? "[]" : (left as 0)), `${policy} is still ${left}`);
  }
}

const COMMON: PolicyList = [
  ["messageTTL", 60],
  ["retention", { retentionTimeInMinutes: 10, retentionSizeInMB: 20 }],
  ["deduplication", true],
  ["maxProducersPerTopic", 7],
  ["maxConsumersPerTopic", 7],
  ["maxConsumersPerSubscription", 7],
  ["maxSubscriptionsPerTopic", 7],
  ["maxTopicsPerNamespace", 7],
  ["maxUnackedMessagesPerConsumer", 7],
  ["maxUnackedMessagesPerSubscription", 7],
  ["autoTopicCreation", { allowAutoTopicCreation: true, topicType: "non-partitioned" }],
  ["autoSubscriptionCreation", { allowAutoSubscriptionCreation: true }],
];

const RATES: PolicyList = [
  ["subscriptionExpirationTime", 7],
  ["compactionThreshold", 7],
  ["offloadDeletionLagMs", 7],
  ["publishRate", { publishThrottlingRateInMsg: 5, publishThrottlingRateInByte: 6 }],
  ["subscribeRate", { subscribeThrottlingRatePerConsumer: 5, ratePeriodInSecond: 30 }],
  ["subscriptionTypesEnabled", ["Shared"]],
];

const OF_A_TOPIC = [
  ["messageTTL", 60],
  ["maxProducers", 7],
  ["maxConsumers", 7],
  ["maxSubscriptionsPerTopic", 7],
  ["deduplicationEnabled", true],
  ["schemaCompatibilityStrategy", "FULL"],
] as const;

export const ADMIN: readonly Case[] = [
  {
    name: "admin client: tenants and namespaces",
    async run() {
      const tenant = `ts-${RUN}`;
      const clusters = await admin.clusters.list();
      const allowedClusters = clusters.slice(0, 1);
      await admin.tenants.create(tenant, { allowedClusters });
      check((await admin.tenants.list()).includes(tenant), "the tenant is not listed");
      equal((await admin.tenants.get(tenant)).allowedClusters, allowedClusters, "allowed clusters");
      await refused(409, admin.tenants.create(tenant, { allowedClusters }), "the same tenant again");
      await admin.namespaces.create(`${tenant}/ns`, { numBundles: 8 });
      equal(await admin.namespaces.list(tenant), [`${tenant}/ns`], "namespaces");
      equal((await admin.namespaces.bundles(`${tenant}/ns`)).numBundles, 8, "bundles");
      await refused(409, admin.tenants.delete(tenant), "a tenant with a namespace");
      await admin.namespaces.delete(`${tenant}/ns`);
      await admin.tenants.delete(tenant);
      await refused(404, admin.tenants.get(tenant), "a tenant that is gone");
    },
  },
  {
    name: "admin client: policies of a namespace",
    async run() {
      const namespace = `public/ts-admin-${RUN}`;
      await admin.namespaces.create(namespace);
      await roundTrip(namespace, COMMON);
      await admin.namespaces.setPolicy(namespace, "schemaCompatibilityStrategy", "BACKWARD");
      equal((await admin.namespaces.get(namespace)).schema_compatibility_strategy, "BACKWARD", "the record");
      for (const [ensemble, write, ack] of [
        [2, 3, 2],
        [3, 2, 3],
        [0, 1, 1],
        [6, 3, 2],
      ] as const) {
        const sizes = { bookkeeperEnsemble: ensemble, bookkeeperWriteQuorum: write, bookkeeperAckQuorum: ack };
        const persistence = { ...sizes, managedLedgerMaxMarkDeleteRate: 0 };
        await refused(400, admin.namespaces.setPolicy(namespace, "persistence", persistence), JSON.stringify(sizes));
      }
      await admin.namespaces.delete(namespace);
    },
  },
  {
    name: "admin client: policies of a topic",
    async run({ topic }) {
      const t = topic("admin-policies");
      await admin.topics.create(t);
      for (const [policy, value] of OF_A_TOPIC) {
        await admin.topics.setPolicy(t, policy, value);
        await until(`${policy} is ${value}`, 20_000, async () => (await admin.topics.getPolicy(t, policy)) === value);
        await admin.topics.removePolicy(t, policy);
        await until(`${policy} is gone`, 20_000, async () => (await admin.topics.getPolicy(t, policy)) === undefined);
      }
      await admin.topics.delete(t);
    },
  },
  {
    name: "admin client: rates and thresholds of a namespace",
    async run() {
      const namespace = `public/ts-admin-rates-${RUN}`;
      await admin.namespaces.create(namespace);
      await roundTrip(namespace, RATES);
      const quota = { limitSize: 1_000_000, limitTime: -1, policy: "producer_exception" } as const;
      await admin.namespaces.setBacklogQuota(namespace, quota);
      equal(
        (await admin.namespaces.backlogQuotas(namespace)).destination_storage?.policy,
        "producer_exception",
        "the quota",
      );
      await admin.namespaces.removeBacklogQuota(namespace);
      await admin.namespaces.delete(namespace);
    },
  },
  {
    name: "admin client: topics, partitions and their statistics",
    async run({ client, topic }) {
      const t = topic("admin-topic");
      await admin.topics.createPartitioned(t, 2);
      await admin.topics.updatePartitions(t, 3);
      equal(await admin.topics.partitions(t), 3, "partitions");
      check((await admin.topics.listPartitioned("public/default")).includes(t), "the topic is not listed");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t });
      await sendAll(producer, numbers(0, 30));
      const stats = await admin.topics.partitionedStats(t);
      equal(Object.keys(stats.partitions).length, 3, "statistics of each partition");
      equal(stats.msgInCounter, 30, "messages in");
      await consumer.close();
      await producer.close();
      await refused(404, admin.topics.stats(`${t}-nowhere`), "a topic that is not there");
      await admin.topics.deletePartitioned(t);
      await refused(404, admin.topics.partitionedStats(t), "a topic that is gone");
    },
  },
  {
    name: "admin client: one topic: ids, internal statistics, unload, terminate",
    async run({ client, topic }) {
      const t = topic("admin-one");
      await admin.topics.create(t);
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      const beforeMs = Date.now();
      const ids = await sendAll(producer, numbers(0, 5));
      const last = ids.at(-1) as MessageId;
      equal((await admin.topics.lastMessageId(t)).entryId, last.entryId, "the last id");
      equal((await admin.topics.internalStats(t)).numberOfEntries, 5, "entries");
      equal((await admin.topics.stats(t)).publishers.length, 1, "publishers");
      await admin.topics.unload(t);
      await producer.send("behind it");
      equal((await admin.topics.messageIdByTime(t, beforeMs)).entryId, ids[0]?.entryId, "the first id by time");
      check((await admin.topics.terminate(t)).ledgerId >= last.ledgerId, "the id of the termination");
      await producer.close();
      await admin.topics.delete(t, { force: true });
    },
  },
  {
    name: "admin client: what was delivered stays counted when those who had it are gone",
    async run({ client, topic }) {
      const t = topic("admin-counted");
      await admin.topics.create(t);
      const consumer = await client.subscribe({ topic: t, subscription: "goes" });
      const stays = await client.subscribe({ topic: t, subscription: "stays" });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 5));
      for (const one of [consumer, stays]) await take(one, 5);
      await consumer.unsubscribe();
      await stays.close();
      const stats = await admin.topics.stats(t);
      equal(stats.subscriptions.goes, undefined, "a subscription that is gone");
      equal(stats.subscriptions.stays?.msgOutCounter, 5, "of a subscription whose consumer is gone");
      equal(stats.msgOutCounter, 10, "of the topic");
      await producer.close();
      await admin.topics.delete(t, { force: true });
    },
  },
  {
    name: "admin client: ledgers of a topic are let go when it is trimmed",
    async run({ client, topic }) {
      const t = topic("admin-trim");
      await admin.topics.create(t);
      await admin.topics.setPolicy(t, "retention", { retentionTimeInMinutes: 60, retentionSizeInMB: 100 });
      await until("retention", 20_000, async () => (await admin.topics.getPolicy(t, "retention")) !== undefined);
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 5));
      // the next send goes to another ledger
      await admin.topics.unload(t);
      await producer.send("behind it");
      await admin.topics.trim(t);
      const ledgers = async (): Promise<number> => (await admin.topics.internalStats(t)).ledgers.length;
      equal(await ledgers(), 2, "ledgers that are retained");
      await admin.topics.removePolicy(t, "retention");
      await until("the first ledger is gone", 20_000, async () => {
        await admin.topics.trim(t);
        return (await ledgers()) === 1;
      });
      await producer.close();
      await refused(404, admin.topics.trim(`${t}-nowhere`), "a topic that is not there");
      await refused(405, admin.topics.trim(t.replace("persistent", "non-persistent")), "one that stores nothing");
      await admin.topics.delete(t, { force: true });
    },
  },
  {
    name: "admin client: subscriptions: skip, peek, reset, expire, delete",
    async run({ client, topic }) {
      const t = topic("admin-subs");
      await admin.topics.create(t);
      await admin.subscriptions.create(t, "a", "earliest");
      await admin.subscriptions.create(t, "b", "latest");
      equal(sorted(await admin.subscriptions.list(t)), ["a", "b"], "subscriptions");
      await refused(409, admin.subscriptions.create(t, "a"), "the same again");
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      const sent = numbers(0, 10).map((data) => producer.send({ data, key: "k", properties: { Colour: "red" } }));
      const ids = await Promise.all(sent);
      const [peeked] = await admin.subscriptions.peek(t, "a", 2);
      equal(new TextDecoder().decode(peeked?.data), "1", "peeked");
      equal([peeked?.key, Object.values(peeked?.properties ?? {})], ["k", ["red"]], "key and property");
      equal(peeked?.messageId.entryId, ids[1]?.entryId, "the id");
      await admin.subscriptions.skip(t, "a", 4);
      const backlog = async (): Promise<number | undefined> =>
        (await admin.topics.stats(t)).subscriptions.a?.msgBacklog;
      await until("six are left", 20_000, async () => (await backlog()) === 6);
      await admin.subscriptions.resetCursor(t, "a", ids[7] as MessageId);
      const consumer = await client.subscribe({ topic: t, subscription: "a" });
      equal(texts(await take(consumer, 3)), numbers(7, 10), "from where it was reset to");
      await refused(412, admin.subscriptions.delete(t, "a"), "one that is in use");
      await consumer.close();
      await admin.subscriptions.resetCursor(t, "a", 0);
      await until("all are back", 20_000, async () => (await backlog()) === 10);
      await admin.subscriptions.skipAll(t, "a");
      await until("none is left", 20_000, async () => (await backlog()) === 0);
      await admin.subscriptions.resetCursor(t, "a", "earliest");
      await until("all are back", 20_000, async () => (await backlog()) === 10);
      await admin.subscriptions.resetCursor(t, "a", MessageId.latest);
      await until("none is left again", 20_000, async () => (await backlog()) === 0);
      await admin.subscriptions.delete(t, "a");
      equal(await admin.subscriptions.list(t), ["b"], "what is left");
    },
  },
  {
    name: "admin client: stored messages of a batch",
    async run({ client, topic }) {
      const t = topic("admin-batch");
      await admin.topics.create(t);
      await admin.subscriptions.create(t, "s", "earliest");
      const producer = await client.createProducer({
        topic: t,
        batchingMaxPublishDelayMs: 50,
        compressionType: "LZ4",
      });
      await sendAll(producer, ["x", "y", "z"], (i) => ({ key: `k${i}` }));
      const messages = await admin.subscriptions.peek(t, "s");
      equal(
        messages.map((m) => new TextDecoder().decode(m.data)),
        ["x", "y", "z"],
        "the batch",
      );
      equal(
        messages.map((m) => [m.key, m.messageId.batchIndex]),
        [
          ["k0", 0],
          ["k1", 1],
          ["k2", 2],
        ],
        "keys and indexes",
      );
      const [first] = await admin.subscriptions.examine(t, "earliest");
      equal(first?.messageId.toString(), messages[0]?.messageId.toString(), "the first entry");
      await refused(404, admin.subscriptions.peek(t, "s", 2), "behind the last entry");
    },
  },
  {
    name: "admin client: schemas",
    async run({ topic }) {
      const t = topic("admin-schema");
      await admin.topics.create(t);
      await refused(404, admin.schemas.get(t), "no schema");
      const fields = [{ name: "a", type: "string" }];
      const schema = JSON.stringify({ type: "record", name: "R", fields });
      equal(await admin.schemas.post(t, { type: "JSON", schema }), 0, "the first version");
      const stored = await admin.schemas.get(t);
      equal([stored.type, stored.version], ["JSON", 0], "type and version");
      equal((await admin.schemas.list(t)).length, 1, "versions");
      await admin.schemas.delete(t);
      await refused(404, admin.schemas.get(t), "a deleted schema");
    },
  },
  {
    name: "admin client: brokers, bookies, lookup",
    async run({ topic }) {
      const brokers = await admin.brokers.list();
      check(brokers.includes((await admin.brokers.leader()).brokerId), "the leader is none of the brokers");
      await admin.brokers.healthCheck();
      check(/^\d+\.\d+/.test(await admin.brokers.version()), "the version");
      equal((await admin.brokers.runtimeConfiguration()).clusterName, (await admin.clusters.list())[0], "the cluster");
      check((await admin.bookies.list()).length > 0, "bookies");
      const t = topic("admin-lookup");
      check((await admin.lookup.topic(t)).brokerUrl.startsWith("pulsar://"), "the owner");
      check(/^0x[0-9a-f]{8}_0x[0-9a-f]{8}$/.test(await admin.lookup.bundle(t)), "the bundle");
    },
  },
];
