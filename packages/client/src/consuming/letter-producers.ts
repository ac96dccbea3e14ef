import { toPulsarError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Message } from "../message.ts";
import type { Producer } from "../producing/producer.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";
import type { LetterSchemas } from "./letter-schemas.ts";

/** Opens the producer of a retry or dead-letter topic. */
export type OpenLetterProducer = (topic: string, initialSubscriptionName: string | undefined) => Promise<Producer>;

/** The producers of one consumer's retry and dead-letter topics, each opened when the first message goes there. */
export class LetterProducers {
  readonly #open: OpenLetterProducer;
  readonly #schemas: LetterSchemas | undefined;
  readonly #logger: Logger;
  readonly #producers = new Map<string, Promise<Producer>>();

  /** `schemas` where the consumer has a schema. */
  constructor(open: OpenLetterProducer, schemas: LetterSchemas | undefined, logger: Logger) {
    this.#open = open;
    this.#schemas = schemas;
    this.#logger = logger;
  }

  /**
   * Stores what was made of a message, with the schema the message was written with. A topic that does not take the schema
   * gets the message without it: better that than a message that comes again for ever.
   */
  async send(
    topic: string,
    message: Message,
    letter: ProducerMessage,
    initialSubscriptionName?: string,
  ): Promise<void> {
    const producer = await this.#get(topic, initialSubscriptionName);
    try {
      await this.#store(producer, topic, message, letter);
    } catch (error) {
      // its topic was deleted, say: the next letter gets a producer that may make it anew
      if (!producer.isConnected && !toPulsarError(error).retryable) await this.#forget(topic, producer);
      throw error;
    }
  }

  async #store(producer: Producer, topic: string, message: Message, letter: ProducerMessage): Promise<void> {
    const schema = await this.#schemas?.of(message);
    if (schema === undefined) {
      await producer.send(letter);
      return;
    }
    const { data, ...rest } = letter;
    try {
      // null, of a message without a value, stays null
      await producer.send({ ...rest, value: data as Uint8Array, schema });
    } catch (error) {
      if (toPulsarError(error).code !== "IncompatibleSchema") throw error;
      this.#logger.warn(`${topic}: ${message.messageId} goes there without its schema, ${String(error)}`);
      await producer.send(letter);
    }
  }

  /** Rejects where it cannot be opened; the next to ask tries again. */
  async #get(topic: string, initialSubscriptionName?: string): Promise<Producer> {
    let producer = this.#producers.get(topic);
    if (producer === undefined) {
      producer = this.#open(topic, initialSubscriptionName);
      this.#producers.set(topic, producer);
    }
    try {
      return await producer;
    } catch (error) {
      if (this.#producers.get(topic) === producer) this.#producers.delete(topic);
      throw error;
    }
  }

  async #forget(topic: string, ended: Producer): Promise<void> {
    const cached = this.#producers.get(topic);
    if (cached === undefined || (await cached.catch(() => undefined)) !== ended) return;
    this.#producers.delete(topic);
    await ended.close();
  }

  /** Waits for what was sent, and closes them. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#producers.values());
    this.#producers.clear();
    await Promise.all(opened.map((o) => (o.status === "fulfilled" ? o.value.close() : undefined)));
  }
}
