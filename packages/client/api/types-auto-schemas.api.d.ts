import { c as SchemaTypeName, a as SchemaInfo, b as SchemaReader, S as Schema } from './types-schema.d.js';
interface SchemaFormat {
    readonly types: readonly SchemaTypeName[];
    reader(info: SchemaInfo): SchemaReader<unknown>;
}
declare class GenericRecord {
    readonly schemaType: SchemaTypeName;
    readonly nativeValue: unknown;
    get fields(): readonly string[];
    getField(name: string): unknown;
}
declare function autoConsumeSchema(...formats: SchemaFormat[]): Schema<never, GenericRecord>;
declare function autoProduceSchema(...formats: SchemaFormat[]): Schema<Uint8Array>;
export { GenericRecord as G, autoConsumeSchema as a, autoProduceSchema as b };
export type { SchemaFormat as S };
