import { S as SchemaFormat } from './types-auto-schemas.d.js';
import { Type } from 'protobufjs';
import { S as Schema } from './types-schema.d.js';
declare function protobufFormat(): SchemaFormat;
interface ProtobufSchemaOptions {
    namespace?: string;
    definition?: object;
}
declare function protobufNativeSchema<T>(type: Type): Schema<T>;
declare function protobufSchema<T>(type: Type, options?: ProtobufSchemaOptions): Schema<T>;
export { protobufFormat, protobufNativeSchema, protobufSchema };
export type { ProtobufSchemaOptions };
