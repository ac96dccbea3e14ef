/**
 * PROTOBUF and PROTOBUF_NATIVE schemas, by protobufjs.
 *
 * @module
 */
export { protobufFormat } from "./protobuf-format.ts";
export { type ProtobufSchemaOptions, protobufNativeSchema, protobufSchema } from "./protobuf-schema.ts";
