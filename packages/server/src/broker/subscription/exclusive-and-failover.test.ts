import { KeySharedMode, ServerError } from "@pulsewire/protocol";
import { deferred } from "@pulsewire/runtime";
import { describe, expect, it, vi } from "vitest";
import { HASH_RANGE_SIZE, stickyKeyHash } from "../dispatch/sticky-key.ts";
import { ack, range, SubscriptionFixture } from "./subscription-fixture.ts";

describe("Exclusive", () => {
  it("with key ranges is given what falls into them; the rest counts as acknowledged", async () => {
    const f = await SubscriptionFixture.start();
    const hashRanges = [{ start: 0, end: HASH_RANGE_SIZE / 2 - 1 }];
    const a = f.join("Exclusive", 1000, { keySharedMeta: { keySharedMode: KeySharedMode.STICKY, hashRanges } });
    const wanted: string[] = [];
    for (let i = 0; i < 20; i++) {
      const metadata = { producerName: "p", sequenceId: i, publishTime: 0, partitionKey: `k${i}` };
      if (stickyKeyHash(metadata as never) < HASH_RANGE_SIZE / 2) wanted.push(String(i));
      await f.publish(String(i), { partitionKey: `k${i}` });
    }
    expect(wanted.length).toBeGreaterThan(3);
    expect(a.session.texts).toEqual(wanted);
    expect(f.subscription.stats().msgBacklog).toBe(wanted.length);
  });

  it("refuses a second consumer of whatever type", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Exclusive");
    const busy = expect.objectContaining({ code: ServerError.ConsumerBusy });
    expect(() => f.join("Exclusive")).toThrow(busy);
    expect(() => f.join("Shared")).toThrow(busy);
    a.consumer.close();
    expect(f.join("Shared").session).toBeDefined();
  });

  it("tells nobody that it is active", async () => {
    const f = await SubscriptionFixture.start();
    expect(f.join("Exclusive").session.events).toEqual([]);
  });

  it("redelivers everything that is not acknowledged to the next consumer, count 0", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Exclusive");
    const positions = await f.publishAll(0, 5);
    ack(a, positions[1] as never);
    a.consumer.close();
    const b = f.join("Exclusive");
    await f.clock.settle();
    expect(b.session.texts).toEqual(["0", "2", "3", "4"]);
    expect(b.session.got.every((g) => g.redeliveryCount === 0)).toBe(true);
  });

  it("a negative acknowledgement brings back what follows too, in order, and the count stays 0", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Exclusive");
    const positions = await f.publishAll(0, 4);
    a.session.take();
    a.consumer.redeliver([positions[1] as never], undefined);
    await f.clock.settle();
    expect(a.session.take().map((g) => [g.text, g.redeliveryCount])).toEqual(range(0, 4).map((t) => [t, 0]));
  });

  it("acknowledges cumulatively", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Exclusive");
    const positions = await f.publishAll(0, 20);
    a.consumer.acknowledgeCumulative({ position: positions[11] as never, ackSet: undefined });
    a.consumer.close();
    const b = f.join("Exclusive");
    await f.clock.settle();
    expect(b.session.texts).toEqual(range(12, 20));
  });

  it("goes on inside a batch that was acknowledged in part", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Exclusive");
    const batch = await f.publishBatch("b", 4);
    const ackSet = [{ low: 0b1100, high: 0 }];
    a.consumer.acknowledgeCumulative({ position: batch, ackSet });
    a.consumer.close();
    const b = f.join("Exclusive");
    await f.clock.settle();
    expect(b.session.got).toMatchObject([{ text: "b", ackSet }]);
  });

  it("starts over where one leaves while a read is under way that fails", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Exclusive");
    await f.publishAll(0, 3);
    const stored = deferred<void>();
    vi.spyOn(f.subscription.cursor, "read").mockImplementationOnce(async () => {
      await stored.promise;
      throw new Error("storage is away");
    });
    await f.publish("3");
    a.consumer.close();
    const b = f.join("Exclusive");
    stored.resolve();
    await f.clock.advance(2000);
    expect(b.session.texts).toEqual(range(0, 4));
  });
});

describe("Failover", () => {
  it("one gets everything, the next takes over with what was not acknowledged first", async () => {
    const f = await SubscriptionFixture.start();
    const b = f.join("Failover", 1000, { consumerName: "a" });
    const a = f.join("Failover", 1000, { consumerName: "b" });
    await f.clock.advance(1000);
    expect([a.session.events.at(-1), b.session.events.at(-1)]).toEqual(["active", "inactive"]);
    const positions = await f.publishAll(0, 6);
    expect([a.session.texts, b.session.texts]).toEqual([range(0, 6), []]);
    ack(a, positions[0] as never, positions[1] as never);
    a.consumer.close();
    await f.publish("6");
    expect(b.session.texts).toEqual([]);
    await f.clock.advance(1000);
    expect(b.session.texts).toEqual(range(2, 7));
    expect(b.session.events.at(-1)).toBe("active");
  });

  it("what was being read for the one that left does not overtake what it left", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Failover", 1000, { consumerName: "b" });
    const b = f.join("Failover", 1000, { consumerName: "a" });
    await f.clock.advance(1000);
    await f.publishAll(0, 3);
    const { cursor } = f.subscription;
    const read = cursor.read.bind(cursor);
    const stored = deferred<void>();
    vi.spyOn(cursor, "read").mockImplementationOnce(async (...bounds) => {
      await stored.promise;
      return read(...bounds);
    });
    await f.publish("3");
    a.consumer.close();
    stored.resolve();
    await f.clock.settle();
    expect(b.session.texts).toEqual([]);
    await f.clock.advance(1000);
    expect(b.session.texts).toEqual(range(0, 4));
  });

  it("a consumer of better priority becomes the active one", async () => {
    const f = await SubscriptionFixture.start();
    const low = f.join("Failover", 1000, { consumerName: "a", priorityLevel: 1 });
    await f.clock.advance(1000);
    await f.publish("0");
    const high = f.join("Failover", 1000, { consumerName: "z", priorityLevel: 0 });
    await f.clock.advance(1000);
    await f.publish("1");
    expect([low.session.texts, high.session.texts]).toEqual([["0"], ["0", "1"]]);
  });
});
