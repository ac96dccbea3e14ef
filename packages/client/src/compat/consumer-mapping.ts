import type { ConsumerOptions } from "../consuming/consumer-options.ts";
import type { KeySharedPolicy as CoreKeySharedPolicy } from "../consuming/key-shared-policy.ts";
import type { ReaderOptions } from "../consuming/reader-options.ts";
import type { ConsumerConfig, KeySharedPolicy, ReaderConfig } from "./config.ts";
import { FileKeyReader } from "./crypto-key-reader.ts";
import { MessageId } from "./message-id.ts";
import { schemaOf } from "./schema-info.ts";
import { flagIn, nameIn, numberIn, present, propertiesIn, textIn } from "./values.ts";

const TYPES = { Exclusive: "Exclusive", Shared: "Shared", KeyShared: "Key_Shared", Failover: "Failover" } as const;
const POSITIONS = { Latest: "Latest", Earliest: "Earliest" } as const;
const FAILURE = { FAIL: "FAIL", DISCARD: "DISCARD", CONSUME: "CONSUME" } as const;
const MODES = {
  PersistentOnly: "PersistentOnly",
  NonPersistentOnly: "NonPersistentOnly",
  AllTopics: "AllTopics",
} as const;
const ACK_TIMEOUT_MS_MIN = 10_000;

/** This client's options for the official client's. Throws what the official client rejects with. */
export function consumerOptions(c: ConsumerConfig): ConsumerOptions {
  if (typeof c !== "object" || c === null) return consumerOptions({} as ConsumerConfig);
  const ackTimeoutMs = numberIn(c.ackTimeoutMs, Number.NEGATIVE_INFINITY);
  if (ackTimeoutMs !== undefined && ackTimeoutMs !== 0 && ackTimeoutMs < ACK_TIMEOUT_MS_MIN) {
    throw new Error(`Ack timeout should be 0 or greater than or equal to ${ACK_TIMEOUT_MS_MIN}`);
  }
  const nackDelayMs = numberIn(c.nAckRedeliverTimeoutMs, Number.NEGATIVE_INFINITY);
  if (nackDelayMs !== undefined && nackDelayMs < 0) {
    throw new Error("NAck timeout should be greater than or equal to zero");
  }
  const type = nameIn(TYPES, c.subscriptionType);
  return {
    ...topicsOf(c),
    subscription: subscriptionOf(c),
    batchIndexAckEnabled: flagIn(c.batchIndexAckEnabled) ?? false,
    ...present({
      type,
      initialPosition: nameIn(POSITIONS, c.subscriptionInitialPosition),
      consumerName: textIn(c.consumerName),
      ackTimeoutMs,
      negativeAckRedeliveryDelayMs: nackDelayMs,
      receiverQueueSize: numberIn(c.receiverQueueSize, 0),
      maxTotalReceiverQueueSizeAcrossPartitions: numberIn(c.receiverQueueSizeAcrossPartitions, 1),
      properties: propertiesIn(c.properties),
      readCompacted: flagIn(c.readCompacted),
      replicateSubscriptionState: flagIn(c.replicateSubscriptionState),
      schema: c.schema === undefined ? undefined : schemaOf(c.schema),
      batchReceivePolicy: batchReceivePolicy(c),
      // the official client takes one for every type, and does nothing with it where the broker counts no redeliveries
      deadLetterPolicy: type === "Shared" || type === "Key_Shared" ? deadLetterPolicy(c) : undefined,
      keySharedPolicy: type === "Key_Shared" ? keySharedPolicy(c.keySharedPolicy) : undefined,
      maxPendingChunkedMessage: numberIn(c.maxPendingChunkedMessage, 1),
      autoAckOldestChunkedMessageOnQueueFull: flagIn(c.autoAckOldestChunkedMessageOnQueueFull),
    }),
    ...decryption(c),
  };
}

/** This client's options for a reader. Throws what the official client rejects with. */
export function readerOptions(c: ReaderConfig): ReaderOptions {
  const topic = textIn(c?.topic);
  if (topic === undefined) throw new Error("Topic is required and must be specified as a string when creating reader");
  if (!(c.startMessageId instanceof MessageId)) {
    throw new Error("StartMessageId is required and must be specified as a MessageId object when creating reader");
  }
  return {
    topic,
    startMessageId: MessageId.core(c.startMessageId),
    ...present({
      receiverQueueSize: numberIn(c.receiverQueueSize, 0),
      readerName: textIn(c.readerName),
      subscriptionRolePrefix: textIn(c.subscriptionRolePrefix),
      readCompacted: flagIn(c.readCompacted),
    }),
    ...decryption(c),
  };
}

function topicsOf(c: ConsumerConfig): object {
  const topicsPattern = textIn(c.topicsPattern);
  const topics = Array.isArray(c.topics) ? c.topics.filter((topic) => typeof topic === "string") : [];
  if (topicsPattern !== undefined) {
    return { topicsPattern, ...present({ subscriptionTopicsMode: nameIn(MODES, c.regexSubscriptionMode) }) };
  }
  if (topics.length > 0) return { topics };
  const topic = textIn(c.topic);
  if (topic !== undefined) return { topic };
  throw new Error(
    "Topic, topics or topicsPattern is required and must be specified as a string when creating consumer",
  );
}

function subscriptionOf(c: ConsumerConfig): string {
  const subscription = textIn(c.subscription);
  if (subscription !== undefined) return subscription;
  throw new Error("Subscription is required and must be specified as a string when creating consumer");
}

function batchReceivePolicy({ batchReceivePolicy: given }: ConsumerConfig): ConsumerOptions["batchReceivePolicy"] {
  if (typeof given !== "object" || given === null) return undefined;
  const { maxNumMessages = -1, maxNumBytes = 10 * 1024 * 1024, timeoutMs = 100 } = given;
  if (maxNumMessages <= 0 && maxNumBytes <= 0 && timeoutMs <= 0) {
    throw new Error("At least one of maxNumMessages, maxNumBytes and timeoutMs must be specified.");
  }
  return {
    ...present({ maxNumMessages: numberIn(maxNumMessages, 1), maxNumBytes: numberIn(maxNumBytes, 1) }),
    timeoutMs: Math.max(0, timeoutMs),
  };
}

function deadLetterPolicy({ deadLetterPolicy: given }: ConsumerConfig): ConsumerOptions["deadLetterPolicy"] {
  if (typeof given !== "object" || given === null) return undefined;
  return {
    // without a count the official client never gives a message up
    maxRedeliverCount: numberIn(given.maxRedeliverCount, 1) ?? 2 ** 31 - 1,
    ...present({
      deadLetterTopic: textIn(given.deadLetterTopic),
      initialSubscriptionName: textIn(given.initialSubscriptionName),
    }),
  };
}

function keySharedPolicy(given: KeySharedPolicy | undefined): CoreKeySharedPolicy | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const extra = present({ allowOutOfOrderDelivery: flagIn(given.allowOutOfOrderDelivery) });
  if (given.keyShareMode !== "Sticky") return { mode: "AutoSplit", ...extra };
  const ranges = (Array.isArray(given.stickyRanges) ? given.stickyRanges : []).map(rangeOf);
  return { mode: "Sticky", ranges, ...extra };
}

function rangeOf(range: unknown, index: number): [number, number] {
  if (typeof range !== "object" || range === null) {
    throw new Error(`Sticky range element at index ${index} is not an object`);
  }
  const { start, end } = range as { start?: unknown; end?: unknown };
  if (typeof start !== "number" || typeof end !== "number") {
    const why = "missing 'start'/'end' or invalid type, should be number type";
    throw new Error(`Invalid sticky range format at index ${index}: ${why}`);
  }
  if (start > end) throw new Error(`Invalid sticky range at index ${index}: start (${start}) > end (${end})`);
  return [start, end];
}

function decryption(c: Pick<ConsumerConfig, "privateKeyPath" | "cryptoKeyReader" | "cryptoFailureAction">): object {
  const { privateKeyPath } = c;
  const reader =
    c.cryptoKeyReader ?? (privateKeyPath === undefined ? undefined : new FileKeyReader({ privateKeyPath }));
  const cryptoFailureAction = nameIn(FAILURE, c.cryptoFailureAction);
  return present({ cryptoKeyReader: reader, cryptoFailureAction });
}
