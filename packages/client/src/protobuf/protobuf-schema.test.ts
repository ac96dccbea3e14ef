import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { protobufFormat, protobufNativeSchema, protobufSchema } from "./index.ts";

const PROTO = `syntax = "proto3"; package shop;
enum Kind { SMALL = 0; LARGE = 1; }
message Line { string what = 1; int64 count = 2; }
message Order { string id = 1; repeated Line lines = 2; Kind kind = 3; map<string, double> prices = 4; bytes raw = 5; }`;

interface Order {
  id: string;
  lines: { what: string; count: bigint }[];
  kind: "SMALL" | "LARGE";
  prices: Record<string, number>;
}

const type = protobuf.parse(PROTO).root.lookupType("shop.Order");
const VALUE: Order = { id: "a", lines: [{ what: "x", count: 2n ** 60n }], kind: "LARGE", prices: { x: 1.5 } };

describe("a PROTOBUF_NATIVE schema", () => {
  it("gives back what it took, with 64-bit numbers exact", () => {
    const schema = protobufNativeSchema<Order>(type);
    expect(schema.decode(schema.encode(VALUE) as Uint8Array)).toMatchObject(VALUE);
  });

  it("registers a descriptor from which others read its messages", () => {
    const schema = protobufNativeSchema<Order>(type);
    const info = schema.info as NonNullable<typeof schema.info>;
    const definition = JSON.parse(new TextDecoder().decode(info.schema)) as Record<string, string>;
    expect(definition.rootMessageTypeName).toBe("shop.Order");
    const reader = protobufFormat().reader(info);
    expect(reader.decode(schema.encode(VALUE) as Uint8Array)).toMatchObject(VALUE);
  });

  it("refuses a value that does not fit", () => {
    const schema = protobufNativeSchema<Order>(type);
    expect(() => schema.encode({ ...VALUE, lines: 5 } as unknown as Order)).toThrow("lines");
    expect(() => schema.encode("x" as unknown as Order)).toThrow("takes an object");
  });
});

describe("a PROTOBUF schema", () => {
  it("registers a record of Avro with the message's fields", () => {
    const info = protobufSchema<Order>(type, { namespace: "shop.Shop" }).info;
    const definition = JSON.parse(new TextDecoder().decode(info?.schema)) as {
      namespace: string;
      fields: { name: string }[];
    };
    expect(definition.namespace).toBe("shop.Shop");
    expect(definition.fields.map((f) => f.name)).toEqual(["id", "lines", "kind", "prices", "raw"]);
  });
});
