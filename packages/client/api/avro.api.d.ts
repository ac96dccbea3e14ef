import { S as SchemaFormat } from './types-auto-schemas.d.js';
import { S as Schema } from './types-schema.d.js';
type AvroLongs = "bigint" | "number";
declare function avroFormat(options?: {
    longs?: AvroLongs;
}): SchemaFormat;
interface AvroSchemaOptions {
    longs?: AvroLongs;
    avsc?: object;
    properties?: Readonly<Record<string, string>>;
}
declare function avroSchema<T>(definition: object | string, options?: AvroSchemaOptions): Schema<T>;
export { avroFormat, avroSchema };
export type { AvroSchemaOptions };
