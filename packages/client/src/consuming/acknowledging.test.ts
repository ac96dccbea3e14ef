import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { acks, start, take } from "../testing/consumer-fixture.ts";
import { isSettled, outcome } from "../testing/fixture.ts";

describe("acknowledging", () => {
  it("is collected for 100 ms into one command", async () => {
    const fixture = await start();
    const { broker, consumer, clock } = fixture;
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: ["x"] });
    for (const m of await take(consumer, 3)) await consumer.acknowledge(m);
    await clock.advance(99);
    expect(acks(fixture)).toEqual([]);
    await clock.advance(1);
    expect(acks(fixture)).toEqual([["individual", "0", "1", "2"]]);
  });

  it("of every message of a batch is one of its entry, of a part a bit set", async () => {
    const fixture = await start();
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    broker.deliver({ entryId: 1, texts: ["c", "d", "e"] });
    const messages = await take(consumer, 5);
    for (const m of messages.filter((_, i) => i !== 3)) await consumer.acknowledge(m);
    await clock.advance(100);
    expect(acks(fixture)).toEqual([["individual", "0", "1/2"]]);
    await consumer.acknowledge((messages[3] as Message).messageId);
    await clock.advance(100);
    expect(acks(fixture)[1]).toEqual(["individual", "1"]);
  });

  it("of a part is kept to itself where that is asked for", async () => {
    const fixture = await start({ batchIndexAckEnabled: false });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 5, texts: ["a", "b"] });
    const [a, b] = (await take(consumer, 2)) as [Message, Message];
    await consumer.acknowledge(a);
    await clock.advance(100);
    await consumer.acknowledgeCumulative(a);
    await clock.advance(100);
    expect(acks(fixture)).toEqual([["cumulative", "4"]]);
    await consumer.acknowledge(b);
    await clock.advance(100);
    expect(acks(fixture)[1]).toEqual(["individual", "5"]);
  });

  it("cumulatively sends the furthest only, inside a batch what is left of it", async () => {
    const fixture = await start();
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    broker.deliver({ entryId: 1, texts: ["b", "c", "d"] });
    const [a, b, c] = (await take(consumer, 4)) as [Message, Message, Message];
    for (const m of [b, c, a]) await consumer.acknowledgeCumulative(m);
    await clock.advance(100);
    expect(acks(fixture)).toEqual([["cumulative", "1/4"]]);
  });

  it("cumulatively is refused where there is no order", async () => {
    const { consumer } = await start({ type: "Shared" });
    const id = MessageId.of({ ledgerId: 1, entryId: 1 });
    expect(await outcome(consumer.acknowledgeCumulative(id))).toBe("CumulativeAcknowledgementNotAllowed");
  });

  it("with receipts resolves when the broker has confirmed, and rejects when it could not", async () => {
    const { broker, consumer, clock, settle } = await start({ ackReceiptEnabled: true });
    broker.on(CommandType.ACK, () => true);
    broker.deliver({ entryId: 0, texts: ["a"] });
    const ack = consumer.acknowledge(await consumer.receive());
    await clock.advance(200);
    expect(await isSettled(ack)).toBe(false);
    const { requestId, consumerId } = broker.of(CommandType.ACK)[0] ?? { requestId: 0, consumerId: 0 };
    broker.connection.send({ type: CommandType.ACK_RESPONSE, body: { requestId, consumerId } });
    await settle();
    expect(await outcome(ack)).toBe("resolved");
    const lost = outcome(consumer.acknowledge(MessageId.of({ ledgerId: 1, entryId: 1 })));
    await clock.advance(100);
    broker.connection.drop();
    expect(await lost).toBe("ConnectionClosed");
  });

  it("right before closing is sent before CLOSE_CONSUMER", async () => {
    const fixture = await start();
    const { broker, consumer } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    await consumer.acknowledge(await consumer.receive());
    await consumer.close();
    expect(broker.types.slice(-2)).toEqual([CommandType.ACK, CommandType.CLOSE_CONSUMER]);
    expect(await outcome(consumer.acknowledge(MessageId.earliest))).toBe("AlreadyClosed");
  });

  it("without a connection is sent after the next one, before the permits", async () => {
    const { broker, consumer, clock } = await start();
    broker.deliver({ entryId: 7, texts: ["a"] });
    const message = await consumer.receive();
    broker.connection.drop();
    await clock.advance(10);
    await consumer.acknowledge(message);
    await clock.advance(200);
    expect(broker.types.slice(-3)).toEqual([CommandType.SUBSCRIBE, CommandType.ACK, CommandType.FLOW]);
  });

  it("takes several messages at once, all of them or none", async () => {
    const fixture = await start({ type: "Shared" });
    const { broker, consumer, clock } = fixture;
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: ["a"] });
    const messages = await consumer.batchReceive({ maxNumMessages: 3 });
    expect(await outcome(consumer.acknowledge([...messages, "x" as never]))).toBe("InvalidConfiguration");
    await clock.advance(200);
    expect(acks(fixture)).toEqual([]);
    await consumer.acknowledge([]);
    await consumer.acknowledge(messages);
    await clock.advance(200);
    expect(acks(fixture)).toEqual([["individual", "0", "1", "2"]]);
  });

  it("of another consumer's message is refused", async () => {
    const { broker, client, consumer, settle } = await start();
    const other = await client.subscribe({ topic: "u", subscription: "s" });
    await settle();
    broker.deliver({ entryId: 0, texts: ["a"] });
    const message = await other.receive();
    expect(await outcome(consumer.acknowledge(message))).toBe("InvalidConfiguration");
  });
});
