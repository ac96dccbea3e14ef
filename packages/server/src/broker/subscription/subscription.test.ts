import { KeySharedMode, ServerError } from "@pulsewire/protocol";
import { deferred } from "@pulsewire/runtime";
import { describe, expect, it, vi } from "vitest";
import { HASH_RANGE_SIZE, stickyKeyHash } from "../dispatch/sticky-key.ts";
import { type Attached, ack, range, SubscriptionFixture } from "./subscription-fixture.ts";

describe("every type", () => {
  it.each(["Exclusive", "Failover", "Shared", "Key_Shared"] as const)(
    "%s delivers in order, within permits",
    async (type) => {
      const f = await SubscriptionFixture.start();
      await f.publishAll(0, 10);
      const a = f.join(type, 4);
      await f.clock.advance(1000);
      expect(a.session.texts).toEqual(range(0, 4));
      a.consumer.flow(100);
      await f.clock.settle();
      expect(a.session.texts).toEqual(range(0, 10));
      await f.publish("10");
      expect(a.session.texts).toEqual(range(0, 11));
    },
  );

  it.each(["Exclusive", "Shared", "Key_Shared"] as const)("%s holds while the socket is full", async (type) => {
    const f = await SubscriptionFixture.start();
    const a = f.join(type);
    a.session.writable = false;
    await f.publishAll(0, 3);
    expect(a.session.texts).toEqual([]);
    a.session.writable = true;
    a.consumer.onWritable();
    await f.clock.settle();
    expect(a.session.texts).toEqual(range(0, 3));
  });

  it.each(["Exclusive", "Shared", "Key_Shared"] as const)(
    "%s counts permits in messages: batches of 5 keep flowing through a queue of 5",
    async (type) => {
      const f = await SubscriptionFixture.start();
      const a = f.join(type, 5);
      for (let i = 0; i < 4; i++) await f.publishBatch(String(i), 5);
      expect(a.session.texts).toEqual(["0"]);
      for (let i = 1; i < 4; i++) {
        a.consumer.flow(5);
        await f.clock.settle();
      }
      expect(a.session.texts).toEqual(range(0, 4));
    },
  );

  it.each(["Exclusive", "Failover", "Shared", "Key_Shared"] as const)(
    "%s tells the end of a terminated topic once all is acknowledged",
    async (type) => {
      const f = await SubscriptionFixture.start();
      const a = f.join(type);
      await f.clock.advance(1000);
      const [first, second] = await f.publishAll(0, 2);
      await f.ledger.terminate();
      f.subscription.topicTerminated();
      ack(a, first as never);
      expect(a.session.events).not.toContain("end");
      ack(a, second as never);
      ack(a, second as never);
      expect(a.session.events.filter((e) => e === "end")).toHaveLength(1);
    },
  );

  it.each(["Exclusive", "Shared", "Key_Shared"] as const)("%s starts anew after a seek", async (type) => {
    const f = await SubscriptionFixture.start();
    const a = f.join(type);
    const positions = await f.publishAll(0, 6);
    ack(a, ...positions);
    await f.subscription.seek(positions[2] as never);
    expect(a.session.events).toContain("closed");
    expect(f.subscription.consumers).toHaveLength(0);
    const b = f.join(type);
    await f.clock.settle();
    expect(b.session.texts).toEqual(range(2, 6));
    expect(b.session.got.every((g) => g.redeliveryCount === 0)).toBe(true);
  });

  it("refuses consumers while a seek is under way, with an error that is retried", async () => {
    const f = await SubscriptionFixture.start();
    const [first] = await f.publishAll(0, 2);
    const seeking = f.subscription.seek(first as never);
    expect(() => f.join("Shared")).toThrow(expect.objectContaining({ code: ServerError.ServiceNotReady }));
    await seeking;
    expect(f.join("Shared").session).toBeDefined();
  });

  it("does not deliver markers, and they do not stay in the backlog", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared");
    await f.publish("marker", { markerType: 10 });
    await f.publish("message");
    expect(a.session.texts).toEqual(["message"]);
    expect(f.subscription.stats().msgBacklog).toBe(1);
  });
});

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
});

describe("Failover", () => {
  it("one gets everything, the next by name takes over with what was not acknowledged first", async () => {
    const f = await SubscriptionFixture.start();
    const b = f.join("Failover", 1000, { consumerName: "b" });
    const a = f.join("Failover", 1000, { consumerName: "a" });
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
    const a = f.join("Failover", 1000, { consumerName: "a" });
    const b = f.join("Failover", 1000, { consumerName: "b" });
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

describe("Shared", () => {
  it("goes round among those with permits", async () => {
    const f = await SubscriptionFixture.start();
    const consumers = [f.join("Shared", 4), f.join("Shared", 10), f.join("Shared", 10)];
    await f.publishAll(0, 18);
    const counts = consumers.map((c) => c.session.got.length);
    expect(counts.reduce((a, b) => a + b)).toBe(18);
    expect(counts[0]).toBe(4);
    expect(Math.abs((counts[1] as number) - (counts[2] as number))).toBeLessThanOrEqual(1);
  });

  it("serves better priority first, the others with what is left", async () => {
    const f = await SubscriptionFixture.start();
    const low = f.join("Shared", 10, { priorityLevel: 1 });
    const high = f.join("Shared", 3, { priorityLevel: 0 });
    await f.publishAll(0, 5);
    expect([high.session.texts, low.session.texts]).toEqual([range(0, 3), range(3, 5)]);
  });

  it("counts a negative acknowledgement, and not a disconnect", async () => {
    const f = await SubscriptionFixture.start();
    let a: Attached = f.join("Shared");
    const [position] = await f.publishAll(0, 1);
    a.consumer.close();
    a = f.join("Shared");
    await f.clock.settle();
    expect(a.session.take()).toMatchObject([{ text: "0", redeliveryCount: 0 }]);
    for (let n = 1; n <= 3; n++) {
      a.consumer.redeliver([position as never], undefined);
      await f.clock.settle();
      expect(a.session.take()).toMatchObject([{ text: "0", redeliveryCount: n }]);
    }
    a.consumer.redeliver(undefined, undefined);
    await f.clock.settle();
    expect(a.session.take()).toMatchObject([{ redeliveryCount: 4 }]);
    ack(a, position as never);
    expect(f.subscription.stats()).toMatchObject({ msgBacklog: 0, unackedMessages: 0 });
  });

  it("gives what a leaving consumer held to the others, in order", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared", 5);
    await f.publishAll(0, 5);
    const b = f.join("Shared", 100);
    a.consumer.close();
    await f.clock.settle();
    expect(b.session.texts).toEqual(range(0, 5));
  });

  it("refuses a cumulative acknowledgement", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared");
    const [position] = await f.publishAll(0, 1);
    expect(() => a.consumer.acknowledgeCumulative({ position: position as never, ackSet: undefined })).toThrow(
      expect.objectContaining({ code: ServerError.NotAllowedError }),
    );
  });

  it("stops a consumer at its limit of unacknowledged messages, and goes on at half of it", async () => {
    const f = await SubscriptionFixture.start({ perConsumer: 4 });
    const a = f.join("Shared", 4);
    const positions = await f.publishAll(0, 10);
    expect(a.session.texts).toEqual(range(0, 4));
    a.consumer.flow(100);
    await f.clock.settle();
    expect(f.subscription.stats().consumers[0]).toMatchObject({ blockedOnUnackedMessages: true, unackedMessages: 4 });
    ack(a, positions[0] as never);
    await f.clock.settle();
    expect(a.session.got).toHaveLength(4);
    ack(a, positions[1] as never);
    await f.clock.settle();
    expect(a.session.got.length).toBeGreaterThan(4);
  });

  it("stops at the subscription's limit, and goes on when everything is acknowledged", async () => {
    const f = await SubscriptionFixture.start({ perSubscription: 4 });
    const consumers = [f.join("Shared", 2), f.join("Shared", 2)];
    await f.publishAll(0, 10);
    for (const c of consumers) c.consumer.flow(100);
    expect(f.subscription.stats()).toMatchObject({ blockedOnUnackedMessages: true, unackedMessages: 4 });
    for (const c of consumers) ack(c, ...c.session.take().map((g) => g.position));
    await f.clock.settle();
    expect(consumers.flatMap((c) => c.session.got).length).toBeGreaterThan(0);
    expect(f.subscription.stats().msgBacklog).toBe(6);
  });

  it("an acknowledgement by another consumer than the one that holds the message counts", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared", 1);
    const [position] = await f.publishAll(0, 1);
    const b = f.join("Shared", 1);
    ack(b, position as never);
    expect(f.subscription.stats()).toMatchObject({ unackedMessages: 0, msgBacklog: 0 });
    a.consumer.close();
    await f.clock.settle();
    expect(b.session.texts).toEqual([]);
  });

  it("acknowledges single indexes of a batch, and brings only the rest again", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared");
    const batch = await f.publishBatch("b", 3);
    a.consumer.acknowledge([{ position: batch, ackSet: [{ low: 0b010, high: 0 }] }]);
    expect(f.subscription.stats().unackedMessages).toBe(1);
    a.consumer.redeliver([batch], undefined);
    await f.clock.settle();
    expect(a.session.got.at(-1)).toMatchObject({ redeliveryCount: 1, ackSet: [{ low: 0b010, high: 0 }] });
    ack(a, batch);
    expect(f.subscription.stats()).toMatchObject({ unackedMessages: 0, msgBacklog: 0 });
  });

  it("delivers a delayed message at its time, and others before it", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared");
    await f.publish("late", { deliverAtTime: f.clock.now() + 3000 });
    await f.publish("soon", { deliverAtTime: f.clock.now() + 2000 });
    await f.publish("now");
    expect(a.session.texts).toEqual(["now"]);
    expect(f.subscription.stats()).toMatchObject({ msgDelayed: 2, msgBacklog: 3 });
    await f.clock.advance(1999);
    expect(a.session.texts).toEqual(["now"]);
    await f.clock.advance(1);
    expect(a.session.texts).toEqual(["now", "soon"]);
    await f.clock.advance(1000);
    expect(a.session.texts).toEqual(["now", "soon", "late"]);
  });

  it("forgets what is skipped or expired, also what a consumer holds", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Shared", 2);
    await f.publishAll(0, 5);
    f.subscription.skip(3);
    a.consumer.flow(10);
    await f.clock.settle();
    expect(a.session.texts).toEqual(["0", "1", "3", "4"]);
    expect(f.subscription.stats().unackedMessages).toBe(2);
    await f.subscription.expireBefore(f.clock.now());
    expect(f.subscription.stats()).toMatchObject({ unackedMessages: 0, msgBacklog: 0 });
  });
});

describe("Key_Shared", () => {
  const key = (i: number): string => `k${i % 7}`;

  function perKeyInOrder(consumers: readonly Attached[]): void {
    const seen = new Map<string, { consumer: Attached; last: number }>();
    for (const consumer of consumers) {
      for (const { text } of consumer.session.got) {
        const k = key(Number(text));
        const before = seen.get(k);
        if (before?.consumer === consumer) expect(Number(text)).toBeGreaterThan(before.last);
        seen.set(k, { consumer, last: Number(text) });
      }
    }
  }

  it("keeps each key at one consumer, in order", async () => {
    const f = await SubscriptionFixture.start();
    const consumers = [f.join("Key_Shared"), f.join("Key_Shared"), f.join("Key_Shared")];
    await f.publishAll(0, 100, key);
    expect(consumers.flatMap((c) => c.session.texts).sort()).toEqual(range(0, 100).sort());
    perKeyInOrder(consumers);
    for (let k = 0; k < 7; k++) {
      const owners = consumers.filter((c) => c.session.got.some((g) => key(Number(g.text)) === `k${k}`));
      expect(owners).toHaveLength(1);
    }
  });

  it("a key that changes its consumer waits until the old one has acknowledged it", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Key_Shared");
    await f.publishAll(0, 7, key);
    const held = new Map(a.session.got.map((g) => [key(Number(g.text)), g.position]));
    const joined = [f.join("Key_Shared"), f.join("Key_Shared")];
    await f.publishAll(7, 14, key);
    // whatever moved is held back: nobody but the first consumer has got anything of those keys
    expect(joined.flatMap((c) => c.session.got)).toEqual([]);
    for (const position of held.values()) ack(a, position);
    await f.clock.settle();
    expect(joined.flatMap((c) => c.session.got).length).toBeGreaterThan(0);
    expect([a, ...joined].flatMap((c) => c.session.texts).sort()).toEqual(range(0, 14).sort());
  });

  it("a consumer that is slow does not hold up the keys of the others", async () => {
    const f = await SubscriptionFixture.start();
    const slow = f.join("Key_Shared", 1);
    const fast = f.join("Key_Shared", 1000);
    await f.publishAll(0, 70, key);
    const ofFast = fast.session.texts.length;
    expect(slow.session.got).toHaveLength(1);
    expect(ofFast).toBeGreaterThan(0);
    slow.consumer.flow(1000);
    await f.clock.settle();
    expect(slow.session.got.length + ofFast).toBe(70);
    perKeyInOrder([slow, fast]);
  });

  it("an order of 500 with an idle consumer and one that joins with a queue of 1 holds", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Key_Shared", 500);
    await f.publishAll(0, 100, key);
    const b = f.join("Key_Shared", 1);
    await f.publishAll(100, 200, key);
    const order = new Map<string, number>();
    for (let round = 0; round < 500; round++) {
      const got = [a, b].flatMap((c) => c.session.take().map((g) => ({ c, g })));
      if (got.length === 0) break;
      for (const { c, g } of got) {
        const k = key(Number(g.text));
        expect(Number(g.text)).toBeGreaterThan(order.get(k) ?? -1);
        order.set(k, Number(g.text));
        ack(c, g.position);
        c.consumer.flow(1);
      }
      await f.clock.settle();
    }
    expect(f.subscription.stats()).toMatchObject({ msgBacklog: 0, unackedMessages: 0 });
  });

  it("brings a negatively acknowledged message before later ones of its key", async () => {
    const f = await SubscriptionFixture.start();
    const a = f.join("Key_Shared", 2);
    const [first] = await f.publishAll(0, 4, () => "same");
    a.session.take();
    a.consumer.redeliver([first as never], undefined);
    a.consumer.flow(10);
    await f.clock.settle();
    expect(a.session.texts).toEqual(["0", "2", "3"]);
  });

  it("sticky ranges: a hash outside of them waits, overlapping ranges are refused and leave no trace", async () => {
    const f = await SubscriptionFixture.start();
    const sticky = (...ranges: [number, number][]) => ({
      keySharedMeta: {
        keySharedMode: KeySharedMode.STICKY,
        hashRanges: ranges.map(([start, end]) => ({ start, end })),
      },
    });
    const hash = stickyKeyHash({ producerName: "p", sequenceId: 0, publishTime: 0, partitionKey: "k" } as never);
    const a = f.join("Key_Shared", 100, sticky([0, hash - 1]));
    await f.publish("x", { partitionKey: "k" });
    expect(a.session.texts).toEqual([]);
    const overlap = expect.objectContaining({ code: ServerError.ConsumerAssignError });
    expect(() => f.join("Key_Shared", 100, sticky([hash - 1, hash]))).toThrow(overlap);
    expect(() => f.join("Key_Shared", 100, sticky([hash, HASH_RANGE_SIZE]))).toThrow(overlap);
    expect(() => f.join("Key_Shared", 100, sticky())).toThrow(overlap);
    expect(f.subscription.stats().consumers).toHaveLength(1);
    const b = f.join("Key_Shared", 100, sticky([hash, HASH_RANGE_SIZE - 1]));
    await f.clock.settle();
    expect(b.session.texts).toEqual(["x"]);
    expect(() => f.join("Key_Shared")).toThrow(expect.objectContaining({ code: ServerError.ConsumerBusy }));
  });

  it("accepts ranges that interleave without overlapping", async () => {
    const f = await SubscriptionFixture.start();
    const meta = (ranges: [number, number][]) => ({
      keySharedMeta: {
        keySharedMode: KeySharedMode.STICKY,
        hashRanges: ranges.map(([start, end]) => ({ start, end })),
      },
    });
    f.join(
      "Key_Shared",
      1,
      meta([
        [0, 99],
        [400, 65535],
      ]),
    );
    f.join("Key_Shared", 1, meta([[100, 399]]));
    expect(f.subscription.consumers).toHaveLength(2);
  });

  it("delivers a delayed message of a key to the key's consumer", async () => {
    const f = await SubscriptionFixture.start();
    const consumers = [f.join("Key_Shared"), f.join("Key_Shared")];
    await f.publish("late", { partitionKey: "k1", deliverAtTime: f.clock.now() + 500 });
    await f.publish("first", { partitionKey: "k1" });
    await f.clock.advance(500);
    const got = consumers.map((c) => c.session.texts).filter((t) => t.length > 0);
    expect(got).toEqual([["first", "late"]]);
  });
});
