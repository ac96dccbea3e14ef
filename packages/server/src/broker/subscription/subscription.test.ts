import { ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { ack, range, SubscriptionFixture } from "./subscription-fixture.ts";

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

  it("that is closed during a seek does not answer it as done", async () => {
    const f = await SubscriptionFixture.start();
    const [first] = await f.publishAll(0, 2);
    const seeking = f.subscription.seek(first as never);
    const closing = f.subscription.close();
    await expect(seeking).rejects.toMatchObject({ code: ServerError.ServiceNotReady });
    await closing;
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
