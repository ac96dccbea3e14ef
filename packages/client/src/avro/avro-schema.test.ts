import { describe, expect, it } from "vitest";
import { avroFormat, avroSchema } from "./index.ts";

interface Order {
  id: string;
  big: bigint;
  raw: Uint8Array | null;
  tags: string[];
}

const DEFINITION = {
  type: "record",
  name: "Order",
  fields: [
    { name: "id", type: "string" },
    { name: "big", type: "long" },
    { name: "raw", type: ["null", "bytes"], default: null },
    { name: "tags", type: { type: "array", items: "string" } },
  ],
};

const VALUE: Order = { id: "x", big: -(2n ** 62n), raw: Uint8Array.of(1, 2), tags: ["a", "é"] };

describe("an AVRO schema", () => {
  it("gives back what it took, with 64-bit numbers exact and bytes as bytes", () => {
    const schema = avroSchema<Order>(DEFINITION);
    const decoded = schema.decode(schema.encode(VALUE) as Uint8Array);
    expect({ ...decoded, raw: [...(decoded.raw ?? [])] }).toEqual({ ...VALUE, raw: [1, 2] });
  });

  it("writes Avro's binary form", () => {
    const schema = avroSchema<Order>(DEFINITION);
    const bytes = schema.encode({ id: "x", big: 3n, raw: null, tags: [] });
    expect([...(bytes as Uint8Array)]).toEqual([2, 120, 6, 0, 0]);
  });

  it("says which field does not fit", () => {
    const schema = avroSchema<{ id: string }>({ type: "record", name: "R", fields: [{ name: "id", type: "string" }] });
    expect(() => schema.encode({ id: 5 as unknown as string })).toThrow('id takes "string", not number');
  });

  it("resolves what an older version wrote: a field that came later has its default", () => {
    const older = avroSchema<{ id: string }>({
      type: "record",
      name: "Order",
      fields: [{ name: "id", type: "string" }],
    });
    const newer = avroSchema<{ id: string; n: bigint }>({
      type: "record",
      name: "Order",
      fields: [
        { name: "id", type: "string" },
        { name: "n", type: "long", default: 7 },
      ],
    });
    const reader = newer.readerFor?.(older.info);
    expect(reader?.decode(older.encode({ id: "a" }) as Uint8Array)).toEqual({ id: "a", n: 7n });
  });

  it("reads without knowing the schema before, where the format is given one of the registry", () => {
    const schema = avroSchema<Order>(DEFINITION);
    const reader = avroFormat().reader(schema.info as NonNullable<typeof schema.info>);
    expect(reader.decode(schema.encode(VALUE) as Uint8Array)).toMatchObject({ id: "x", big: -(2n ** 62n) });
  });
});
