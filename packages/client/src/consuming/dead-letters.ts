import type { Message } from "../message.ts";
import type { AckPlace } from "./ack-tracker.ts";
import type { DeadLetterPolicy } from "./consumer-options.ts";
import { letterOf } from "./letter.ts";
import type { LetterProducers } from "./letter-producers.ts";
import { placeKey } from "./redelivery-tracker.ts";

/**
 * Keeps the messages that were delivered as often as they may, and sends them to the dead-letter topic when they are to
 * be delivered once more.
 */
export class DeadLetters {
  readonly #policy: DeadLetterPolicy;
  readonly #topic: string;
  readonly #subscription: string;
  readonly #producers: LetterProducers;
  readonly #lastChance = new Map<string, Message>();
  /** Messages that are being sent there: asked for again meanwhile, they are neither delivered nor sent twice. */
  readonly #leaving = new Set<string>();

  /** `topic` is the one consumed, without the number of a partition. */
  constructor(policy: DeadLetterPolicy, topic: string, subscription: string, producers: LetterProducers) {
    this.#policy = policy;
    this.#topic = policy.deadLetterTopic ?? deadLetterTopic(topic, subscription);
    this.#subscription = subscription;
    this.#producers = producers;
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

  /** Whether a message was delivered as often as it may. */
  isLastChance(place: AckPlace): boolean {
    return this.#lastChance.has(placeKey(place));
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
    const letter = letterOf(message, this.#subscription);
    await this.#producers.send(this.#topic, message, letter, this.#policy.initialSubscriptionName);
  }

  clear(): void {
    this.#lastChance.clear();
  }
}

/** The name Pulsar's clients give it. */
export function deadLetterTopic(topic: string, subscription: string): string {
  return `${topic}-${subscription}-DLQ`;
}

/** The name Pulsar's clients give it. */
export function retryLetterTopic(topic: string, subscription: string): string {
  return `${topic}-${subscription}-RETRY`;
}
