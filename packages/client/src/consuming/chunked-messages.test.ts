import { CommandAckAckType, CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { MessageId } from "../message-id.ts";
import { type Fixture, isSettled, startFixture } from "../testing/fixture.ts";
import type { Consumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

interface WithConsumer extends Fixture {
  consumer: Consumer;
  chunk(entryId: number, text: string, part: Part): void;
  drain(): Promise<string[]>;
  acked(): number[];
}

interface Part {
  uuid?: string;
  id: number;
  of: number;
  total: number;
  publishTime?: number;
  redeliveryCount?: number;
}

async function start(options: Partial<ConsumerOptions> = {}): Promise<WithConsumer> {
  const fixture = await startFixture();
  const { broker, clock, settle } = fixture;
  const consumer = await fixture.client.subscribe({
    topic: "t",
    subscription: "s",
    type: "Shared",
    acknowledgmentGroupTimeMs: 0,
    ...options,
  });
  await settle();
  return {
    ...fixture,
    consumer,
    chunk(entryId, text, { uuid = "p-0", id, of, total, publishTime = clock.now(), redeliveryCount = 0 }) {
      const metadata = { uuid, chunkId: id, numChunksFromMsg: of, totalChunkMsgSize: total, publishTime };
      broker.deliver({ entryId, texts: [text], metadata, redeliveryCount });
    },
    async drain() {
      await settle();
      const texts: string[] = [];
      while (consumer.queuedMessages > 0) texts.push((await consumer.receive()).text());
      return texts;
    },
    acked: () => broker.of(CommandType.ACK).flatMap((a) => (a.messageId ?? []).map((id) => id.entryId)),
  };
}

const three = (c: WithConsumer, from: number, uuid = "p-0"): void => {
  for (const [id, text] of ["abc", "def", "g"].entries()) c.chunk(from + id, text, { uuid, id, of: 3, total: 7 });
};

describe("a chunked message", () => {
  it("is delivered whole, once its last chunk is there", async () => {
    const c = await start();
    c.chunk(0, "abc", { id: 0, of: 2, total: 5 });
    expect(await c.drain()).toEqual([]);
    c.chunk(1, "de", { id: 1, of: 2, total: 5 });
    await c.settle();
    const message = await c.consumer.receive();
    expect(message.text()).toBe("abcde");
    expect(String(message.messageId)).toBe("1:1:-1");
    expect(message.messageId.chunks?.map((p) => p.entryId)).toEqual([0, 1]);
  });

  it("whose beginning is missing comes again, also where an ack timeout runs", async () => {
    const c = await start({ ackTimeoutMs: 10_000, negativeAckRedeliveryDelayMs: 1000 });
    c.chunk(1, "de", { id: 1, of: 2, total: 5 });
    await c.settle();
    await c.clock.advance(1000);
    const asked = c.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES);
    expect(asked.flatMap((a) => (a.messageIds ?? []).map((id) => id.entryId))).toEqual([1]);
  });

  it("is acknowledged with all its chunks, by the message and by its id", async () => {
    const c = await start();
    three(c, 0);
    three(c, 3, "p-1");
    await c.settle();
    await c.consumer.acknowledge(await c.consumer.receive());
    await c.consumer.acknowledge((await c.consumer.receive()).messageId);
    await c.settle();
    expect(c.acked()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("takes all before it along in a cumulative acknowledgement", async () => {
    const c = await start({ type: "Exclusive" });
    three(c, 0);
    await c.settle();
    await c.consumer.acknowledgeCumulative(await c.consumer.receive());
    await c.settle();
    expect(c.acked()).toEqual([2]);
    expect(c.broker.of(CommandType.ACK)[0]?.ackType).toBe(CommandAckAckType.Cumulative);
  });

  it("comes again with all its chunks after a negative acknowledgement", async () => {
    const c = await start({ negativeAckRedeliveryDelayMs: 100 });
    three(c, 0);
    await c.settle();
    c.consumer.negativeAcknowledge(await c.consumer.receive());
    await c.clock.advance(100);
    await c.settle();
    const [again] = c.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES);
    expect(again?.messageIds?.map((id) => id.entryId)).toEqual([0, 1, 2]);
    three(c, 0);
    expect(await c.drain()).toEqual(["abcdefg"]);
  });

  it("is put together beside others whose chunks are mixed with its own", async () => {
    const c = await start();
    c.chunk(0, "a0", { uuid: "a-0", id: 0, of: 3, total: 6 });
    c.chunk(1, "b0", { uuid: "b-0", id: 0, of: 2, total: 4 });
    c.chunk(2, "a1", { uuid: "a-0", id: 1, of: 3, total: 6 });
    c.broker.deliver({ entryId: 3, texts: ["plain"] });
    c.chunk(4, "b1", { uuid: "b-0", id: 1, of: 2, total: 4 });
    c.chunk(5, "a2", { uuid: "a-0", id: 2, of: 3, total: 6 });
    expect(await c.drain()).toEqual(["plain", "b0b1", "a0a1a2"]);
  });

  it("costs one place in the queue: the permits of the other chunks go back at once", async () => {
    const c = await start({ receiverQueueSize: 1 });
    for (let from = 0; from < 30; from += 3) three(c, from, `p-${from}`);
    await c.settle();
    for (let i = 0; i < 10; i++) expect((await c.consumer.receive()).text()).toBe("abcdefg");
    await c.settle();
    const granted = c.broker.of(CommandType.FLOW).reduce((sum, f) => sum + f.messagePermits, 0);
    expect(granted).toBe(31);
  });

  it("reaches a consumer without a queue", async () => {
    const c = await start({ receiverQueueSize: 0 });
    const receiving = c.consumer.receive();
    await c.settle();
    three(c, 0);
    await c.settle();
    expect((await receiving).text()).toBe("abcdefg");
    const granted = c.broker.of(CommandType.FLOW).reduce((sum, f) => sum + f.messagePermits, 0);
    expect(granted).toBe(3);
  });

  it("is uncompressed as a whole", async () => {
    const c = await start();
    const whole = await c.runtime.codec.compress("SNAPPY", new TextEncoder().encode("hello hello hello hello"));
    const part = (id: number, bytes: Uint8Array): void => {
      const metadata = {
        uuid: "p-0",
        chunkId: id,
        numChunksFromMsg: 2,
        totalChunkMsgSize: whole.length,
        compression: 4 as const,
        uncompressedSize: 23,
      };
      c.broker.deliver({ entryId: id, texts: [String.fromCharCode(...bytes)], metadata });
    };
    part(0, whole.subarray(0, 5));
    part(1, whole.subarray(5));
    expect(await c.drain()).toEqual(["hello hello hello hello"]);
  });
});

describe("chunks that come twice or out of order", () => {
  it("are left out where it is the same chunk again, and acknowledged where it is a copy", async () => {
    const c = await start();
    c.chunk(0, "abc", { id: 0, of: 3, total: 7 });
    c.chunk(1, "def", { id: 1, of: 3, total: 7 });
    c.chunk(1, "def", { id: 1, of: 3, total: 7, redeliveryCount: 1 });
    c.chunk(2, "def", { id: 1, of: 3, total: 7 });
    c.chunk(3, "g", { id: 2, of: 3, total: 7 });
    expect(await c.drain()).toEqual(["abcdefg"]);
    expect(c.acked()).toEqual([2]);
  });

  it("begin anew where a producer sent the message again from its start", async () => {
    const c = await start();
    c.chunk(0, "abc", { id: 0, of: 3, total: 7 });
    c.chunk(1, "def", { id: 1, of: 3, total: 7 });
    three(c, 2);
    expect(await c.drain()).toEqual(["abcdefg"]);
    expect(c.acked()).toEqual([0, 1]);
  });

  it("begin anew where the broker delivers again from the start", async () => {
    const c = await start();
    c.chunk(0, "abc", { id: 0, of: 3, total: 7 });
    three(c, 0);
    expect(await c.drain()).toEqual(["abcdefg"]);
    expect(c.acked()).toEqual([]);
  });

  it("are given up where one is missing, and come again together", async () => {
    const c = await start({ negativeAckRedeliveryDelayMs: 100 });
    c.chunk(0, "abc", { id: 0, of: 3, total: 7 });
    c.chunk(2, "g", { id: 2, of: 3, total: 7 });
    expect(await c.drain()).toEqual([]);
    await c.clock.advance(100);
    await c.settle();
    const [again] = c.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES);
    expect(again?.messageIds?.map((id) => id.entryId)).toEqual([0, 2]);
    three(c, 0);
    expect(await c.drain()).toEqual(["abcdefg"]);
  });

  it("are acknowledged where their beginning is missing and too old to come", async () => {
    const c = await start({ expireTimeOfIncompleteChunkedMessageMs: 1000 });
    c.chunk(1, "def", { id: 1, of: 3, total: 7, publishTime: c.clock.now() - 1001 });
    await c.settle();
    expect(c.acked()).toEqual([1]);
  });

  it("are acknowledged by an exclusive consumer when their time is over", async () => {
    const c = await start({ type: "Exclusive", expireTimeOfIncompleteChunkedMessageMs: 1000 });
    c.chunk(1, "def", { id: 1, of: 3, total: 7 });
    await c.clock.advance(999);
    expect(c.acked()).toEqual([]);
    await c.clock.advance(1);
    await c.settle();
    expect(c.acked()).toEqual([1]);
    expect(c.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES)).toEqual([]);
  });

  it("are not mixed with those from before a lost connection", async () => {
    const c = await start();
    c.chunk(0, "abc", { id: 0, of: 3, total: 7 });
    await c.settle();
    c.broker.connection.drop();
    while (c.broker.of(CommandType.FLOW).length < 2) await c.clock.advance(100);
    three(c, 0);
    expect(await c.drain()).toEqual(["abcdefg"]);
    expect(c.acked()).toEqual([]);
  });

  it("hold no more than they said to", async () => {
    const c = await start({ negativeAckRedeliveryDelayMs: 100 });
    c.chunk(0, "abc", { id: 0, of: 2, total: 5 });
    c.chunk(1, "much more than was announced", { id: 1, of: 2, total: 5 });
    c.broker.deliver({ entryId: 2, texts: ["next"] });
    expect(await c.drain()).toEqual(["next"]);
  });
});

describe("incomplete chunked messages", () => {
  it.each([true, false])("beyond the limit give up the oldest; acknowledged: %s", async (autoAck) => {
    const c = await start({
      maxPendingChunkedMessage: 2,
      autoAckOldestChunkedMessageOnQueueFull: autoAck,
      negativeAckRedeliveryDelayMs: 100,
    });
    for (const n of [0, 1, 2]) c.chunk(n, "abc", { uuid: `p-${n}`, id: 0, of: 2, total: 5 });
    await c.settle();
    expect(c.acked()).toEqual(autoAck ? [0] : []);
    for (const n of [1, 2]) c.chunk(n + 10, "de", { uuid: `p-${n}`, id: 1, of: 2, total: 5 });
    expect(await c.drain()).toEqual(["abcde", "abcde"]);
    await c.clock.advance(100);
    await c.settle();
    const again = c.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES).flatMap((r) => r.messageIds ?? []);
    expect(again.map((id) => id.entryId)).toEqual(autoAck ? [] : [0]);
  });

  it("are acknowledged when the rest does not come in time", async () => {
    const c = await start({ expireTimeOfIncompleteChunkedMessageMs: 5000 });
    c.chunk(0, "abc", { id: 0, of: 3, total: 7 });
    c.chunk(1, "def", { id: 1, of: 3, total: 7 });
    await c.clock.advance(4999);
    expect(c.acked()).toEqual([]);
    await c.clock.advance(1);
    await c.settle();
    expect(c.acked()).toEqual([0, 1]);
  });

  it("are waited for without end where the time is 0", async () => {
    const c = await start({ expireTimeOfIncompleteChunkedMessageMs: 0 });
    c.chunk(0, "abc", { id: 0, of: 2, total: 5 });
    await c.clock.advance(10 * 60_000);
    c.chunk(1, "de", { id: 1, of: 2, total: 5 });
    expect(await c.drain()).toEqual(["abcde"]);
  });
});

describe("a seek to a chunked message", () => {
  async function withId(): Promise<WithConsumer & { id: MessageId }> {
    const c = await start({ type: "Exclusive" });
    three(c, 10);
    await c.settle();
    const { messageId: id } = await c.consumer.receive();
    return { ...c, id };
  }

  it("inclusive begins at its first chunk and delivers it whole, nothing from before", async () => {
    const c = await withId();
    await c.consumer.seek(c.id, { inclusive: true });
    expect(c.broker.of(CommandType.SEEK)[0]?.messageId).toMatchObject({ entryId: 10 });
    c.chunk(10, "abc", { id: 0, of: 3, total: 7 });
    c.broker.deliver({ entryId: 11, texts: ["between"] });
    c.chunk(12, "defg", { id: 1, of: 2, total: 7 });
    expect(await c.drain()).toEqual(["abcdefg"]);
  });

  it("exclusive leaves it out, and keeps what began between its chunks", async () => {
    const c = await withId();
    await c.consumer.seek(c.id);
    c.chunk(10, "abc", { id: 0, of: 2, total: 7 });
    c.chunk(11, "other ", { uuid: "q-0", id: 0, of: 2, total: 11 });
    c.chunk(12, "defg", { id: 1, of: 2, total: 7 });
    c.chunk(13, "whole", { uuid: "q-0", id: 1, of: 2, total: 11 });
    expect(await c.drain()).toEqual(["other whole"]);
    expect(c.acked()).toEqual([10, 12]);
    expect(await isSettled(c.consumer.receive())).toBe(false);
  });
});
