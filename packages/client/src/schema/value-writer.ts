import { InvalidConfigurationError, PulsarError, SchemaError } from "../errors.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";
import type { Schema } from "./schema.ts";
import { textOf } from "./value-reader.ts";

/** Makes messages of bytes out of messages of values. */
export class ValueWriter {
  readonly #schema: Schema<never, unknown> | undefined;
  readonly #topic: string;

  constructor(schema: Schema<never, unknown> | undefined, topic: string) {
    this.#schema = schema;
    this.#topic = topic;
  }

  /** Throws a PulsarError; a SchemaError where it is the value that does not fit. */
  write(message: ProducerMessage<unknown>): ProducerMessage {
    const { value, ...rest } = message;
    if (value === undefined) return rest;
    const schema = this.#schema;
    if (rest.data !== undefined) throw new PulsarError("InvalidMessage", "a message has either a value or data");
    if (schema === undefined) return { ...rest, data: plainBytes(value, this.#topic) };
    const data = this.#encode(schema, value);
    const key = schema.keyOf?.(value as never);
    if (key === undefined) return { ...rest, data };
    if (rest.key !== undefined) {
      throw new PulsarError("InvalidMessage", `${this.#topic}: the schema puts a part of the value into the key`);
    }
    return { ...rest, data, key };
  }

  /** A text or bytes without anything around them are the payload itself, or the value where the schema takes such. */
  writeBare(value: string | Uint8Array): ProducerMessage {
    const type = this.#schema?.info?.type;
    if (type === undefined && this.#schema === undefined) return { data: value };
    if (typeof value === "string" && type !== undefined && type !== "STRING") {
      const detail = `${this.#topic}: the producer has a schema of type ${type}; send({ value }), or { data } for raw bytes`;
      throw new InvalidConfigurationError(detail);
    }
    if (type === "STRING") return { data: value };
    return this.write({ value });
  }

  #encode(schema: Schema<never, unknown>, value: unknown): Uint8Array | null {
    try {
      return schema.encode(value as never);
    } catch (error) {
      if (error instanceof SchemaError) throw error;
      const type = schema.info?.type ?? "BYTES";
      const detail = `${this.#topic}: the value does not fit the ${type} schema: ${textOf(error)}`;
      throw new SchemaError("SchemaEncoding", detail, { cause: error });
    }
  }
}

function plainBytes(value: unknown, topic: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new SchemaError("SchemaEncoding", `${topic}: a producer without a schema takes a Uint8Array as its value`);
}
