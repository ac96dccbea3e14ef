import { checkOptions, textRecord, wholeNumber } from "../check-options.ts";
import type { Message } from "../message.ts";
import type { DeadLetterPolicy } from "./consumer-options.ts";
import { DELAY_TIME, letterOf, RECONSUME_TIMES } from "./letter.ts";
import type { LetterProducers } from "./letter-producers.ts";

export interface ReconsumeOptions {
  /** When the message comes again, in ms; subscriptions other than Shared and Key_Shared do not wait. Default 0. */
  delayMs?: number;
  /** Take the place of the message's own of the same names. */
  properties?: Readonly<Record<string, string>>;
}

/** A dead-letter policy with both topics known. */
export type RetryPolicy = Required<
  Pick<DeadLetterPolicy, "maxRedeliverCount" | "retryLetterTopic" | "deadLetterTopic">
> &
  DeadLetterPolicy;

/** Throws an InvalidConfigurationError that names what is wrong. */
export function resolveReconsume(options: ReconsumeOptions): { delayMs: number; properties: Record<string, string> } {
  checkOptions("reconsumeLater", options, { delayMs: true, properties: true });
  const delayMs = wholeNumber("delayMs", options.delayMs, 0);
  return { delayMs, properties: { ...textRecord("properties", options.properties) } };
}

/** Sends messages to the retry topic, and to the dead-letter topic those that were there as often as they may. */
export class RetryLetters {
  readonly #policy: RetryPolicy;
  readonly #subscription: string;
  readonly #producers: LetterProducers;

  constructor(policy: RetryPolicy, subscription: string, producers: LetterProducers) {
    this.#policy = policy;
    this.#subscription = subscription;
    this.#producers = producers;
  }

  /** Resolves when the message is stored there. */
  async send(message: Message, delayMs: number, properties: Readonly<Record<string, string>>): Promise<void> {
    const { maxRedeliverCount, retryLetterTopic, deadLetterTopic, initialSubscriptionName } = this.#policy;
    const times = timesOf(message) + 1;
    const extra = { ...properties, [DELAY_TIME]: String(delayMs), [RECONSUME_TIMES]: String(times) };
    const letter = letterOf(message, this.#subscription, extra);
    if (times > maxRedeliverCount) {
      await this.#producers.send(deadLetterTopic, message, letter, initialSubscriptionName);
      return;
    }
    const delayed = delayMs > 0 ? { ...letter, deliverAfterMs: delayMs } : letter;
    await this.#producers.send(retryLetterTopic, message, delayed);
  }
}

function timesOf(message: Message): number {
  const times = Number(message.properties[RECONSUME_TIMES] ?? 0);
  return Number.isSafeInteger(times) && times > 0 ? times : 0;
}
