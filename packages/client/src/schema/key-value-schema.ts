import { checkOptions, oneOf } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { checkSchema } from "./check-schema.ts";
import { joinLengthPrefixed, splitLengthPrefixed } from "./length-prefixed.ts";
import type { Schema, SchemaReader } from "./schema.ts";
import { isSchemaTypeName, type SchemaInfo } from "./schema-info.ts";

/** A pair as one message. Null where there is none. */
export interface KeyValue<K, V> {
  key: K | null;
  value: V | null;
}

export interface KeyValueOptions {
  /**
   * `INLINE` puts both into the payload; with `SEPARATED` the key is the message's key, so that partitions, compaction
   * and Key_Shared go by it. Default `INLINE`.
   */
  encoding?: "INLINE" | "SEPARATED";
}

/** Pairs of a key and a value, each by a schema of its own. */
export function keyValueSchema<K, V, KR = K, VR = V>(
  key: Schema<K, KR>,
  value: Schema<V, VR>,
  options: KeyValueOptions = {},
): Schema<KeyValue<K, V>, KeyValue<KR, VR>> {
  if (checkSchema(key) === undefined || checkSchema(value) === undefined) {
    throw new InvalidConfigurationError("keyValueSchema takes a schema for keys and one for values");
  }
  checkOptions("keyValueSchema", options, { encoding: true });
  const separated = oneOf("encoding", options.encoding, ["INLINE", "SEPARATED"] as const, "INLINE") === "SEPARATED";
  const schema = separated ? separatedSchema(key, value) : inlineSchema(key, value);
  if (key.readerFor === undefined && value.readerFor === undefined) return schema;
  return {
    ...schema,
    readerFor(writer: SchemaInfo | undefined): SchemaReader<KeyValue<KR, VR>> {
      const parts = writer === undefined ? undefined : keyValueParts(writer);
      const readers = { key: key.readerFor?.(parts?.key) ?? key, value: value.readerFor?.(parts?.value) ?? value };
      return keyValueReader(readers.key, readers.value, parts?.separated ?? separated);
    },
  };
}

function inlineSchema<K, V, KR, VR>(
  key: Schema<K, KR>,
  value: Schema<V, VR>,
): Schema<KeyValue<K, V>, KeyValue<KR, VR>> {
  return {
    info: keyValueInfo(key.info, value.info, "INLINE"),
    encode(pair: KeyValue<K, V>): Uint8Array {
      checkPair(pair);
      return joinLengthPrefixed([
        pair.key === null ? null : key.encode(pair.key),
        pair.value === null ? null : value.encode(pair.value),
      ]);
    },
    ...keyValueReader(key, value, false),
  };
}

function separatedSchema<K, V, KR, VR>(
  key: Schema<K, KR>,
  value: Schema<V, VR>,
): Schema<KeyValue<K, V>, KeyValue<KR, VR>> {
  return {
    info: keyValueInfo(key.info, value.info, "SEPARATED"),
    encode(pair: KeyValue<K, V>): Uint8Array | null {
      checkPair(pair);
      return pair.value === null ? null : value.encode(pair.value);
    },
    keyOf: (pair) => (pair.key === null ? undefined : (key.encode(pair.key) ?? undefined)),
    ...keyValueReader(key, value, true),
  };
}

/** Reads pairs by readers of their parts. */
export function keyValueReader<KR, VR>(
  key: SchemaReader<KR>,
  value: SchemaReader<VR>,
  separated: boolean,
): SchemaReader<KeyValue<KR, VR>> {
  if (separated) {
    return {
      decode: (data, messageKey) => ({
        key: messageKey === undefined ? null : key.decode(messageKey),
        value: data.length === 0 ? null : value.decode(data),
      }),
    };
  }
  return {
    decode(data) {
      const [keyData, valueData] = splitLengthPrefixed(data, 2);
      return {
        key: keyData === null || keyData === undefined ? null : key.decode(keyData),
        value: valueData === null || valueData === undefined ? null : value.decode(valueData),
      };
    },
  };
}

function checkPair(pair: unknown): void {
  if (typeof pair === "object" && pair !== null && "key" in pair && "value" in pair) return;
  throw new TypeError("KEY_VALUE takes an object with a key and a value");
}

const BYTES: SchemaInfo = { name: "Bytes", type: "BYTES", schema: new Uint8Array(0), properties: {} };

function keyValueInfo(
  key: SchemaInfo | undefined,
  value: SchemaInfo | undefined,
  encoding: "INLINE" | "SEPARATED",
): SchemaInfo {
  const parts = { key: key ?? BYTES, value: value ?? BYTES };
  const properties: Record<string, string> = { "kv.encoding.type": encoding };
  for (const [part, info] of Object.entries(parts)) {
    properties[`${part}.schema.name`] = info.name;
    properties[`${part}.schema.type`] = info.type;
    properties[`${part}.schema.properties`] = JSON.stringify(info.properties);
  }
  const schema = joinLengthPrefixed([parts.key.schema, parts.value.schema]);
  return { name: "KeyValue", type: "KEY_VALUE", schema, properties };
}

/** A KEY_VALUE schema of the registry, taken apart. Throws for one that is broken. */
export function keyValueParts(info: SchemaInfo): { key: SchemaInfo; value: SchemaInfo; separated: boolean } {
  const [keySchema, valueSchema] = splitLengthPrefixed(info.schema, 2);
  const part = (name: string, schema: Uint8Array | null | undefined): SchemaInfo => {
    const type = info.properties[`${name}.schema.type`] ?? "BYTES";
    if (!isSchemaTypeName(type)) throw new TypeError(`the ${name} of a KEY_VALUE schema is of type ${type}`);
    const properties = JSON.parse(info.properties[`${name}.schema.properties`] ?? "{}") as Record<string, string>;
    return { name: info.properties[`${name}.schema.name`] ?? "", type, schema: schema ?? BYTES.schema, properties };
  };
  return {
    key: part("key", keySchema),
    value: part("value", valueSchema),
    separated: info.properties["kv.encoding.type"] === "SEPARATED",
  };
}
