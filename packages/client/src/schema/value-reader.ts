import type { ClientContext } from "../client-context.ts";
import { retrying } from "../connection/retry.ts";
import { PulsarError, SchemaError, toPulsarError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Message } from "../message.ts";
import type { Schema, SchemaReader } from "./schema.ts";
import type { SchemaInfo } from "./schema-info.ts";

/** Asks for a schema that messages of the topic were written with. Undefined: the registry has none like that. */
export type FetchSchema = (version: Uint8Array) => Promise<SchemaInfo | undefined>;

type Known =
  | { kind: "loading"; done: Promise<void> }
  | { kind: "ready"; reader: SchemaReader<unknown> }
  | { kind: "failed"; error: PulsarError };

/** Decodes the values of one partition's messages, each by the schema it was written with where that matters. */
export class ValueReader {
  readonly #schema: Schema<never, unknown>;
  readonly #topic: string;
  readonly #fetch: FetchSchema;
  readonly #logger: Logger;
  readonly #known = new Map<string, Known>();

  constructor(schema: Schema<never, unknown>, topic: string, fetch: FetchSchema, logger: Logger) {
    this.#schema = schema;
    this.#topic = topic;
    this.#fetch = fetch;
    this.#logger = logger;
  }

  /**
   * Makes ready to decode messages of a version. Undefined when it is; else a promise, which never rejects: what could
   * not be had is told by the values that need it.
   */
  prepare(version: Uint8Array | undefined): Promise<void> | undefined {
    if (this.#schema.readerFor === undefined) return undefined;
    const key = versionKey(version);
    const known = this.#known.get(key);
    if (known?.kind === "loading") return known.done;
    // a registry that was away may be back
    if (known?.kind === "ready" || (known?.kind === "failed" && !known.error.retryable)) return undefined;
    if (version === undefined) {
      // sent without a schema: there is nothing to ask for
      this.#make(key, undefined);
      return undefined;
    }
    const done = this.#load(key, version);
    this.#known.set(key, { kind: "loading", done });
    return done;
  }

  /** Throws a SchemaError. */
  read(message: Message<unknown>): unknown {
    if (message.hasNullValue && this.#schema.keyOf === undefined) {
      throw new SchemaError("SchemaDecoding", `${this.#where(message)}: it was sent without a value, see hasNullValue`);
    }
    try {
      return this.#readerOf(message).decode(message.data, message.keyBytes);
    } catch (error) {
      if (error instanceof SchemaError) throw error;
      const detail = `${this.#where(message)} cannot be decoded: ${textOf(error)}`;
      throw new SchemaError("SchemaDecoding", detail, { cause: error });
    }
  }

  #readerOf(message: Message<unknown>): SchemaReader<unknown> {
    if (this.#schema.readerFor === undefined) return this.#schema;
    const known = this.#known.get(versionKey(message.schemaVersion));
    if (known?.kind === "ready") return known.reader;
    const why = known?.kind === "failed" ? `: ${known.error.message}` : "";
    const detail = `${this.#where(message)}: the schema it was written with could not be had${why}`;
    throw new SchemaError("SchemaUnavailable", detail, known?.kind === "failed" ? { cause: known.error } : {});
  }

  async #load(key: string, version: Uint8Array): Promise<void> {
    try {
      const writer = await this.#fetch(version);
      if (writer === undefined) throw new PulsarError("SchemaUnavailable", `the topic has no schema of version ${key}`);
      this.#make(key, writer);
    } catch (error) {
      this.#fail(key, error);
    }
  }

  #make(key: string, writer: SchemaInfo | undefined): void {
    try {
      this.#known.set(key, { kind: "ready", reader: this.#schema.readerFor?.(writer) ?? this.#schema });
    } catch (error) {
      this.#fail(key, error);
    }
  }

  #fail(key: string, error: unknown): void {
    const failure = toPulsarError(error);
    this.#logger.error(`${this.#topic}: schema version ${key}: ${failure.message}`);
    this.#known.set(key, { kind: "failed", error: failure });
  }

  #where(message: Message<unknown>): string {
    return `the value of ${message.messageId} of ${this.#topic}`;
  }
}

/** Reads a topic's values by a schema, and asks the topic's registry for those that messages were written with. */
export function valueReaderOf(
  context: ClientContext,
  schema: Schema<never, unknown> | undefined,
  topic: string,
): ValueReader | undefined {
  if (schema === undefined) return undefined;
  const { lookup, logger } = context;
  return new ValueReader(schema, topic, (version) => retrying(context, () => lookup.getSchema(topic, version)), logger);
}

/** A version as a text; brokers count them in eight bytes. */
function versionKey(version: Uint8Array | undefined): string {
  if (version === undefined) return "none";
  let hex = "";
  for (const byte of version) hex += byte.toString(16).padStart(2, "0");
  return hex.replace(/^0+(?=.)/, "");
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
