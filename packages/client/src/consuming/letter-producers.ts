import type { Producer } from "../producing/producer.ts";

/** Opens the producer of a retry or dead-letter topic. */
export type OpenLetterProducer = (topic: string, initialSubscriptionName: string | undefined) => Promise<Producer>;

/** The producers of one consumer's retry and dead-letter topics, each opened when the first message goes there. */
export class LetterProducers {
  readonly #open: OpenLetterProducer;
  readonly #producers = new Map<string, Promise<Producer>>();

  constructor(open: OpenLetterProducer) {
    this.#open = open;
  }

  /** Rejects where it cannot be opened; the next to ask tries again. */
  async get(topic: string, initialSubscriptionName?: string): Promise<Producer> {
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

  /** Waits for what was sent, and closes them. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#producers.values());
    this.#producers.clear();
    await Promise.all(opened.map((o) => (o.status === "fulfilled" ? o.value.close() : undefined)));
  }
}
