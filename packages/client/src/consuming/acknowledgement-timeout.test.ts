import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { redelivered, start, take } from "../testing/consumer-fixture.ts";

describe("the acknowledgement timeout", () => {
  it("runs from when the application receives, and fires once, on time", async () => {
    const fixture = await start({ type: "Shared", ackTimeoutMs: 1500 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    broker.deliver({ entryId: 1, texts: ["b"] });
    await clock.advance(60_000);
    await consumer.receive();
    await clock.advance(1499);
    expect(redelivered(fixture)).toEqual([]);
    await clock.advance(1);
    expect(redelivered(fixture)).toEqual([[0]]);
    await clock.advance(60_000);
    expect(redelivered(fixture)).toEqual([[0]]);
  });

  it("does not fire for what was acknowledged, also cumulatively", async () => {
    const fixture = await start({ type: "Failover", ackTimeoutMs: 1000 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    broker.deliver({ entryId: 1, texts: ["c"] });
    const [, b, c] = (await take(consumer, 3)) as [Message, Message, Message];
    await consumer.acknowledgeCumulative(b);
    await consumer.acknowledge(c);
    await clock.advance(5000);
    expect(redelivered(fixture)).toEqual([]);
  });

  it("that has fired makes a later negative acknowledgement of the same delivery nothing", async () => {
    const fixture = await start({ type: "Shared", ackTimeoutMs: 1001, negativeAckRedeliveryDelayMs: 10 });
    const { broker, consumer, clock } = fixture;
    for (let count = 0; count < 10; count++) {
      broker.deliver({ entryId: 0, texts: ["a"], redeliveryCount: count });
      const message = await consumer.receive();
      await clock.advance(1200);
      consumer.negativeAcknowledge(message);
      await clock.advance(100);
    }
    expect(redelivered(fixture)).toEqual(Array(10).fill([0]));
  });
});

describe("the acknowledgement timeout of a batch", () => {
  it("that came again ended for all its messages: each runs anew from when it is taken", async () => {
    const fixture = await start({ type: "Shared", ackTimeoutMs: 1000 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    await consumer.receive();
    await clock.advance(5);
    await consumer.receive();
    await clock.advance(995);
    broker.deliver({ entryId: 0, texts: ["a", "b"], redeliveryCount: 1 });
    await clock.advance(0);
    await consumer.acknowledge(await consumer.receive());
    await clock.advance(500);
    expect(redelivered(fixture)).toEqual([[0]]);
    await consumer.receive();
    await clock.advance(999);
    expect(redelivered(fixture)).toEqual([[0]]);
    await clock.advance(1);
    expect(redelivered(fixture)).toEqual([[0], [0]]);
  });
});
