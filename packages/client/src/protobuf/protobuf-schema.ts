import type { Type } from "protobufjs";
import type { Schema, SchemaReader } from "../schema/schema.ts";
import type { SchemaTypeName } from "../schema/schema-info.ts";
import { avroOfProtobuf } from "./avro-of-protobuf.ts";
import { nativeDefinition, nativeType, plainReader, protobufBytes } from "./protobuf-type.ts";

export interface ProtobufSchemaOptions {
  /** PROTOBUF: the namespace of the record that is registered; Java has the outer class here. Default: none. */
  namespace?: string;
  /** PROTOBUF: what is registered, in Avro's JSON form. Default: made from the message type. */
  definition?: object;
}

/**
 * Messages of protobufjs, registered as PROTOBUF_NATIVE with their descriptors. Values are plain objects: 64-bit numbers
 * as bigint, enums by name.
 *
 * @example
 * const { root } = protobuf.parse('syntax = "proto3"; package shop; message Order { string id = 1; }');
 * const order = protobufNativeSchema<{ id: string }>(root.lookupType("shop.Order"));
 */
export function protobufNativeSchema<T>(type: Type): Schema<T> {
  return {
    ...protobufForm<T>("PROTOBUF_NATIVE", type, nativeDefinition(type)),
    readerFor: (writer): SchemaReader<T> => {
      // fields have numbers: this type reads what any version of it wrote, once it is known to be one
      if (writer?.type === "PROTOBUF_NATIVE") nativeType(writer.schema);
      return plainReader<T>(type);
    },
  };
}

/** Messages of protobufjs, registered as PROTOBUF: the older form, with a record of Avro in the registry. */
export function protobufSchema<T>(type: Type, options: ProtobufSchemaOptions = {}): Schema<T> {
  const definition = options.definition ?? avroOfProtobuf(type, options.namespace ?? "");
  return protobufForm<T>("PROTOBUF", type, new TextEncoder().encode(JSON.stringify(definition)));
}

function protobufForm<T>(schemaType: SchemaTypeName, type: Type, schema: Uint8Array): Schema<T> {
  return {
    info: { name: "", type: schemaType, schema, properties: {} },
    encode: (value) => protobufBytes(type, value),
    ...plainReader<T>(type),
  };
}
