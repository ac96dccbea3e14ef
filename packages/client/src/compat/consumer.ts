import type { Consumer as CoreConsumer } from "../consuming/consumer.ts";
import { Message } from "./message.ts";
import { MessageId } from "./message-id.ts";
import { done, settled } from "./result.ts";

export class Consumer {
  readonly #consumer: CoreConsumer;

  /** @internal Use `client.subscribe`. */
  constructor(consumer: CoreConsumer) {
    this.#consumer = consumer;
  }

  /** The next message; with a timeout above 0, in ms, rejects with `Failed to receive message: TimeOut`. */
  async receive(timeout?: number): Promise<Message> {
    const waitMs = Number(timeout ?? 0);
    const receiving = waitMs > 0 ? this.#consumer.receive({ timeoutMs: waitMs }) : this.#consumer.receive();
    return Message.of(await settled("Failed to receive message", receiving));
  }

  async batchReceive(): Promise<Message[]> {
    const messages = await settled("Failed to batch receive message", this.#consumer.batchReceive());
    return messages.map((message) => Message.of(message));
  }

  acknowledge(message: Message): Promise<null> {
    return done("Failed to acknowledge", this.#consumer.acknowledge(Message.core(message)));
  }

  acknowledgeId(messageId: MessageId): Promise<null> {
    return done("Failed to acknowledge id", this.#consumer.acknowledge(MessageId.core(messageId)));
  }

  negativeAcknowledge(message: Message): void {
    this.#consumer.negativeAcknowledge(Message.core(message));
  }

  negativeAcknowledgeId(messageId: MessageId): void {
    this.#consumer.negativeAcknowledge(MessageId.core(messageId));
  }

  acknowledgeCumulative(message: Message): Promise<null> {
    return done("Failed to acknowledge cumulatively", this.#consumer.acknowledgeCumulative(Message.core(message)));
  }

  acknowledgeCumulativeId(messageId: MessageId): Promise<null> {
    const acknowledging = this.#consumer.acknowledgeCumulative(MessageId.core(messageId));
    return done("Failed to acknowledge cumulatively by id", acknowledging);
  }

  seek(messageId: MessageId): Promise<null> {
    return done("Failed to seek message by id", this.#consumer.seek(MessageId.core(messageId)));
  }

  seekTimestamp(timestamp: number): Promise<null> {
    return done("Failed to seek message by timestamp", this.#consumer.seek(timestamp));
  }

  isConnected(): boolean {
    return this.#consumer.isConnected;
  }

  close(): Promise<null> {
    return done("Failed to close consumer", this.#consumer.close());
  }

  unsubscribe(): Promise<null> {
    return done("Failed to unsubscribe consumer", this.#consumer.unsubscribe());
  }
}
