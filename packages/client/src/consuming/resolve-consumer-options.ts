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
import { CONSUMER_HOOKS } from "../interceptors/consumer-interceptor.ts";
import { checkInterceptors } from "../interceptors/interceptor-chain.ts";
import { parseTopic } from "../producing/producer-options.ts";
import { checkSchema } from "../schema/check-schema.ts";
import { resolveBatchPolicy } from "./batch-receive-policy.ts";
import type { ConsumerEventListener, ConsumerOptions, ResolvedConsumerOptions } from "./consumer-options.ts";
import { checkKeyShared } from "./key-shared-policy.ts";
import { resolveLetters } from "./letter-options.ts";
import { resolveConsumerPayload } from "./payload-options.ts";
import { resolvePattern } from "./topics-pattern.ts";

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
