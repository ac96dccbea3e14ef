/**
 * AVRO schemas, by avsc, which is to be installed beside this package.
 *
 * @module
 */
export { avroFormat } from "./avro-format.ts";
export { type AvroSchemaOptions, avroSchema } from "./avro-schema.ts";
