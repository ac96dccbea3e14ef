import { CommandType, decodeBatch, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { type Fixture, outcome, startFixture } from "../testing/fixture.ts";
import type { Producer } from "./producer.ts";
import type { ProducerOptions } from "./producer-options.ts";

const numbers = (n: number): string[] => Array.from({ length: n }, (_, i) => String(i));

interface Partitioned extends Fixture {
  producer: Producer;
  /** The numbers of the partitions that were attached, in order. */
  attached(): number[];
}

async function start(count: number, options: Partial<ProducerOptions> = {}): Promise<Partitioned> {
  const fixture = await startFixture();
  const { broker } = fixture;
  broker.on(CommandType.PARTITIONED_METADATA, ({ requestId }, connection) => {
    const body = { requestId, partitions: count, response: 0 as const };
    connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
    return true;
  });
  const messageRouter = ({ key }: { key?: string | Uint8Array }): number => Number(key);
  const producer = await fixture.client.createProducer({
    topic: "t",
    messageRouter,
    batchingEnabled: false,
    ...options,
  });
  const attached = (): number[] => broker.of(CommandType.PRODUCER).map((p) => Number(p.topic.at(-1)));
  return { ...fixture, producer, attached };
}

describe("partitions that start lazily", () => {
  const lazy = { lazyStartPartitionedProducers: true };

  it("are attached by their first message; the first at once", async () => {
    const { producer, attached } = await start(4, lazy);
    expect(attached()).toEqual([0]);
    expect(producer.isConnected).toBe(true);
    expect((await producer.send({ data: "x", key: "2" })).partition).toBe(2);
    expect(attached()).toEqual([0, 2]);
    await producer.send({ data: "y", key: "2" });
    await producer.send({ data: "z", key: "0" });
    expect(attached()).toEqual([0, 2]);
  });

  it("keep the order of what is sent while they are being attached and right after", async () => {
    const { producer, broker } = await start(2, lazy);
    const early = numbers(5).map((data) => producer.send({ data, key: "1" }));
    const late = early[0]?.then(() => Promise.all(["5", "6"].map((data) => producer.send({ data, key: "1" }))));
    await producer.flush();
    await Promise.all([...early, late]);
    expect(broker.sent.map((s) => s.texts[0])).toEqual(numbers(7));
    expect(broker.sent.map((s) => Number(s.body.sequenceId))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it("reject what waits when they are refused, and try again with the next message", async () => {
    const { producer, broker } = await start(2, lazy);
    broker.refuse(CommandType.PRODUCER, ServerError.AuthorizationError);
    const refused = [producer.send({ data: "a", key: "1" }), producer.send({ data: "b", key: "1" })];
    expect(await Promise.all(refused.map(outcome))).toEqual(["AuthorizationError", "AuthorizationError"]);
    broker.off(CommandType.PRODUCER);
    expect(await outcome(producer.send({ data: "c", key: "1" }))).toBe("resolved");
  });

  it("reject what waits when the producer is closed, and close where they were never attached", async () => {
    const { producer, broker, client, clock } = await start(3, lazy);
    broker.on(CommandType.PRODUCER, () => true);
    const waiting = outcome(producer.send({ data: "a", key: "1" }));
    await producer.close();
    expect(await waiting).toBe("AlreadyClosed");
    expect(client.pendingBytes).toBe(0);
    await client.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("are all attached at once where the access mode promises something of every one", async () => {
    const { attached } = await start(3, { ...lazy, accessMode: "Exclusive" });
    expect(attached().sort()).toEqual([0, 1, 2]);
  });
});

describe("pending messages of several partitions", () => {
  it("have a limit together, of which each partition has its share", async () => {
    const { producer, broker, settle } = await start(2, { maxPendingMessagesAcrossPartitions: 6 });
    broker.autoReceipts = false;
    const sends = ["0", "0", "0", "0", "1"].map((key) => producer.send({ data: "x", key }));
    expect(await outcome(sends[3] as Promise<unknown>)).toBe("ProducerQueueIsFull");
    await settle();
    expect(broker.sent.length).toBe(4);
    for (const send of sends) send.catch(() => undefined);
  });

  it("are not looked for in new partitions where autoUpdatePartitions is off", async () => {
    const { broker, clock } = await start(2, { autoUpdatePartitions: false, autoUpdatePartitionsIntervalMs: 1000 });
    const asked = broker.of(CommandType.PARTITIONED_METADATA).length;
    await clock.advance(10_000);
    expect(broker.of(CommandType.PARTITIONED_METADATA).length).toBe(asked);
  });
});

describe("a producer's name and epoch", () => {
  it("take the place of an attempt that had no answer: the same made-up name, a higher epoch", async () => {
    const fixture = await startFixture({ operationTimeoutMs: 1000 });
    const { broker, clock, client } = fixture;
    const producer = await client.createProducer({ topic: "t" });
    let silent = true;
    broker.on(CommandType.PRODUCER, () => silent);
    broker.connection.drop();
    while (broker.of(CommandType.PRODUCER).length < 2) await clock.advance(100);
    await clock.advance(1000);
    silent = false;
    const sent = producer.send("x");
    while (broker.sent.length < 1) await clock.advance(100);
    await sent;
    const commands = broker.of(CommandType.PRODUCER);
    expect(commands.slice(0, 3).map((p) => Number(p.epoch))).toEqual([0, 1, 2]);
    expect(commands.map((p) => p.producerName)).toEqual([undefined, "made-up", "made-up"]);
    expect(commands.every((p) => p.userProvidedProducerName === false)).toBe(true);
    // what the broker may have made of the attempt without an answer is taken back
    expect(broker.of(CommandType.CLOSE_PRODUCER).length).toBe(1);
  });
});

describe("sequence ids", () => {
  it.each(["NONE", "LZ4"] as const)(
    "are each message's own in a batch, given or counted: %s",
    async (compressionType) => {
      const { client, broker, runtime } = await startFixture();
      const producer = await client.createProducer({ topic: "t", compressionType, batchingMaxPublishDelayMs: 5 });
      const sends = [undefined, 10, undefined, 20, 21].map((sequenceId) =>
        producer.send(sequenceId === undefined ? { data: "x" } : { data: "x", sequenceId }),
      );
      await producer.flush();
      await Promise.all(sends);
      const { entry, body } = broker.sent[0] as (typeof broker.sent)[0];
      const { payload, metadata } = entry;
      const batch = await runtime.codec.decompress(
        compressionType,
        payload,
        metadata.uncompressedSize ?? payload.length,
      );
      expect(decodeBatch(batch, 5).map((m) => Number(m.metadata.sequenceId))).toEqual([0, 10, 11, 20, 21]);
      expect([Number(body.sequenceId), Number(body.highestSequenceId)]).toEqual([0, 21]);
      expect(producer.lastSequenceId).toBe(21);
    },
  );
});

describe("memory that sends hold", () => {
  const kinds: [string, Partial<ProducerOptions>][] = [
    ["one by one", { batchingEnabled: false }],
    ["in batches", { batchingMaxPublishDelayMs: 1 }],
    ["by key", { batchingType: "KeyBased" }],
    ["compressed later", { compressionType: "ZLIB", batchingEnabled: false }],
    ["in chunks", { chunkingEnabled: true, chunkMaxMessageSize: 2 }],
  ];

  describe.each(kinds)("%s", (_how, options) => {
    async function open(): Promise<Fixture & { producer: Producer }> {
      const fixture = await startFixture({ memoryLimitBytes: 1000 });
      const { codec } = fixture.runtime;
      if (options.compressionType === "ZLIB") {
        const { compress } = codec;
        codec.compress = async (type, bytes) => {
          await Promise.resolve();
          return compress.call(codec, type, bytes);
        };
      }
      const producer = await fixture.client.createProducer({ topic: "t", sendTimeoutMs: 1000, ...options });
      fixture.broker.autoReceipts = false;
      return { ...fixture, producer };
    }

    it("is given back when they time out", async () => {
      const { producer, client, clock } = await open();
      const sends = numbers(5).map((n) => outcome(producer.send({ data: `message ${n}`, key: n })));
      expect(client.pendingBytes).toBe(45);
      await clock.advance(2000);
      expect(await Promise.all(sends)).toEqual(Array(5).fill("Timeout"));
      expect(client.pendingBytes).toBe(0);
    });

    it.each(["TopicTerminatedError", "ProducerFenced"] as const)(
      "is given back when they end with %s",
      async (name) => {
        const { producer, client, broker, clock } = await open();
        broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
          const body = { producerId, sequenceId, error: ServerError[name], message: "over" };
          connection.send({ type: CommandType.SEND_ERROR, body });
          return true;
        });
        const sends = numbers(5).map((n) => outcome(producer.send({ data: `message ${n}`, key: n })));
        await clock.advance(100);
        expect(await Promise.all(sends)).toEqual(Array(5).fill(name));
        expect(client.pendingBytes).toBe(0);
      },
    );

    it("is given back when the producer is closed, once for each", async () => {
      const { producer, client, broker, clock } = await open();
      const sends = numbers(5).map((n) => outcome(producer.send({ data: `message ${n}`, key: n })));
      broker.connection.drop();
      await clock.settle();
      await producer.close();
      expect(await Promise.all(sends)).toEqual(Array(5).fill("AlreadyClosed"));
      await clock.advance(5000);
      expect(client.pendingBytes).toBe(0);
    });

    it("is not touched by messages that are refused at once", async () => {
      const { producer, client } = await open();
      const wrong = [{ data: 5 }, { dta: "x" }, { data: "x", eventTime: -1 }, null, undefined, 7];
      for (const message of wrong) expect(await outcome(producer.send(message as never))).not.toBe("resolved");
      expect(client.pendingBytes).toBe(0);
    });
  });

  it("is given back once where compression fails after the send has timed out", async () => {
    const { client, runtime, clock } = await startFixture();
    let fail: (error: Error) => void = () => undefined;
    runtime.codec.compress = () => new Promise((_, reject) => (fail = reject));
    const producer = await client.createProducer({ topic: "t", compressionType: "ZLIB", sendTimeoutMs: 100 });
    const send = outcome(producer.send("x"));
    await clock.advance(200);
    expect(await send).toBe("Timeout");
    fail(new Error("late"));
    await clock.settle();
    expect(client.pendingBytes).toBe(0);
  });
});
