import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { CoreClient } from "../client.ts";
import { type Fixture, isSettled, outcome, startFixture } from "../testing/fixture.ts";
import type { Producer } from "./producer.ts";
import type { ProducerOptions } from "./producer-options.ts";

interface WithProducer extends Fixture {
  producer: Producer;
}

async function start(options: Partial<ProducerOptions> = {}): Promise<WithProducer> {
  const fixture = await startFixture();
  return { ...fixture, producer: await fixture.client.createProducer({ topic: "t", ...options }) };
}

const numbers = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));

describe("a message", () => {
  it("names the clusters it is replicated to in an array, and no other way", async () => {
    const { broker, producer } = await start();
    for (const replicationClusters of [null, 5, "east", {}, [5], [""]]) {
      const message = { data: "x", replicationClusters: replicationClusters as never };
      expect(await outcome(producer.send(message))).toBe("InvalidConfiguration");
    }
    expect(await outcome(producer.send({ data: "x", disableReplication: 1 as never }))).toBe("InvalidConfiguration");
    expect(broker.sent).toEqual([]);
  });
});

describe("batching", () => {
  it("sends what came within the delay in one entry", async () => {
    const { broker, producer, clock } = await start({ batchingMaxPublishDelayMs: 10 });
    const ids = Promise.all(numbers(3).map((t) => producer.send({ data: t, key: `k${t}` })));
    await clock.advance(9);
    expect(broker.sent.length).toBe(0);
    await clock.advance(1);
    expect(broker.sent.map((s) => s.texts)).toEqual([["0", "1", "2"]]);
    expect(broker.sent[0]?.body).toMatchObject({ sequenceId: 0, highestSequenceId: 2, numMessages: 3 });
    expect(broker.sent[0]?.entry.metadata).toMatchObject({ numMessagesInBatch: 3, partitionKey: "k0" });
    expect((await ids).map(String)).toEqual(["1:0:-1:0", "1:0:-1:1", "1:0:-1:2"]);
  });

  it("sends at once when the batch has its count", async () => {
    const { broker, producer, settle } = await start({ batchingMaxMessages: 4, batchingMaxPublishDelayMs: 1000 });
    const sends = numbers(9).map((t) => producer.send(t));
    await settle();
    expect(broker.sent.map((s) => s.texts.length)).toEqual([4, 4]);
    expect(await isSettled(sends[8] as Promise<unknown>)).toBe(false);
    await producer.flush();
    expect(broker.sent.map((s) => s.texts.length)).toEqual([4, 4, 1]);
  });

  it("sends before a message that would make the batch too large", async () => {
    const { broker, producer } = await start({ batchingMaxBytes: 1000 });
    for (const size of [400, 400, 400, 2000, 10]) void producer.send("x".repeat(size));
    await producer.flush();
    expect(broker.sent.map((s) => s.texts.map((t) => t.length))).toEqual([[400, 400], [400], [2000], [10]]);
    for (const { entry } of broker.sent) expect(entry.payload.length).toBeLessThanOrEqual(2000);
  });

  it("makes no batch of one message", async () => {
    const { broker, producer } = await start();
    const sending = producer.send({ data: "x", properties: { a: "b" }, eventTime: 3, key: Uint8Array.of(1, 2) });
    await producer.flush();
    expect(String(await sending)).toBe("1:0:-1");
    const { metadata } = broker.sent[0]?.entry ?? {};
    expect(metadata).toMatchObject({ properties: [{ key: "a", value: "b" }], eventTime: 3, partitionKey: "AQI=" });
    expect([metadata?.numMessagesInBatch, metadata?.partitionKeyB64Encoded]).toEqual([undefined, true]);
  });

  it("by key makes one entry a key, with sequence ids of its own", async () => {
    const { broker, producer } = await start({ batchingType: "KeyBased" });
    const sends = numbers(6).map((data, i) => producer.send({ data, key: `k${i % 2}` }));
    await producer.flush();
    expect(broker.sent.map((s) => s.texts)).toEqual([
      ["0", "2", "4"],
      ["1", "3", "5"],
    ]);
    expect(broker.sent.map((s) => [s.body.sequenceId, s.body.highestSequenceId])).toEqual([
      [0, 2],
      [3, 5],
    ]);
    expect((await Promise.all(sends)).map(String)).toContain("1:1:-1:2");
  });

  it("does not hold back or mix what cannot be batched", async () => {
    const { broker, producer, clock } = await start({ batchingMaxPublishDelayMs: 1000 });
    void producer.send("first");
    void producer.send({ data: "later", deliverAfterMs: 500 });
    void producer.send({ data: "here", disableReplication: true });
    await clock.settle();
    expect(broker.sent.map((s) => s.texts)).toEqual([["first"], ["later"], ["here"]]);
    expect(broker.sent[1]?.entry.metadata.deliverAtTime).toBe(clock.now() + 500);
    expect(broker.sent[2]?.entry.metadata.replicateTo).toEqual(["__local__"]);
  });

  it("sends a sequence id that does not rise alone", async () => {
    const { broker, producer } = await start({ batchingMaxPublishDelayMs: 1000 });
    for (const sequenceId of [5, 6, 4, 7]) void producer.send({ data: String(sequenceId), sequenceId });
    await producer.flush();
    expect(broker.sent.map((s) => s.texts)).toEqual([["5", "6"], ["4"], ["7"]]);
  });
});

describe("receipts", () => {
  it("settle sends in order, an older one is ignored", async () => {
    const { broker, producer, settle } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const sends = numbers(3).map((t) => producer.send(t));
    await settle();
    const id = broker.sent[0]?.body.producerId ?? -1;
    broker.connection.receipt(id, 0, 10);
    broker.connection.receipt(id, 0, 99);
    broker.connection.receipt(id, 1, 11);
    await settle();
    expect((await Promise.all(sends.slice(0, 2))).map((m) => m.entryId)).toEqual([10, 11]);
    expect(await isSettled(sends[2] as Promise<unknown>)).toBe(false);
    expect(producer.lastSequenceId).toBe(1);
    expect(broker.connections.length).toBe(1);
  });

  it("with a gap end the connection, and everything goes again", async () => {
    const { broker, producer, clock, settle } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const sends = Promise.all(numbers(3).map((t) => producer.send(t)));
    await settle();
    broker.connection.receipt(broker.sent[0]?.body.producerId ?? -1, 1, 11);
    await settle();
    broker.autoReceipts = true;
    await clock.advance(200);
    await sends;
    expect(broker.connections.length).toBe(2);
    expect(broker.sent.slice(3).map((s) => s.body.sequenceId)).toEqual([0, 1, 2]);
  });
});

describe("a lost connection", () => {
  it("has pending sends go again in order, with their sequence ids, before new ones", async () => {
    const { broker, producer, clock, settle } = await start({
      batchingMaxMessages: 2,
      batchingMaxPublishDelayMs: 1000,
    });
    broker.autoReceipts = false;
    const sends = numbers(6).map((t) => producer.send(t));
    await settle();
    broker.connection.drop();
    await settle();
    expect(producer.isConnected).toBe(false);
    sends.push(producer.send("6"), producer.send("7"));
    broker.autoReceipts = true;
    await clock.advance(200);
    await Promise.all(sends);
    expect(broker.sent.slice(3).map((s) => s.texts)).toEqual([
      ["0", "1"],
      ["2", "3"],
      ["4", "5"],
      ["6", "7"],
    ]);
    expect(broker.sent.slice(3).map((s) => s.body.sequenceId)).toEqual([0, 2, 4, 6]);
  });

  it("twice while sends are in flight settles every one of them", async () => {
    const { broker, producer, clock, client } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const sends = Promise.all(numbers(50).map((t) => producer.send(t)));
    for (let i = 0; i < 2; i++) {
      await clock.advance(500);
      broker.connection.drop();
    }
    await clock.advance(10);
    broker.autoReceipts = true;
    await clock.advance(1000);
    expect(new Set((await sends).map(String)).size).toBe(50);
    expect(client.pendingBytes).toBe(0);
    expect((await producer.send("new")).entryId).toBe(50);
  });

  it("brings the producer back under its name and with a higher epoch", async () => {
    const { broker, clock } = await start();
    broker.connection.drop();
    await clock.advance(200);
    const [first, second] = broker.of(CommandType.PRODUCER);
    expect([first?.producerName, first?.epoch, first?.userProvidedProducerName]).toEqual([undefined, 0, false]);
    expect([second?.producerName, second?.epoch, second?.userProvidedProducerName]).toEqual(["made-up", 1, false]);
  });

  it("is followed by attempts with growing delays", async () => {
    const { broker, clock, network } = await start();
    await broker.stop();
    broker.connection.drop();
    const times: number[] = [];
    const connect = network.connect.bind(network);
    network.connect = (address, options) => {
      times.push(clock.monotonicMs());
      return connect(address, options);
    };
    await clock.advance(20_000);
    const gaps = times.slice(1).map((t, i) => t - (times[i] as number));
    expect(gaps.length).toBeGreaterThan(4);
    gaps.forEach((gap, i) => {
      const full = 100 * 2 ** (i + 1);
      expect(gap).toBeGreaterThanOrEqual(full * 0.9 - 1);
      expect(gap).toBeLessThanOrEqual(full + 1);
    });
  });

  it("is not waited for where the broker names the next one", async () => {
    const { broker, producer, settle } = await start();
    const producerId = broker.of(CommandType.PRODUCER)[0]?.producerId ?? -1;
    const body = { producerId, requestId: 0, assignedBrokerServiceUrl: broker.url };
    broker.connection.send({ type: CommandType.CLOSE_PRODUCER, body });
    await settle();
    expect(broker.of(CommandType.PRODUCER).length).toBe(2);
    expect(broker.of(CommandType.LOOKUP).length).toBe(1);
    expect(producer.isConnected).toBe(true);
  });

  it("is noticed when it comes right behind the broker's answer", async () => {
    const { broker, producer, clock } = await start();
    let times = 0;
    broker.on(CommandType.PRODUCER, ({ requestId, producerId }, connection) => {
      if (times++ > 0) return false;
      connection.send({ type: CommandType.PRODUCER_SUCCESS, body: { requestId, producerName: "made-up" } });
      connection.send({ type: CommandType.CLOSE_PRODUCER, body: { requestId: 0, producerId } });
      return true;
    });
    broker.connection.drop();
    await clock.advance(1000);
    expect(times).toBe(2);
    expect(producer.isConnected).toBe(true);
  });
});

describe("a send", () => {
  it("without a receipt in time rejects, those after it in their own time", async () => {
    const { broker, producer, clock, client } = await start({ batchingEnabled: false, sendTimeoutMs: 1000 });
    broker.autoReceipts = false;
    const first = outcome(producer.send("a"));
    await clock.advance(600);
    const second = producer.send("b");
    void second.catch(() => undefined);
    await clock.advance(500);
    expect(await first).toBe("Timeout");
    expect(await isSettled(second)).toBe(false);
    await clock.advance(500);
    expect(await outcome(second)).toBe("Timeout");
    expect([client.pendingBytes, clock.pendingTimers > 5]).toEqual([0, false]);
  });

  it("that is too big rejects, the next passes, and nothing is kept of it", async () => {
    const { broker, producer, client } = await start({ maxPendingMessages: 1, batchingEnabled: false });
    const size = broker.maxMessageSize + 1;
    for (let i = 0; i < 3; i++) expect(await outcome(producer.send(new Uint8Array(size)))).toBe("MessageTooBig");
    expect(await outcome(producer.send("small"))).toBe("resolved");
    expect(client.pendingBytes).toBe(0);
  });

  it.each([true, false])(
    "whose properties or key are too big rejects, batching %s, and the next passes",
    async (batchingEnabled) => {
      const { broker, producer, client } = await start({ batchingEnabled, batchingMaxMessages: 1 });
      const huge = "z".repeat(broker.maxMessageSize + 20_000);
      expect(await outcome(producer.send({ data: "x", properties: { huge } }))).toBe("MessageTooBig");
      expect(await outcome(producer.send({ data: "x", key: huge }))).toBe("MessageTooBig");
      expect(await outcome(producer.send("small"))).toBe("resolved");
      expect(client.pendingBytes).toBe(0);
    },
  );

  it("whose properties or key are too big takes none of its neighbours in the batch down", async () => {
    const { broker, producer, client, clock } = await start({});
    const huge = "z".repeat(broker.maxMessageSize + 20_000);
    const sends = [
      producer.send("before"),
      producer.send({ data: "x", properties: { huge } }),
      producer.send("between"),
      producer.send({ data: "x", key: huge }),
      producer.send("after"),
    ].map(outcome);
    await clock.advance(10);
    expect(await Promise.all(sends)).toEqual(["resolved", "MessageTooBig", "resolved", "MessageTooBig", "resolved"]);
    expect(client.pendingBytes).toBe(0);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", [1]],
    ["a buffer that is no Uint8Array", new Uint16Array(2)],
    ["an ArrayBuffer", new ArrayBuffer(3)],
    ["a misspelt field", { dta: "x" }],
    ["data of another kind", { data: 5 }],
  ])("that is none rejects instead of being stored empty: %s", async (_what, message) => {
    const { broker, producer } = await start({});
    expect(await outcome(producer.send(message as never))).toBe("InvalidMessage");
    expect(await outcome(producer.send({ data: "x", properties: null as never }))).toBe("InvalidConfiguration");
    expect(broker.sent).toEqual([]);
  });

  it("keeps its place while the codec is being loaded", async () => {
    const { broker, producer, runtime, clock } = await start({ compressionType: "ZSTD", batchingEnabled: false });
    const ids = Promise.all(numbers(5).map((t) => producer.send(t)));
    const late = await runtime.codec.compress("ZSTD", new TextEncoder().encode("loaded"));
    await clock.settle();
    const after = producer.send("5");
    await Promise.all([ids, after]);
    expect(late.length).toBeGreaterThan(0);
    expect(broker.sent.map((s) => s.body.sequenceId)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(broker.sent[0]?.entry.metadata).toMatchObject({ compression: 3, uncompressedSize: 1 });
  });

  it("with a misspelt field is refused, and told which one was meant", async () => {
    const { broker, producer } = await start({});
    const send = producer.send({ data: "x", orderinKey: "k" } as never);
    await expect(send).rejects.toMatchObject({
      code: "InvalidMessage",
      message: expect.stringContaining("did you mean orderingKey?"),
    });
    expect(broker.sent).toEqual([]);
  });

  it("that is too big only before compression passes", async () => {
    const { broker, producer } = await start({ compressionType: "ZLIB", batchingEnabled: false });
    expect(await outcome(producer.send(new Uint8Array(broker.maxMessageSize + 1)))).toBe("resolved");
    expect(broker.sent[0]?.entry.metadata.uncompressedSize).toBe(broker.maxMessageSize + 1);
  });

  it("that stays too big after compression rejects, the next passes", async () => {
    const { producer, broker, client, runtime } = await start({ compressionType: "ZLIB", batchingMaxMessages: 1 });
    const noise = runtime.random.bytes(broker.maxMessageSize + 1);
    const [big, small] = [producer.send(noise), producer.send("small")];
    expect([await outcome(big), await outcome(small)]).toEqual(["MessageTooBig", "resolved"]);
    expect(client.pendingBytes).toBe(0);
  });

  it("beyond the pending limit rejects, or waits where that is asked for", async () => {
    const failing = await start({ maxPendingMessages: 2 });
    const results = numbers(3).map((t) => outcome(failing.producer.send(t)));
    await failing.producer.flush();
    expect(await Promise.all(results)).toEqual(["resolved", "resolved", "ProducerQueueIsFull"]);
    const waiting = await start({ maxPendingMessages: 2, blockIfQueueFull: true, batchingMaxMessages: 2 });
    const sends = numbers(7).map((t) => waiting.producer.send(t));
    await waiting.producer.flush();
    await Promise.all(sends);
    expect(waiting.broker.sent.flatMap((s) => s.texts)).toEqual(numbers(7));
    expect(waiting.broker.sent.every((s) => s.texts.length <= 2)).toBe(true);
  });

  it("beyond the client's memory waits for another producer's receipts", async () => {
    const { client, broker, settle } = await startFixture({ memoryLimitBytes: 100 });
    broker.autoReceipts = false;
    const options = { topic: "t", batchingEnabled: false };
    const a = await client.createProducer(options);
    const b = await client.createProducer({ ...options, blockIfQueueFull: true });
    const first = a.send(new Uint8Array(150));
    expect(await outcome(a.send("x"))).toBe("MemoryBufferIsFull");
    const second = b.send(new Uint8Array(10));
    await settle();
    expect([broker.sent.length, client.pendingBytes]).toEqual([1, 150]);
    broker.autoReceipts = true;
    broker.connection.receipt(broker.sent[0]?.body.producerId ?? -1, 0, 0);
    await Promise.all([first, second]);
    expect(client.pendingBytes).toBe(0);
  });

  it("with a field no broker could take rejects", async () => {
    const { producer } = await start();
    for (const wrong of [
      { eventTime: -1 },
      { sequenceId: 1.5 },
      { key: 7 as never },
      { properties: { a: 1 as never } },
      { deliverAt: Number.NaN },
    ]) {
      expect(await outcome(producer.send({ data: "x", ...wrong }))).toBe("InvalidConfiguration");
    }
    expect(await outcome(producer.send({ data: 5 as never }))).toBe("InvalidMessage");
  });

  it("that the broker refuses for itself rejects alone", async () => {
    const { broker, producer, settle } = await start({ batchingEnabled: false });
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      if (sequenceId !== 1) return false;
      const body = { producerId, sequenceId, error: ServerError.NotAllowedError, message: "no" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const results = Promise.all(numbers(3).map((t) => outcome(producer.send(t))));
    await settle();
    expect(await results).toEqual(["resolved", "NotAllowedError", "resolved"]);
    expect(broker.connections.length).toBe(1);
  });

  it("that could not be persisted goes again, with the same sequence id, also before any receipt", async () => {
    const { broker, producer, clock } = await start({ batchingEnabled: false });
    let failures = 1;
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      if (failures-- <= 0) return false;
      const body = { producerId, sequenceId, error: ServerError.PersistenceError, message: "disk" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const send = producer.send("x");
    await clock.advance(500);
    expect((await send).entryId).toBe(0);
    expect(broker.sent.map((s) => s.body.sequenceId)).toEqual([0, 0]);
    await producer.send("y");
    expect(broker.sent.at(-1)?.body.sequenceId).toBe(1);
  });

  it("to a topic that was terminated rejects, and so do all after it", async () => {
    const { broker, producer, client, settle } = await start({ batchingEnabled: false });
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      const body = { producerId, sequenceId, error: ServerError.TopicTerminatedError, message: "over" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const results = Promise.all(numbers(3).map((t) => outcome(producer.send(t))));
    await settle();
    expect(await results).toEqual(Array(3).fill("TopicTerminatedError"));
    expect(await outcome(producer.send("x"))).toBe("TopicTerminatedError");
    expect(client.pendingBytes).toBe(0);
    await producer.close();
  });
});

describe("attaching", () => {
  it("that is refused rejects once, and leaves nothing behind", async () => {
    const { client, broker, clock } = await startFixture();
    broker.refuse(CommandType.PRODUCER, ServerError.ProducerBusy);
    expect(await outcome(client.createProducer({ topic: "t", producerName: "n" }))).toBe("ProducerBusy");
    expect(broker.of(CommandType.PRODUCER).length).toBe(1);
    await client.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("that was fenced off for good ends the producer and its sends", async () => {
    const { broker, producer, clock, client } = await start({ accessMode: "Exclusive" });
    broker.autoReceipts = false;
    const send = outcome(producer.send("x"));
    broker.refuse(CommandType.PRODUCER, ServerError.ProducerFenced);
    broker.connection.drop();
    await clock.advance(500);
    expect(await send).toBe("ProducerFenced");
    expect(await outcome(producer.send("y"))).toBe("ProducerFenced");
    expect(client.pendingBytes).toBe(0);
  });

  it("again waits out a broker that still knows the old connection", async () => {
    const { broker, producer, clock } = await start({ producerName: "n" });
    broker.refuse(CommandType.PRODUCER, ServerError.ProducerBusy);
    broker.connection.drop();
    await clock.advance(2000);
    expect(producer.isConnected).toBe(false);
    broker.off(CommandType.PRODUCER);
    await clock.advance(3000);
    expect(producer.isConnected).toBe(true);
  });

  it("with WaitForExclusive takes as long as it takes", async () => {
    const { client, broker, clock } = await startFixture({ operationTimeoutMs: 1000 });
    let ready: () => void = () => undefined;
    broker.on(CommandType.PRODUCER, ({ requestId }, connection) => {
      const answer = (producerReady: boolean): void =>
        connection.send({ type: CommandType.PRODUCER_SUCCESS, body: { requestId, producerName: "n", producerReady } });
      answer(false);
      ready = () => answer(true);
      return true;
    });
    const opening = client.createProducer({ topic: "t", accessMode: "WaitForExclusive" });
    await clock.advance(60_000);
    expect(await isSettled(opening)).toBe(false);
    ready();
    expect((await opening).producerName).toBe("n");
  });

  it("goes on from the sequence id the broker knows, and only the first time", async () => {
    const { client, broker, clock } = await startFixture();
    broker.lastSequenceId = 41;
    const producer = await client.createProducer({ topic: "t", producerName: "n", batchingEnabled: false });
    expect(producer.lastSequenceId).toBe(41);
    await producer.send("a");
    broker.lastSequenceId = 7;
    broker.connection.drop();
    await clock.advance(200);
    await producer.send("b");
    expect(broker.sent.map((s) => s.body.sequenceId)).toEqual([42, 43]);
  });
});

describe("closing", () => {
  it("sends what is collected and waits for its receipts", async () => {
    const { broker, producer } = await start({ batchingMaxPublishDelayMs: 60_000 });
    const send = producer.send("x");
    await producer.close();
    expect((await send).entryId).toBe(0);
    expect(broker.types.slice(-2)).toEqual([CommandType.SEND, CommandType.CLOSE_PRODUCER]);
    expect(await outcome(producer.send("y"))).toBe("AlreadyClosed");
    await producer.close();
  });

  it("without a connection rejects what has no receipt", async () => {
    const { broker, producer, client, settle, clock } = await start();
    broker.autoReceipts = false;
    const sent = outcome(producer.send("x"));
    await clock.advance(5);
    await broker.stop();
    broker.connection.drop();
    await settle();
    const waiting = outcome(producer.send("y"));
    await producer.close();
    expect([await sent, await waiting]).toEqual(["AlreadyClosed", "AlreadyClosed"]);
    await client.close();
    expect([client.pendingBytes, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("ends when the connection does, with every send settled", async () => {
    const { broker, producer, settle } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const send = outcome(producer.send("x"));
    const closing = producer.close();
    await settle();
    expect(await isSettled(closing)).toBe(false);
    broker.connection.drop();
    await closing;
    expect(await send).toBe("AlreadyClosed");
  });
});

describe("partitions", () => {
  async function partitioned(
    count: number,
    options: Partial<ProducerOptions> = {},
  ): Promise<WithProducer & { grow(n: number): void }> {
    const fixture = await startFixture();
    let partitions = count;
    fixture.broker.on(CommandType.PARTITIONED_METADATA, ({ requestId }, connection) => {
      const body = { requestId, partitions, response: 0 as const };
      connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
      return true;
    });
    const producer = await fixture.client.createProducer({ topic: "t", ...options });
    return {
      ...fixture,
      producer,
      grow: (n) => {
        partitions = n;
      },
    };
  }

  it("have a producer each, and ids that tell which", async () => {
    const { broker, producer } = await partitioned(3, { batchingEnabled: false });
    expect(
      broker
        .of(CommandType.PRODUCER)
        .map((p) => p.topic)
        .sort(),
    ).toEqual([0, 1, 2].map((i) => `persistent://public/default/t-partition-${i}`));
    const ids = await Promise.all(numbers(6).map((t) => producer.send(t)));
    expect(ids.map((id) => id.partition).sort()).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("that are added are used after a while", async () => {
    const { producer, grow, clock } = await partitioned(3, { autoUpdatePartitionsIntervalMs: 1000 });
    grow(4);
    await clock.advance(1100);
    expect(producer.numberOfPartitions).toBe(4);
  });

  it("that cannot all be had close those that could", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.PARTITIONED_METADATA, ({ requestId }, connection) => {
      const body = { requestId, partitions: 2, response: 0 as const };
      connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
      return true;
    });
    broker.on(CommandType.PRODUCER, ({ requestId, topic }, connection) => {
      if (topic.endsWith("0")) return false;
      const body = { requestId, error: ServerError.AuthorizationError, message: "no" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("AuthorizationError");
    expect(broker.of(CommandType.CLOSE_PRODUCER).length).toBe(1);
  });
});

describe("options", () => {
  it.each([
    ["topic", { topic: "" }],
    ["maxPendingMessages", { maxPendingMessages: 0 }],
    ["sendTimeoutMs", { sendTimeoutMs: -1 }],
    ["batchingMaxMessages", { batchingMaxMessages: 1.5 }],
    ["batchingType", { batchingType: "x" as never }],
    ["compressionType", { compressionType: "GZIP" as never }],
    ["accessMode", { accessMode: "x" as never }],
    ["messageRouter", { messageRoutingMode: "CustomPartition" as const }],
    ["properties.a", { properties: { a: 1 as never } }],
    ["blockIfQueueFull", { blockIfQueueFull: "yes" as never }],
  ])("that are wrong are refused by name: %s", async (name, options) => {
    const { runtime } = await startFixture();
    const client = new CoreClient({ serviceUrl: "pulsar://nowhere" }, runtime);
    const error = await client.createProducer({ topic: "t", ...options }).catch((e) => e);
    expect(error.message).toContain(`InvalidConfiguration: ${name}`);
  });

  it("that are misspelt are refused, and told which ones were meant", async () => {
    const { client } = await startFixture();
    const misspelt = [
      [{ maxPendingMesages: 5 }, "did you mean maxPendingMessages?"],
      [{ compresionType: "LZ4" }, "did you mean compressionType?"],
      [{ qwertyuiop: 1 }, 'a producer has no option "qwertyuiop"'],
    ] as const;
    for (const [options, text] of misspelt) {
      const error = await client.createProducer({ topic: "t", ...options }).catch((e) => e);
      expect(error.code).toBe("InvalidConfiguration");
      expect(error.message).toContain(text);
    }
  });

  it.each([
    ["chunkingEnabled", { chunkingEnabled: 1 as never }],
    ["chunkMaxMessageSize", { chunkMaxMessageSize: -1 }],
    ["encryptionKeys", { encryptionKeys: "key" as never }],
    ["encryptionKeys", { encryptionKeys: ["key", ""] }],
    ["encryptionKeys", { encryptionKeys: ["key"] }],
    ["encryptionKeys", { cryptoKeyReader: {} }],
    ["cryptoKeyReader", { encryptionKeys: ["key"], cryptoKeyReader: 5 as never }],
    ["cryptoKeyReader.getPublicKey", { encryptionKeys: ["key"], cryptoKeyReader: { getPublicKey: 5 as never } }],
    ["cryptoFailureAction", { cryptoFailureAction: "DISCARD" as never }],
    ["maxPendingMessagesAcrossPartitions", { maxPendingMessagesAcrossPartitions: 0 }],
    ["lazyStartPartitionedProducers", { lazyStartPartitionedProducers: "yes" as never }],
  ])("about payloads and partitions that are wrong are refused by name: %s", async (name, options) => {
    const { client } = await startFixture();
    const error = await client.createProducer({ topic: "t", ...options }).catch((e) => e);
    expect(error.message).toContain(`InvalidConfiguration: ${name}`);
  });

  it("that name no topic are refused", async () => {
    const { client } = await startFixture();
    for (const topic of ["tenant/cluster", "a/b/c/d", "x://a/b/c"]) {
      expect(await outcome(client.createProducer({ topic }))).toBe("InvalidTopicName");
    }
  });
});
