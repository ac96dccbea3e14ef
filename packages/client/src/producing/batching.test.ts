import { describe, expect, it } from "vitest";
import { isSettled } from "../testing/fixture.ts";
import { numbers, start } from "../testing/producer-fixture.ts";

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
