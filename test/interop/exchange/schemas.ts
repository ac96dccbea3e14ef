import {
  booleanSchema,
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
  type PulsarClient,
  type Schema,
  stringSchema,
  timeSchema,
  timestampSchema,
} from "@pulsewire/client";
import { avroSchema } from "@pulsewire/client/avro";
import { protobufNativeSchema } from "@pulsewire/client/protobuf";
import protobuf from "protobufjs";
import { z } from "zod";

/** A value that goes to an official client by its schema and comes back by it. */
export interface SchemaWay {
  readonly name: string;
  readonly schema: Schema<never, unknown>;
  readonly value: unknown;
  /** What comes back instead, by which schema, where the other client cannot write the same. */
  readonly back?: { readonly schema: Schema<never, unknown>; readonly value: unknown };
}

interface Order {
  id: string | null;
  n: number | null;
}

const ORDER = {
  type: "record",
  name: "Order",
  fields: [
    { name: "id", type: ["null", "string"], default: null },
    { name: "n", type: ["null", "int"], default: null },
  ],
};
const json = jsonSchema(z.object({ id: z.string().nullable(), n: z.int32().nullable() }), { name: "Order" });
const avro = avroSchema<Order>(ORDER);
const proto = protobuf
  .parse('syntax = "proto3"; package shop; message Order { string id = 1; int64 n = 2; }')
  .root.lookupType("shop.Order");
const order: Order = { id: "é", n: 7 };
const moment = new Date(1_700_000_000_123);

export const PYTHON_SCHEMAS: readonly SchemaWay[] = [
  { name: "STRING", schema: stringSchema(), value: "hé" },
  { name: "JSON", schema: json, value: order },
  { name: "AVRO", schema: avro, value: order },
];

export const JAVA_SCHEMAS: readonly SchemaWay[] = [
  ...PYTHON_SCHEMAS,
  { name: "BOOLEAN", schema: booleanSchema(), value: true },
  { name: "INT8", schema: int8Schema(), value: -2 },
  { name: "INT16", schema: int16Schema(), value: -2 },
  { name: "INT32", schema: int32Schema(), value: -2 },
  { name: "INT64", schema: int64Schema(), value: -(2n ** 62n) },
  { name: "FLOAT", schema: floatSchema(), value: 1.5 },
  { name: "DOUBLE", schema: doubleSchema(), value: 0.1 },
  { name: "DATE", schema: dateSchema(), value: moment },
  { name: "TIME", schema: timeSchema(), value: moment },
  { name: "TIMESTAMP", schema: timestampSchema(), value: moment },
  { name: "INSTANT", schema: instantSchema(), value: "1969-12-31T23:59:55.123456789Z" },
  { name: "LOCAL_DATE", schema: localDateSchema(), value: "1969-12-30" },
  { name: "LOCAL_TIME", schema: localTimeSchema(), value: "10:15:30.000000123" },
  { name: "LOCAL_DATE_TIME", schema: localDateTimeSchema(), value: "2026-11-30T10:15:30.000000005" },
  { name: "KEY_VALUE_INLINE", schema: keyValueSchema(stringSchema(), int32Schema()), value: { key: "k", value: 7 } },
  {
    name: "KEY_VALUE_SEPARATED",
    schema: keyValueSchema(stringSchema(), avro, { encoding: "SEPARATED" }),
    value: { key: "k", value: order },
  },
  {
    name: "PROTOBUF_NATIVE",
    schema: protobufNativeSchema<{ id: string; n: bigint }>(proto),
    value: { id: "é", n: 2n ** 60n },
    back: { schema: stringSchema(), value: "PROTOBUF_NATIVE:é:1152921504606846976" },
  },
];

const text = (value: unknown): string => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));

/** Sends the value and receives what the other client makes of it. Rejects where that is something else. */
export async function exchangeValue(client: PulsarClient, way: SchemaWay, topics: [string, string]): Promise<void> {
  const { schema, value } = way.back ?? way;
  const consumer = await client.subscribe({ topic: topics[1], subscription: "back", schema });
  const producer = await client.createProducer<unknown>({ topic: topics[0], schema: way.schema as Schema<unknown> });
  await producer.send({ value: way.value });
  const message = await consumer.receive(40_000);
  if (text(message.value) !== text(value)) throw new Error(`got ${text(message.value)}, want ${text(value)}`);
  await Promise.all([consumer.close(), producer.close()]);
}
