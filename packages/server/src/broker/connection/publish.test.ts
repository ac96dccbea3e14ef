import { CommandType, ServerError } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { besides, createTestRuntime, entryOf, ProtocolClient, type TestRuntime } from "./protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
let client: ProtocolClient;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime });
  client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
});
afterEach(() => cluster.close());

describe("publish", () => {
  it("answers publishes in the order in which they came, each with its place", async () => {
    await client.producer("t", 1);
    for (let i = 0; i < 100; i++) client.publish(1, i);
    const receipts = [];
    for (let i = 0; i < 100; i++) receipts.push(await client.next(CommandType.SEND_RECEIPT));
    expect(receipts.map((r) => r.sequenceId)).toEqual([...receipts.keys()]);
    expect(receipts.map((r) => r.messageId?.entryId)).toEqual([...receipts.keys()]);
  });

  it("answers a wrong checksum with ChecksumError and stores nothing", async () => {
    await client.producer("t", 1);
    const broken = entryOf(0, "hello");
    broken[broken.length - 1] = (broken[broken.length - 1] as number) ^ 1;
    client.send(CommandType.SEND, { producerId: 1, sequenceId: 0 }, broken);
    client.publish(1, 1, "fine");
    expect(await client.next(CommandType.SEND_ERROR)).toMatchObject({
      producerId: 1,
      sequenceId: 0,
      error: ServerError.ChecksumError,
    });
    expect((await client.next(CommandType.SEND_RECEIPT)).messageId?.entryId).toBe(0);
  });

  it("delivers an entry byte for byte as it was sent", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    const entry = entryOf(0, "payload", { properties: [{ key: "a", value: "b" }], partitionKey: "k" });
    client.send(CommandType.SEND, { producerId: 1, sequenceId: 0 }, entry);
    expect((await client.nextWithEntry(CommandType.MESSAGE)).entry).toEqual(entry);
  });

  it("refuses a publish in a transaction", async () => {
    await client.producer("t", 1);
    client.send(CommandType.SEND, { producerId: 1, sequenceId: 0, txnidLeastBits: 1 }, entryOf(0));
    expect(await client.next(CommandType.SEND_ERROR)).toMatchObject({ error: ServerError.NotAllowedError });
  });

  it("reads a connection no further while too many of its publishes are under way, then goes on", async () => {
    await using small = await startCluster({
      runtime: besides(runtime),
      settings: { maxPendingPublishRequestsPerConnection: 4 },
    });
    const eager = await ProtocolClient.connect(runtime, small.serviceUrl);
    await eager.producer("t", 1);
    const [connection] = small.brokers[0]?.connections ?? [];
    let pendingMax = 0;
    const end = connection?.publishGate.begin.bind(connection.publishGate);
    if (connection !== undefined && end !== undefined) {
      connection.publishGate.begin = () => {
        end();
        pendingMax = Math.max(pendingMax, connection.publishGate.pending);
      };
    }
    for (let i = 0; i < 50; i++) eager.publish(1, i);
    for (let i = 0; i < 50; i++) expect((await eager.next(CommandType.SEND_RECEIPT)).sequenceId).toBe(i);
    expect(pendingMax).toBeGreaterThan(0);
    expect(pendingMax).toBeLessThanOrEqual(4);
    expect(connection?.publishGate.pending).toBe(0);
  });
});

describe("producers of a connection", () => {
  it("makes up names that differ", async () => {
    const first = await client.producer("t", 1);
    const second = await client.producer("t", 2);
    expect(first.producerName).toMatch(/^standalone-\d+-\d+$/);
    expect(second.producerName).not.toBe(first.producerName);
  });

  it("answers a second PRODUCER for an open id as the first", async () => {
    const first = await client.producer("t", 1);
    expect((await client.producer("t", 1)).producerName).toBe(first.producerName);
  });

  it("refuses a name that is taken, until it is free again", async () => {
    await client.producer("t", 1, { producerName: "n" });
    const taken = await client.request(CommandType.PRODUCER, { topic: "t", producerId: 2, producerName: "n" });
    expect(taken.body).toMatchObject({ error: ServerError.ProducerBusy });
    expect(taken.body).toMatchObject({ message: expect.stringContaining("'n' is already connected to topic") });
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    await client.producer("t", 2, { producerName: "n" });
  });

  it("asks the connection that holds a name whether it is alive, and takes the name when it is not", async () => {
    await client.producer("t", 1, { producerName: "n" });
    const other = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    const asked = other.request(CommandType.PRODUCER, { topic: "t", producerId: 1, producerName: "n" });
    await client.next(CommandType.PING);
    client.send(CommandType.PONG, {});
    expect((await asked).body).toMatchObject({ error: ServerError.ProducerBusy });

    const again = other.request(CommandType.PRODUCER, { topic: "t", producerId: 1, producerName: "n" });
    await client.next(CommandType.PING);
    await runtime.clock.advance(5000);
    expect((await again).body).toMatchObject({ producerName: "n", producerReady: true });
  });

  it("lets a producer with a made-up name connect again with a later epoch", async () => {
    const { producerName } = await client.producer("t", 1);
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    const again = { producerName, userProvidedProducerName: false, epoch: 1 };
    expect((await client.producer("t", 1, again)).producerName).toBe(producerName);
  });

  it("gives a producer up that is closed while it is being opened", async () => {
    await client.request(CommandType.LOOKUP, { topic: "t" });
    const opening = client.requestId();
    client.send(CommandType.PRODUCER, { topic: "t", producerId: 1, requestId: opening, producerName: "n" });
    const closed = await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    expect(closed.type).toBe(CommandType.SUCCESS);
    await runtime.clock.settle();
    expect(client.pending).toEqual([]);
    // nothing is left of it: the name is free
    await client.producer("t", 1, { producerName: "n" });
  });

  it("refuses an id that is being opened", async () => {
    await client.request(CommandType.LOOKUP, { topic: "t" });
    const first = client.requestId();
    client.send(CommandType.PRODUCER, { topic: "t", producerId: 1, requestId: first });
    const second = await client.request(CommandType.PRODUCER, { topic: "t", producerId: 1 });
    expect(second.body).toMatchObject({ error: ServerError.ServiceNotReady });
    expect((await client.answer(first)).type).toBe(CommandType.PRODUCER_SUCCESS);
  });

  it("frees the names of a connection that is gone", async () => {
    await client.producer("t", 1, { producerName: "n" });
    client.close();
    await runtime.clock.settle();
    const other = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await other.producer("t", 1, { producerName: "n" });
  });
});

describe("access modes", () => {
  const [Shared, Exclusive, WaitForExclusive, ExclusiveWithFencing] = [0, 1, 2, 3] as const;

  async function attach(producerId: number, mode: 0 | 1 | 2 | 3, topicEpoch?: number): Promise<unknown> {
    const body = { topic: "t", producerId, producerAccessMode: mode, topicEpoch };
    return (await client.request(CommandType.PRODUCER, body)).body;
  }

  beforeEach(async () => {
    await client.request(CommandType.LOOKUP, { topic: "t" });
  });

  it("keeps others out while one has exclusive access", async () => {
    expect(await attach(1, Exclusive)).toMatchObject({ topicEpoch: 0, producerReady: true });
    expect(await attach(2, Shared)).toMatchObject({ error: ServerError.ProducerBusy });
    expect(await attach(3, Exclusive)).toMatchObject({ error: ServerError.ProducerFenced });
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    expect(await attach(2, Shared)).toMatchObject({ producerReady: true });
  });

  it("gives no exclusive access beside a shared producer", async () => {
    await attach(1, Shared);
    expect(await attach(2, Exclusive)).toMatchObject({
      error: ServerError.ProducerFenced,
      message: "Topic has existing shared producers",
    });
  });

  it("fences who has access, drops what it still sends, and keeps it out when it comes back", async () => {
    await attach(1, Exclusive);
    expect(await attach(2, ExclusiveWithFencing)).toMatchObject({ topicEpoch: 1 });
    expect(await client.next(CommandType.CLOSE_PRODUCER)).toMatchObject({ producerId: 1 });
    client.publish(1, 0);
    client.publish(2, 0);
    expect(await client.next(CommandType.SEND_RECEIPT)).toMatchObject({ producerId: 2, messageId: { entryId: 0 } });
    expect(client.pendingTypes).toEqual([]);
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 2 });
    expect(await attach(1, Exclusive, 0)).toMatchObject({
      error: ServerError.ProducerFenced,
      message: "Topic epoch has already moved. Current epoch: 1, Producer epoch: 0",
    });
    expect(await attach(1, Exclusive, 1)).toMatchObject({ topicEpoch: 1 });
  });

  it("keeps a fenced producer out after the topic was unloaded, too", async () => {
    await attach(1, Exclusive);
    await attach(2, ExclusiveWithFencing);
    await cluster.brokers[0]?.topics.unload("persistent://public/default/t");
    expect(await attach(3, Exclusive, 0)).toMatchObject({ error: ServerError.ProducerFenced });
  });

  it("lets one wait, and tells it twice: that it waits, and that its turn has come", async () => {
    await attach(1, Exclusive);
    expect(await attach(2, WaitForExclusive)).toMatchObject({ producerReady: false });
    expect(await attach(3, Shared)).toMatchObject({ error: ServerError.ProducerBusy });
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    expect(await client.next(CommandType.PRODUCER_SUCCESS)).toMatchObject({ producerReady: true, topicEpoch: 1 });
    client.publish(2, 0);
    await client.next(CommandType.SEND_RECEIPT);
  });

  it("tells who waits that it was fenced out", async () => {
    await attach(1, Exclusive);
    await attach(2, WaitForExclusive);
    await attach(3, ExclusiveWithFencing);
    expect(await client.next(CommandType.ERROR)).toMatchObject({ message: "Fenced out" });
  });

  it("passes over one that was closed while it waited", async () => {
    await attach(1, Exclusive);
    await attach(2, WaitForExclusive);
    await attach(3, WaitForExclusive);
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 2 });
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    await client.next(CommandType.PRODUCER_SUCCESS);
    client.publish(3, 0);
    expect((await client.next(CommandType.SEND_RECEIPT)).producerId).toBe(3);
  });
});
