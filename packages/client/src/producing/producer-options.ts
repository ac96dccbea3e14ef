import { TopicName } from "@pulsewire/protocol";
import type { CompressionName } from "@pulsewire/runtime";
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
import { InvalidConfigurationError, toPulsarError } from "../errors.ts";
import { checkInterceptors } from "../interceptors/interceptor-chain.ts";
import { PRODUCER_HOOKS, type ProducerInterceptor } from "../interceptors/producer-interceptor.ts";
import { checkSchema } from "../schema/check-schema.ts";
import type { Schema } from "../schema/schema.ts";
import {
  type ProducerPayloadOptions,
  type ResolvedProducerPayloadOptions,
  resolvePayloadOptions,
} from "./payload-options.ts";
import type { ProducerMessage } from "./producer-message.ts";

/** Who may produce to the topic beside this producer. */
export type ProducerAccessModeName = "Shared" | "Exclusive" | "WaitForExclusive" | "ExclusiveWithFencing";
/** How a message without a key finds its partition. A key decides by its hash in the first two. */
export type MessageRoutingMode = "RoundRobinPartition" | "SinglePartition" | "CustomPartition";
export type HashingScheme = "JavaStringHash" | "Murmur3_32Hash";
/** Chooses the partition of a message: a number from 0 to below `partitions`. */
export type MessageRouter = (message: ProducerMessage, partitions: number) => number;

export interface ProducerOptions<T = Uint8Array> extends ProducerPayloadOptions {
  topic: string;
  /** Unique on the topic, over all clusters. Default: the broker makes one up. */
  producerName?: string;
  /** Shown in the topic's statistics. */
  properties?: Readonly<Record<string, string>>;
  /** How long a message may wait for its receipt, in ms; 0 is forever. Default 30,000. */
  sendTimeoutMs?: number;
  /** Messages without a receipt, for each partition. Default 1000. */
  maxPendingMessages?: number;
  /**
   * The same over all partitions together: each may have its share of it, and no more than `maxPendingMessages`.
   * Default 50,000.
   */
  maxPendingMessagesAcrossPartitions?: number;
  /** A send beyond the pending or memory limit waits; otherwise it rejects. Default false. */
  blockIfQueueFull?: boolean;
  /** Default true. */
  batchingEnabled?: boolean;
  /** Default 1000. */
  batchingMaxMessages?: number;
  /** Default 131,072 (128 KiB). */
  batchingMaxBytes?: number;
  /** How long a batch may wait for more, in ms. Default 1. */
  batchingMaxPublishDelayMs?: number;
  /** `KeyBased` keeps the keys of a batch apart. Default `Default`. */
  batchingType?: "Default" | "KeyBased";
  /** Default `RoundRobinPartition`, or `CustomPartition` with a router. */
  messageRoutingMode?: MessageRoutingMode;
  /** With `CustomPartition`. */
  messageRouter?: MessageRouter;
  /** Default `JavaStringHash`. */
  hashingScheme?: HashingScheme;
  /** Default `Shared`. */
  accessMode?: ProducerAccessModeName;
  /** The last sequence id that was sent before, for deduplication across restarts. Default: the broker's word. */
  initialSequenceId?: number;
  /** A subscription made together with the topic, at its start. */
  initialSubscriptionName?: string;
  /** Whether partitions that the topic gets later are produced to. Default true. */
  autoUpdatePartitions?: boolean;
  /** See and change what is sent, called in this order. Default: none. */
  interceptors?: readonly ProducerInterceptor[];
  /** How often new partitions are looked for, in ms; 0 is never. Default 60,000. */
  autoUpdatePartitionsIntervalMs?: number;
  /**
   * Attaches to a partition only when the first message goes to it (with `accessMode` `Shared`); the first partition is
   * attached at once, so that a refusal shows. Default false.
   */
  lazyStartPartitionedProducers?: boolean;
  /** What makes bytes of the `value` of messages, and is registered with the topic. Default: none, values are bytes. */
  schema?: Schema<T, unknown>;
}

const PRODUCER_OPTIONS: Readonly<Record<keyof ProducerOptions, true>> = {
  topic: true,
  producerName: true,
  properties: true,
  sendTimeoutMs: true,
  maxPendingMessages: true,
  maxPendingMessagesAcrossPartitions: true,
  blockIfQueueFull: true,
  batchingEnabled: true,
  batchingMaxMessages: true,
  batchingMaxBytes: true,
  batchingMaxPublishDelayMs: true,
  batchingType: true,
  compressionType: true,
  chunkingEnabled: true,
  chunkMaxMessageSize: true,
  encryptionKeys: true,
  cryptoKeyReader: true,
  cryptoFailureAction: true,
  messageRoutingMode: true,
  messageRouter: true,
  hashingScheme: true,
  accessMode: true,
  initialSequenceId: true,
  initialSubscriptionName: true,
  autoUpdatePartitions: true,
  interceptors: true,
  autoUpdatePartitionsIntervalMs: true,
  lazyStartPartitionedProducers: true,
  schema: true,
};

/** The options with every default filled in. */
export interface ResolvedProducerOptions extends ResolvedProducerPayloadOptions {
  readonly topic: TopicName;
  readonly producerName: string | undefined;
  readonly properties: Readonly<Record<string, string>> | undefined;
  readonly sendTimeoutMs: number;
  readonly maxPendingMessages: number;
  readonly maxPendingMessagesAcrossPartitions: number;
  readonly blockIfQueueFull: boolean;
  readonly batchingEnabled: boolean;
  readonly batchingMaxMessages: number;
  readonly batchingMaxBytes: number;
  readonly batchingMaxPublishDelayMs: number;
  readonly batchingType: "Default" | "KeyBased";
  readonly messageRoutingMode: MessageRoutingMode;
  readonly messageRouter: MessageRouter | undefined;
  readonly hashingScheme: HashingScheme;
  readonly accessMode: ProducerAccessModeName;
  readonly initialSequenceId: number | undefined;
  readonly initialSubscriptionName: string | undefined;
  /** 0 is never. */
  readonly interceptors: readonly ProducerInterceptor[];
  readonly autoUpdatePartitionsIntervalMs: number;
  readonly lazyStartPartitionedProducers: boolean;
  readonly schema: Schema<never, unknown> | undefined;
}

const ROUTING = ["RoundRobinPartition", "SinglePartition", "CustomPartition"] as const;
const ACCESS = ["Shared", "Exclusive", "WaitForExclusive", "ExclusiveWithFencing"] as const;

/** A topic's full name. Throws a PulsarError with code InvalidTopicName. */
export function parseTopic(topic: unknown): TopicName {
  try {
    // space around a name is no part of it, as for Pulsar's Java client
    return TopicName.parse(text("topic", topic).trim());
  } catch (error) {
    throw toPulsarError(error);
  }
}

/** Throws an InvalidConfigurationError that names the option and what it takes. */
export function resolveProducerOptions<T>(
  options: ProducerOptions<T>,
  compressions: ReadonlySet<CompressionName>,
): ResolvedProducerOptions {
  // the type of values matters to the application only
  const o = options as unknown as ProducerOptions;
  if (typeof o !== "object" || o === null) {
    throw new InvalidConfigurationError(`a producer takes options, such as { topic: "orders" }, not ${describe(o)}`);
  }
  knownOptions("a producer", o, PRODUCER_OPTIONS);
  return {
    topic: parseTopic(o.topic),
    producerName: optionalText("producerName", o.producerName),
    properties: textRecord("properties", o.properties),
    sendTimeoutMs: wholeNumber("sendTimeoutMs", o.sendTimeoutMs, 30_000),
    maxPendingMessages: wholeNumber("maxPendingMessages", o.maxPendingMessages, 1000, 1),
    maxPendingMessagesAcrossPartitions: wholeNumber(
      "maxPendingMessagesAcrossPartitions",
      o.maxPendingMessagesAcrossPartitions,
      50_000,
      1,
    ),
    blockIfQueueFull: trueOrFalse("blockIfQueueFull", o.blockIfQueueFull, false),
    ...resolveBatching(o),
    ...resolvePayloadOptions(o, compressions),
    ...resolveRouting(o),
    accessMode: oneOf("accessMode", o.accessMode, ACCESS, "Shared"),
    initialSequenceId:
      o.initialSequenceId === undefined ? undefined : wholeNumber("initialSequenceId", o.initialSequenceId, 0, -1),
    initialSubscriptionName: optionalText("initialSubscriptionName", o.initialSubscriptionName),
    interceptors: checkInterceptors(o.interceptors, PRODUCER_HOOKS),
    autoUpdatePartitionsIntervalMs: resolveUpdates(o),
    lazyStartPartitionedProducers: trueOrFalse("lazyStartPartitionedProducers", o.lazyStartPartitionedProducers, false),
    schema: checkSchema(o.schema),
  };
}

function resolveUpdates(o: ProducerOptions): number {
  const everyMs = wholeNumber("autoUpdatePartitionsIntervalMs", o.autoUpdatePartitionsIntervalMs, 60_000);
  return trueOrFalse("autoUpdatePartitions", o.autoUpdatePartitions, true) ? everyMs : 0;
}

type Batching =
  | "batchingEnabled"
  | "batchingMaxMessages"
  | "batchingMaxBytes"
  | "batchingMaxPublishDelayMs"
  | "batchingType";

function resolveBatching(o: ProducerOptions): Pick<ResolvedProducerOptions, Batching> {
  return {
    // a batch cannot be cut into chunks
    batchingEnabled: trueOrFalse("batchingEnabled", o.batchingEnabled, o.chunkingEnabled !== true),
    batchingMaxMessages: wholeNumber("batchingMaxMessages", o.batchingMaxMessages, 1000, 1),
    batchingMaxBytes: wholeNumber("batchingMaxBytes", o.batchingMaxBytes, 128 * 1024, 1),
    batchingMaxPublishDelayMs: wholeNumber("batchingMaxPublishDelayMs", o.batchingMaxPublishDelayMs, 1),
    batchingType: oneOf("batchingType", o.batchingType, ["Default", "KeyBased"] as const, "Default"),
  };
}

type Routing = "messageRoutingMode" | "messageRouter" | "hashingScheme";

function resolveRouting(o: ProducerOptions): Pick<ResolvedProducerOptions, Routing> {
  const messageRouter = optionalFunction("messageRouter", o.messageRouter);
  const otherwise = messageRouter === undefined ? "RoundRobinPartition" : "CustomPartition";
  const messageRoutingMode = oneOf("messageRoutingMode", o.messageRoutingMode, ROUTING, otherwise);
  if ((messageRoutingMode === "CustomPartition") !== (messageRouter !== undefined)) {
    throw new InvalidConfigurationError("messageRouter and messageRoutingMode CustomPartition go together");
  }
  const hashes = ["JavaStringHash", "Murmur3_32Hash"] as const;
  return {
    messageRoutingMode,
    messageRouter,
    hashingScheme: oneOf("hashingScheme", o.hashingScheme, hashes, "JavaStringHash"),
  };
}
