import { describe } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError } from "../errors.ts";
import { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import type { AckPlace } from "./ack-tracker.ts";
import { type AcknowledgeOptions, transactionOf } from "./acknowledge-options.ts";
import type { ConsumerHooks } from "./consumer-hooks.ts";
import type { PartitionConsumer } from "./partition-consumer.ts";
import { dueMessage } from "./redelivery-tracker.ts";
import { type ReconsumeOptions, type RetryLetters, resolveReconsume } from "./retry-letters.ts";
import { isShared, type SubscriptionType } from "./subscription-type.ts";

/** What the application names a message by. */
export type Target = Message<unknown> | MessageId;

export interface ConsumerSettlementOptions {
  readonly type: SubscriptionType;
  readonly hooks: ConsumerHooks;
  readonly letters: RetryLetters | undefined;
  /** `call` is what was called with it, for the error's text. Throws a PulsarError. */
  ownerOf(target: Target, call: string): PartitionConsumer;
}

/** What the application says of a consumer's messages: checked, and brought to the partition each is of. */
export class ConsumerSettlement {
  readonly #options: ConsumerSettlementOptions;

  constructor(options: ConsumerSettlementOptions) {
    this.#options = options;
  }

  acknowledge(target: Target | readonly Target[], options: AcknowledgeOptions | undefined): Promise<void> {
    if (isSeveral(target)) return this.#acknowledgeAll(target, options);
    return this.#acknowledgeOne(target, options, false);
  }

  acknowledgeCumulative(target: Target, options: AcknowledgeOptions | undefined): Promise<void> {
    const refusal = this.#refusalOfCumulative();
    return refusal === undefined ? this.#acknowledgeOne(target, options, true) : Promise.reject(refusal);
  }

  negativeAcknowledge(target: Target): void {
    const owner = this.#options.ownerOf(target, "negativeAcknowledge");
    owner.settlement.negativeAcknowledge(placeOf(target), target instanceof Message ? (target as Message) : undefined);
  }

  async reconsumeLater(message: Message<unknown>, options: ReconsumeOptions, cumulative: boolean): Promise<void> {
    const refusal = cumulative ? this.#refusalOfCumulative() : undefined;
    if (refusal !== undefined) throw refusal;
    const { letters } = this.#options;
    if (letters === undefined) {
      throw new InvalidConfigurationError("reconsumeLater takes a consumer that was made with retryEnable: true");
    }
    if (!(message instanceof Message)) {
      throw new InvalidConfigurationError(`reconsumeLater takes a message of this consumer, not ${describe(message)}`);
    }
    const { delayMs, properties } = resolveReconsume(options);
    const { settlement } = this.#options.ownerOf(message, "reconsumeLater");
    const place = dueMessage(message);
    settlement.forget(place);
    try {
      await letters.send(message as Message, delayMs, properties);
    } catch (error) {
      settlement.bringBack(place, message as Message);
      throw error;
    }
    await (cumulative ? settlement.acknowledgeCumulative(place) : settlement.acknowledge(place));
  }

  /** All or none: what cannot be acknowledged here is found before the first one is. */
  async #acknowledgeAll(targets: readonly Target[], options: AcknowledgeOptions | undefined): Promise<void> {
    transactionOf("acknowledge", options);
    for (const target of targets) this.#options.ownerOf(target, "acknowledge");
    await Promise.all(targets.map((target) => this.#acknowledgeOne(target, options, false)));
  }

  #acknowledgeOne(target: Target, options: AcknowledgeOptions | undefined, cumulative: boolean): Promise<void> {
    const call = cumulative ? "acknowledgeCumulative" : "acknowledge";
    try {
      const transaction = transactionOf(call, options);
      const { settlement } = this.#options.ownerOf(target, call);
      const place = placeOf(target);
      if (transaction !== undefined) return settlement.acknowledgeIn(transaction, place, cumulative);
      const told = cumulative ? settlement.acknowledgeCumulative(place) : settlement.acknowledge(place);
      return this.#options.hooks.acknowledged(cumulative ? "onAcknowledgeCumulative" : "onAcknowledge", target, told);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #refusalOfCumulative(): PulsarError | undefined {
    const { type } = this.#options;
    if (!isShared(type)) return undefined;
    const detail = `a ${type} subscription has no order to acknowledge by`;
    return new PulsarError("CumulativeAcknowledgementNotAllowed", detail);
  }
}

function isSeveral(target: Target | readonly Target[]): target is readonly Target[] {
  return Array.isArray(target);
}

function placeOf(target: Target): AckPlace {
  return target instanceof MessageId ? target : dueMessage(target);
}
