import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { MessageId } from "../message-id.ts";
import { type Fixture, isSettled, outcome, startFixture } from "../testing/fixture.ts";
import type { Producer } from "./producer.ts";
import type { ProducerOptions } from "./producer-options.ts";

async function start(options: Partial<ProducerOptions> = {}): Promise<Fixture & { producer: Producer }> {
  const fixture = await startFixture();
  const producer = await fixture.client.createProducer({ topic: "t", chunkingEnabled: true, ...options });
  return { ...fixture, producer };
}

const letters = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(97 + (i % 26))).join("");

describe("a message sent in chunks", () => {
  it("becomes entries with one uuid and one sequence id, each with its number", async () => {
    const { broker, producer } = await start({ chunkMaxMessageSize: 10, producerName: "p1" });
    const text = letters(25);
    const id = await producer.send({ data: text, key: "k", properties: { a: "b" } });
    expect(broker.sent.map((s) => s.texts[0])).toEqual([text.slice(0, 10), text.slice(10, 20), text.slice(20)]);
    broker.sent.forEach((s, chunkId) => {
      expect(s.body).toMatchObject({ sequenceId: 0, isChunk: true });
      const uuid = "p1-0";
      expect(s.entry.metadata).toMatchObject({ uuid, chunkId, numChunksFromMsg: 3, totalChunkMsgSize: 25 });
      expect(s.entry.metadata).toMatchObject({ partitionKey: "k", properties: [{ key: "a", value: "b" }] });
    });
    expect(id.chunks).toEqual([0, 1, 2].map((entryId) => ({ ledgerId: 1, entryId })));
    expect(String(id)).toBe("1:2:-1");
    expect(String(await producer.send("small"))).toBe("1:3:-1");
    expect(broker.sent[3]?.entry.metadata.numChunksFromMsg).toBeUndefined();
    expect(broker.sent[3]?.body.sequenceId).toBe(1);
  });

  it("has an id that keeps its first and its last chunk when it is serialised", async () => {
    const { producer } = await start({ chunkMaxMessageSize: 10 });
    const id = await producer.send(letters(35));
    const copy = MessageId.fromBytes(id.toBytes());
    expect(copy.equals(id)).toBe(true);
    expect(copy.chunks).toEqual([
      { ledgerId: 1, entryId: 0 },
      { ledgerId: 1, entryId: 3 },
    ]);
  });

  it("is cut to what the broker takes, keys and properties included", async () => {
    const { broker, producer, client } = await start();
    const properties = { padding: "x".repeat(1000) };
    await producer.send({ data: new Uint8Array(broker.maxMessageSize * 2), properties });
    expect(broker.sent.length).toBe(3);
    for (const { entry } of broker.sent) expect(entry.payload.length).toBeLessThan(broker.maxMessageSize - 1000);
    expect(client.pendingBytes).toBe(0);
  });

  it("is compressed before it is cut", async () => {
    const { broker, producer, runtime } = await start({ chunkMaxMessageSize: 1000, compressionType: "ZLIB" });
    const noise = runtime.random.bytes(2500);
    await producer.send(noise);
    const total = broker.sent.reduce((sum, s) => sum + s.entry.payload.length, 0);
    for (const { entry } of broker.sent)
      expect(entry.metadata).toMatchObject({ uncompressedSize: 2500, totalChunkMsgSize: total, compression: 2 });
    const whole = new Uint8Array(total);
    let at = 0;
    for (const { entry } of broker.sent) {
      whole.set(entry.payload, at);
      at += entry.payload.length;
    }
    expect(new Uint8Array(await runtime.codec.decompress("ZLIB", whole, 2500))).toEqual(noise);
  });

  it("counts as one message, so that more chunks than the pending limit neither block nor leak", async () => {
    for (const blockIfQueueFull of [false, true]) {
      const { producer, client } = await start({ chunkMaxMessageSize: 1, maxPendingMessages: 3, blockIfQueueFull });
      expect(await outcome(producer.send(letters(20)))).toBe("resolved");
      const more = [producer.send(letters(20)), producer.send(letters(20)), producer.send(letters(20))];
      expect(await Promise.all(more.map(outcome))).toEqual(["resolved", "resolved", "resolved"]);
      expect(client.pendingBytes).toBe(0);
    }
  });

  it("resolves once, with its last receipt; after a lost connection only chunks without a receipt go again", async () => {
    const { broker, producer, settle, clock } = await start({ chunkMaxMessageSize: 10 });
    broker.autoReceipts = false;
    const sending = producer.send(letters(30));
    await settle();
    broker.connection.receipt(0, 0, 7);
    broker.connection.receipt(0, 0, 8);
    await settle();
    expect(await isSettled(sending)).toBe(false);
    broker.connection.drop();
    while (broker.sent.length < 4) await clock.advance(100);
    expect(broker.sent.map((s) => s.entry.metadata.chunkId)).toEqual([0, 1, 2, 2]);
    broker.connection.receipt(0, 0, 11);
    expect((await sending).chunks?.map((c) => c.entryId)).toEqual([7, 8, 11]);
  });

  it("rejects once where one chunk is refused, and the next message passes", async () => {
    const { broker, producer, client } = await start({ chunkMaxMessageSize: 10 });
    let sends = 0;
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      if (sends++ !== 1) return false;
      const error = ServerError.NotAllowedError;
      connection.send({ type: CommandType.SEND_ERROR, body: { producerId, sequenceId, error, message: "no" } });
      return true;
    });
    const [first, second] = [producer.send(letters(30)), producer.send("next")];
    expect([await outcome(first), await outcome(second)]).toEqual(["NotAllowedError", "resolved"]);
    expect(client.pendingBytes).toBe(0);
  });

  it("times out as a whole", async () => {
    const { broker, producer, client, clock, settle } = await start({ chunkMaxMessageSize: 10, sendTimeoutMs: 500 });
    broker.autoReceipts = false;
    const sending = outcome(producer.send(letters(30)));
    await settle();
    broker.connection.receipt(0, 0, 7);
    await clock.advance(501);
    expect(await sending).toBe("Timeout");
    expect(client.pendingBytes).toBe(0);
  });

  it("is refused where its keys and properties leave no room", async () => {
    const { broker, producer } = await start();
    const huge = "z".repeat(broker.maxMessageSize + 20_000);
    expect(await outcome(producer.send({ data: letters(100), properties: { huge } }))).toBe("MessageTooBig");
    expect(await outcome(producer.send("next"))).toBe("resolved");
  });

  it("needs batching off", async () => {
    const { client } = await startFixture();
    const both = client.createProducer({ topic: "t", chunkingEnabled: true, batchingEnabled: true });
    await expect(both).rejects.toThrow("exclude each other");
  });
});
