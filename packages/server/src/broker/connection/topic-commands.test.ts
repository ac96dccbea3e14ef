import { CommandType, EARLIEST, encodeBatch, LATEST, SchemaType, ServerError, TopicName } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBookKeeperClient } from "../../bookkeeper/index.ts";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { createManagedLedgerFactory } from "../../managed-ledger/managed-ledger-factory.ts";
import { besides, createTestRuntime, ProtocolClient, type TestRuntime } from "./protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
let client: ProtocolClient;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime });
  client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
});
afterEach(() => cluster.close());

const full = (name: string): string => `persistent://public/default/${name}`;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("partitioned metadata", () => {
  it("says TopicNotFound for a missing topic and creates nothing, where the client forbids it", async () => {
    const asked = { topic: "missing", metadataAutoCreationEnabled: false };
    const { body } = await client.request(CommandType.PARTITIONED_METADATA, asked);
    expect(body).toMatchObject({ response: 1, error: ServerError.TopicNotFound });
    expect(await cluster.admin.resources.topics.list("public/default")).toEqual([]);
  });

  it("says 0 for a missing topic otherwise, and creates nothing either", async () => {
    const { body } = await client.request(CommandType.PARTITIONED_METADATA, { topic: "missing" });
    expect(body).toMatchObject({ response: 0, partitions: 0 });
    expect(await cluster.admin.resources.topics.list("public/default")).toEqual([]);
  });

  it("creates a missing topic with partitions where policies say so", async () => {
    await using partitioned = await startCluster({
      runtime: besides(runtime),
      settings: { allowAutoTopicCreationType: "partitioned", defaultNumPartitions: "3" },
    });
    const other = await ProtocolClient.connect(runtime, partitioned.serviceUrl);
    const { body } = await other.request(CommandType.PARTITIONED_METADATA, { topic: "t" });
    expect(body).toMatchObject({ partitions: 3 });
    await other.producer("t-partition-2", 1);
    await expect(other.producer("t-partition-3", 2)).rejects.toThrow(/Topic not found/);
  });

  it.each([
    ["persistent://public/nope/t", ServerError.TopicNotFound, "Namespace not found"],
    ["persistent://nope/default/t", ServerError.TopicNotFound, "Namespace not found"],
    ["::bad//", ServerError.InvalidTopicName, "Invalid topic name"],
    ["a/b", ServerError.InvalidTopicName, "Invalid topic name"],
  ])("refuses %s", async (topic, error, message) => {
    const { body } = await client.request(CommandType.PARTITIONED_METADATA, { topic });
    expect(body).toMatchObject({ response: 1, error, message: expect.stringContaining(message) });
    const lookup = await client.request(CommandType.LOOKUP, { topic });
    expect(lookup.body).toMatchObject({ response: 2, error, message: expect.stringContaining(message) });
  });
});

describe("auto-creation", () => {
  it("makes a topic for its first producer, and not where that is switched off", async () => {
    await client.producer("t", 1);
    expect(await cluster.admin.resources.topics.list("public/default")).toEqual([full("t")]);
    await cluster.admin.resources.namespaces.update("public/default", (policies) => ({
      ...policies,
      autoTopicCreationOverride: { allowAutoTopicCreation: false },
    }));
    await expect(client.producer("u", 2)).rejects.toThrow(/does not exist/);
    await client.producer("t", 3);
  });

  it("refuses a consumer of a missing topic that must not be created", async () => {
    await expect(client.consumer("t", 1, { forceTopicCreation: false })).rejects.toThrow(/does not exist/);
    expect(await cluster.admin.resources.topics.list("public/default")).toEqual([]);
  });

  it("refuses a partitioned topic itself, and a partition of one that is not partitioned", async () => {
    await cluster.admin.resources.partitionedTopics.create(TopicName.parse("parts"), 2);
    await expect(client.producer("parts", 1)).rejects.toThrow(/Found partitioned metadata/);
    await expect(client.producer("free-partition-0", 2)).rejects.toThrow(/Partition metadata not found/);
    await client.producer("parts-partition-1", 3);
  });

  it("shares one load among all who ask at once", async () => {
    await client.request(CommandType.LOOKUP, { topic: "t" });
    const asked = [1, 2, 3, 4].map((producerId) => client.request(CommandType.PRODUCER, { topic: "t", producerId }));
    for (const answer of await Promise.all(asked)) expect(answer.type).toBe(CommandType.PRODUCER_SUCCESS);
    for (const producerId of [1, 2, 3, 4]) client.publish(producerId, 0);
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await client.next(CommandType.SEND_RECEIPT)).messageId);
    expect(ids.map((id) => id?.entryId)).toEqual([0, 1, 2, 3]);
    expect(new Set(ids.map((id) => id?.ledgerId)).size).toBe(1);
  });
});

describe("topics of a namespace", () => {
  beforeEach(async () => {
    for (const [i, topic] of ["a1", "a2", "b1", "t1:t1"].entries()) await client.producer(topic, i);
    await client.producer("non-persistent://public/default/np", 9);
  });

  async function list(options: Record<string, unknown> = {}): Promise<unknown> {
    const asked = { namespace: "public/default", ...options };
    return (await client.request(CommandType.GET_TOPICS_OF_NAMESPACE, asked)).body;
  }

  it("lists them by mode, names with a colon included", async () => {
    const persistent = ["a1", "a2", "b1", "t1:t1"].map(full);
    expect(await list()).toMatchObject({ topics: persistent, filtered: false, changed: true });
    expect(await list({ mode: 1 })).toMatchObject({ topics: ["non-persistent://public/default/np"] });
    expect(await list({ mode: 2 })).toMatchObject({ topics: ["non-persistent://public/default/np", ...persistent] });
  });

  it("matches a pattern, with or without a domain", async () => {
    expect(await list({ topicsPattern: "persistent://public/default/a.*" })).toMatchObject({
      topics: [full("a1"), full("a2")],
      filtered: true,
    });
    expect(await list({ topicsPattern: "public/default/t1:.*" })).toMatchObject({ topics: [full("t1:t1")] });
  });

  it("leaves a pattern that is long, or could take long, to the client", async () => {
    expect(await list({ topicsPattern: `public/default/${"a".repeat(50)}` })).toMatchObject({ filtered: false });
    expect(await list({ topicsPattern: "public/default/(a+)+$" })).toMatchObject({ filtered: false });
  });

  it("says when nothing changed since the client's hash", async () => {
    const { topicsHash } = (await list()) as { topicsHash: string };
    expect(await list({ topicsHash })).toMatchObject({ changed: false, topics: [] });
    await client.producer("c1", 20);
    expect(await list({ topicsHash })).toMatchObject({ changed: true });
  });

  it("tells a watcher of topics that come and go, until it is closed", async () => {
    const asked = { namespace: "public/default", watcherId: 5, topicsPattern: "public/default/a.*" };
    const { body } = await client.request(CommandType.WATCH_TOPIC_LIST, asked);
    expect(body).toMatchObject({ watcherId: 5, topic: [full("a1"), full("a2")] });
    await client.producer("b2", 21);
    await client.producer("a3", 22);
    expect(await client.next(CommandType.WATCH_TOPIC_UPDATE)).toMatchObject({
      watcherId: 5,
      newTopics: [full("a3")],
      deletedTopics: [],
    });
    await cluster.brokers[0]?.topics.delete(TopicName.parse("a1"), true);
    expect(await client.next(CommandType.WATCH_TOPIC_UPDATE)).toMatchObject({ deletedTopics: [full("a1")] });
    await client.request(CommandType.WATCH_TOPIC_LIST_CLOSE, { watcherId: 5 });
    await client.producer("a4", 23);
    expect(client.pendingTypes).not.toContain(CommandType.WATCH_TOPIC_UPDATE);
  });
});

describe("consumers of a connection", () => {
  it.each([
    ["SEEK", CommandType.SEEK, { messageId: EARLIEST }],
    ["UNSUBSCRIBE", CommandType.UNSUBSCRIBE, {}],
    ["GET_LAST_MESSAGE_ID", CommandType.GET_LAST_MESSAGE_ID, {}],
  ] as const)("answers %s for one that is not open with MetadataError", async (_name, type, body) => {
    const answer = await client.request(type, { consumerId: 9, ...body });
    expect(answer.body).toMatchObject({ error: ServerError.MetadataError, message: "Consumer not found" });
  });

  it("answers CLOSE_CONSUMER and CLOSE_PRODUCER for what is not open with SUCCESS", async () => {
    expect((await client.request(CommandType.CLOSE_CONSUMER, { consumerId: 9 })).type).toBe(CommandType.SUCCESS);
    expect((await client.request(CommandType.CLOSE_PRODUCER, { producerId: 9 })).type).toBe(CommandType.SUCCESS);
  });

  it("answers CONSUMER_STATS and ACK for one that is not open with ConsumerNotFound", async () => {
    const stats = await client.request(CommandType.CONSUMER_STATS, { consumerId: 9 });
    expect(stats.body).toMatchObject({ errorCode: ServerError.ConsumerNotFound });
    const ack = await client.request(CommandType.ACK, { consumerId: 9, ackType: 0, messageId: [] } as never);
    expect(ack.body).toMatchObject({ error: ServerError.ConsumerNotFound });
  });

  it("acknowledges with a response where one is asked for", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    client.publish(1, 0);
    const { messageId } = await client.next(CommandType.MESSAGE);
    const ack = await client.request(CommandType.ACK, { consumerId: 1, ackType: 0, messageId: [messageId] });
    expect(ack).toMatchObject({ type: CommandType.ACK_RESPONSE, body: { consumerId: 1 } });
    expect(ack.body).not.toHaveProperty("error", expect.anything());
    const stats = await client.request(CommandType.CONSUMER_STATS, { consumerId: 1 });
    expect(stats.body).toMatchObject({ msgBacklog: 0, type: "Shared" });
  });

  it("gives up a topic that an acknowledgement finds to be another owner's, and serves it again when it has it", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    client.publish(1, 0);
    const { messageId } = await client.next(CommandType.MESSAGE);
    const metadata = cluster.metadata.session();
    const bookkeeper = createBookKeeperClient({ ...runtime, metadata, nodeId: "another" });
    const another = createManagedLedgerFactory({ clock: runtime.clock, bookkeeper, metadata });
    await another.open("public/default/persistent/t");
    const ack = await client.request(CommandType.ACK, { consumerId: 1, ackType: 0, messageId: [messageId] });
    expect(ack.body).toMatchObject({ error: ServerError.PersistenceError });
    expect(await client.next(CommandType.CLOSE_CONSUMER)).toMatchObject({ consumerId: 1 });
    expect(await client.next(CommandType.CLOSE_PRODUCER)).toMatchObject({ producerId: 1 });
    await client.consumer("t", 2);
    expect(await client.next(CommandType.MESSAGE)).toMatchObject({ consumerId: 2 });
    bookkeeper.close();
  });

  it("disconnects on SEEK, then answers, and delivers from there to the consumer that comes back", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    for (let i = 0; i < 3; i++) client.publish(1, i, `m${i}`);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await client.next(CommandType.MESSAGE)).messageId);
    const answer = await client.request(CommandType.SEEK, { consumerId: 1, messageId: ids[1] });
    expect(answer.type).toBe(CommandType.SUCCESS);
    expect(await client.next(CommandType.CLOSE_CONSUMER)).toMatchObject({ consumerId: 1 });
    await client.consumer("t", 1);
    expect((await client.next(CommandType.MESSAGE)).messageId).toEqual(ids[1]);
    expect((await client.next(CommandType.MESSAGE)).messageId).toEqual(ids[2]);
  });

  it("seeks to a publish time, and into a batch", async () => {
    await client.producer("t", 1);
    for (let i = 0; i < 3; i++) client.publish(1, i, `m${i}`, { publishTime: 100 * i });
    await client.consumer("t", 1, {}, 0);
    await client.request(CommandType.SEEK, { consumerId: 1, messagePublishTime: 150 });
    await client.consumer("t", 1);
    const { messageId } = await client.next(CommandType.MESSAGE);
    expect(messageId.entryId).toBe(2);
    const batchIndexTwo = { ...messageId, batchIndex: 2, batchSize: 4, ackSet: [{ low: 0b1100, high: 0 }] };
    await client.request(CommandType.SEEK, { consumerId: 1, messageId: batchIndexTwo });
    await client.consumer("t", 1);
    expect(await client.next(CommandType.MESSAGE)).toMatchObject({ ackSet: [{ low: 0b1100, high: 0 }] });
  });

  it("answers the last message id: none, a message, a batch's last index", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    const last = async (): Promise<unknown> =>
      ((await client.request(CommandType.GET_LAST_MESSAGE_ID, { consumerId: 1 })).body as { lastMessageId: unknown })
        .lastMessageId;
    expect(await last()).toMatchObject({ ledgerId: -1, entryId: -1, batchIndex: -1 });
    client.publish(1, 0);
    await client.next(CommandType.SEND_RECEIPT);
    expect(await last()).toMatchObject({ entryId: 0, batchIndex: -1 });
    const batch = encodeBatch(["a", "b", "c"].map((t) => ({ metadata: { payloadSize: 1 }, payload: utf8(t) })));
    client.publish(1, 1, new TextDecoder("latin1").decode(batch), { numMessagesInBatch: 3 });
    await client.next(CommandType.SEND_RECEIPT);
    expect(await last()).toMatchObject({ entryId: 1, batchIndex: 2 });
  });

  it("refuses to unsubscribe beside others, unless forced, which disconnects them", async () => {
    await client.consumer("t", 1);
    await client.consumer("t", 2);
    const refused = await client.request(CommandType.UNSUBSCRIBE, { consumerId: 1 });
    expect(refused.body).toMatchObject({ error: ServerError.MetadataError });
    const forced = await client.request(CommandType.UNSUBSCRIBE, { consumerId: 1, force: true });
    expect(forced.type).toBe(CommandType.SUCCESS);
    expect(await client.next(CommandType.CLOSE_CONSUMER)).toMatchObject({ consumerId: 2 });
  });

  it("refuses an empty subscription name and, where policies say so, a new subscription", async () => {
    await expect(client.consumer("t", 1, { subscription: "" })).rejects.toThrow(/Empty subscription name/);
    await cluster.admin.resources.namespaces.update("public/default", (policies) => ({
      ...policies,
      autoSubscriptionCreationOverride: { allowAutoSubscriptionCreation: false },
    }));
    await runtime.clock.settle();
    await expect(client.consumer("t", 2)).rejects.toThrow(/Subscription does not exist/);
  });
});

describe("readers", () => {
  beforeEach(async () => {
    await client.producer("t", 1);
    for (let i = 0; i < 3; i++) client.publish(1, i, `m${i}`);
    for (let i = 0; i < 3; i++) await client.next(CommandType.SEND_RECEIPT);
  });

  const first = async (start: object | undefined): Promise<number> => {
    const options = { durable: false, subType: 0, subscription: "r", startMessageId: start } as const;
    await client.consumer("t", 1, { ...options, initialPosition: 0 } as never);
    client.publish(1, 3, "last");
    const { messageId } = await client.next(CommandType.MESSAGE);
    return messageId.entryId;
  };

  it("start at the first message for earliest", async () => expect(await first(EARLIEST)).toBe(0));
  it("start at the next message for latest", async () => expect(await first(LATEST)).toBe(3));
  it("start at the next message without an id", async () => expect(await first(undefined)).toBe(3));

  it.each([[{}], [{ batchIndex: 0 }], [{ batchIndex: 3, batchSize: 4 }]])(
    "get the whole entry of the start id, whatever its batch index: %o",
    async (batch) => {
      const topic = await cluster.admin.topic(TopicName.parse("t"), false);
      expect(await first({ ledgerId: topic?.ledger.lastConfirmed.ledgerId, entryId: 1, ...batch })).toBe(1);
    },
  );

  it("leave no subscription behind", async () => {
    await client.consumer("t", 1, { durable: false, subType: 0, subscription: "r" });
    await client.request(CommandType.CLOSE_CONSUMER, { consumerId: 1 });
    await runtime.clock.settle();
    const topic = cluster.brokers[0]?.topics.get(full("t"));
    expect([...(topic?.stats().subscriptions.keys() ?? [])]).toEqual([]);
  });
});

describe("schemas", () => {
  const avro = (fields: string): Uint8Array => utf8(`{"type":"record","name":"R","fields":[${fields}]}`);
  const a = `{"name":"a","type":"int"}`;
  const schema = (data: Uint8Array, type: 0 | 1 | 4 | 8 | 21 = SchemaType.Avro): { schema: never } => ({
    schema: { name: "S", schemaData: data, type } as never,
  });

  it("gives a topic's schema versions, and refuses what is not compatible", async () => {
    const first = await client.producer("t", 1, schema(avro(a)));
    expect([...(first.schemaVersion ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    const second = await client.producer("t", 2, schema(avro(`${a},{"name":"b","type":"string","default":""}`)));
    expect([...(second.schemaVersion ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect((await client.producer("t", 3, schema(avro(a)))).schemaVersion).toEqual(first.schemaVersion);
    await expect(client.producer("t", 4, schema(avro(`${a},{"name":"c","type":"string"}`)))).rejects.toThrow(/FULL/);
    await expect(client.producer("t", 5, schema(utf8(""), SchemaType.String))).rejects.toThrow(
      /exists schema type AVRO, new schema type STRING/,
    );
    expect((await client.producer("t", 6)).schemaVersion).toHaveLength(0);
  });

  it("answers the latest schema, one by version, and TopicNotFound for one that is not there", async () => {
    await client.producer("t", 1, schema(utf8(""), SchemaType.Int32));
    const latest = await client.request(CommandType.GET_SCHEMA, { topic: "t" });
    expect(latest.body).toMatchObject({ schema: { type: SchemaType.Int32, name: "public/default/t" } });
    const version = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 9);
    const missing = await client.request(CommandType.GET_SCHEMA, { topic: "t", schemaVersion: version });
    expect(missing.body).toMatchObject({ errorCode: ServerError.TopicNotFound });
  });

  it("registers a schema by GET_OR_CREATE_SCHEMA on a topic that is there", async () => {
    const asked = { topic: "t", ...schema(utf8(""), SchemaType.String) };
    await client.request(CommandType.LOOKUP, { topic: "t" });
    const missing = await client.request(CommandType.GET_OR_CREATE_SCHEMA, asked);
    expect(missing.body).toMatchObject({ errorCode: ServerError.TopicNotFound });
    await client.producer("t", 1);
    const created = await client.request(CommandType.GET_OR_CREATE_SCHEMA, asked);
    const { schemaVersion } = created.body as { schemaVersion: Uint8Array };
    expect([...schemaVersion]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("checks a consumer's schema, and lets AUTO_CONSUME in", async () => {
    await client.producer("t", 1, schema(avro(a)));
    await client.consumer("t", 1, schema(utf8(""), SchemaType.AutoConsume));
    await expect(client.consumer("t", 2, schema(utf8(""), SchemaType.String))).rejects.toThrow(/Incompatible schema/);
  });
});

describe("non-persistent topics", () => {
  const topic = "non-persistent://public/default/np";

  it("deliver to consumers with permits and drop the rest", async () => {
    await client.producer(topic, 1);
    await client.consumer(topic, 1, {}, 2);
    for (let i = 0; i < 4; i++) client.publish(1, i, `m${i}`);
    for (let i = 0; i < 4; i++) {
      expect((await client.next(CommandType.SEND_RECEIPT)).messageId).toMatchObject({ ledgerId: 0, entryId: 0 });
    }
    const got = [await client.nextWithEntry(CommandType.MESSAGE), await client.nextWithEntry(CommandType.MESSAGE)];
    expect(got.map((m) => new TextDecoder().decode(m.entry.slice(-2)))).toEqual(["m0", "m1"]);
    expect(client.pendingTypes).not.toContain(CommandType.MESSAGE);
  });

  it("share among the consumers of a shared subscription", async () => {
    await client.producer(topic, 1);
    await client.consumer(topic, 1);
    await client.consumer(topic, 2);
    for (let i = 0; i < 4; i++) client.publish(1, i);
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await client.next(CommandType.MESSAGE)).consumerId);
    expect(ids.sort()).toEqual([1, 1, 2, 2]);
  });
});
