import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { acks, redelivered, start, take } from "../testing/consumer-fixture.ts";

describe("negative acknowledgement", () => {
  it("asks for the entry after its delay, once for a batch, and not before", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 10_000 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(9999);
    expect(redelivered(fixture)).toEqual([]);
    await clock.advance(1);
    expect(redelivered(fixture)).toEqual([[0]]);
  });

  it("of two messages of a batch keeps each one's own delay", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryBackoff: () => delays.shift() ?? 0 });
    const delays = [10_000, 20_000];
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(10_000);
    expect(redelivered(fixture)).toEqual([[0]]);
    await clock.advance(10_000);
    expect(redelivered(fixture)).toEqual([[0], [0]]);
  });

  it("of two messages of a batch gives each at its own time, though the broker sends both at once", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryBackoff: () => delays.shift() ?? 0 });
    const delays = [10_000, 20_000];
    const { broker, consumer, clock, drain } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(10_000);
    broker.deliver({ entryId: 0, texts: ["a", "b"], redeliveryCount: 1 });
    expect(await drain()).toEqual(["a"]);
    await clock.advance(10_000);
    // the second is there already: asked for again it would count twice for one failure
    expect([await drain(), redelivered(fixture)]).toEqual([["b"], [[0]]]);
  });

  it("of messages of a batch that fall due a moment apart asks for the batch once", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 50 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) {
      consumer.negativeAcknowledge(m);
      await clock.advance(2);
    }
    await clock.advance(100);
    expect(redelivered(fixture)).toEqual([[0]]);
  });

  it("counts what waits for its time to what has come: a seek grants its permits again", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryBackoff: () => delays.shift() ?? 0 });
    const delays = [10, 20_000];
    const { broker, consumer, clock, flows, settle } = fixture;
    broker.on(CommandType.SEEK, ({ requestId }, connection) => {
      connection.send({ type: CommandType.SUCCESS, body: { requestId } });
      return true;
    });
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(10);
    broker.deliver({ entryId: 0, texts: ["a", "b"], redeliveryCount: 1 });
    await settle();
    const seeking = consumer.seek(MessageId.earliest);
    await settle();
    await seeking;
    for (let entryId = 1; entryId < 497; entryId++) broker.deliver({ entryId, texts: ["x"] });
    await settle();
    await take(consumer, 496);
    await settle();
    expect(flows()).toEqual([1000, 500]);
  });

  it("backs off by the redelivery count", async () => {
    const counts: number[] = [];
    const { broker, consumer } = await start({
      type: "Shared",
      negativeAckRedeliveryBackoff: (n) => {
        counts.push(n);
        return 1;
      },
    });
    broker.deliver({ entryId: 0, texts: ["a"], redeliveryCount: 7 });
    consumer.negativeAcknowledge(await consumer.receive());
    expect(counts).toEqual([7]);
  });

  it("sends acknowledgements of the same batch first, and takes its messages out of the queue", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 50, receiverQueueSize: 4 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"] });
    const [a, b] = (await take(consumer, 2)) as [Message, Message];
    await consumer.acknowledge(a);
    consumer.negativeAcknowledge(b);
    await clock.advance(50);
    const { ACK, REDELIVER_UNACKNOWLEDGED_MESSAGES: REDELIVER } = CommandType;
    expect(broker.types.filter((t) => t === ACK || t === REDELIVER)).toEqual([ACK, REDELIVER]);
    expect(acks(fixture)).toEqual([["individual", "0/14"]]);
    expect(consumer.queuedMessages).toBe(0);
  });

  it("is taken back by an acknowledgement", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 50 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    const message = await consumer.receive();
    consumer.negativeAcknowledge(message);
    await consumer.acknowledge(message);
    await clock.advance(500);
    expect(redelivered(fixture)).toEqual([]);
  });

  it("of an exclusive consumer goes back to the first that is not acknowledged, in a new epoch", async () => {
    const { broker, consumer, clock, drain } = await start({ negativeAckRedeliveryDelayMs: 50 });
    broker.deliver({ entryId: 0, texts: ["a"], consumerEpoch: 0 });
    broker.deliver({ entryId: 1, texts: ["b"], consumerEpoch: 0 });
    consumer.negativeAcknowledge(await consumer.receive());
    await clock.advance(50);
    const [redeliver] = broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES);
    expect([redeliver?.consumerEpoch, redeliver?.messageIds]).toEqual([1, []]);
    // one that was on its way from before must not come between
    broker.deliver({ entryId: 2, texts: ["stale"], consumerEpoch: 0 });
    broker.deliver({ entryId: 0, texts: ["a"], consumerEpoch: 1 });
    broker.deliver({ entryId: 1, texts: ["b"], consumerEpoch: 1 });
    expect(await drain()).toEqual(["a", "b"]);
  });
});
