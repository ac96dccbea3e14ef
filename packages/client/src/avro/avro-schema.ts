import type { Schema, SchemaReader } from "../schema/schema.ts";
import type { SchemaInfo } from "../schema/schema-info.ts";
import { type AvroLongs, asBuffer, avroType, hasBytes, misfit, withBuffers } from "./avro-type.ts";

export interface AvroSchemaOptions {
  /** How 64-bit numbers come. Default `bigint`; whole numbers are taken for them when sending. */
  longs?: AvroLongs;
  /** Further options of avsc's `Type.forSchema`, such as `logicalTypes`. */
  avsc?: object;
  /** Kept in the registry with the schema. */
  properties?: Readonly<Record<string, string>>;
}

/**
 * Records in Avro's binary form. What was written with another version of the schema is resolved to this one, as Avro
 * does. Throws what avsc throws for a definition that is none.
 *
 * @example
 * const order = avroSchema<Order>({ type: "record", name: "Order", fields: [{ name: "id", type: "string" }] });
 */
export function avroSchema<T>(definition: object | string, options: AvroSchemaOptions = {}): Schema<T> {
  const { longs = "bigint", avsc = {}, properties = {} } = options;
  const text = typeof definition === "string" ? definition : JSON.stringify(definition);
  const parsed = JSON.parse(text) as object;
  const type = avroType(parsed, longs, avsc);
  const bytesInside = hasBytes(text);
  return {
    info: { name: "", type: "AVRO", schema: new TextEncoder().encode(text), properties },
    encode(value: T): Uint8Array {
      const fitting = bytesInside ? withBuffers(value) : value;
      const wrong = misfit(type, fitting);
      if (wrong !== undefined) throw new TypeError(wrong);
      return type.toBuffer(fitting);
    },
    decode: (data) => type.fromBuffer(asBuffer(data)) as T,
    readerFor(writer: SchemaInfo | undefined): SchemaReader<T> {
      if (writer === undefined) return { decode: (data) => type.fromBuffer(asBuffer(data)) as T };
      const written = avroType(JSON.parse(new TextDecoder().decode(writer.schema)) as object, longs, avsc);
      // another client may give its record another namespace
      const resolver = type.createResolver(written, { ignoreNamespaces: true });
      return { decode: (data) => type.fromBuffer(asBuffer(data), resolver) as T };
    },
  };
}
