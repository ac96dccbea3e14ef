import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { MessageId } from "../message-id.ts";
import { start, type WithConsumer } from "../testing/consumer-fixture.ts";
import { type Fixture, outcome } from "../testing/fixture.ts";
import type { Consumer } from "./consumer.ts";

describe("a seek", () => {
  /** As a broker does: drop the consumer, then answer. */
  function dropOnSeek({ broker }: Fixture): void {
    broker.on(CommandType.SEEK, ({ consumerId, requestId }, connection) => {
      connection.send({ type: CommandType.CLOSE_CONSUMER, body: { consumerId, requestId: 0 } });
      connection.send({ type: CommandType.SUCCESS, body: { requestId } });
      return true;
    });
  }

  async function seek(fixture: WithConsumer, ...to: Parameters<Consumer["seek"]>): Promise<void> {
    const seeking = fixture.consumer.seek(...to);
    await fixture.settle();
    await seeking;
  }

  it("resolves when subscribed again, and nothing from before comes out", async () => {
    const fixture = await start();
    const { broker, consumer, drain, settle } = fixture;
    dropOnSeek(fixture);
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    await settle();
    const seeking = consumer.seek(MessageId.of({ ledgerId: 1, entryId: 1 }));
    broker.deliver({ entryId: 3, texts: ["on its way"] });
    await settle();
    await seeking;
    expect([consumer.queuedMessages, broker.of(CommandType.SUBSCRIBE).length]).toEqual([0, 2]);
    for (let entryId = 1; entryId < 4; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    expect(await drain()).toEqual(["2", "3"]);
  });

  it("inside a batch starts behind the message, or with it", async () => {
    const fixture = await start();
    const { broker, drain } = fixture;
    dropOnSeek(fixture);
    const id = MessageId.fromBytes(MessageId.of({ ledgerId: 1, entryId: 4, batchIndex: 1, batchSize: 4 }).toBytes());
    await seek(fixture, id);
    broker.deliver({ entryId: 4, texts: ["a", "b", "c", "d"] });
    expect(await drain()).toEqual(["c", "d"]);
    await seek(fixture, id, { inclusive: true });
    broker.deliver({ entryId: 4, texts: ["a", "b", "c", "d"] });
    expect(await drain()).toEqual(["b", "c", "d"]);
    expect(broker.of(CommandType.SEEK).map((s) => s.messageId?.ackSet?.[0]?.low)).toEqual([0b1100, 0b1110]);
  });

  it("by time forgets one by id", async () => {
    const fixture = await start();
    const { broker, drain } = fixture;
    dropOnSeek(fixture);
    await seek(fixture, MessageId.of({ ledgerId: 1, entryId: 4 }));
    await seek(fixture, new Date(77));
    expect(broker.of(CommandType.SEEK)[1]?.messagePublishTime).toBe(77);
    broker.deliver({ entryId: 4, texts: ["a"] });
    expect(await drain()).toEqual(["a"]);
  });

  it("on a connection that is lost meanwhile is done on the next", async () => {
    const { broker, consumer, clock } = await start();
    let times = 0;
    broker.on(CommandType.SEEK, (_, connection) => {
      if (times++ > 0) return false;
      connection.drop();
      return true;
    });
    const seeking = outcome(consumer.seek(5));
    await clock.advance(1000);
    expect([await seeking, times]).toEqual(["resolved", 2]);
  });

  it("that is refused rejects, and the consumer goes on", async () => {
    const { broker, consumer, drain } = await start();
    broker.on(CommandType.SEEK, ({ requestId }, connection) => {
      const body = { requestId, error: ServerError.NotAllowedError, message: "no" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    expect(await outcome(consumer.seek(5))).toBe("NotAllowedError");
    broker.deliver({ entryId: 4, texts: ["a"] });
    expect(await drain()).toEqual(["a"]);
  });

  it("is refused while another one is under way, from the moment that one was asked for", async () => {
    const fixture = await start();
    dropOnSeek(fixture);
    const seeks = [fixture.consumer.seek(MessageId.earliest), fixture.consumer.seek(MessageId.latest)].map(outcome);
    await fixture.settle();
    expect(await Promise.all(seeks)).toEqual(["resolved", "NotAllowedError"]);
    expect(fixture.broker.of(CommandType.SEEK).length).toBe(1);
    await seek(fixture, MessageId.latest);
    expect(fixture.broker.of(CommandType.SEEK).length).toBe(2);
  });

  it("without a connection gives up in time", async () => {
    const { broker, consumer, clock } = await start();
    await broker.stop();
    broker.connection.drop();
    await clock.settle();
    const seeking = outcome(consumer.seek(5));
    await clock.advance(60_000);
    expect(await seeking).toBe("Timeout");
  });
});
