import type { SchemaInfo } from "./schema-info.ts";

/** Decodes what was written with one certain schema. `key` is the message's key, which a separated KEY_VALUE is half of. */
export interface SchemaReader<R> {
  decode(data: Uint8Array, key?: Uint8Array): R;
}

/**
 * How values of an application become the bytes of messages and come back. `T` is what is sent, `R` what is received:
 * they differ only where a schema changes values on their way in, as a validator with defaults does.
 *
 * `encode` and `decode` may throw anything: the producer's `send` rejects and `message.value` throws a SchemaError then.
 */
export interface Schema<T, R = T> extends SchemaReader<R> {
  /** What the topic's registry is told. Undefined: nothing is registered, as for plain bytes. */
  readonly info: SchemaInfo | undefined;
  /** Null: the message has no value, as a tombstone has none. */
  encode(value: T): Uint8Array | null;
  /** The part of a value that is sent as the message's key, where the schema puts it there. */
  keyOf?(value: T): Uint8Array | undefined;
  /**
   * There where decoding depends on the schema a message was written with, as for AVRO: a reader for those messages.
   * `writer` is undefined for messages that were sent without a schema.
   */
  readerFor?(writer: SchemaInfo | undefined): SchemaReader<R>;
  /** There for a schema that follows the topic's: what to use, by what the topic has registered. */
  bind?(registered: SchemaInfo | undefined): Schema<T, R>;
}
