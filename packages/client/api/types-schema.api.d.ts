type SchemaTypeName = "AVRO" | "BOOLEAN" | "BYTES" | "DATE" | "DOUBLE" | "FLOAT" | "INSTANT" | "INT16" | "INT32" | "INT64" | "INT8" | "JSON" | "KEY_VALUE" | "LOCAL_DATE" | "LOCAL_DATE_TIME" | "LOCAL_TIME" | "NONE" | "PROTOBUF" | "PROTOBUF_NATIVE" | "STRING" | "TIME" | "TIMESTAMP";
interface SchemaInfo {
    readonly name: string;
    readonly type: SchemaTypeName;
    readonly schema: Uint8Array;
    readonly properties: Readonly<Record<string, string>>;
}
interface SchemaReader<R> {
    decode(data: Uint8Array, key?: Uint8Array): R;
}
interface Schema<T, R = T> extends SchemaReader<R> {
    readonly info: SchemaInfo | undefined;
    encode(value: T): Uint8Array | null;
    keyOf?(value: T): Uint8Array | undefined;
    readerFor?(writer: SchemaInfo | undefined): SchemaReader<R>;
    bind?(registered: SchemaInfo | undefined): Schema<T, R>;
}
export type { Schema as S, SchemaInfo as a, SchemaReader as b, SchemaTypeName as c };
