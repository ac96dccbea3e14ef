import type { Message } from "../message.ts";
import type { Producer } from "../producing/producer.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";
import type { AckPlace } from "./ack-tracker.ts";
import type { DeadLetterPolicy } from "./consumer-options.ts";
import { placeKey } from "./redelivery-tracker.ts";

/** Opens the producer of a dead-letter topic. */
export type OpenDeadLetterProducer = (topic: string, initialSubscriptionName: string | undefined) => Promise<Producer>;

/**
 * Keeps the messages that were delivered as often as they may, and sends them to the dead-letter topic when they are to
 * be delivered once more.
 */
export class DeadLetters {
  readonly #policy: DeadLetterPolicy;
  readonly #topic: string;
  readonly #subscription: string;
  readonly #open: OpenDeadLetterProducer;
  readonly #lastChance = new Map<string, Message>();
  /** Messages that are being sent there: asked for again meanwhile, they are neither delivered nor sent twice. */
  readonly #leaving = new Set<string>();
  #producer: Promise<Producer> | undefined;

  constructor(policy: DeadLetterPolicy, topic: string, subscription: string, open: OpenDeadLetterProducer) {
    this.#policy = policy;
    this.#topic = topic;
    this.#subscription = subscription;
    this.#open = open;
  }

  /** A message was delivered; kept when it is for the last time. */
  onDelivered(message: Message): void {
    const { ledgerId, entryId, batchSize, redeliveryCount } = message.entry;
    if (redeliveryCount < this.#policy.maxRedeliverCount) return;
    this.#lastChance.set(placeKey({ ledgerId, entryId, batchIndex: message.batchIndex, batchSize }), message);
  }

  onAcknowledged(place: AckPlace): void {
    if (this.#lastChance.size > 0) this.#lastChance.delete(placeKey(place));
  }

  /** Whether a message is on its way to the dead-letter topic. */
  isLeaving(place: AckPlace): boolean {
    return this.#leaving.size > 0 && this.#leaving.has(placeKey(place));
  }

  /** Takes a message that must not be delivered again; it is leaving until `left`. */
  take(place: AckPlace): Message | undefined {
    const key = placeKey(place);
    const message = this.#lastChance.get(key);
    if (message === undefined) return undefined;
    this.#lastChance.delete(key);
    this.#leaving.add(key);
    return message;
  }

  /** A message that was taken is acknowledged, or could not be sent. */
  left(place: AckPlace): void {
    this.#leaving.delete(placeKey(place));
  }

  /** Sends a message to the dead-letter topic. Rejects when that fails; it may be tried again after the next delivery. */
  async send(message: Message): Promise<void> {
    const producer = await this.#deadLetterProducer();
    await producer.send(deadLetterOf(message));
  }

  clear(): void {
    this.#lastChance.clear();
  }

  async close(): Promise<void> {
    this.clear();
    const producer = this.#producer;
    this.#producer = undefined;
    if (producer === undefined) return;
    const [opened] = await Promise.allSettled([producer]);
    if (opened.status === "fulfilled") await opened.value.close();
  }

  async #deadLetterProducer(): Promise<Producer> {
    const { deadLetterTopic, initialSubscriptionName } = this.#policy;
    const topic = deadLetterTopic ?? `${this.#topic}-${this.#subscription}-DLQ`;
    this.#producer ??= this.#open(topic, initialSubscriptionName);
    try {
      return await this.#producer;
    } catch (error) {
      this.#producer = undefined;
      throw error;
    }
  }
}

/** The message for the dead-letter topic: everything the application gave it, and where it comes from. */
function deadLetterOf(message: Message): ProducerMessage {
  const { key, keyBytes, orderingKey, eventTime } = message;
  const base64 = keyBytes !== undefined && new TextDecoder().decode(keyBytes) !== key;
  return {
    data: message.hasNullValue ? null : message.data,
    properties: {
      ...message.properties,
      REAL_TOPIC: message.topic,
      ORIGIN_MESSAGE_ID: message.messageId.toString(),
    },
    ...(key === undefined ? {} : { key: base64 ? (keyBytes as Uint8Array) : key }),
    ...(orderingKey === undefined ? {} : { orderingKey }),
    ...(eventTime === 0 ? {} : { eventTime }),
  };
}
