import type { Schema } from "../schema/schema.ts";
import type { SchemaTypeName } from "../schema/schema-info.ts";

export type SchemaType =
  | "None"
  | "String"
  | "Json"
  | "Protobuf"
  | "Avro"
  | "Boolean"
  | "Int8"
  | "Int16"
  | "Int32"
  | "Int64"
  | "Float32"
  | "Float64"
  | "KeyValue"
  | "ProtobufNative"
  | "Bytes"
  | "AutoConsume"
  | "AutoPublish";

export interface SchemaInfo {
  schemaType: SchemaType;
  name?: string;
  schema?: string;
  properties?: Record<string, string>;
}

/** The types that the registry is told of; the others stand for no schema at all. */
const TYPES: Readonly<Record<SchemaType, SchemaTypeName | undefined>> = {
  None: undefined,
  String: "STRING",
  Json: "JSON",
  Protobuf: "PROTOBUF",
  Avro: "AVRO",
  Boolean: "BOOLEAN",
  Int8: "INT8",
  Int16: "INT16",
  Int32: "INT32",
  Int64: "INT64",
  Float32: "FLOAT",
  Float64: "DOUBLE",
  KeyValue: "KEY_VALUE",
  ProtobufNative: "PROTOBUF_NATIVE",
  Bytes: undefined,
  AutoConsume: undefined,
  AutoPublish: undefined,
};

/** A schema that is registered, and leaves the bytes of messages alone: encoding them is the application's. */
export function schemaOf(info: SchemaInfo): Schema<Uint8Array> | undefined {
  if (typeof info !== "object" || info === null) return undefined;
  const { schemaType, name = schemaType, schema = "", properties = {} } = info;
  if (!Object.hasOwn(TYPES, schemaType)) throw new TypeError(`Unknown schemaType: ${schemaType}`);
  const type = TYPES[schemaType];
  if (type === undefined) return undefined;
  return {
    info: { name, type, schema: new TextEncoder().encode(schema), properties },
    encode: (value) => value,
    decode: (data) => data,
  };
}
