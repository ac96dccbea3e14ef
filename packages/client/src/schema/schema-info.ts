import { type Schema as SchemaMessage, SchemaType as WireType } from "@pulsewire/protocol";
import { PulsarError } from "../errors.ts";

/** Pulsar's schema types, by the names its tools use. */
export type SchemaTypeName =
  | "AVRO"
  | "BOOLEAN"
  | "BYTES"
  | "DATE"
  | "DOUBLE"
  | "FLOAT"
  | "INSTANT"
  | "INT16"
  | "INT32"
  | "INT64"
  | "INT8"
  | "JSON"
  | "KEY_VALUE"
  | "LOCAL_DATE"
  | "LOCAL_DATE_TIME"
  | "LOCAL_TIME"
  | "NONE"
  | "PROTOBUF"
  | "PROTOBUF_NATIVE"
  | "STRING"
  | "TIME"
  | "TIMESTAMP";

/** A schema as the registry keeps it. */
export interface SchemaInfo {
  readonly name: string;
  readonly type: SchemaTypeName;
  /** The definition: for AVRO and JSON a definition in Avro's JSON form; empty for primitive types. */
  readonly schema: Uint8Array;
  readonly properties: Readonly<Record<string, string>>;
}

const WIRE_TYPES: Readonly<Record<SchemaTypeName, WireType>> = {
  AVRO: WireType.Avro,
  BOOLEAN: WireType.Bool,
  BYTES: WireType.None,
  DATE: WireType.Date,
  DOUBLE: WireType.Double,
  FLOAT: WireType.Float,
  INSTANT: WireType.Instant,
  INT16: WireType.Int16,
  INT32: WireType.Int32,
  INT64: WireType.Int64,
  INT8: WireType.Int8,
  JSON: WireType.Json,
  KEY_VALUE: WireType.KeyValue,
  LOCAL_DATE: WireType.LocalDate,
  LOCAL_DATE_TIME: WireType.LocalDateTime,
  LOCAL_TIME: WireType.LocalTime,
  NONE: WireType.None,
  PROTOBUF: WireType.Protobuf,
  PROTOBUF_NATIVE: WireType.ProtobufNative,
  STRING: WireType.String,
  TIME: WireType.Time,
  TIMESTAMP: WireType.Timestamp,
};

const NAMES: ReadonlyMap<number, SchemaTypeName> = new Map(
  (Object.entries(WIRE_TYPES) as [SchemaTypeName, WireType][])
    .filter(([name]) => name !== "BYTES")
    .map(([name, type]) => [type, name]),
);

export function isSchemaTypeName(name: string): name is SchemaTypeName {
  return Object.hasOwn(WIRE_TYPES, name);
}

/** A schema for PRODUCER, SUBSCRIBE and the like; undefined where nothing is to be registered. */
export function schemaMessage(info: SchemaInfo | undefined): SchemaMessage | undefined {
  if (info === undefined || info.type === "BYTES" || info.type === "NONE") return undefined;
  return {
    name: info.name,
    schemaData: info.schema,
    type: WIRE_TYPES[info.type],
    properties: Object.entries(info.properties).map(([key, value]) => ({ key, value })),
  };
}

/** A schema as a broker answers it. */
export function schemaInfoOf(message: SchemaMessage): SchemaInfo {
  const type = NAMES.get(message.type);
  if (type === undefined) {
    throw new PulsarError("Unsupported", `the schema "${message.name}" is of type ${message.type}, not known here`);
  }
  const properties = Object.fromEntries((message.properties ?? []).map((p) => [p.key, p.value]));
  return { name: message.name, type, schema: message.schemaData, properties };
}
