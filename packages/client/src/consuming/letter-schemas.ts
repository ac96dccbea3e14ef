import type { Message } from "../message.ts";
import type { Schema } from "../schema/schema.ts";
import type { SchemaInfo } from "../schema/schema-info.ts";

/** Asks for the schema a topic has under a version. Undefined: it has none like that. */
export type FetchTopicSchema = (topic: string, version: Uint8Array) => Promise<SchemaInfo | undefined>;

/** Bytes that were encoded already, by the schema the registry is told. */
export type LetterSchema = Schema<Uint8Array, unknown>;

/**
 * The schemas that letters are stored with: those their messages were written with, so that whoever reads the retry or
 * dead-letter topic can decode them. For consumers that have a schema.
 */
export class LetterSchemas {
  readonly #own: SchemaInfo | undefined;
  readonly #fetch: FetchTopicSchema;
  /** By topic and version: a producer knows a schema it has registered by the object. */
  readonly #known = new Map<string, LetterSchema>();

  constructor(own: SchemaInfo | undefined, fetch: FetchTopicSchema) {
    this.#own = own;
    this.#fetch = fetch;
  }

  /** Undefined where the message was written without one and the consumer's own tells nothing. */
  async of(message: Message): Promise<LetterSchema | undefined> {
    const { schemaVersion, topic } = message;
    const key = schemaVersion === undefined ? "" : `${topic} ${schemaVersion.join(".")}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const info = schemaVersion === undefined ? this.#own : await this.#fetch(topic, schemaVersion);
    if (info === undefined) return undefined;
    // another may have asked meanwhile
    const schema = this.#known.get(key) ?? { info, encode: (data: Uint8Array) => data, decode: (data) => data };
    this.#known.set(key, schema);
    return schema;
  }
}
