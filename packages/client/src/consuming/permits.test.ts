import { describe, expect, it } from "vitest";
import { start, take } from "../testing/consumer-fixture.ts";

describe("permits", () => {
  it("are granted for the whole queue, and again at half of it", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 10 });
    for (let entryId = 0; entryId < 10; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    await settle();
    await take(consumer, 4);
    await settle();
    expect(flows()).toEqual([10]);
    await take(consumer, 1);
    await settle();
    expect(flows()).toEqual([10, 5]);
  });

  it("count messages and not entries", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 5 });
    for (let entryId = 0; entryId < 4; entryId++) {
      broker.deliver({ entryId, texts: ["a", "b", "c", "d", "e"] });
      await settle();
      await take(consumer, 5);
    }
    await settle();
    expect(flows().reduce((sum, n) => sum + n)).toBeGreaterThanOrEqual(5 + 20 - 1);
  });

  it("are given back for messages of a batch that nobody gets", async () => {
    const { broker, flows, settle } = await start({ receiverQueueSize: 4 });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"], corrupt: false, ackSet: [{ low: 0b0001, high: 0 }] });
    await settle();
    expect(flows()).toEqual([4]);
  });

  it("are not granted while paused", async () => {
    const { consumer, flows, settle } = await start({ startPaused: true, receiverQueueSize: 7 });
    expect(flows()).toEqual([]);
    consumer.resume();
    await settle();
    expect(flows()).toEqual([7]);
  });

  it("without a receiver queue are granted one for each receive that waits", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 0 });
    expect(flows()).toEqual([]);
    const first = consumer.receive();
    const second = consumer.receive();
    await settle();
    expect(flows()).toEqual([1, 1]);
    broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"] });
    expect([(await first).text(), (await second).text()]).toEqual(["a", "b"]);
    await take(consumer, 2);
    await settle();
    expect(flows()).toEqual([1, 1]);
    void consumer.receive().catch(() => undefined);
    await settle();
    // the batch of 4 was two more than had been granted
    expect(flows()).toEqual([1, 1, 3]);
  });

  it("without a receiver queue are granted again for what came and cannot be given", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 0 });
    const receiving = consumer.receive();
    await settle();
    broker.deliver({ entryId: 0, texts: ["broken"], corrupt: true });
    await settle();
    expect(flows()).toEqual([1, 1]);
    broker.deliver({ entryId: 1, texts: ["broken"], metadata: { compression: 1, uncompressedSize: 2 ** 31 } });
    await settle();
    expect(flows()).toEqual([1, 1, 1]);
    consumer.redeliverUnacknowledgedMessages();
    broker.deliver({ entryId: 2, texts: ["sent before the broker knew"], consumerEpoch: 0 });
    await settle();
    expect(flows()).toEqual([1, 1, 1, 1]);
    broker.deliver({ entryId: 3, texts: ["a"], consumerEpoch: 1 });
    expect((await receiving).text()).toBe("a");
  });

  it("without a receiver queue are not granted while a listener is busy", async () => {
    let release: () => void = () => undefined;
    const messageListener = (): Promise<void> =>
      new Promise((resolve) => {
        release = resolve;
      });
    const { broker, flows, settle } = await start({ receiverQueueSize: 0, messageListener });
    expect(flows()).toEqual([1]);
    broker.deliver({ entryId: 0, texts: ["a"] });
    await settle();
    expect(flows()).toEqual([1]);
    release();
    await settle();
    expect(flows()).toEqual([1, 1]);
  });

  it("without a receiver queue are granted again after a lost connection", async () => {
    const { broker, consumer, clock, flows } = await start({ receiverQueueSize: 0 });
    const receiving = consumer.receive();
    await clock.settle();
    broker.connection.drop();
    await clock.advance(200);
    expect(flows()).toEqual([1, 1]);
    broker.deliver({ entryId: 0, texts: ["a"] });
    expect((await receiving).text()).toBe("a");
  });
});
