import { TopicName } from "@pulsewire/protocol";
import { type PulsarError, toPulsarError } from "../errors.ts";
import type { ConsumerInterceptor } from "../interceptors/consumer-interceptor.ts";
import { chainOf, type InterceptorChain } from "../interceptors/interceptor-chain.ts";
import type { Logger } from "../logger.ts";
import { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import type { Consumer } from "./consumer.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import type { PartitionConsumer } from "./partition-consumer.ts";
import type { DueMessage, RedeliveryCause } from "./redelivery-tracker.ts";

/** What of the application is called about a consumer: its callbacks and its interceptors. What they throw is logged. */
export class ConsumerHooks {
  readonly #consumer: Consumer<never> & Consumer;
  readonly #options: ResolvedConsumerOptions;
  readonly #logger: Logger;
  readonly #interceptors: InterceptorChain<ConsumerInterceptor> | undefined;

  constructor(consumer: Consumer<never> & Consumer, options: ResolvedConsumerOptions, logger: Logger) {
    this.#consumer = consumer;
    this.#options = options;
    this.#logger = logger;
    this.#interceptors = chainOf(options.interceptors, logger);
  }

  /** Messages came from the broker. */
  arrived(messages: readonly Message[]): void {
    const chain = this.#interceptors;
    if (chain === undefined) return;
    for (const message of messages) chain.tell("onArrival", (i) => i.onArrival?.(this.#consumer, message));
  }

  /** The message the application is to get for this one. */
  consumed(message: Message): Message {
    const chain = this.#interceptors;
    if (chain === undefined) return message;
    const call = (i: ConsumerInterceptor, m: Message): Message | undefined =>
      i.beforeConsume?.(this.#consumer, m) as Message | undefined;
    const given = chain.pass("beforeConsume", message, call);
    return given instanceof Message ? given : message;
  }

  /** Tells of an acknowledgement once it is done, and answers it as it is. */
  acknowledged(
    hook: "onAcknowledge" | "onAcknowledgeCumulative",
    target: Message<unknown> | MessageId,
    done: Promise<void>,
  ): Promise<void> {
    const chain = this.#interceptors;
    if (chain === undefined) return done;
    const id = target instanceof MessageId ? target : target.messageId;
    const tell = (error?: PulsarError): void => chain.tell(hook, (i) => i[hook]?.(this.#consumer, id, error));
    done.then(
      () => tell(),
      (error) => tell(toPulsarError(error)),
    );
    return done;
  }

  activeChanged(partition: PartitionConsumer, active: boolean): void {
    const { onActiveConsumerChange, consumerEventListener } = this.#options;
    this.#call(() => onActiveConsumerChange?.(partition.topic, active));
    if (consumerEventListener === undefined) return;
    const become = active ? "becameActive" : "becameInactive";
    this.#call(() => consumerEventListener[become](this.#consumer, partition.partition));
  }

  endOfTopic(topic: string): void {
    this.#call(() => this.#options.onReachedEndOfTopic?.(topic));
  }

  /** Messages are about to be asked for again. */
  redelivering(partition: PartitionConsumer, due: readonly DueMessage[], cause: RedeliveryCause): void {
    const chain = this.#interceptors;
    if (chain === undefined) return;
    const ids = due.map(
      (d) => new MessageId(d.ledgerId, d.entryId, partition.partition, d.batchIndex, d.batchSize, partition.topic),
    );
    if (cause === "negative") chain.tell("onNegativeAcksSend", (i) => i.onNegativeAcksSend?.(this.#consumer, ids));
    else chain.tell("onAckTimeoutSend", (i) => i.onAckTimeoutSend?.(this.#consumer, ids));
  }

  /** Partitions were added to what is consumed; `topics` are all of them. */
  opened(opened: readonly PartitionConsumer[], topics: readonly string[]): void {
    const chain = this.#interceptors;
    if (chain === undefined) return;
    const bases = new Set(opened.filter((p) => p.partition >= 0).map((p) => baseOf(p.topic)));
    for (const base of bases) {
      const count = topics.filter((topic) => baseOf(topic) === base).length;
      chain.tell("onPartitionsChange", (i) => i.onPartitionsChange?.(base, count));
    }
  }

  closed(): void {
    this.#interceptors?.tell("close", (i) => i.close?.());
  }

  /** A callback of the application must not reach into the connection it is called from. */
  #call(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#logger.error(`a callback of the application failed: ${String(error)}`);
    }
  }
}

function baseOf(topic: string): string {
  return TopicName.parse(topic).partitionedTopicName;
}
