import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { type Fixture, startFixture } from "../testing/fixture.ts";
import type { Consumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

interface WithConsumer extends Fixture {
  consumer: Consumer;
  /** The permits granted so far, one number a FLOW. */
  flows(): number[];
  /** What the broker was told is broken: why, and the entries. */
  refused(): unknown[];
}

async function start(options: Partial<ConsumerOptions> = {}): Promise<WithConsumer> {
  const fixture = await startFixture();
  const { broker, client, settle } = fixture;
  const consumer = await client.subscribe({ topic: "t", subscription: "s", type: "Shared", ...options });
  await settle();
  return {
    ...fixture,
    consumer,
    flows: () => broker.of(CommandType.FLOW).map((f) => f.messagePermits),
    refused: () =>
      broker.of(CommandType.ACK).map((a) => [a.validationError, ...(a.messageId ?? []).map((id) => id.entryId)]),
  };
}

const chunks = (c: WithConsumer, metadata: object): void => {
  for (const [chunkId, text] of ["abc", "def"].entries()) {
    const chunk = { uuid: "p-0", chunkId, numChunksFromMsg: 2, totalChunkMsgSize: 6, publishTime: c.clock.now() };
    c.broker.deliver({ entryId: chunkId, texts: [text], metadata: { ...chunk, ...metadata } });
  }
};

describe("an entry that is broken", () => {
  it.each([0, -1, -(2 ** 31)])("since it says to be a batch of %d is acknowledged with the reason", async (count) => {
    const c = await start();
    c.broker.deliver({ entryId: 0, texts: ["a"], metadata: { numMessagesInBatch: count } });
    c.broker.deliver({ entryId: 1, texts: ["b"] });
    await c.settle();
    expect(c.refused()).toEqual([[3, 0]]);
    expect(c.consumer.queuedMessages).toBe(1);
    expect((await c.consumer.receive()).text()).toBe("b");
  });

  it("since it says to be a batch of none, or fewer, leaves as many permits as there were", async () => {
    const c = await start({ receiverQueueSize: 4 });
    // the broker gives as many as it takes for each: none, and two back
    for (const [entryId, numMessagesInBatch] of [0, 0, 0, 0, -2].entries()) {
      c.broker.deliver({ entryId, texts: ["a"], metadata: { numMessagesInBatch } });
    }
    await c.settle();
    expect(c.flows()).toEqual([4]);
    for (const entryId of [5, 6, 7, 8]) {
      c.broker.deliver({ entryId, texts: ["b"] });
      await c.consumer.receive();
    }
    // of the six it had then it has two left, and gets the other two
    expect(c.flows()).toEqual([4, 2]);
  });

  it("and in part acknowledged gives back the permits of the rest", async () => {
    const c = await start({ receiverQueueSize: 4 });
    const metadata = { compression: 1 as const, uncompressedSize: 2 ** 31 };
    c.broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"], ackSet: [{ low: 0b1100, high: 0 }], metadata });
    await c.settle();
    expect(c.refused()).toEqual([[0, 0]]);
    expect(c.flows()).toEqual([4, 2]);
  });

  it("counts no further than its acknowledgements are known, however many messages it says to have", async () => {
    const c = await start({ receiverQueueSize: 4 });
    const metadata = { numMessagesInBatch: 2 ** 31 - 1, compression: 1 as const, uncompressedSize: 2 ** 31 };
    c.broker.deliver({ entryId: 0, texts: ["a"], ackSet: [{ low: 0b1100, high: 0 }], metadata });
    await c.settle();
    expect(c.flows()).toEqual([4, 2]);
  });

  it("after it was put together is acknowledged with all its chunks", async () => {
    const c = await start();
    chunks(c, { compression: 1, uncompressedSize: 2 ** 31 });
    await c.settle();
    expect(c.refused()).toEqual([[0, 0, 1]]);
  });

  it("for this client only, after it was put together, comes again with all its chunks", async () => {
    const c = await start({ ackTimeoutMs: 1000 });
    chunks(c, { compression: 99, uncompressedSize: 6 });
    await c.settle();
    expect(c.refused()).toEqual([]);
    await c.clock.advance(2000);
    const asked = c.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES);
    expect(asked.map((a) => (a.messageIds ?? []).map((id) => id.entryId))).toEqual([[0, 1]]);
  });
});
