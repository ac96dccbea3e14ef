import { CommandType, SchemaType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { stringSchema } from "../schema/primitive-schemas.ts";
import { type Fixture, outcome, startFixture } from "../testing/fixture.ts";
import type { Consumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

const TOPIC = "persistent://public/default/t";

interface WithConsumer extends Fixture {
  consumer: Consumer;
  /** Delivers one message of the topic, or of its retry topic. */
  next(properties?: Record<string, string>, fromRetry?: boolean): Promise<Message>;
}

async function start(options: Partial<ConsumerOptions> = {}): Promise<WithConsumer> {
  const fixture = await startFixture();
  const { broker, client } = fixture;
  const consumer = await client.subscribe({
    topic: "t",
    subscription: "s",
    type: "Shared",
    retryEnable: true,
    ...options,
  });
  let entryId = 0;
  const next = (properties: Record<string, string> = {}, fromRetry = false): Promise<Message> => {
    const topic = fromRetry ? `${TOPIC}-s-RETRY` : TOPIC;
    const consumerId = broker.of(CommandType.SUBSCRIBE).find((s) => s.topic === topic)?.consumerId as number;
    const metadata = {
      properties: Object.entries(properties).map(([key, value]) => ({ key, value })),
      partitionKey: "AQI=",
      partitionKeyB64Encoded: true,
      orderingKey: new Uint8Array([7]),
      eventTime: 9,
    };
    broker.deliver({ consumerId, entryId: entryId++, texts: ["a"], metadata });
    return consumer.receive();
  };
  return { ...fixture, consumer, next };
}

const propertiesOf = (fixture: Fixture): Record<string, string> =>
  Object.fromEntries((fixture.broker.sent.at(-1)?.entry.metadata.properties ?? []).map((p) => [p.key, p.value]));
const sentTo = ({ broker }: Fixture): string[] => broker.of(CommandType.PRODUCER).map((p) => p.topic);

describe("a message that is put off", () => {
  it("is stored on the retry topic with all it had and where it comes from, and acknowledged", async () => {
    const fixture = await start();
    const { broker, consumer, clock, next } = fixture;
    await consumer.reconsumeLater(await next({ mine: "kept", other: "old" }), {
      delayMs: 3000,
      properties: { other: "new" },
    });
    await clock.advance(100);
    expect(sentTo(fixture)).toEqual([`${TOPIC}-s-RETRY`]);
    expect(propertiesOf(fixture)).toEqual({
      mine: "kept",
      other: "new",
      REAL_TOPIC: TOPIC,
      REAL_SUBSCRIPTION: "s",
      ORIGIN_MESSAGE_ID: "1:0:-1",
      ORIGIN_MESSAGE_IDY_TIME: "1:0:-1",
      DELAY_TIME: "3000",
      RECONSUMETIMES: "1",
    });
    const sent = broker.sent[0]?.entry.metadata;
    expect([sent?.partitionKey, sent?.partitionKeyB64Encoded, sent?.eventTime]).toEqual(["AQI=", true, 9]);
    expect([...(sent?.orderingKey ?? [])]).toEqual([7]);
    expect(Number(sent?.deliverAtTime) - (sent?.publishTime ?? 0)).toBe(3000);
    expect(broker.of(CommandType.ACK).map((a) => a.messageId?.[0]?.entryId)).toEqual([0]);
  });

  it.each([
    ["is stored with the schema it was written with", undefined],
    ["is stored without its schema where the topic does not take that", ServerError.IncompatibleSchema],
  ])("%s", async (_what, refusal) => {
    const fixture = await start({ schema: stringSchema() as never });
    const { broker, consumer } = fixture;
    const name = "Order";
    broker.on(CommandType.GET_SCHEMA, ({ requestId }, connection) => {
      const schema = { name, schemaData: new Uint8Array(0), type: SchemaType.String, properties: [] };
      connection.send({ type: CommandType.GET_SCHEMA_RESPONSE, body: { requestId, schema } });
      return true;
    });
    broker.on(CommandType.GET_OR_CREATE_SCHEMA, ({ requestId }, connection) => {
      const answer = refusal === undefined ? { schemaVersion: Uint8Array.of(1) } : { errorCode: refusal };
      connection.send({ type: CommandType.GET_OR_CREATE_SCHEMA_RESPONSE, body: { requestId, ...answer } });
      return true;
    });
    for (const entryId of [0, 1]) {
      broker.deliver({ entryId, texts: ["a"], metadata: { schemaVersion: Uint8Array.of(7) } });
      await consumer.reconsumeLater(await consumer.receive());
    }
    expect(broker.sent.map((s) => s.texts)).toEqual([["a"], ["a"]]);
    const asked = broker.of(CommandType.GET_SCHEMA).map((g) => [g.topic, ...(g.schemaVersion ?? [])]);
    // the messages come from the retry topic here
    expect(asked).toEqual([[`${TOPIC}-s-RETRY`, 7]]);
    const registered = broker.of(CommandType.GET_OR_CREATE_SCHEMA);
    expect(registered[0]).toMatchObject({ topic: `${TOPIC}-s-RETRY`, schema: { type: SchemaType.String } });
    const versions = broker.sent.map((s) => s.entry.metadata.schemaVersion);
    if (refusal === undefined) {
      expect(registered.length).toBe(1);
      expect(versions[0]).toBeDefined();
      expect(versions[1]).toEqual(versions[0]);
    } else expect(versions).toEqual([undefined, undefined]);
  });

  it("counts on when it comes from the retry topic, and goes to the dead-letter topic after the last round", async () => {
    const fixture = await start({ deadLetterPolicy: { maxRedeliverCount: 2, initialSubscriptionName: "keep" } });
    const { broker, consumer, next } = fixture;
    const origin = { REAL_TOPIC: "persistent://a/b/c", ORIGIN_MESSAGE_ID: "7:7:-1", RECONSUMETIMES: "1" };
    await consumer.reconsumeLater(await next(origin, true));
    expect(propertiesOf(fixture)).toMatchObject({ ...origin, RECONSUMETIMES: "2" });
    await consumer.reconsumeLater(await next({ ...origin, RECONSUMETIMES: "2" }, true), { delayMs: 5 });
    expect(propertiesOf(fixture)).toMatchObject({ ...origin, RECONSUMETIMES: "3" });
    expect(sentTo(fixture)).toEqual([`${TOPIC}-s-RETRY`, `${TOPIC}-s-DLQ`]);
    expect(broker.of(CommandType.PRODUCER)[1]?.initialSubscriptionName).toBe("keep");
    expect(broker.sent[1]?.entry.metadata.deliverAtTime).toBeUndefined();
  });

  it.each([0, 10_000])(
    "that cannot be stored rejects and comes again, with an ack timeout of %d ms too",
    async (ackTimeoutMs) => {
      const { broker, consumer, clock, next } = await start({ negativeAckRedeliveryDelayMs: 10, ackTimeoutMs });
      broker.refuse(CommandType.PRODUCER, ServerError.AuthorizationError);
      expect(await outcome(consumer.reconsumeLater(await next()))).toBe("AuthorizationError");
      await clock.advance(200);
      expect(broker.of(CommandType.ACK)).toEqual([]);
      const again = broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES).flatMap((r) => r.messageIds ?? []);
      expect(again.map((id) => id.entryId)).toEqual([0]);
    },
  );

  it("is acknowledged with all before it where that is asked for, and only where there is an order", async () => {
    const { broker, consumer, clock, next } = await start({ type: "Failover" });
    await next();
    await consumer.reconsumeLaterCumulative(await next());
    await clock.advance(100);
    expect(broker.of(CommandType.ACK).map((a) => [a.ackType, a.messageId?.[0]?.entryId])).toEqual([[1, 1]]);
    const shared = await start();
    expect(await outcome(shared.consumer.reconsumeLaterCumulative(await shared.next()))).toBe(
      "CumulativeAcknowledgementNotAllowed",
    );
  });

  it("is nothing to its acknowledgement timeout while it is on its way", async () => {
    const { broker, consumer, clock, next } = await start({ ackTimeoutMs: 1000 });
    broker.on(CommandType.PRODUCER, () => true);
    const moving = outcome(consumer.reconsumeLater(await next()));
    await clock.advance(5000);
    expect(broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES)).toEqual([]);
    const closing = consumer.close();
    await clock.advance(40_000);
    await closing;
    expect(await moving).not.toBe("resolved");
  });

  it("goes by a new producer after the one before has ended for good", async () => {
    const fixture = await start();
    const { broker, consumer, next } = fixture;
    await consumer.reconsumeLater(await next());
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      const body = { producerId, sequenceId, error: ServerError.TopicTerminatedError, message: "gone" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const message = await next();
    expect(await outcome(consumer.reconsumeLater(message))).toBe("TopicTerminatedError");
    broker.on(CommandType.SEND, () => false);
    expect(await outcome(consumer.reconsumeLater(message))).toBe("resolved");
    expect(sentTo(fixture)).toEqual([`${TOPIC}-s-RETRY`, `${TOPIC}-s-RETRY`]);
  });

  it("needs a consumer made for it, a message and sane options", async () => {
    const { consumer, next } = await start();
    const message = await next();
    const plain = await start({ retryEnable: false });
    for (const wrong of [
      plain.consumer.reconsumeLater(await plain.next()),
      consumer.reconsumeLater(undefined as never),
      consumer.reconsumeLater(message, { delayMs: -1 }),
      consumer.reconsumeLater(message, { properties: { a: 1 as never } }),
      consumer.reconsumeLater(message, 5 as never),
    ]) {
      expect(await outcome(wrong)).toBe("InvalidConfiguration");
    }
  });

  it.each(["Exclusive", "Failover"] as const)("may be of a subscription of type %s too", async (type) => {
    const fixture = await start({ type, deadLetterPolicy: { maxRedeliverCount: 1, retryLetterTopic: "again" } });
    await fixture.consumer.reconsumeLater(await fixture.next());
    expect(sentTo(fixture)).toEqual(["persistent://public/default/again"]);
    expect(fixture.consumer.topics).toEqual([TOPIC, "persistent://public/default/again"]);
  });
});

describe("a dead-letter policy", () => {
  it.each(["Exclusive", "Failover"] as const)("that could never act, on %s, is refused", async (type) => {
    const { client } = await startFixture();
    const deadLetterPolicy = { maxRedeliverCount: 3 };
    const options = { topic: "t", subscription: "s", type, deadLetterPolicy };
    await expect(client.subscribe(options)).rejects.toThrow("the broker counts no redeliveries");
  });

  it("names a retry topic only together with retryEnable", async () => {
    const { client } = await startFixture();
    const deadLetterPolicy = { maxRedeliverCount: 3, retryLetterTopic: "x" };
    const options = { topic: "t", subscription: "s", type: "Shared" as const, deadLetterPolicy };
    await expect(client.subscribe(options)).rejects.toThrow("retryEnable");
  });
});
