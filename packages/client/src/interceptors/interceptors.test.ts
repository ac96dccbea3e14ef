import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { MessageId } from "../message-id.ts";
import { outcome, startFixture } from "../testing/fixture.ts";
import type { ConsumerInterceptor } from "./consumer-interceptor.ts";
import type { ProducerInterceptor } from "./producer-interceptor.ts";

const failing = (): never => {
  throw new Error("on purpose");
};

describe("interceptors of a producer", () => {
  it("change a message in turn, and hear of its id; one that throws changes nothing", async () => {
    const { client, broker, settle } = await startFixture();
    const heard: string[] = [];
    const add = (name: string): ProducerInterceptor => ({
      beforeSend: (_, message) => ({ ...message, properties: { ...message.properties, [name]: "1" } }),
      onSendAcknowledgement: (_, message, id, error) =>
        void heard.push(`${name} ${message.data} ${String(id)} ${error?.code}`),
    });
    const broken: ProducerInterceptor = { beforeSend: failing, onSendAcknowledgement: failing, close: failing };
    const interceptors = [add("a"), broken, add("b")];
    const producer = await client.createProducer({ topic: "t", batchingEnabled: false, interceptors });
    await producer.send("x");
    await settle();
    expect(broker.sent[0]?.entry.metadata.properties).toEqual([
      { key: "a", value: "1" },
      { key: "b", value: "1" },
    ]);
    expect(heard).toEqual(["a x 1:0:-1 undefined", "b x 1:0:-1 undefined"]);
    await producer.close();
  });

  it("are called for eligible messages only, hear of failures, and of closing once", async () => {
    const { client, broker, settle } = await startFixture();
    const heard: unknown[] = [];
    const interceptor: ProducerInterceptor = {
      eligible: (message) => message.key === "yes",
      beforeSend: (_, message) => void heard.push(message.data) as undefined,
      onSendAcknowledgement: (_, message, id, error) => void heard.push([message.data, id, error?.code]),
      close: () => void heard.push("closed"),
    };
    const producer = await client.createProducer({ topic: "t", batchingEnabled: false, interceptors: [interceptor] });
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      const body = { producerId, sequenceId, error: ServerError.NotAllowedError, message: "no" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    await outcome(producer.send({ data: "1", key: "no" }));
    expect(await outcome(producer.send({ data: "2", key: "yes" }))).toBe("NotAllowedError");
    await Promise.all([producer.close(), producer.close()]);
    await settle();
    expect(heard).toEqual(["2", ["2", undefined, "NotAllowedError"], "closed"]);
  });

  it("hear of a message that is none, whose send rejects as it would without them", async () => {
    const { client, settle } = await startFixture();
    const codes: unknown[] = [];
    const onSendAcknowledgement: ProducerInterceptor["onSendAcknowledgement"] = (_p, _m, _id, error) =>
      void codes.push(error?.code);
    const producer = await client.createProducer({ topic: "t", interceptors: [{ onSendAcknowledgement }] });
    expect(await outcome(producer.send(5 as never))).toBe("InvalidMessage");
    await settle();
    expect(codes).toEqual(["InvalidMessage"]);
  });
});

describe("interceptors of a consumer", () => {
  it("see a message arrive, be consumed and acknowledged; one that throws changes nothing", async () => {
    const { client, broker, settle } = await startFixture();
    const heard: unknown[] = [];
    const note: ConsumerInterceptor = {
      onArrival: (_, message) => void heard.push(`arrived ${message.text()}`),
      beforeConsume: (_, message) => void heard.push(`consumed ${message.text()}`) as undefined,
      onAcknowledge: (_, id, error) => void heard.push(`acknowledged ${id} ${error?.code}`),
      onAcknowledgeCumulative: (_, id, error) => void heard.push(`all up to ${id} ${error?.code}`),
      close: () => void heard.push("closed"),
    };
    const broken: ConsumerInterceptor = { onArrival: failing, beforeConsume: failing, onAcknowledge: failing };
    const interceptors = [broken, note];
    const consumer = await client.subscribe({ topic: "t", subscription: "s", interceptors });
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    await settle();
    expect(heard).toEqual(["arrived a", "arrived b"]);
    const [a, b] = await consumer.batchReceive({ maxNumMessages: 2 });
    await consumer.acknowledge(a as never);
    await consumer.acknowledgeCumulative((b as { messageId: MessageId }).messageId);
    await consumer.close();
    expect(await outcome(consumer.acknowledge(a as never))).toBe("AlreadyClosed");
    expect(heard.slice(2)).toEqual([
      "consumed a",
      "consumed b",
      "acknowledged 1:0:-1:0 undefined",
      "all up to 1:0:-1:1 undefined",
      "closed",
    ]);
  });

  it("may give another message to the application, by a listener too", async () => {
    const { client, broker, settle } = await startFixture();
    const got: string[] = [];
    let previous: unknown;
    const beforeConsume: ConsumerInterceptor["beforeConsume"] = (_, message) => {
      const before = previous;
      previous = message;
      return before as typeof message | undefined;
    };
    const messageListener = (message: { text(): string }): void => void got.push(message.text());
    const interceptors = [{ beforeConsume }];
    await client.subscribe({ topic: "t", subscription: "s", interceptors, messageListener });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c"] });
    await settle();
    expect(got).toEqual(["a", "a", "b"]);
  });

  it("hear of messages that are asked for again, by refusal and by silence", async () => {
    const { client, broker, clock } = await startFixture();
    const heard: unknown[] = [];
    const interceptors: ConsumerInterceptor[] = [
      {
        onNegativeAcksSend: (_, ids) => void heard.push(["refused", ...ids.map(String)]),
        onAckTimeoutSend: (_, ids) => void heard.push(["late", ...ids.map(String)]),
      },
    ];
    const options = { topic: "t", subscription: "s", type: "Shared" as const, interceptors };
    const consumer = await client.subscribe({ ...options, ackTimeoutMs: 1000, negativeAckRedeliveryDelayMs: 10 });
    broker.deliver({ entryId: 0, texts: ["a"] });
    broker.deliver({ entryId: 1, texts: ["b"] });
    consumer.negativeAcknowledge(await consumer.receive());
    await consumer.receive();
    await clock.advance(1000);
    expect(heard).toEqual([
      ["refused", "1:0:-1"],
      ["late", "1:1:-1"],
    ]);
  });

  it("of a reader see what it reads", async () => {
    const { client, broker } = await startFixture();
    const heard: string[] = [];
    const interceptors: ConsumerInterceptor[] = [{ beforeConsume: (_, m) => void heard.push(m.text()) as undefined }];
    const reader = await client.createReader({ topic: "t", startMessageId: MessageId.earliest, interceptors });
    broker.deliver({ entryId: 0, texts: ["a"] });
    await reader.readNext();
    expect(heard).toEqual(["a"]);
  });

  it("hear of partitions that are added, with producers", async () => {
    const { client, broker, clock } = await startFixture();
    let partitions = 2;
    broker.on(CommandType.PARTITIONED_METADATA, ({ requestId }, connection) => {
      const body = { requestId, partitions, response: 0 as const };
      connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
      return true;
    });
    const heard: unknown[] = [];
    const interceptors = [{ onPartitionsChange: (topic: string, count: number) => void heard.push([topic, count]) }];
    await client.subscribe({ topic: "t", subscription: "s", interceptors });
    await client.createProducer({ topic: "t", interceptors });
    partitions = 3;
    await clock.advance(60_000);
    const told = ["persistent://public/default/t", 3];
    expect(heard).toEqual([told, told]);
  });
});

describe("what is no interceptor", () => {
  it.each([[5], [{}], [[5]], [[null]], [[{ beforeSend: 5, beforeConsume: 5 }]]])("is refused: %j", async (wrong) => {
    const { client } = await startFixture();
    const interceptors = wrong as never;
    expect(await outcome(client.createProducer({ topic: "t", interceptors }))).toBe("InvalidConfiguration");
    expect(await outcome(client.subscribe({ topic: "t", subscription: "s", interceptors }))).toBe(
      "InvalidConfiguration",
    );
  });
});
