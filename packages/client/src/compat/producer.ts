import type { Producer as CoreProducer } from "../producing/producer.ts";
import type { ProducerMessage } from "./config.ts";
import { MessageId } from "./message-id.ts";
import { producerMessage } from "./producer-mapping.ts";
import { done, settled } from "./result.ts";

export class Producer {
  readonly #producer: CoreProducer;

  /** @internal Use `client.createProducer`. */
  constructor(producer: CoreProducer) {
    this.#producer = producer;
  }

  async send(message: ProducerMessage): Promise<MessageId> {
    return MessageId.of(await settled("Failed to send message", this.#producer.send(producerMessage(message))));
  }

  flush(): Promise<null> {
    return done("Failed to flush producer", this.#producer.flush());
  }

  close(): Promise<null> {
    return done("Failed to close producer", this.#producer.close());
  }

  getProducerName(): string {
    return this.#producer.producerName;
  }

  getTopic(): string {
    return this.#producer.topic;
  }

  isConnected(): boolean {
    return this.#producer.isConnected;
  }
}
