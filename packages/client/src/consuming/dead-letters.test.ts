import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { acks, redelivered, start } from "../testing/consumer-fixture.ts";

describe("dead letters", () => {
  it("take the message when it would be delivered once more, with where it comes from", async () => {
    const deadLetterPolicy = { maxRedeliverCount: 2 };
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 10, deadLetterPolicy });
    const { broker, consumer, clock } = fixture;
    const metadata = { properties: [{ key: "mine", value: "kept" }], partitionKey: "k", eventTime: 9 };
    for (let redeliveryCount = 0; redeliveryCount <= 2; redeliveryCount++) {
      broker.deliver({ entryId: 8, texts: ["a"], redeliveryCount, metadata });
      consumer.negativeAcknowledge(await consumer.receive());
      await clock.advance(10);
    }
    await clock.advance(200);
    expect(redelivered(fixture)).toEqual([[8], [8]]);
    expect(broker.of(CommandType.PRODUCER)[0]?.topic).toBe("persistent://public/default/t-s-DLQ");
    expect(broker.sent.map((s) => s.texts)).toEqual([["a"]]);
    const sent = broker.sent[0]?.entry.metadata;
    expect(Object.fromEntries((sent?.properties ?? []).map((p) => [p.key, p.value]))).toEqual({
      mine: "kept",
      REAL_TOPIC: "persistent://public/default/t",
      ORIGIN_MESSAGE_ID: "1:8:-1",
      ORIGIN_MESSAGE_IDY_TIME: "1:8:-1",
      REAL_SUBSCRIPTION: "s",
    });
    expect([sent?.partitionKey, sent?.eventTime]).toEqual(["k", 9]);
    expect(acks(fixture)).toEqual([["individual", "8"]]);
  });

  it("of a batch that are on their way neither come again nor bring the batch again", async () => {
    const deadLetterPolicy = { maxRedeliverCount: 1 };
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 1000, deadLetterPolicy });
    const { broker, consumer, clock } = fixture;
    let answer = (): void => undefined;
    broker.on(CommandType.PRODUCER, ({ requestId }, connection) => {
      const body = { requestId, producerName: "p", lastSequenceId: -1, schemaVersion: new Uint8Array(0) };
      answer = () => connection.send({ type: CommandType.PRODUCER_SUCCESS, body });
      return true;
    });
    broker.deliver({ entryId: 8, texts: ["a", "b"], redeliveryCount: 1 });
    const [a, b] = [await consumer.receive(), await consumer.receive()];
    consumer.negativeAcknowledge(a);
    await clock.advance(600);
    consumer.negativeAcknowledge(b);
    await clock.advance(600);
    // "a" waits for the dead-letter producer; told again of it, the consumer asks for nothing and delivers nothing
    consumer.negativeAcknowledge(a);
    broker.deliver({ entryId: 8, texts: ["a", "b"], redeliveryCount: 2 });
    await clock.settle();
    // nor does "b", which was refused at its last chance and waits for its own time
    expect(consumer.queuedMessages).toBe(0);
    await clock.advance(2000);
    answer();
    await clock.advance(500);
    expect(redelivered(fixture)).toEqual([]);
    expect(broker.sent.flatMap((s) => s.texts).sort()).toEqual(["a", "b"]);
  });

  it("that cannot be sent leave the message to be delivered again", async () => {
    const deadLetterPolicy = { maxRedeliverCount: 1 };
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 10, deadLetterPolicy });
    const { broker, consumer, clock } = fixture;
    broker.refuse(CommandType.PRODUCER, ServerError.AuthorizationError);
    broker.deliver({ entryId: 8, texts: ["a"], redeliveryCount: 1 });
    consumer.negativeAcknowledge(await consumer.receive());
    await clock.advance(100);
    expect([redelivered(fixture), acks(fixture)]).toEqual([[[8]], []]);
  });
});
