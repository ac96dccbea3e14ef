import { KeySharedMode, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { HASH_RANGE_SIZE, stickyKeyHash } from "../dispatch/sticky-key.ts";
import { type Attached, ack, range, SubscriptionFixture } from "./subscription-fixture.ts";

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
