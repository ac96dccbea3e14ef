import {
  describe,
  knownOptions,
  oneOf,
  optionalFunction,
  optionalText,
  text,
  textRecord,
  trueOrFalse,
  wholeNumber,
} from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { CONSUMER_HOOKS, type ConsumerInterceptor } from "../interceptors/consumer-interceptor.ts";
import { checkInterceptors } from "../interceptors/interceptor-chain.ts";
import type { Message } from "../message.ts";
import { parseTopic } from "../producing/producer-options.ts";
import { checkSchema } from "../schema/check-schema.ts";
import type { Schema } from "../schema/schema.ts";
import type { BatchReceivePolicy, ResolvedBatchPolicy } from "./batch-receive-policy.ts";
import { resolveBatchPolicy } from "./batch-receive-policy.ts";
import type { Consumer } from "./consumer.ts";
import { resolveLetters } from "./letter-options.ts";
import {
  type ConsumerPayloadOptions,
  type ResolvedConsumerPayloadOptions,
  resolveConsumerPayload,
} from "./payload-options.ts";
import type { RedeliveryBackoff } from "./redelivery-backoff.ts";
import type { RetryPolicy } from "./retry-letters.ts";
import type { SubscriptionType } from "./subscription-type.ts";
import { resolvePattern, type SubscriptionTopicsMode, type TopicsPattern } from "./topics-pattern.ts";

export type SubscriptionMode = "Durable" | "NonDurable";
export type InitialPosition = "Latest" | "Earliest";

/** How a Key_Shared consumer wants its share of the 65,536 key hashes. */
export type KeySharedPolicy =
  | { mode: "AutoSplit"; allowOutOfOrderDelivery?: boolean }
  | { mode: "Sticky"; ranges: readonly (readonly [first: number, last: number])[]; allowOutOfOrderDelivery?: boolean };

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

const CONSUMER_OPTIONS: Readonly<Record<keyof ConsumerOptions, true>> = {
  topic: true,
  topics: true,
  topicsPattern: true,
  subscriptionTopicsMode: true,
  patternAutoDiscoveryPeriodMs: true,
  subscription: true,
  type: true,
  initialPosition: true,
  consumerName: true,
  receiverQueueSize: true,
  autoScaledReceiverQueueSizeEnabled: true,
  maxTotalReceiverQueueSizeAcrossPartitions: true,
  acknowledgmentGroupTimeMs: true,
  ackReceiptEnabled: true,
  batchIndexAckEnabled: true,
  ackTimeoutMs: true,
  ackTimeoutRedeliveryBackoff: true,
  negativeAckRedeliveryDelayMs: true,
  negativeAckRedeliveryBackoff: true,
  deadLetterPolicy: true,
  retryEnable: true,
  keySharedPolicy: true,
  priorityLevel: true,
  properties: true,
  subscriptionProperties: true,
  readCompacted: true,
  replicateSubscriptionState: true,
  startPaused: true,
  batchReceivePolicy: true,
  messageListener: true,
  schema: true,
  onActiveConsumerChange: true,
  consumerEventListener: true,
  interceptors: true,
  maxAcknowledgmentGroupSize: true,
  subscriptionMode: true,
  onReachedEndOfTopic: true,
  autoUpdatePartitionsIntervalMs: true,
  maxPendingChunkedMessage: true,
  autoAckOldestChunkedMessageOnQueueFull: true,
  expireTimeOfIncompleteChunkedMessageMs: true,
  cryptoKeyReader: true,
  cryptoFailureAction: true,
};

const TYPES = ["Exclusive", "Shared", "Failover", "Key_Shared"] as const;

/** Throws an InvalidConfigurationError that names the option and what it takes. */
export function resolveConsumerOptions<T>(options: ConsumerOptions<T>): ResolvedConsumerOptions {
  // the type of values matters to the application only
  const o = options as unknown as ConsumerOptions;
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(
      `a consumer takes options, such as { topic, subscription }, not ${describe(o)}`,
    );
  }
  knownOptions("a consumer", o, CONSUMER_OPTIONS);
  const type = oneOf("type", o.type, TYPES, "Exclusive");
  const subscription = text("subscription", o.subscription);
  const topics = resolveTopics(o);
  const letters = resolveLetters(o, type, topics, subscription);
  return {
    ...resolveTopicsPattern(o),
    topics: letters.retryPolicy === undefined ? topics : [...topics, letters.retryPolicy.retryLetterTopic],
    subscription,
    type,
    durable: oneOf("subscriptionMode", o.subscriptionMode, ["Durable", "NonDurable"] as const, "Durable") === "Durable",
    initialPosition: oneOf("initialPosition", o.initialPosition, ["Latest", "Earliest"] as const, "Latest"),
    consumerName: optionalText("consumerName", o.consumerName),
    ...resolveQueue(o),
    ...resolveAcknowledging(o),
    ...resolveRedelivery(o),
    ...letters,
    ...resolveConsumerPayload(o),
    keySharedPolicy: checkKeyShared(o.keySharedPolicy, type),
    priorityLevel: wholeNumber("priorityLevel", o.priorityLevel, 0),
    properties: textRecord("properties", o.properties),
    subscriptionProperties: textRecord("subscriptionProperties", o.subscriptionProperties),
    readCompacted: trueOrFalse("readCompacted", o.readCompacted, false),
    replicateSubscriptionState: trueOrFalse("replicateSubscriptionState", o.replicateSubscriptionState, false),
    batchReceivePolicy: resolveBatchPolicy(o.batchReceivePolicy),
    messageListener: optionalFunction("messageListener", o.messageListener),
    schema: checkSchema(o.schema),
    onActiveConsumerChange: optionalFunction("onActiveConsumerChange", o.onActiveConsumerChange),
    consumerEventListener: checkEventListener(o.consumerEventListener),
    interceptors: checkInterceptors(o.interceptors, CONSUMER_HOOKS),
    onReachedEndOfTopic: optionalFunction("onReachedEndOfTopic", o.onReachedEndOfTopic),
    autoUpdatePartitionsIntervalMs: wholeNumber(
      "autoUpdatePartitionsIntervalMs",
      o.autoUpdatePartitionsIntervalMs,
      60_000,
    ),
  };
}

function resolveTopics(o: ConsumerOptions): readonly string[] {
  const given = [o.topic, o.topics, o.topicsPattern].filter((topics) => topics !== undefined);
  if (given.length !== 1) {
    throw new InvalidConfigurationError("one of topic, topics and topicsPattern is needed, and no other beside it");
  }
  if (o.topicsPattern !== undefined) return [];
  if (o.topics !== undefined && (!Array.isArray(o.topics) || o.topics.length === 0)) {
    throw new InvalidConfigurationError("topics takes an array of at least one topic");
  }
  const names = (o.topics ?? [o.topic]).map((topic) => parseTopic(topic).toString());
  return [...new Set(names)];
}

type Pattern = "topicsPattern" | "patternAutoDiscoveryPeriodMs";

function resolveTopicsPattern(o: ConsumerOptions): Pick<ResolvedConsumerOptions, Pattern> {
  const modes = ["PersistentOnly", "NonPersistentOnly", "AllTopics"] as const;
  const mode = oneOf("subscriptionTopicsMode", o.subscriptionTopicsMode, modes, "PersistentOnly");
  if (o.topicsPattern === undefined && o.subscriptionTopicsMode !== undefined) {
    throw new InvalidConfigurationError("subscriptionTopicsMode takes a topicsPattern beside it");
  }
  const everyMs = wholeNumber("patternAutoDiscoveryPeriodMs", o.patternAutoDiscoveryPeriodMs, 60_000);
  return {
    topicsPattern: o.topicsPattern === undefined ? undefined : resolvePattern(o.topicsPattern, mode),
    patternAutoDiscoveryPeriodMs: everyMs,
  };
}

type Queue =
  | "receiverQueueSize"
  | "autoScaledReceiverQueueSizeEnabled"
  | "maxTotalReceiverQueueSizeAcrossPartitions"
  | "startPaused";

function resolveQueue(o: ConsumerOptions): Pick<ResolvedConsumerOptions, Queue> {
  const total = o.maxTotalReceiverQueueSizeAcrossPartitions;
  return {
    receiverQueueSize: wholeNumber("receiverQueueSize", o.receiverQueueSize, 1000),
    autoScaledReceiverQueueSizeEnabled: trueOrFalse(
      "autoScaledReceiverQueueSizeEnabled",
      o.autoScaledReceiverQueueSizeEnabled,
      false,
    ),
    maxTotalReceiverQueueSizeAcrossPartitions: wholeNumber(
      "maxTotalReceiverQueueSizeAcrossPartitions",
      total,
      50_000,
      1,
    ),
    startPaused: trueOrFalse("startPaused", o.startPaused, false),
  };
}

type Acknowledging =
  | "acknowledgmentGroupTimeMs"
  | "maxAcknowledgmentGroupSize"
  | "ackReceiptEnabled"
  | "batchIndexAckEnabled";

function resolveAcknowledging(o: ConsumerOptions): Pick<ResolvedConsumerOptions, Acknowledging> {
  return {
    acknowledgmentGroupTimeMs: wholeNumber("acknowledgmentGroupTimeMs", o.acknowledgmentGroupTimeMs, 100),
    maxAcknowledgmentGroupSize: wholeNumber("maxAcknowledgmentGroupSize", o.maxAcknowledgmentGroupSize, 1000, 1),
    ackReceiptEnabled: trueOrFalse("ackReceiptEnabled", o.ackReceiptEnabled, false),
    batchIndexAckEnabled: trueOrFalse("batchIndexAckEnabled", o.batchIndexAckEnabled, true),
  };
}

type Redelivery =
  | "ackTimeoutMs"
  | "ackTimeoutRedeliveryBackoff"
  | "negativeAckRedeliveryDelayMs"
  | "negativeAckRedeliveryBackoff";

function resolveRedelivery(o: ConsumerOptions): Pick<ResolvedConsumerOptions, Redelivery> {
  const ackTimeoutMs = wholeNumber("ackTimeoutMs", o.ackTimeoutMs, 0);
  if (ackTimeoutMs > 0 && ackTimeoutMs < 1000) {
    throw new InvalidConfigurationError(`ackTimeoutMs takes 0 or at least 1000, not ${ackTimeoutMs}`);
  }
  return {
    ackTimeoutMs,
    ackTimeoutRedeliveryBackoff: optionalFunction("ackTimeoutRedeliveryBackoff", o.ackTimeoutRedeliveryBackoff),
    negativeAckRedeliveryDelayMs: wholeNumber("negativeAckRedeliveryDelayMs", o.negativeAckRedeliveryDelayMs, 60_000),
    negativeAckRedeliveryBackoff: optionalFunction("negativeAckRedeliveryBackoff", o.negativeAckRedeliveryBackoff),
  };
}

function checkEventListener(listener: ConsumerEventListener | undefined): ConsumerEventListener | undefined {
  if (listener === undefined) return undefined;
  for (const name of ["becameActive", "becameInactive"] as const) {
    if (typeof listener?.[name] === "function") continue;
    throw new InvalidConfigurationError(`consumerEventListener takes { becameActive, becameInactive }, both functions`);
  }
  return listener;
}

function checkKeyShared(policy: KeySharedPolicy | undefined, type: SubscriptionType): KeySharedPolicy | undefined {
  if (policy === undefined) return undefined;
  if (type !== "Key_Shared")
    throw new InvalidConfigurationError("keySharedPolicy takes a subscription of type Key_Shared");
  if (typeof policy !== "object" || policy === null) {
    throw new InvalidConfigurationError(`keySharedPolicy takes { mode }, not ${describe(policy)}`);
  }
  knownOptions("keySharedPolicy", policy, { mode: true, ranges: true, allowOutOfOrderDelivery: true });
  oneOf("keySharedPolicy.mode", policy.mode, ["AutoSplit", "Sticky"] as const, "AutoSplit");
  trueOrFalse("keySharedPolicy.allowOutOfOrderDelivery", policy.allowOutOfOrderDelivery, false);
  if (policy.mode !== "Sticky") return policy;
  checkHashRanges("keySharedPolicy.ranges", policy.ranges);
  return policy;
}

export function checkHashRanges(name: string, ranges: unknown): void {
  if (!Array.isArray(ranges) || ranges.length === 0) {
    throw new InvalidConfigurationError(`${name} takes at least one [first, last]`);
  }
  for (const range of ranges) {
    const [first, last] = Array.isArray(range) ? range : [];
    const whole = Number.isInteger(first) && Number.isInteger(last);
    if (!whole || first < 0 || first > last || last > 65_535) {
      throw new InvalidConfigurationError(`${name} takes pairs from 0 to 65535, not [${first}, ${last}]`);
    }
  }
  const sorted = [...(ranges as [number, number][])].sort((a, b) => a[0] - b[0]);
  for (const [i, [first, last]] of sorted.entries()) {
    const next = sorted[i + 1];
    if (next === undefined || next[0] > last) continue;
    const both = `[${first}, ${last}] and [${next[0]}, ${next[1]}]`;
    throw new InvalidConfigurationError(`${name} takes ranges that do not overlap, not ${both}`);
  }
}
