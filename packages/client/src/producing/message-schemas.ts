import type { Schema } from "../schema/schema.ts";
import type { SchemaInfo } from "../schema/schema-info.ts";

/** Registers a schema with the topic where it is not yet, and answers its version. */
export type RegisterSchema = (info: SchemaInfo) => Promise<Uint8Array>;

/**
 * The versions of schemas that single messages bring along. While one is being registered every later message waits for
 * its turn, so that messages keep their order.
 */
export class MessageSchemas {
  readonly #register: RegisterSchema;
  readonly #versions = new Map<Schema<never, unknown>, Uint8Array>();
  /** Of the last message that waits; over when that is sent. */
  #turn: Promise<void> | undefined;

  constructor(register: RegisterSchema) {
    this.#register = register;
  }

  /** Resolves when everything that waits now is sent, or refused; undefined where nothing waits. Never rejects. */
  get waiting(): Promise<void> | undefined {
    return this.#turn;
  }

  /** The version of a schema that is known. */
  versionOf(schema: Schema<never, unknown>): Uint8Array | undefined {
    return this.#versions.get(schema);
  }

  /**
   * Sends a message behind those that wait, once its schema, where it has one, is registered. Rejects with the registry's
   * refusal, such as IncompatibleSchema; the messages behind it go on.
   */
  async send<R>(schema: Schema<never, unknown> | undefined, send: () => Promise<R>): Promise<R> {
    const started = this.#inTurn(schema, send);
    const done = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    const turn: Promise<void> = started.then(done, done);
    this.#turn = turn;
    return (await started).sent;
  }

  /** In an object, so that those behind it wait for its turn and not for its receipt. */
  async #inTurn<R>(
    schema: Schema<never, unknown> | undefined,
    send: () => Promise<R>,
  ): Promise<{ readonly sent: Promise<R> }> {
    if (this.#turn !== undefined) await this.#turn;
    if (schema?.info !== undefined && !this.#versions.has(schema)) {
      this.#versions.set(schema, await this.#register(schema.info));
    }
    return { sent: send() };
  }
}
