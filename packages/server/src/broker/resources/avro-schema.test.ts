import { describe, expect, it } from "vitest";
import { type AvroSchema, parseAvroSchema, whyUnreadable } from "./avro-schema.ts";

const record = (...fields: object[]): AvroSchema => ({ type: "record", name: "R", fields }) as AvroSchema;
const a = { name: "a", type: "int" };

describe("reading with another Avro schema", () => {
  it.each<[string, AvroSchema, AvroSchema]>([
    ["the same", record(a), record(a)],
    ["a field less", record(a), record(a, { name: "b", type: "string" })],
    ["a field more, with a default", record(a, { name: "b", type: "string", default: "" }), record(a)],
    ["a null default counts as one", record(a, { name: "b", type: ["null", "int"], default: null }), record(a)],
    ["int as long", record({ name: "a", type: "long" }), record(a)],
    ["float as double", "double", "float"],
    ["string as bytes", "bytes", "string"],
    ["a type as a union that holds it", ["null", "int"], "int"],
    ["a union as a wider one", ["null", "int", "string"], ["null", "int"]],
    ["a renamed field by its alias", record({ name: "z", type: "int", aliases: ["a"] }), record(a)],
    [
      "an enum with fewer symbols written",
      { type: "enum", name: "E", symbols: ["X", "Y"] } as AvroSchema,
      { type: "enum", name: "E", symbols: ["X"] } as AvroSchema,
    ],
    ["arrays and maps by their items", { type: "array", items: "long" }, { type: "array", items: "int" }],
    ["namespaces apart", { ...(record(a) as object), namespace: "x" } as AvroSchema, record(a)],
    [
      "a record in itself",
      record({ name: "next", type: ["null", "R"] }),
      record({ name: "next", type: ["null", "R"] }),
    ],
    ["a logical type as its type", { type: "long", logicalType: "timestamp-millis" } as AvroSchema, "long"],
  ])("works for %s", (_what, reader, writer) => {
    expect(whyUnreadable(reader, writer)).toBeUndefined();
  });

  it.each<[string, AvroSchema, AvroSchema, RegExp]>([
    ["a field more without a default", record(a, { name: "b", type: "string" }), record(a), /\.b: it has no default/],
    ["another type", record({ name: "a", type: "string" }), record(a), /\.a: int cannot be read as string/],
    ["long as int", "int", "long", /long cannot be read as int/],
    ["a union as one of its types", "int", ["null", "int"], /null cannot be read as int/],
    ["a type no branch takes", ["null", "int"], "string", /no branch of the reader's union takes string/],
    ["another record", { ...(record(a) as object), name: "S" } as AvroSchema, record(a), /record R is not S/],
    [
      "an enum's symbol that the reader lacks",
      { type: "enum", name: "E", symbols: ["X"] } as AvroSchema,
      { type: "enum", name: "E", symbols: ["X", "Y"] } as AvroSchema,
      /lacks Y/,
    ],
    ["another size", { type: "fixed", name: "F", size: 4 }, { type: "fixed", name: "F", size: 8 }, /sizes differ/],
    [
      "deep inside",
      { type: "array", items: record(a, { name: "b", type: "int" }) },
      { type: "array", items: record(a) },
      /\[\]\.b/,
    ],
  ])("fails for %s", (_what, reader, writer, why) => {
    expect(whyUnreadable(reader, writer)).toMatch(why);
  });
});

describe("parsing an Avro schema", () => {
  it.each(["{bad", "1", `{"type":"record"}`, `"strange"`, `{"type":"array"}`, `{"type":"enum","name":"E"}`])(
    "refuses %s",
    (text) => {
      expect(() => parseAvroSchema(text)).toThrow();
    },
  );

  it("refuses one that is nested too deeply", () => {
    const deep = `${`{"type":"array","items":`.repeat(100)}"int"${"}".repeat(100)}`;
    expect(() => parseAvroSchema(deep)).toThrow(/nested/);
  });
});
