import { CommandType, type Int64, ServerError, TopicName } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { ManagedLedgerError } from "../../managed-ledger/index.ts";
import { createTestRuntime, ProtocolClient, type TestRuntime } from "../connection/protocol-client-fixture.ts";
import { PersistentTopic } from "./persistent-topic.ts";

let runtime: TestRuntime;
let cluster: Cluster;
let client: ProtocolClient;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime, settings: { brokerDeduplicationEnabled: true } });
  client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
});
afterEach(() => cluster.close());

const t = "persistent://public/default/t";

function loaded(): PersistentTopic {
  const topic = cluster.brokers[0]?.topics.get(t);
  if (!(topic instanceof PersistentTopic)) throw new Error("the topic is not loaded");
  return topic;
}

async function receipt(): Promise<{ sequenceId: Int64; entryId: number | undefined }> {
  const { sequenceId, messageId } = await client.next(CommandType.SEND_RECEIPT);
  return { sequenceId, entryId: messageId?.entryId };
}

describe("unload", () => {
  it("disconnects producers and consumers, and loses nothing", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1, {}, 0);
    client.publish(1, 0, "before");
    await receipt();
    await cluster.brokers[0]?.topics.unload(t);
    expect(await client.next(CommandType.CLOSE_PRODUCER)).toMatchObject({ producerId: 1 });
    expect(await client.next(CommandType.CLOSE_CONSUMER)).toMatchObject({ consumerId: 1 });
    // a message that crossed with CLOSE_PRODUCER is passed over, and the connection lives
    client.publish(1, 1);
    await client.producer("t", 1);
    await client.consumer("t", 1);
    client.publish(1, 1, "after");
    await receipt();
    const texts = [];
    for (let i = 0; i < 2; i++) {
      const { entry } = await client.nextWithEntry(CommandType.MESSAGE);
      texts.push(new TextDecoder().decode(entry.slice(-5)));
    }
    expect(texts).toEqual(["efore", "after"]);
  });

  it("leaves nothing of itself behind when a subscription's place cannot be stored", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    client.publish(1, 0);
    const { messageId } = await client.next(CommandType.MESSAGE);
    client.send(CommandType.ACK, { consumerId: 1, ackType: 0, messageId: [messageId] });
    await runtime.clock.settle();
    cluster.metadata.available = false;
    await expect(cluster.brokers[0]?.topics.unload(t)).rejects.toMatchObject({ code: "MetadataUnavailable" });
    cluster.metadata.available = true;
    await client.consumer("t", 2);
    await client.producer("t", 2);
    client.publish(2, 1, "after");
    const { messageId: next } = await client.next(CommandType.MESSAGE);
    expect(next?.ledgerId).toBeGreaterThan(messageId?.ledgerId ?? 0);
  });

  it("leaves no producer that is attached to nothing, whenever it comes", async () => {
    for (let turns = 0; turns < 60; turns++) {
      const topic = `t${turns}`;
      await client.producer(topic, 2 * turns);
      const asked = client.requestId();
      client.send(CommandType.PRODUCER, { topic, producerId: 2 * turns + 1, requestId: asked });
      for (let i = 0; i < turns; i++) await undefined;
      await cluster.brokers[0]?.topics.unload(`persistent://public/default/${topic}`);
      const answer = await client.answer(asked);
      if (answer.type !== CommandType.PRODUCER_SUCCESS) continue;
      client.publish(2 * turns + 1, 0);
      await runtime.clock.settle();
      const told = client.pending.filter(({ command }) => {
        const { producerId } = command.body as { producerId?: number };
        return producerId === 2 * turns + 1;
      });
      expect(told.length, `after ${turns} turns`).toBeGreaterThan(0);
    }
  });

  it("waits for the unload before it loads again", async () => {
    await client.producer("t", 1);
    const unloading = cluster.brokers[0]?.topics.unload(t);
    const answer = await client.request(CommandType.PRODUCER, { topic: "t", producerId: 2 });
    await unloading;
    expect(answer.type).toBe(CommandType.PRODUCER_SUCCESS);
    client.publish(2, 0);
    await receipt();
  });
});

describe("termination", () => {
  it("tells producers and consumers, and takes no message any more", async () => {
    await client.producer("t", 1);
    await client.consumer("t", 1);
    client.publish(1, 0);
    const { messageId } = await client.next(CommandType.MESSAGE);
    client.send(CommandType.ACK, { consumerId: 1, ackType: 0, messageId: [messageId] });
    await runtime.clock.settle();
    expect(await loaded().terminate()).toMatchObject({ entryId: 0 });
    await client.next(CommandType.CLOSE_PRODUCER);
    await client.next(CommandType.REACHED_END_OF_TOPIC);
    const again = await client.request(CommandType.PRODUCER, { topic: "t", producerId: 2 });
    expect(again.body).toMatchObject({ error: ServerError.TopicTerminatedError });
  });
});

describe("deletion", () => {
  it("refuses while somebody is attached, unless forced", async () => {
    await client.producer("t", 1);
    const { topics } = cluster.brokers[0] as Cluster["brokers"][0];
    await expect(topics.delete(TopicName.parse("t"), false)).rejects.toThrow(/connected producers/);
    await topics.delete(TopicName.parse("t"), true);
    await client.next(CommandType.CLOSE_PRODUCER);
    expect(await topics.exists(TopicName.parse("t"))).toBe(false);
  });
});

describe("a failed write", () => {
  it("sends producers away until every publish has its outcome, then takes the resend as new", async () => {
    await client.producer("t", 1, { producerName: "n" });
    client.publish(1, 0);
    await receipt();
    const { ledger } = loaded();
    const append = ledger.append.bind(ledger);
    const held: Parameters<typeof append>[1][] = [];
    ledger.append = (_data, listener) => {
      held.push(listener);
    };
    client.publish(1, 1);
    client.publish(1, 2);
    await runtime.clock.settle();
    ledger.append = append;
    held[0]?.onAppendFailed(new ManagedLedgerError("StorageFailed", "a bookie is down"));
    await client.next(CommandType.CLOSE_PRODUCER);
    const early = await client.request(CommandType.PRODUCER, { topic: "t", producerId: 1, producerName: "n" });
    expect(early.body).toMatchObject({ error: ServerError.ServiceNotReady });
    held[1]?.onAppendFailed(new ManagedLedgerError("StorageFailed", "a bookie is down"));
    const again = await client.producer("t", 1, { producerName: "n" });
    expect(again.lastSequenceId).toBe(0);
    client.publish(1, 1);
    client.publish(1, 2);
    expect([await receipt(), await receipt()]).toEqual([
      { sequenceId: 1, entryId: 1 },
      { sequenceId: 2, entryId: 2 },
    ]);
  });
});

describe("deduplication", () => {
  it("answers what is stored already with -1:-1 and stores it once", async () => {
    await client.producer("t", 1, { producerName: "n" });
    for (const sequenceId of [5, 7]) client.publish(1, sequenceId, "x", { producerName: "n" });
    expect([await receipt(), await receipt()].map((r) => r.entryId)).toEqual([0, 1]);
    for (const sequenceId of [5, 6, 7, 8]) client.publish(1, sequenceId, "x", { producerName: "n" });
    const again = [];
    for (let i = 0; i < 4; i++) again.push((await receipt()).entryId);
    expect(again.sort()).toEqual([-1, -1, -1, 2]);
    expect(loaded().ledger.entryCount).toBe(3);
  });

  it("tells a producer that comes back its last sequence id", async () => {
    await client.producer("t", 1, { producerName: "n" });
    client.publish(1, 41, "x", { producerName: "n" });
    await receipt();
    await client.request(CommandType.CLOSE_PRODUCER, { producerId: 1 });
    expect((await client.producer("t", 1, { producerName: "n" })).lastSequenceId).toBe(41);
    expect((await client.producer("t", 2, { producerName: "other" })).lastSequenceId).toBe(-1);
  });

  it.each([
    ["from the entries alone", false],
    ["from a snapshot and the entries after it", true],
  ])("knows after an unload, %s", async (_how, snapshot) => {
    await client.producer("t", 1, { producerName: "n" });
    client.publish(1, 1, "x", { producerName: "n" });
    await receipt();
    if (snapshot) {
      await runtime.clock.advance(120_000);
      client.send(CommandType.PONG, {});
      expect(loaded().ledger.cursors.get("pulsar.dedup")?.properties).toEqual({ n: "1" });
    }
    if (client.closed) client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await client.producer("t", 2, { producerName: "m" });
    client.publish(2, 9, "x", { producerName: "m" });
    await receipt();
    await cluster.brokers[0]?.topics.unload(t);
    expect((await client.producer("t", 3, { producerName: "n" })).lastSequenceId).toBe(1);
    expect((await client.producer("t", 4, { producerName: "m" })).lastSequenceId).toBe(9);
  });

  it("counts a chunked message once its last chunk is stored", async () => {
    await client.producer("t", 1, { producerName: "n" });
    const chunk = (chunkId: number): object => ({ producerName: "n", uuid: "u", chunkId, numChunksFromMsg: 3 });
    for (const chunkId of [0, 1]) client.publish(1, 4, "x", chunk(chunkId));
    await receipt();
    await receipt();
    // the producer starts over before the last chunk: all chunks are stored again
    for (const chunkId of [0, 1, 2]) client.publish(1, 4, "x", chunk(chunkId));
    const stored = [await receipt(), await receipt(), await receipt()];
    expect(stored.map((r) => r.entryId)).toEqual([2, 3, 4]);
    client.publish(1, 4, "x", chunk(2));
    expect((await receipt()).entryId).toBe(-1);
  });

  it("is switched on and off by the namespace's policies while the topic is loaded", async () => {
    await client.producer("t", 1, { producerName: "n" });
    expect(loaded().stats().deduplicationStatus).toBe("Enabled");
    const set = (deduplicationEnabled: boolean): Promise<unknown> =>
      cluster.admin.resources.namespaces.update("public/default", (p) => ({ ...p, deduplicationEnabled }));
    await set(false);
    await runtime.clock.settle();
    expect(loaded().stats().deduplicationStatus).toBe("Disabled");
    expect(loaded().ledger.cursors.has("pulsar.dedup")).toBe(false);
    await set(true);
    await runtime.clock.settle();
    expect(loaded().stats().deduplicationStatus).toBe("Enabled");
  });

  it("calls a resend whose first try is under way unknown, and lets the client try again", async () => {
    await client.producer("t", 1, { producerName: "n" });
    const { ledger } = loaded();
    const append = ledger.append.bind(ledger);
    const held: (() => void)[] = [];
    ledger.append = (data, listener) => {
      held.push(() => append(data, listener));
    };
    client.publish(1, 1);
    client.publish(1, 1);
    expect(await client.next(CommandType.SEND_ERROR)).toMatchObject({
      sequenceId: 1,
      error: ServerError.PersistenceError,
    });
    for (const go of held) go();
    expect(await receipt()).toEqual({ sequenceId: 1, entryId: 0 });
  });
});

describe("limits", () => {
  it("follow the topic's policies while it is loaded", async () => {
    await client.producer("t", 1);
    await cluster.admin.resources.topicPolicies.update(TopicName.parse("t"), (p) => ({
      ...p,
      max_producers_per_topic: 1,
      max_consumers_per_subscription: 1,
    }));
    await runtime.clock.settle();
    await expect(client.producer("t", 2)).rejects.toThrow(/Topic reached max producers limit/);
    await client.consumer("t", 1);
    await expect(client.consumer("t", 2)).rejects.toThrow(/Subscription reached max consumers limit/);
  });
});
