import { CommandType, ServerError, SchemaType as WireType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { avroFormat, avroSchema } from "../avro/index.ts";
import type { Message } from "../message.ts";
import { type Fixture, outcome, startFixture } from "../testing/fixture.ts";
import { autoConsumeSchema, autoProduceSchema } from "./auto-schemas.ts";
import { keyValueSchema } from "./key-value-schema.ts";
import { int32Schema, stringSchema } from "./primitive-schemas.ts";
import type { Schema } from "./schema.ts";

const definition = { type: "record", name: "R", fields: [{ name: "id", type: "string" }] };
const record = avroSchema<{ id: string }>(definition);
const version = (n: number): Uint8Array => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, n);

/** Has the broker keep schemas by their versions; answers how often it was asked. */
function serveSchemas({ broker }: Fixture, known: Readonly<Record<number, Schema<never, unknown>>>): () => number {
  let asked = 0;
  broker.on(CommandType.GET_SCHEMA, ({ requestId, schemaVersion }, connection) => {
    asked++;
    const info = known[schemaVersion?.at(-1) ?? 0]?.info;
    const body =
      info === undefined
        ? { requestId, errorCode: ServerError.TopicNotFound, errorMessage: "no schema" }
        : {
            requestId,
            schema: { name: "", type: WireType[info.type === "AVRO" ? "Avro" : "Int32"], schemaData: info.schema },
          };
    connection.send({ type: CommandType.GET_SCHEMA_RESPONSE, body });
    return true;
  });
  return () => asked;
}

const avroText = (id: string): string => new TextDecoder().decode(record.encode({ id }) as Uint8Array);

describe("a consumer with a schema", () => {
  it("has its messages' type at every call that takes one", async () => {
    const { client, broker, settle } = await startFixture();
    broker.on(CommandType.GET_OR_CREATE_SCHEMA, ({ requestId }, connection) => {
      const body = { requestId, schemaVersion: version(1) };
      connection.send({ type: CommandType.GET_OR_CREATE_SCHEMA_RESPONSE, body });
      return true;
    });
    const options = { topic: "t", type: "Shared" as const, retryEnable: true, schema: stringSchema() };
    const consumer = await client.subscribe({ ...options, subscription: "calls" });
    for (const entryId of [0, 1]) broker.deliver({ entryId, texts: ["a"] });
    await consumer.reconsumeLater(await consumer.receive());
    await consumer.acknowledge([await consumer.receive()]);
    expect(await outcome(consumer.reconsumeLaterCumulative(null as unknown as Message<string>))).not.toBe("resolved");
    const put: string[] = [];
    await client.subscribe({
      ...options,
      subscription: "listener",
      messageListener: async (message, itself) => {
        put.push(message.value);
        await itself.reconsumeLater(message);
      },
    });
    broker.deliver({ entryId: 2, texts: ["b"] });
    await settle();
    expect(put).toEqual(["b"]);
  });
});

describe("a producer with a schema", () => {
  it("registers it, and sends its version with the values", async () => {
    const { client, broker, clock } = await startFixture();
    broker.on(CommandType.PRODUCER, ({ requestId }, connection) => {
      const body = { requestId, producerName: "p", lastSequenceId: -1, schemaVersion: version(4) };
      connection.send({ type: CommandType.PRODUCER_SUCCESS, body });
      return true;
    });
    const producer = await client.createProducer({ topic: "t", schema: int32Schema() });
    const [command] = broker.of(CommandType.PRODUCER);
    expect(command?.schema).toMatchObject({ name: "INT32", type: WireType.Int32 });
    const sent = producer.send({ value: 7 });
    await clock.advance(10);
    await sent;
    expect(broker.sent[0]?.texts).toEqual(["\0\0\0\x07"]);
    expect(broker.sent[0]?.entry.metadata.schemaVersion).toEqual(version(4));
  });

  it("refuses a value that does not fit, a bare text, and both value and data", async () => {
    const { client, broker } = await startFixture();
    const producer = await client.createProducer({ topic: "t", schema: int32Schema() });
    expect(await outcome(producer.send({ value: "7" as unknown as number }))).toBe("SchemaEncoding");
    expect(await outcome(producer.send("7"))).toBe("InvalidConfiguration");
    expect(await outcome(producer.send({ value: 7, data: "7" }))).toBe("InvalidMessage");
    expect(broker.sent).toEqual([]);
  });

  it("whose key is a part of the value takes no other key", async () => {
    const { client, broker, clock } = await startFixture();
    const schema = keyValueSchema(stringSchema(), int32Schema(), { encoding: "SEPARATED" });
    const producer = await client.createProducer({ topic: "t", schema });
    const value = { key: "k", value: 7 };
    expect(await outcome(producer.send({ value, key: "other" }))).toBe("InvalidMessage");
    const sent = producer.send({ value });
    await clock.advance(10);
    await sent;
    expect(broker.sent[0]?.entry.metadata).toMatchObject({ partitionKey: btoa("k"), partitionKeyB64Encoded: true });
  });

  it("that is refused for it tells so at once", async () => {
    const { client, broker } = await startFixture();
    broker.refuse(CommandType.PRODUCER, ServerError.IncompatibleSchema);
    broker.refuse(CommandType.SUBSCRIBE, ServerError.IncompatibleSchema);
    expect(await outcome(client.createProducer({ topic: "t", schema: int32Schema() }))).toBe("IncompatibleSchema");
    const subscribing = client.subscribe({ topic: "t", subscription: "s", schema: int32Schema() });
    expect(await outcome(subscribing)).toBe("IncompatibleSchema");
  });

  it("takes the topic's schema where it is to follow that", async () => {
    const fixture = await startFixture();
    serveSchemas(fixture, { 0: int32Schema() });
    const producer = await fixture.client.createProducer({ topic: "t", schema: autoProduceSchema() });
    expect(fixture.broker.of(CommandType.PRODUCER)[0]?.schema?.type).toBe(WireType.Int32);
    expect(await outcome(producer.send({ value: Uint8Array.of(1) }))).toBe("SchemaEncoding");
  });

  it("registers the schema that a message brings along, once, and keeps the order of messages meanwhile", async () => {
    const { client, broker, clock } = await startFixture();
    broker.on(CommandType.GET_OR_CREATE_SCHEMA, ({ requestId }, connection) => {
      const body = { requestId, schemaVersion: version(9) };
      connection.send({ type: CommandType.GET_OR_CREATE_SCHEMA_RESPONSE, body });
      return true;
    });
    const producer = await client.createProducer<unknown>({ topic: "t" });
    const schema = int32Schema() as Schema<unknown>;
    const sends = [
      producer.send("a"),
      producer.send({ value: 1, schema }),
      producer.send("b"),
      producer.send({ value: 2, schema }),
    ];
    await clock.advance(10);
    await Promise.all(sends);
    const entries = broker.sent.map((s) => [s.texts, s.entry.metadata.schemaVersion?.at(-1)]);
    expect(entries).toEqual([
      [["a"], undefined],
      [["\0\0\0\x01"], 9],
      [["b"], undefined],
      [["\0\0\0\x02"], 9],
    ]);
    expect(broker.of(CommandType.GET_OR_CREATE_SCHEMA).length).toBe(1);
  });

  it("keeps the order of what is sent while those that waited get their turn, and flushes them", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.GET_OR_CREATE_SCHEMA, ({ requestId }, connection) => {
      const body = { requestId, schemaVersion: version(9) };
      connection.send({ type: CommandType.GET_OR_CREATE_SCHEMA_RESPONSE, body });
      return true;
    });
    const producer = await client.createProducer<unknown>({ topic: "t", batchingMaxPublishDelayMs: 1000 });
    const sends = [producer.send({ value: 1, schema: int32Schema() as Schema<unknown> })];
    // one in each turn of the microtasks, before, while and after the schema is registered
    for (let i = 0; i < 60; i++) {
      sends.push(
        i % 20 === 7 ? producer.send({ value: i, schema: int32Schema() as Schema<unknown> }) : producer.send("b"),
      );
      await undefined;
    }
    await producer.flush();
    expect(broker.sent.flatMap((s) => s.texts).length).toBe(61);
    const places = (await Promise.all(sends)).map((id) => id.entryId * 1000 + id.batchIndex);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it("rejects a message whose own schema is refused, and goes on", async () => {
    const { client, broker, clock } = await startFixture();
    broker.on(CommandType.GET_OR_CREATE_SCHEMA, ({ requestId }, connection) => {
      const body = { requestId, errorCode: ServerError.IncompatibleSchema, errorMessage: "no" };
      connection.send({ type: CommandType.GET_OR_CREATE_SCHEMA_RESPONSE, body });
      return true;
    });
    const producer = await client.createProducer<unknown>({ topic: "t" });
    const refused = outcome(producer.send({ value: 1, schema: int32Schema() as Schema<unknown> }));
    const sent = producer.send("b");
    await clock.advance(10);
    await sent;
    expect(await refused).toBe("IncompatibleSchema");
    expect(await outcome(producer.send({ value: 1, schema: "INT32" as never }))).toBe("InvalidConfiguration");
  });

  it("is refused with what is no schema", async () => {
    const { client } = await startFixture();
    const make = (schema: unknown): Promise<string> =>
      outcome(client.createProducer({ topic: "t", schema: schema as never }));
    expect(await Promise.all([make("INT32"), make({}), make(null), make({ "~standard": {} })])).toEqual(
      Array.from({ length: 4 }, () => "InvalidConfiguration"),
    );
  });
});

describe("a consumer with a schema", () => {
  it("asks for each version once, and keeps the order of messages meanwhile", async () => {
    const fixture = await startFixture();
    const { client, broker, settle } = fixture;
    const asked = serveSchemas(fixture, { 1: record, 2: int32Schema() });
    const consumer = await client.subscribe({ topic: "t", subscription: "s", schema: autoConsumeSchema(avroFormat()) });
    broker.deliver({ entryId: 0, texts: [avroText("a")], metadata: { schemaVersion: version(1) } });
    broker.deliver({ entryId: 1, texts: ["plain"] });
    broker.deliver({ entryId: 2, texts: ["\0\0\0\x07"], metadata: { schemaVersion: version(2) } });
    broker.deliver({ entryId: 3, texts: [avroText("b")], metadata: { schemaVersion: version(1) } });
    await settle();
    const values = [];
    for (let i = 0; i < 4; i++) values.push((await consumer.receive()).value.nativeValue);
    expect(values).toEqual([{ id: "a" }, new TextEncoder().encode("plain"), 7, { id: "b" }]);
    expect(asked()).toBe(2);
  });

  it("delivers messages whose schema was deleted; only their values are an error", async () => {
    const fixture = await startFixture();
    serveSchemas(fixture, {});
    const { client, broker, settle } = fixture;
    const consumer = await client.subscribe({ topic: "t", subscription: "s", schema: record });
    broker.deliver({ entryId: 0, texts: [avroText("a")], metadata: { schemaVersion: version(1) } });
    await settle();
    const message = await consumer.receive();
    expect(() => message.value).toThrow("SchemaUnavailable");
    expect(message.data.length).toBe(2);
    await consumer.acknowledge(message);
  });

  it("tells of bytes that are no value of it, and of a message that has none", async () => {
    const { client, broker } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s", schema: int32Schema() });
    broker.deliver({ entryId: 0, texts: ["x"] });
    broker.deliver({ entryId: 1, texts: [""], metadata: { nullValue: true } });
    const [broken, empty] = [await consumer.receive(), await consumer.receive()];
    expect(() => broken.value).toThrow("INT32 has 4 bytes, not 1");
    expect(() => empty.value).toThrow("sent without a value");
    expect(broker.of(CommandType.SUBSCRIBE)[0]?.schema?.type).toBe(WireType.Int32);
  });

  it("without one gets bytes, of which a reader asks nothing of the registry", async () => {
    const { client, broker } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["x"], metadata: { schemaVersion: version(1) } });
    const value: Uint8Array = (await consumer.receive()).value;
    expect([...value]).toEqual([120]);
    expect(broker.of(CommandType.GET_SCHEMA)).toEqual([]);
  });
});
