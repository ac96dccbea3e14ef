import {
  autoConsumeSchema,
  autoProduceSchema,
  booleanSchema,
  type Consumer,
  dateSchema,
  doubleSchema,
  floatSchema,
  instantSchema,
  int8Schema,
  int16Schema,
  int32Schema,
  int64Schema,
  jsonSchema,
  keyValueSchema,
  localDateSchema,
  localDateTimeSchema,
  localTimeSchema,
  MessageId,
  PulsarError,
  type Schema,
  stringSchema,
  timeSchema,
  timestampSchema,
} from "@pulsewire/client";
import { avroFormat, avroSchema } from "@pulsewire/client/avro";
import { protobufFormat, protobufNativeSchema, protobufSchema } from "@pulsewire/client/protobuf";
import protobuf from "protobufjs";
import { z } from "zod";
import { adminPath, type Case, check, equal, rejects, until } from "./kit.ts";

const text = (value: unknown): string =>
  JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v instanceof Uint8Array ? [...v] : v));

async function same(actual: unknown, expected: unknown, what: string): Promise<void> {
  equal(text(actual), text(expected), what);
}

/** Sends a value and receives it, typed and by the topic's own schema. */
function roundTrip<T>(name: string, type: string, schema: Schema<T>, value: T): Case {
  return {
    name: `schema ${name}: there and back`,
    async run({ client, topic, admin }) {
      const t = topic(`schema-${name.toLowerCase()}`);
      const consumer = await client.subscribe({ topic: t, subscription: "s", schema });
      const generic = await client.subscribe({
        topic: t,
        subscription: "g",
        schema: autoConsumeSchema(avroFormat(), protobufFormat()),
      });
      const producer = await client.createProducer({ topic: t, schema });
      await producer.send({ value });
      await same((await consumer.receive(20_000)).value, value, "typed");
      const record = (await generic.receive(20_000)).value;
      if (type !== "PROTOBUF") await same(record.nativeValue, value, "by the topic's schema");
      equal(record.schemaType, type, "its type");
      const registered = (await admin("GET", `/admin/v2/schemas/${t.replace("persistent://", "")}/schema`)) as {
        type: string;
      };
      equal(registered.type, type, "registered as");
    },
  };
}

const ORDER = { type: "record", name: "Order", fields: [{ name: "id", type: "string" }] };
const ORDER_2 = { ...ORDER, fields: [...ORDER.fields, { name: "n", type: "long", default: 7 }] };
const OTHER = { type: "record", name: "Order", fields: [{ name: "id", type: "int" }] };
const Order = protobuf
  .parse(
    'syntax = "proto3"; package shop; message Line { int64 n = 1; } message Order { string id = 1; repeated Line lines = 2; }',
  )
  .root.lookupType("shop.Order");
interface ProtobufOrder {
  id: string;
  lines: { n: bigint }[];
}
const PROTOBUF_ORDER: ProtobufOrder = { lines: [{ n: 2n ** 60n }], id: "a" };
const jsonOrder = jsonSchema(z.object({ id: z.string(), n: z.int32(), note: z.string().optional() }), {
  name: "Order",
});

async function receiveValue<T>(consumer: Consumer<T>): Promise<T> {
  const message = await consumer.receive(20_000);
  await consumer.acknowledge(message);
  return message.value;
}

export const SCHEMAS: readonly Case[] = [
  roundTrip("STRING", "STRING", stringSchema(), "hé"),
  roundTrip("BOOLEAN", "BOOLEAN", booleanSchema(), true),
  roundTrip("INT8", "INT8", int8Schema(), -2),
  roundTrip("INT16", "INT16", int16Schema(), -2),
  roundTrip("INT32", "INT32", int32Schema(), -2),
  roundTrip("INT64", "INT64", int64Schema(), -(2n ** 62n)),
  roundTrip("FLOAT", "FLOAT", floatSchema(), 1.5),
  roundTrip("DOUBLE", "DOUBLE", doubleSchema(), 0.1),
  roundTrip("DATE", "DATE", dateSchema(), new Date(1_700_000_000_123)),
  roundTrip("TIME", "TIME", timeSchema(), new Date(1_700_000_000_123)),
  roundTrip("TIMESTAMP", "TIMESTAMP", timestampSchema(), new Date(1_700_000_000_123)),
  roundTrip("INSTANT", "INSTANT", instantSchema(), "2026-11-30T10:15:30.123456789Z"),
  roundTrip("LOCAL_DATE", "LOCAL_DATE", localDateSchema(), "2026-11-30"),
  roundTrip("LOCAL_TIME", "LOCAL_TIME", localTimeSchema(), "10:15:30.000000123"),
  roundTrip("LOCAL_DATE_TIME", "LOCAL_DATE_TIME", localDateTimeSchema(), "2026-11-30T10:15:30"),
  roundTrip("JSON", "JSON", jsonOrder, { id: "a", n: 3 }),
  roundTrip("AVRO", "AVRO", avroSchema<{ id: string; n: bigint }>(ORDER_2), { id: "a", n: 2n ** 62n }),
  roundTrip("PROTOBUF_NATIVE", "PROTOBUF_NATIVE", protobufNativeSchema<ProtobufOrder>(Order), PROTOBUF_ORDER),
  {
    name: "schema PROTOBUF: there and back",
    async run({ client, topic }) {
      const t = topic("schema-protobuf");
      const schema = protobufSchema<ProtobufOrder>(Order);
      const consumer = await client.subscribe({ topic: t, subscription: "s", schema });
      await (await client.createProducer({ topic: t, schema })).send({ value: PROTOBUF_ORDER });
      await same(await receiveValue(consumer), PROTOBUF_ORDER, "typed");
    },
  },
  roundTrip("KEY_VALUE_INLINE", "KEY_VALUE", keyValueSchema(stringSchema(), int32Schema()), { key: "k", value: 7 }),
  roundTrip("KEY_VALUE_SEPARATED", "KEY_VALUE", keyValueSchema(stringSchema(), jsonOrder, { encoding: "SEPARATED" }), {
    key: "k",
    value: { id: "a", n: 1 },
  }),
  {
    name: "schema: an incompatible one is refused to producers and consumers",
    async run({ client, topic }) {
      const t = topic("schema-incompatible");
      await client.createProducer({ topic: t, schema: avroSchema(ORDER) });
      const codes = ["IncompatibleSchema"];
      await rejects(client.createProducer({ topic: t, schema: avroSchema(OTHER) }), codes, "another record");
      await rejects(client.createProducer({ topic: t, schema: int32Schema() }), codes, "another type");
      await rejects(client.subscribe({ topic: t, subscription: "s", schema: avroSchema(OTHER) }), codes, "a consumer");
      // without a schema of its own a client gets bytes
      await client.subscribe({ topic: t, subscription: "s" });
    },
  },
  {
    name: "schema: an older version of AVRO is read by a newer one, and the other way round",
    async run({ client, topic }) {
      const t = topic("schema-evolution");
      const older = avroSchema<{ id: string }>(ORDER);
      const newer = avroSchema<{ id: string; n: bigint }>(ORDER_2);
      const first = await client.createProducer({ topic: t, schema: older });
      await first.send({ value: { id: "old" } });
      const second = await client.createProducer({ topic: t, schema: newer });
      await second.send({ value: { id: "new", n: 1n } });
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest, schema: newer });
      await same((await reader.readNext(20_000)).value, { id: "old", n: 7n }, "old by new");
      await same((await reader.readNext(20_000)).value, { id: "new", n: 1n }, "new by new");
      const back = await client.createReader({ topic: t, startMessageId: MessageId.earliest, schema: older });
      await same((await back.readNext(20_000)).value, { id: "old" }, "old by old");
      await same((await back.readNext(20_000)).value, { id: "new" }, "new by old");
    },
  },
  {
    name: "schema: many versions in one topic, batched, each value by its own",
    async run({ client, topic }) {
      const t = topic("schema-versions");
      const consumer = await client.subscribe({ topic: t, subscription: "s", schema: autoConsumeSchema(avroFormat()) });
      for (const definition of [ORDER, ORDER_2]) {
        const producer = await client.createProducer({ topic: t, schema: avroSchema<object>(definition) });
        await Promise.all([1, 2, 3].map((i) => producer.send({ value: { id: `${i}`, n: 9n } })));
        await producer.close();
      }
      const fields: string[] = [];
      for (let i = 0; i < 6; i++) fields.push((await receiveValue(consumer)).fields.join("+"));
      equal(fields, ["id", "id", "id", "id+n", "id+n", "id+n"], "fields");
    },
  },
  {
    name: "schema: a message may bring a newer version along, without overtaking",
    async run({ client, topic }) {
      const t = topic("schema-own");
      const consumer = await client.subscribe({ topic: t, subscription: "s", schema: autoConsumeSchema(avroFormat()) });
      const producer = await client.createProducer<object>({ topic: t, schema: avroSchema<object>(ORDER) });
      const schema = avroSchema<object>(ORDER_2);
      await Promise.all([
        producer.send({ value: { id: "1" } }),
        producer.send({ value: { id: "2", n: 5n }, schema }),
        producer.send({ value: { id: "3" } }),
      ]);
      const values: unknown[] = [];
      for (let i = 0; i < 3; i++) values.push({ ...((await receiveValue(consumer)).nativeValue as object) });
      await same(values, [{ id: "1" }, { id: "2", n: 5n }, { id: "3" }], "values");
    },
  },
  {
    name: "schema: bytes for the topic's own schema are checked",
    async run({ client, topic }) {
      const t = topic("schema-auto-produce");
      const schema = avroSchema<{ id: string }>(ORDER);
      const consumer = await client.subscribe({ topic: t, subscription: "s", schema });
      const producer = await client.createProducer({ topic: t, schema: autoProduceSchema(avroFormat()) });
      await producer.send({ value: schema.encode({ id: "x" }) as Uint8Array });
      await same(await receiveValue(consumer), { id: "x" }, "value");
      await rejects(producer.send({ value: Uint8Array.of(200, 1) }), ["SchemaEncoding"], "bytes of something else");
    },
  },
  {
    name: "schema: a value that does not fit rejects, the next passes",
    async run({ client, topic }) {
      const t = topic("schema-misfit");
      const consumer = await client.subscribe({ topic: t, subscription: "s", schema: jsonOrder });
      const producer = await client.createProducer({ topic: t, schema: jsonOrder });
      await rejects(
        producer.send({ value: { id: 5 as unknown as string, n: 1 } }),
        ["SchemaEncoding"],
        "a wrong field",
      );
      await producer.send({ data: "{}" });
      await producer.send({ value: { id: "a", n: 1 } });
      const broken = await consumer.receive(20_000);
      try {
        check(broken.value === undefined, "a value that is none was given");
      } catch (error) {
        check(error instanceof PulsarError && error.code === "SchemaDecoding", `got ${String(error)}`);
      }
      await same(await receiveValue(consumer), { id: "a", n: 1 }, "the next");
    },
  },
  {
    name: "schema: one that was deleted while in use is an error, not a crash",
    async run({ client, topic, admin }) {
      const t = topic("schema-deleted");
      const producer = await client.createProducer({ topic: t, schema: avroSchema<{ id: string }>(ORDER) });
      await producer.send({ value: { id: "a" } });
      await admin("DELETE", `/admin/v2/schemas/${t.replace("persistent://", "")}/schema?force=true`);
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        initialPosition: "Earliest",
        schema: autoConsumeSchema(avroFormat()),
      });
      const message = await consumer.receive(20_000);
      try {
        check(message.value === undefined, "a value without its schema was given");
      } catch (error) {
        check(error instanceof PulsarError && error.code === "SchemaUnavailable", `got ${String(error)}`);
      }
      check(message.data.length > 0, "the bytes are gone");
      await consumer.acknowledge(message);
      await producer.send({ value: { id: "b" } });
      await consumer.receive(20_000);
      await until("statistics", 20_000, async () => (await admin("GET", `${adminPath(t)}/stats`)) !== undefined);
    },
  },
  {
    name: "schema of letters: retry and dead-letter topics have that of the message, also of a newer one",
    async run({ client, topic, admin }) {
      const t = topic("schema-letters");
      const schema = avroSchema<{ id: string }>(ORDER);
      const consumer = await client.subscribe({
        topic: t,
        subscription: "s",
        type: "Shared",
        retryEnable: true,
        deadLetterPolicy: { maxRedeliverCount: 1 },
        schema,
      });
      const producer = await client.createProducer({
        topic: t,
        schema: avroSchema<{ id: string; n: bigint }>(ORDER_2),
      });
      await producer.send({ value: { id: "a", n: 5n } });
      await consumer.reconsumeLater(await consumer.receive(20_000));
      const again = await consumer.receive(20_000);
      equal(again.value.id, "a", "from the retry topic");
      await consumer.reconsumeLater(again);
      const dead = `${t}-s-DLQ`;
      await until("a schema of the dead-letter topic", 20_000, async () => {
        const path = `/admin/v2/schemas/${dead.replace("persistent://", "")}/schema`;
        return await admin("GET", path).then(
          (found) => (found as { type: string }).type === "AVRO",
          () => false,
        );
      });
      const late = await client.subscribe({
        topic: dead,
        subscription: "d",
        initialPosition: "Earliest",
        schema: avroSchema<{ id: string; n: bigint }>(ORDER_2),
      });
      await same((await late.receive(20_000)).value, { id: "a", n: 5n }, "the dead letter");
    },
  },
];
