import { ServerError } from "@pulsewire/protocol";
import { deferred } from "@pulsewire/runtime";
import { describe, expect, it, vi } from "vitest";
import { type Attached, ack, range, SubscriptionFixture } from "./subscription-fixture.ts";

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

  it.each(["Shared", "Key_Shared"] as const)(
    "%s: gives what could not be read again as soon as it can be",
    async (type) => {
      const f = await SubscriptionFixture.start();
      const a = f.join(type, 5);
      await f.publishAll(0, 5);
      const b = f.join(type, 100);
      vi.spyOn(f.subscription.cursor, "readAt").mockReturnValueOnce(Promise.reject(new Error("storage is away")));
      a.consumer.close();
      await f.clock.settle();
      const before = b.session.texts.length;
      await f.clock.advance(1000);
      expect([before, b.session.texts]).toEqual([0, range(0, 5)]);
    },
  );

  it.each(["kept", "lost"] as const)(
    "starts over where all leave and others come while something is read again (the read is %s)",
    async (fate) => {
      const f = await SubscriptionFixture.start();
      const a = f.join("Shared", 5);
      await f.publishAll(0, 5);
      const b = f.join("Shared", 100);
      const stored = deferred<void>();
      const { cursor } = f.subscription;
      const readAt = cursor.readAt.bind(cursor);
      vi.spyOn(cursor, "readAt").mockImplementationOnce(async (positions) => {
        await stored.promise;
        if (fate === "lost") throw new Error("storage is away");
        return readAt(positions);
      });
      a.consumer.close();
      b.consumer.close();
      const c = f.join("Shared", 100);
      stored.resolve();
      await f.clock.advance(1000);
      expect(c.session.texts).toEqual(range(0, 5));
    },
  );

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
