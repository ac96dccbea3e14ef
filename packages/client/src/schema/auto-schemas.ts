import { SchemaError } from "../errors.ts";
import { keyValueParts, keyValueReader } from "./key-value-schema.ts";
import {
  booleanSchema,
  bytesSchema,
  doubleSchema,
  floatSchema,
  int8Schema,
  int16Schema,
  int32Schema,
  int64Schema,
  stringSchema,
} from "./primitive-schemas.ts";
import type { Schema, SchemaReader } from "./schema.ts";
import type { SchemaInfo, SchemaTypeName } from "./schema-info.ts";
import {
  dateSchema,
  instantSchema,
  localDateSchema,
  localDateTimeSchema,
  localTimeSchema,
  timeSchema,
  timestampSchema,
} from "./time-schemas.ts";

/** How values of schemas that are only known at run time are read: `avroFormat` and `protobufFormat` are such. */
export interface SchemaFormat {
  readonly types: readonly SchemaTypeName[];
  /** Throws for a schema it cannot use. */
  reader(info: SchemaInfo): SchemaReader<unknown>;
}

/** A value with the schema it was sent with. */
export class GenericRecord {
  readonly schemaType: SchemaTypeName;
  /** An object for records, a text for STRING and so on; bytes where the message was sent without a schema. */
  readonly nativeValue: unknown;

  /** @internal */
  constructor(schemaType: SchemaTypeName, nativeValue: unknown) {
    this.schemaType = schemaType;
    this.nativeValue = nativeValue;
  }

  /** The names of a record's fields; none for other values. */
  get fields(): readonly string[] {
    const { nativeValue } = this;
    const plain = typeof nativeValue === "object" && nativeValue !== null && !(nativeValue instanceof Uint8Array);
    return plain ? Object.keys(nativeValue) : [];
  }

  getField(name: string): unknown {
    return this.fields.includes(name) ? (this.nativeValue as Record<string, unknown>)[name] : undefined;
  }
}

/**
 * For consumers of any topic: each value comes by the schema its message was sent with. Records of AVRO and
 * PROTOBUF_NATIVE need their formats, from `@pulsewire/client/avro` and `@pulsewire/client/protobuf`.
 */
export function autoConsumeSchema(...formats: SchemaFormat[]): Schema<never, GenericRecord> {
  return {
    info: undefined,
    encode(): never {
      throw new TypeError("AUTO_CONSUME only reads; a producer takes autoProduceSchema");
    },
    decode: (data) => new GenericRecord("BYTES", data),
    readerFor(writer: SchemaInfo | undefined): SchemaReader<GenericRecord> {
      const type = writer?.type ?? "BYTES";
      const reader = writer === undefined ? bytesSchema() : readerOf(writer, formats);
      return { decode: (data, key) => new GenericRecord(type, reader.decode(data, key)) };
    },
  };
}

/**
 * For producers that send bytes which are encoded already: they take the topic's own schema, and a payload that does not
 * fit it is refused. Values of AVRO and PROTOBUF_NATIVE are checked where their formats are given.
 */
export function autoProduceSchema(...formats: SchemaFormat[]): Schema<Uint8Array> {
  return {
    ...bytesSchema(),
    bind(registered: SchemaInfo | undefined): Schema<Uint8Array> {
      if (registered === undefined) return bytesSchema();
      const reader = readerOf(registered, formats);
      return {
        info: registered,
        encode(value: Uint8Array): Uint8Array {
          const data = bytesSchema().encode(value) as Uint8Array;
          reader.decode(data);
          return data;
        },
        decode: (data) => data,
      };
    },
  };
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

const READERS: Partial<Record<SchemaTypeName, () => SchemaReader<unknown>>> = {
  BOOLEAN: booleanSchema,
  BYTES: bytesSchema,
  DATE: dateSchema,
  DOUBLE: doubleSchema,
  FLOAT: floatSchema,
  INSTANT: instantSchema,
  INT16: int16Schema,
  INT32: int32Schema,
  INT64: int64Schema,
  INT8: int8Schema,
  JSON: () => ({ decode: (data) => JSON.parse(strictUtf8.decode(data)) as unknown }),
  LOCAL_DATE: localDateSchema,
  LOCAL_DATE_TIME: localDateTimeSchema,
  LOCAL_TIME: localTimeSchema,
  NONE: bytesSchema,
  STRING: stringSchema,
  TIME: timeSchema,
  TIMESTAMP: timestampSchema,
};

/** A reader for a schema of the registry. Throws a SchemaError where its format is not there. */
function readerOf(info: SchemaInfo, formats: readonly SchemaFormat[]): SchemaReader<unknown> {
  if (info.type === "KEY_VALUE") {
    const { key, value, separated } = keyValueParts(info);
    return keyValueReader(readerOf(key, formats), readerOf(value, formats), separated);
  }
  const format = formats.find((f) => f.types.includes(info.type));
  const reader = format?.reader(info) ?? READERS[info.type]?.();
  if (reader !== undefined) return reader;
  const where =
    info.type === "AVRO" ? "avroFormat of @pulsewire/client/avro" : "protobufFormat of @pulsewire/client/protobuf";
  throw new SchemaError("SchemaUnavailable", `a schema of type ${info.type} needs its format: ${where}`);
}
