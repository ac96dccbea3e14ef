import type { ConsumerInterceptor } from "../interceptors/consumer-interceptor.ts";
import type { Message } from "../message.ts";
import type { Schema } from "../schema/schema.ts";
import type { BatchReceivePolicy, ResolvedBatchPolicy } from "./batch-receive-policy.ts";
import type { Consumer } from "./consumer.ts";
import type { KeySharedPolicy } from "./key-shared-policy.ts";
import type { ConsumerPayloadOptions, ResolvedConsumerPayloadOptions } from "./payload-options.ts";
import type { RedeliveryBackoff } from "./redelivery-backoff.ts";
import type { RetryPolicy } from "./retry-letters.ts";
import type { SubscriptionType } from "./subscription-type.ts";
import type { SubscriptionTopicsMode, TopicsPattern } from "./topics-pattern.ts";

export type SubscriptionMode = "Durable" | "NonDurable";
export type InitialPosition = "Latest" | "Earliest";

/**
 * What becomes of a message that was delivered too often. For Shared and Key_Shared subscriptions; with `retryEnable`
 * for all, by `reconsumeLater`: for the other types the broker counts no redeliveries.
 */
export interface DeadLetterPolicy {
  /** Redeliveries (by `reconsumeLater`: retries) before a message goes to the dead-letter topic. At least 1. */
  maxRedeliverCount: number;
  /** Default `<topic>-<subscription>-DLQ`. */
  deadLetterTopic?: string;
  /** Where `reconsumeLater` puts messages; needs `retryEnable`. Default `<topic>-<subscription>-RETRY`. */
  retryLetterTopic?: string;
  /** A subscription made together with the dead-letter topic, so that nothing in it is lost. */
  initialSubscriptionName?: string;
}

/**
 * Called with each message, one after the other; the next one waits for the promise, where there is one. What it throws, or
 * rejects with, goes to the client's `logger` as an error, and the next message comes: the one it failed with is neither
 * acknowledged nor refused, so it comes again only after `ackTimeoutMs` or a reconnection. Acknowledge, or call
 * `negativeAcknowledge`, in the listener.
 */
export type MessageListener<T = Uint8Array> = (message: Message<T>, consumer: Consumer<T>) => unknown;

/** Failover: told when this consumer becomes the active one of a partition, and when it is no longer. */
export interface ConsumerEventListener {
  becameActive(consumer: Consumer, partition: number): void;
  becameInactive(consumer: Consumer, partition: number): void;
}

export interface ConsumerOptions<T = Uint8Array> extends ConsumerPayloadOptions {
  topic?: string;
  topics?: readonly string[];
  /**
   * All topics of a namespace whose names match as a whole: `tenant/namespace/expression`, or an expression for
   * `public/default`. Topics that come later are consumed from the subscription's `initialPosition`.
   */
  topicsPattern?: RegExp | string;
  /** What `topicsPattern` is matched against. Default `PersistentOnly`. */
  subscriptionTopicsMode?: SubscriptionTopicsMode;
  /**
   * How often matching topics are looked for, in ms; 0 is never. The broker tells of persistent ones by itself.
   * Default 60,000.
   */
  patternAutoDiscoveryPeriodMs?: number;
  subscription: string;
  /** Default `Exclusive`. */
  type?: SubscriptionType;
  /**
   * `NonDurable`: the subscription is gone with its connection; attached again, the consumer goes on behind what it has
   * received. Default `Durable`.
   */
  subscriptionMode?: SubscriptionMode;
  /** Where a new subscription starts. Default `Latest`. */
  initialPosition?: InitialPosition;
  /** Default: a name is made up. Failover sorts by it. */
  consumerName?: string;
  /** Messages fetched ahead of `receive`, for each partition; 0 fetches none. Default 1000. */
  receiverQueueSize?: number;
  /**
   * Fetch one message ahead at first, and twice as many, up to `receiverQueueSize`, whenever the application was faster
   * than that. Default false.
   */
  autoScaledReceiverQueueSizeEnabled?: boolean;
  /** The same over all partitions. Default 50,000. */
  maxTotalReceiverQueueSizeAcrossPartitions?: number;
  /** How long acknowledgements are collected, in ms; 0 sends each at once. Default 100. */
  acknowledgmentGroupTimeMs?: number;
  /** So many collected acknowledgements are sent before the time is up. Default 1000. */
  maxAcknowledgmentGroupSize?: number;
  /** Resolve acknowledgements when the broker has confirmed them. Default false. */
  ackReceiptEnabled?: boolean;
  /** Tell the broker of acknowledged parts of batches; a broker that keeps none ignores it. Default true. */
  batchIndexAckEnabled?: boolean;
  /** Deliver again what was received and not acknowledged for so long, in ms; at least 1000, 0 is never. Default 0. */
  ackTimeoutMs?: number;
  /** Takes the place of `ackTimeoutMs` after the first delivery. */
  ackTimeoutRedeliveryBackoff?: RedeliveryBackoff;
  /** How long after a negative acknowledgement a message is delivered again, in ms. Default 60,000. */
  negativeAckRedeliveryDelayMs?: number;
  /** Takes the place of `negativeAckRedeliveryDelayMs`, see `multiplierRedeliveryBackoff`. */
  negativeAckRedeliveryBackoff?: RedeliveryBackoff;
  deadLetterPolicy?: DeadLetterPolicy;
  /**
   * Consume the retry topic too, and let `reconsumeLater` put messages there. Without a `deadLetterPolicy` a message
   * may be retried 16 times. Default false.
   */
  retryEnable?: boolean;
  keySharedPolicy?: KeySharedPolicy;
  /** Shared: lower goes first. Failover: the lowest is active. Default 0. */
  priorityLevel?: number;
  /** Shown in the topic's statistics. */
  properties?: Readonly<Record<string, string>>;
  /** Kept with the subscription, when this consumer makes it. */
  subscriptionProperties?: Readonly<Record<string, string>>;
  /** Read the compacted view of the topic. Default false. */
  readCompacted?: boolean;
  /** Carry the subscription's position to the other clusters. Default false. */
  replicateSubscriptionState?: boolean;
  /** Start paused: fetch nothing before `resume`. Default false. */
  startPaused?: boolean;
  batchReceivePolicy?: BatchReceivePolicy;
  messageListener?: MessageListener<T>;
  /** What `message.value` is decoded by. Default: none, values are bytes. */
  schema?: Schema<never, T>;
  /** Failover: this consumer has become the active one of a partition, or is no longer. */
  onActiveConsumerChange?: (topic: string, active: boolean) => void;
  /** The same as an object, as Pulsar's Java client has it; the partition is -1 for a topic without partitions. */
  consumerEventListener?: ConsumerEventListener;
  /** See and change what is received and acknowledged, called in this order. Default: none. */
  interceptors?: readonly ConsumerInterceptor[];
  /** A terminated topic was read to its end. */
  onReachedEndOfTopic?: (topic: string) => void;
  /** How often new partitions are looked for, in ms; 0 is never. Default 60,000. */
  autoUpdatePartitionsIntervalMs?: number;
}

/** The options with every default filled in. */
export interface ResolvedConsumerOptions extends ResolvedConsumerPayloadOptions {
  readonly topics: readonly string[];
  readonly topicsPattern: TopicsPattern | undefined;
  readonly patternAutoDiscoveryPeriodMs: number;
  readonly subscription: string;
  readonly type: SubscriptionType;
  readonly durable: boolean;
  readonly initialPosition: InitialPosition;
  readonly consumerName: string | undefined;
  readonly receiverQueueSize: number;
  readonly autoScaledReceiverQueueSizeEnabled: boolean;
  readonly maxTotalReceiverQueueSizeAcrossPartitions: number;
  readonly acknowledgmentGroupTimeMs: number;
  readonly maxAcknowledgmentGroupSize: number;
  readonly ackReceiptEnabled: boolean;
  readonly batchIndexAckEnabled: boolean;
  readonly ackTimeoutMs: number;
  readonly ackTimeoutRedeliveryBackoff: RedeliveryBackoff | undefined;
  readonly negativeAckRedeliveryDelayMs: number;
  readonly negativeAckRedeliveryBackoff: RedeliveryBackoff | undefined;
  readonly deadLetterPolicy: DeadLetterPolicy | undefined;
  /** Where `reconsumeLater` is to work. */
  readonly retryPolicy: RetryPolicy | undefined;
  readonly keySharedPolicy: KeySharedPolicy | undefined;
  readonly priorityLevel: number;
  readonly properties: Readonly<Record<string, string>> | undefined;
  readonly subscriptionProperties: Readonly<Record<string, string>> | undefined;
  readonly readCompacted: boolean;
  readonly replicateSubscriptionState: boolean;
  readonly startPaused: boolean;
  readonly batchReceivePolicy: ResolvedBatchPolicy;
  readonly messageListener: MessageListener | undefined;
  readonly schema: Schema<never, unknown> | undefined;
  readonly onActiveConsumerChange: ((topic: string, active: boolean) => void) | undefined;
  readonly consumerEventListener: ConsumerEventListener | undefined;
  readonly interceptors: readonly ConsumerInterceptor[];
  readonly onReachedEndOfTopic: ((topic: string) => void) | undefined;
  readonly autoUpdatePartitionsIntervalMs: number;
}
