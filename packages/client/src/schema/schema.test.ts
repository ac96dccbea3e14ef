import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  autoConsumeSchema,
  autoProduceSchema,
  booleanSchema,
  bytesSchema,
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
  type Schema,
  stringSchema,
  timeSchema,
  timestampSchema,
} from "../public-names.ts";

const hex = (bytes: Uint8Array | null): string =>
  Array.from(bytes ?? [], (b) => b.toString(16).padStart(2, "0")).join("");
const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (b) => Number.parseInt(b, 16));
const json = (bytes: Uint8Array | undefined): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** Values and the bytes that Pulsar's Java client makes of them. */
const GOLDEN: [name: string, schema: Schema<never, unknown>, value: unknown, bytes: string][] = [
  ["String", stringSchema(), "hé", "68c3a9"],
  ["Boolean", booleanSchema(), true, "01"],
  ["INT8", int8Schema(), -2, "fe"],
  ["INT16", int16Schema(), -2, "fffe"],
  ["INT32", int32Schema(), -2, "fffffffe"],
  ["INT64", int64Schema(), -2n, "fffffffffffffffe"],
  ["Float", floatSchema(), 1.5, "3fc00000"],
  ["Double", doubleSchema(), 1.5, "3ff8000000000000"],
  ["Date", dateSchema(), new Date(1_700_000_000_123), "0000018bcfe5687b"],
  ["Time", timeSchema(), new Date(1_700_000_000_123), "0000018bcfe5687b"],
  ["Timestamp", timestampSchema(), new Date(1_700_000_000_123), "0000018bcfe5687b"],
  ["Instant", instantSchema(), "1969-12-31T23:59:55.123456789Z", "fffffffffffffffb075bcd15"],
  ["LocalDate", localDateSchema(), "1969-12-30", "fffffffffffffffe"],
  ["LocalTime", localTimeSchema(), "10:15:30.000000123", "000021966f88147b"],
  ["LocalDateTime", localDateTimeSchema(), "2026-11-30T10:15:30.000000005", "0000000000005133000021966f881405"],
];

describe("a primitive schema", () => {
  it.each(GOLDEN)("%s has the bytes of the Java client, both ways", (name, schema, value, bytes) => {
    expect(hex(schema.encode(value as never))).toBe(bytes);
    expect(schema.decode(fromHex(bytes))).toEqual(value);
    expect(schema.info?.name).toBe(name);
  });

  it.each<[Schema<never, unknown>, unknown]>([
    [int8Schema(), 128],
    [int16Schema(), 1.5],
    [int32Schema(), 2 ** 31],
    [int64Schema(), 5],
    [int64Schema(), 2n ** 63n],
    [booleanSchema(), "true"],
    [stringSchema(), 5],
    [doubleSchema(), null],
    [dateSchema(), new Date(Number.NaN)],
    [localDateSchema(), "2026-02-30"],
    [localTimeSchema(), "25:00"],
    [instantSchema(), "2026-11-30T10:15:30"],
    [bytesSchema(), "x"],
  ])("refuses a value that is none of it (%#)", (schema, value) => {
    expect(() => schema.encode(value as never)).toThrow(TypeError);
  });

  it("refuses bytes that are too few or too many", () => {
    expect(() => int32Schema().decode(Uint8Array.of(1, 2, 3))).toThrow("INT32 has 4 bytes, not 3");
    expect(() => stringSchema().decode(Uint8Array.of(0xff))).toThrow();
  });
});

describe("a JSON schema", () => {
  const order = z.object({
    id: z.string(),
    n: z.int32(),
    note: z.string().optional(),
    lines: z.array(z.object({ x: z.boolean() })),
  });

  it("validates what is sent and what is received", () => {
    const schema = jsonSchema(order);
    const value = { id: "a", n: 1, lines: [{ x: true }] };
    expect(schema.decode(schema.encode(value) as Uint8Array)).toEqual(value);
    expect(() => schema.encode({ ...value, n: "1" as unknown as number })).toThrow("n: ");
    expect(() => schema.decode(new TextEncoder().encode("{}"))).toThrow("id: ");
  });

  it("registers a definition in Avro's form, made from the validator's JSON Schema", () => {
    expect(json(jsonSchema(order, { name: "Order" }).info?.schema)).toEqual({
      type: "record",
      name: "Order",
      fields: [
        { name: "id", type: "string" },
        { name: "n", type: "int" },
        { name: "note", type: ["null", "string"], default: null },
        {
          name: "lines",
          type: {
            type: "array",
            items: { type: "record", name: "Order_lines", fields: [{ name: "x", type: "boolean" }] },
          },
        },
      ],
    });
  });

  it("registers what it is given, or nothing where that is asked for", () => {
    const definition = { type: "record", name: "R", fields: [] };
    expect(json(jsonSchema(order, { definition }).info?.schema)).toEqual(definition);
    expect(jsonSchema(order, { definition: false }).info).toBeUndefined();
  });

  it("says so where no definition can be made", () => {
    expect(() => jsonSchema(z.object({ a: z.any() }))).toThrow("definition: false");
    const kinds = [z.object({ kind: z.literal("a"), n: z.int() }), z.object({ kind: z.literal("b") })] as const;
    const choice = z.discriminatedUnion("kind", [...kinds]);
    const refused = /^InvalidConfiguration: .*of one kind.*definition: false/;
    expect(() => jsonSchema(choice)).toThrow(refused);
    expect(() => jsonSchema(z.object({ a: z.string() }).nullable())).toThrow(refused);
    expect(jsonSchema(choice, { definition: false }).encode({ kind: "b" })).toBeDefined();
    const silent = { "~standard": { version: 1, vendor: "mine", validate: (value: unknown) => ({ value }) } } as const;
    expect(() => jsonSchema(silent)).toThrow("offers no JSON Schema");
    expect(() => jsonSchema({} as typeof silent)).toThrow("Standard Schema validator");
  });

  it("writes a bigint as a number", () => {
    const schema = jsonSchema(z.object({ big: z.bigint() }), { definition: false });
    expect(new TextDecoder().decode(schema.encode({ big: 2n ** 60n }) as Uint8Array)).toBe(
      '{"big":1152921504606846976}',
    );
  });

  it("applies the validator's defaults to what is received, unless told not to", () => {
    const validator = z.object({ a: z.number().default(3) });
    const empty = new TextEncoder().encode("{}");
    expect(jsonSchema(validator).decode(empty)).toEqual({ a: 3 });
    expect(jsonSchema(validator, { validateReceived: false }).decode(empty)).toEqual({});
  });

  it("takes whatever has the interface of Standard Schema, with its types", () => {
    const validator: StandardSchemaV1<{ a: number }, { a: number; b: string }> = z.object({
      a: z.number(),
      b: z.string().default("x"),
    }) as never;
    const schema = jsonSchema(validator, { definition: false });
    const decoded: { a: number; b: string } = schema.decode(schema.encode({ a: 1 }) as Uint8Array);
    expect(decoded).toEqual({ a: 1, b: "x" });
  });

  it("refuses a validator that answers by a promise", () => {
    const schema = jsonSchema(
      z.string().refine(async () => true),
      { definition: false },
    );
    expect(() => schema.encode("x")).toThrow("promise");
  });
});

describe("a KEY_VALUE schema", () => {
  it("inline has both behind their lengths", () => {
    const schema = keyValueSchema(stringSchema(), int32Schema());
    const bytes = schema.encode({ key: "k", value: 7 });
    expect(hex(bytes)).toBe("000000016b0000000400000007");
    expect(schema.decode(bytes as Uint8Array)).toEqual({ key: "k", value: 7 });
    expect(hex(schema.encode({ key: null, value: 7 }))).toBe("ffffffff0000000400000007");
    expect(schema.decode(fromHex("000000016bffffffff"))).toEqual({ key: "k", value: null });
  });

  it("separated has the key as the message's key", () => {
    const schema = keyValueSchema(stringSchema(), int32Schema(), { encoding: "SEPARATED" });
    const pair = { key: "k", value: 7 };
    expect([hex(schema.encode(pair)), hex(schema.keyOf?.(pair) ?? null)]).toEqual(["00000007", "6b"]);
    expect(schema.decode(fromHex("00000007"), fromHex("6b"))).toEqual(pair);
    expect(schema.encode({ key: "k", value: null })).toBeNull();
  });

  it("tells the registry about both parts", () => {
    const schema = keyValueSchema(stringSchema(), int32Schema());
    expect(schema.info).toMatchObject({
      name: "KeyValue",
      properties: {
        "key.schema.name": "String",
        "key.schema.type": "STRING",
        "key.schema.properties": "{}",
        "value.schema.type": "INT32",
        "kv.encoding.type": "INLINE",
      },
    });
    expect(hex(schema.info?.schema ?? null)).toBe("0000000000000000");
  });

  it("refuses bytes that are cut off", () => {
    const schema = keyValueSchema(stringSchema(), int32Schema());
    for (const broken of ["", "0000", "000000056b", "000000016b0000000400000007ff", "fffffffe"]) {
      expect(() => schema.decode(fromHex(broken))).toThrow(RangeError);
    }
  });
});

describe("schemas that follow the topic's", () => {
  it("read each message by the schema it was written with", () => {
    const schema = autoConsumeSchema();
    const json = schema.readerFor?.(jsonSchema(z.object({ a: z.number() })).info);
    const record = json?.decode(new TextEncoder().encode('{"a":1}'));
    expect([record?.schemaType, record?.fields, record?.getField("a"), record?.getField("b")]).toEqual([
      "JSON",
      ["a"],
      1,
      undefined,
    ]);
    expect(schema.readerFor?.(int64Schema().info).decode(int64Schema().encode(5n) as Uint8Array).nativeValue).toBe(5n);
    const pairs = keyValueSchema(stringSchema(), int32Schema(), { encoding: "SEPARATED" });
    expect(schema.readerFor?.(pairs.info).decode(fromHex("00000007"), fromHex("6b")).nativeValue).toEqual({
      key: "k",
      value: 7,
    });
  });

  it("say which format they need", () => {
    const info = { name: "", type: "AVRO" as const, schema: new Uint8Array(0), properties: {} };
    expect(() => autoConsumeSchema().readerFor?.(info)).toThrow("avroFormat");
  });

  it("take bytes that fit the topic's schema, and refuse others", () => {
    const bound = autoProduceSchema().bind?.(int32Schema().info);
    expect(bound?.info?.type).toBe("INT32");
    expect(hex(bound?.encode(fromHex("00000007")) ?? null)).toBe("00000007");
    expect(() => bound?.encode(fromHex("07"))).toThrow("INT32 has 4 bytes");
    expect(autoProduceSchema().bind?.(undefined).info).toBeUndefined();
  });
});
