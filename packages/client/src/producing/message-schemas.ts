import type { Schema } from "../schema/schema.ts";
import type { SchemaInfo } from "../schema/schema-info.ts";

/** Registers a schema with the topic where it is not yet, and answers its version. */
export type RegisterSchema = (info: SchemaInfo) => Promise<Uint8Array>;

/**
 * The versions of schemas that single messages bring along. While one is being registered every later message waits, so
 * that messages keep their order.
 */
export class MessageSchemas {
  readonly #register: RegisterSchema;
  readonly #versions = new Map<Schema<never, unknown>, Uint8Array>();
  #registering: Promise<void> | undefined;

  constructor(register: RegisterSchema) {
    this.#register = register;
  }

  /** What the next message has to wait for, where there is something. Never rejects. */
  get registering(): Promise<void> | undefined {
    return this.#registering;
  }

  /** The version of a schema that is known. */
  versionOf(schema: Schema<never, unknown>): Uint8Array | undefined {
    return this.#versions.get(schema);
  }

  /**
   * Sends a message once its schema is registered, and before those that wait. Rejects with the registry's refusal, such as
   * IncompatibleSchema; the messages behind it go on.
   */
  async register<R>(schema: Schema<never, unknown>, info: SchemaInfo, send: () => Promise<R>): Promise<R> {
    const started = this.#register(info).then((version) => {
      this.#versions.set(schema, version);
      // in an object, so that those behind it wait for its turn and not for its receipt
      return { sent: send() };
    });
    const done = (): void => {
      this.#registering = undefined;
    };
    this.#registering = started.then(done, done);
    return (await started).sent;
  }
}
