import { CommandType } from "@pulsewire/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FakeBroker } from "../testing/fake-broker.ts";
import { memoryRuntime } from "../testing/fixture.ts";
import { CompatClient } from "./client.ts";
import PulsarByDefault, * as Pulsar from "./index.ts";

interface Started {
  client: CompatClient;
  broker: FakeBroker;
  settle(): Promise<void>;
  advance(ms: number): Promise<void>;
}

let started: Started | undefined;
afterEach(async () => {
  await started?.client.close();
  started = undefined;
  Pulsar.Client.setLogHandler(null);
});

async function start(config: Partial<Pulsar.ClientConfig> = {}): Promise<Started> {
  const { clock, network, runtime } = memoryRuntime();
  const broker = await FakeBroker.start(network);
  const client = new CompatClient({ serviceUrl: broker.url, ...config } as Pulsar.ClientConfig, runtime);
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await clock.settle();
  };
  started = { client, broker, settle, advance: (ms) => clock.advance(ms) };
  return started;
}

const topic = "persistent://public/default/t";

describe("the official client's API: producing", () => {
  it("sends a Buffer with its fields, and answers an id that can be kept", async () => {
    const { client, broker } = await start();
    const producer = await client.createProducer({ topic, batchingEnabled: false });
    const id = await producer.send({
      data: Buffer.from("hello"),
      properties: { a: "1" },
      partitionKey: "k",
      orderingKey: "o",
      eventTimestamp: 5,
      sequenceId: 9,
    });
    const metadata = broker.sent[0]?.entry.metadata;
    expect(broker.sent[0]?.texts).toEqual(["hello"]);
    expect(metadata).toMatchObject({ partitionKey: "k", eventTime: 5, properties: [{ key: "a", value: "1" }] });
    expect(Number(metadata?.sequenceId)).toBe(9);
    const copy = Pulsar.MessageId.deserialize(id.serialize());
    expect(Buffer.isBuffer(id.serialize())).toBe(true);
    expect(copy.toString()).toBe(id.toString());
    expect(id.toString()).toMatch(/^\(1,\d+,-1,-1\)$/);
    expect([producer.getTopic(), producer.getProducerName(), producer.isConnected()]).toEqual([topic, "made-up", true]);
    expect(await producer.flush()).toBeNull();
    expect(await producer.close()).toBeNull();
  });

  it("fills in the official client's defaults where they differ from this client's", async () => {
    const { client, broker, advance } = await start();
    const producer = await client.createProducer({ topic });
    const sending = producer.send({ data: Buffer.from("waits 10 ms for company") });
    await advance(9);
    expect(broker.sent).toEqual([]);
    await advance(1);
    await sending;
    expect(broker.sent).toHaveLength(1);
  });

  it("passes over values it does not know, as the official client does", async () => {
    const { client } = await start();
    const config = { topic, compressionType: "Brotli", sendTimeoutMs: -1, batchingMaxMessages: "many" };
    const producer = await client.createProducer(config as unknown as Pulsar.ProducerConfig);
    expect(producer.isConnected()).toBe(true);
  });

  it("rejects in the official client's words, with the cause", async () => {
    const { client, broker } = await start();
    broker.refuse(CommandType.PRODUCER, 16);
    const failing = client.createProducer({ topic });
    await expect(failing).rejects.toThrow(/^Failed to create producer: ProducerBusy$/);
    await expect(failing).rejects.toMatchObject({ cause: { code: "ProducerBusy" } });
  });

  it("says what is missing in the official client's words", async () => {
    const { client } = await start();
    const no = undefined as never;
    const required = "is required and must be specified as a";
    const start0 = Pulsar.MessageId.earliest();
    for (const [failing, words] of [
      [client.createProducer({ topic: 0 as never }), `Topic ${required} string when creating producer`],
      [client.createProducer(no), `Topic ${required} string when creating producer`],
      [client.createReader({ topic: no, startMessageId: start0 }), `Topic ${required} string when creating reader`],
      [client.createReader(no), `Topic ${required} string when creating reader`],
      [
        client.createReader({ topic, startMessageId: no }),
        `StartMessageId ${required} MessageId object when creating reader`,
      ],
      [client.subscribe({ topic, subscription: no }), `Subscription ${required} string when creating consumer`],
      [client.subscribe(no), `Topic, topics or topicsPattern ${required} string when creating consumer`],
    ] as const) {
      await expect(failing).rejects.toThrow(new Error(words));
    }
  });

  it("names a time-out as the official client does", async () => {
    const { client, broker, advance } = await start();
    broker.autoReceipts = false;
    const producer = await client.createProducer({ topic, sendTimeoutMs: 1000 });
    const sending = producer.send({ data: Buffer.from("x") }).catch((error: Error) => error.message);
    await advance(1100);
    expect(await sending).toBe("Failed to send message: TimeOut");
  });
});

describe("the official client's API: consuming", () => {
  it("receives messages with everything they have", async () => {
    const { client, broker } = await start();
    const consumer = await client.subscribe({ topic, subscription: "s", subscriptionType: "Shared" });
    const metadata = { partitionKey: "k", eventTime: 7, properties: [{ key: "a", value: "b" }] };
    broker.deliver({ entryId: 3, texts: ["hello"], redeliveryCount: 2, metadata });
    const message = await consumer.receive();
    expect(Buffer.isBuffer(message.getData())).toBe(true);
    expect(message.getData().toString()).toBe("hello");
    expect(message.getTopicName()).toBe(topic);
    expect(message.getProperties()).toEqual({ a: "b" });
    expect([message.getPartitionKey(), message.getOrderingKey()]).toEqual(["k", ""]);
    expect([message.getEventTimestamp(), message.getPublishTimestamp()]).toEqual([7, 5]);
    expect([message.getRedeliveryCount(), message.getProducerName()]).toEqual([2, "p"]);
    expect([message.isReplicated(), message.getReplicatedFrom()]).toEqual([false, ""]);
    expect(message.getEncryptionContext()).toBeNull();
    expect(message.getMessageId().toString()).toBe("(1,3,-1,-1)");
    expect(await consumer.acknowledge(message)).toBeNull();
    expect(await consumer.acknowledgeId(message.getMessageId())).toBeNull();
  });

  it("rejects a receive whose time is up, and waits forever for 0", async () => {
    const { client, broker, advance } = await start();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const late = consumer.receive(100).catch((error: Error) => error.message);
    await advance(100);
    expect(await late).toBe("Failed to receive message: TimeOut");
    const waiting = consumer.receive(0);
    await advance(100_000);
    broker.deliver({ entryId: 0, texts: ["at last"] });
    expect((await waiting).getData().toString()).toBe("at last");
  });

  it("refuses a receive after close, and answers null for what has no answer", async () => {
    const { client } = await start();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    expect(await consumer.close()).toBeNull();
    await expect(consumer.receive()).rejects.toThrow(/^Failed to receive message: AlreadyClosed$/);
  });

  it("gives a listener its messages one by one with the same consumer, and survives its failures", async () => {
    const { client, broker, settle } = await start();
    const lines: string[] = [];
    Pulsar.Client.setLogHandler((level, _file, _line, message) => void lines.push(`${level} ${message}`));
    const seen: string[] = [];
    const consumers = new Set<unknown>();
    const consumer = await client.subscribe({
      topic,
      subscription: "s",
      listener: async (message, by) => {
        consumers.add(by);
        seen.push(message.getData().toString());
        if (seen.length === 1) throw new Error("on purpose");
        await by.acknowledge(message);
      },
    });
    broker.deliver({ entryId: 0, texts: ["a"] });
    broker.deliver({ entryId: 1, texts: ["b"] });
    await settle();
    expect(seen).toEqual(["a", "b"]);
    expect([...consumers]).toEqual([consumer]);
    expect(lines.some((line) => line.startsWith("3 ") && line.includes("on purpose"))).toBe(true);
  });

  it.each(["Exclusive", "Failover"] as const)("takes a dead-letter policy that cannot act, for %s", async (type) => {
    const { client } = await start();
    const deadLetterPolicy = { deadLetterTopic: "dead", maxRedeliverCount: 3, initialSubscriptionName: "s" };
    const consumer = await client.subscribe({ topic, subscription: "s", subscriptionType: type, deadLetterPolicy });
    expect(consumer.isConnected()).toBe(true);
  });

  it("rejects wrong options in the official client's words", async () => {
    const { client } = await start();
    const cases: [object, RegExp][] = [
      [{ subscription: "s" }, /^Topic, topics or topicsPattern is required/],
      [{ topic }, /^Subscription is required/],
      [{ topic, subscription: "s", ackTimeoutMs: 100 }, /^Ack timeout should be 0 or greater than or equal to 10000$/],
      [{ topic, subscription: "s", nAckRedeliverTimeoutMs: -1 }, /^NAck timeout should be greater than/],
      [
        {
          topic,
          subscription: "s",
          subscriptionType: "KeyShared",
          keySharedPolicy: { keyShareMode: "Sticky", stickyRanges: [{ start: 5, end: 1 }] },
        },
        /^Invalid sticky range at index 0: start \(5\) > end \(1\)$/,
      ],
      [
        { topic, subscription: "s", batchReceivePolicy: { maxNumMessages: 0, maxNumBytes: 0, timeoutMs: 0 } },
        /^At least one of maxNumMessages, maxNumBytes and timeoutMs must be specified\.$/,
      ],
    ];
    for (const [config, message] of cases) {
      await expect(client.subscribe(config as Pulsar.ConsumerConfig)).rejects.toThrow(message);
    }
  });

  it("has the name of a topic in a message no longer than the message is one that was received", () => {
    expect(() => new Pulsar.Message().getData()).toThrow("Message has not been built");
  });
});

describe("the official client's API: a client", () => {
  it("throws for wrong options in the official client's words", () => {
    const wrong: [unknown, RegExp][] = [
      [{}, /^Service URL is required and must be specified as a string unless/],
      [{ serviceUrl: 5 }, /^Service URL is required and must be specified as a string$/],
      [{ serviceUrl: "pulsar://x", authentication: {} }, /^Authentication must be a Pulsar authentication object$/],
      [
        { serviceUrl: "pulsar://x", tlsTrustCertsFilePath: "/nowhere" },
        /^tlsTrustCertsFilePath: cannot read \/nowhere$/,
      ],
    ];
    for (const [config, message] of wrong) {
      expect(() => new Pulsar.Client(config as Pulsar.ClientConfig)).toThrow(message);
    }
    const providers: [object, RegExp][] = [
      [{ secondary: ["pulsar://b"] }, /^serviceUrlProvider.primary is required$/],
      [{ primary: "pulsar://a" }, /^serviceUrlProvider.secondary is required and must be an array$/],
      [{ primary: "pulsar://a", secondary: [] }, /must contain at least one service$/],
      [{ primary: "pulsar://a", secondary: [{}] }, /^serviceUrlProvider.secondary\[0\].serviceUrl is required/],
      [{ primary: "pulsar://a", secondary: ["pulsar://b"], checkIntervalMs: -1 }, /checkIntervalMs must be a positive/],
    ];
    for (const [serviceUrlProvider, message] of providers) {
      expect(() => new Pulsar.Client({ serviceUrlProvider } as Pulsar.ClientConfig)).toThrow(message);
    }
    expect(() => new Pulsar.AuthenticationToken({} as { token: string })).toThrow("Missing required parameter");
    expect(() => new Pulsar.AuthenticationAthenz("{}")).toThrow(/^Athenz is not supported/);
    expect(() => Pulsar.Client.setLogHandler(5 as unknown as null)).toThrow(/must be a function or null/);
  });

  it("authenticates by a token, asked for whenever one is needed, and by name and password", async () => {
    const token = vi.fn(() => Promise.resolve("secret"));
    const { client, broker } = await start({ authentication: new Pulsar.AuthenticationToken({ token }) });
    await client.createProducer({ topic });
    const connect = broker.of(CommandType.CONNECT)[0];
    expect(connect?.authMethodName).toBe("token");
    expect(new TextDecoder().decode(connect?.authData)).toBe("secret");
    await client.close();
    const basic = new Pulsar.AuthenticationBasic({ username: "u", password: "p" });
    const other = await start({ authentication: basic });
    await other.client.createProducer({ topic });
    expect(new TextDecoder().decode(other.broker.of(CommandType.CONNECT)[0]?.authData)).toBe("u:p");
  });

  it("uses the first of its secondary clusters that is there, where the primary is not", async () => {
    const { clock, network, runtime } = memoryRuntime();
    const broker = await FakeBroker.start(network);
    const provider = { primary: "pulsar://gone:1", secondary: ["pulsar://gone:2", { serviceUrl: broker.url }] };
    const client = new CompatClient({ serviceUrlProvider: { ...provider, checkIntervalMs: 100 } }, runtime);
    const opening = client.createProducer({ topic });
    for (let i = 0; i < 50; i++) await clock.advance(100);
    expect((await opening).isConnected()).toBe(true);
    await client.close();
  });

  it("is at the primary cluster who it is said to be there", async () => {
    const { network, runtime } = memoryRuntime();
    const broker = await FakeBroker.start(network);
    const authentication = new Pulsar.AuthenticationToken({ token: "primary" });
    const provider = { primary: { serviceUrl: broker.url, authentication }, secondary: ["pulsar://gone:2"] };
    const client = new CompatClient({ serviceUrlProvider: provider }, runtime);
    await client.createProducer({ topic });
    expect(new TextDecoder().decode(broker.of(CommandType.CONNECT)[0]?.authData)).toBe("primary");
    await client.close();
  });

  it("has the same names as a default import", () => {
    expect(PulsarByDefault.Client).toBe(Pulsar.Client);
    expect(PulsarByDefault.LogLevel.WARN).toBe(2);
    expect(PulsarByDefault.MessageId.earliest().toString()).toBe("(-1,-1,-1,-1)");
    expect(Pulsar.LogLevel.toString(3)).toBe("ERROR");
  });

  it("answers the partitions of a topic, and closes with null", async () => {
    const { client } = await start();
    expect(await client.getPartitionsForTopic(topic)).toEqual([topic]);
    expect(await client.close()).toBeNull();
  });
});
