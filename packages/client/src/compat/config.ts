import type {
  AuthenticationAthenz,
  AuthenticationBasic,
  AuthenticationOauth2,
  AuthenticationTls,
  AuthenticationToken,
} from "./authentication.ts";
import type { Consumer } from "./consumer.ts";
import type { CryptoKeyReader } from "./crypto-key-reader.ts";
import type { LogHandler, LogLevel } from "./log.ts";
import type { Message } from "./message.ts";
import type { MessageId } from "./message-id.ts";
import type { Buffer } from "./platform.ts";
import type { Reader } from "./reader.ts";
import type { SchemaInfo } from "./schema-info.ts";

type Authentication =
  | AuthenticationTls
  | AuthenticationAthenz
  | AuthenticationToken
  | AuthenticationOauth2
  | AuthenticationBasic;

export type ClientConfig = ClientConfigBase &
  (
    | { serviceUrl: string; serviceUrlProvider?: never }
    | { serviceUrl?: never; serviceUrlProvider: AutoClusterFailoverConfig }
  );

export interface ClientConfigBase {
  authentication?: Authentication | undefined;
  /** Default 30. */
  operationTimeoutSeconds?: number | undefined;
  /** Without effect: there are no threads here. */
  ioThreads?: number | undefined;
  /** Without effect: there are no threads here. */
  messageListenerThreads?: number | undefined;
  /** Without effect: lookups are few here. */
  concurrentLookupRequest?: number | undefined;
  tlsTrustCertsFilePath?: string | undefined;
  tlsCertificateFilePath?: string | undefined;
  tlsPrivateKeyFilePath?: string | undefined;
  /** Default false. */
  tlsValidateHostname?: boolean | undefined;
  /** Default false. */
  tlsAllowInsecureConnection?: boolean | undefined;
  /** Without effect. */
  statsIntervalInSeconds?: number | undefined;
  listenerName?: string | undefined;
  /** As `Client.setLogHandler`. */
  log?: LogHandler | undefined;
  /** Default `LogLevel.INFO`. */
  logLevel?: LogLevel | undefined;
  /** Default 10,000. */
  connectionTimeoutMs?: number | undefined;
}

export type ServiceInfo =
  | string
  | {
      serviceUrl: string;
      authentication?: Authentication | undefined;
      /** Without effect: the client's own holds for all. */
      tlsTrustCertsFilePath?: string | undefined;
    };

export interface AutoClusterFailoverConfig {
  primary: ServiceInfo;
  secondary: ServiceInfo[];
  checkIntervalMs?: number | undefined;
  failoverThreshold?: number | undefined;
  switchBackThreshold?: number | undefined;
}

export interface TopicMetadata {
  numPartitions: number;
}

/** Answers the partition of a message. */
export type MessageRouter = (message: Message, topicMetadata: TopicMetadata) => number;

export interface ProducerConfig {
  topic: string;
  producerName?: string | undefined;
  /** Default 30,000. */
  sendTimeoutMs?: number | undefined;
  initialSequenceId?: number | undefined;
  /** Default 1000. */
  maxPendingMessages?: number | undefined;
  /** Without effect: `maxPendingMessages` holds for each partition. */
  maxPendingMessagesAcrossPartitions?: number | undefined;
  /** Default false. */
  blockIfQueueFull?: boolean | undefined;
  /** Default `UseSinglePartition`. */
  messageRoutingMode?: MessageRoutingMode | undefined;
  /** Default `JavaStringHash`. `BoostHash` is not there: `JavaStringHash` takes its place. */
  hashingScheme?: HashingScheme | undefined;
  /** Default `None`. */
  compressionType?: CompressionType | undefined;
  /** Default true. */
  batchingEnabled?: boolean | undefined;
  /** Default 10. */
  batchingMaxPublishDelayMs?: number | undefined;
  /** Default 1000. */
  batchingMaxMessages?: number | undefined;
  properties?: { [key: string]: string } | undefined;
  publicKeyPath?: string | undefined;
  encryptionKey?: string | undefined;
  encryptionKeys?: string[] | undefined;
  cryptoKeyReader?: CryptoKeyReader | undefined;
  /** Default `FAIL`. */
  cryptoFailureAction?: ProducerCryptoFailureAction | undefined;
  chunkingEnabled?: boolean | undefined;
  schema?: SchemaInfo | undefined;
  /** Default `Shared`. */
  accessMode?: ProducerAccessMode | undefined;
  /** Default `DefaultBatching`. */
  batchingType?: ProducerBatchType | undefined;
  /** With `CustomPartition`. */
  messageRouter?: MessageRouter | undefined;
  /** Default 131,072. */
  batchingMaxAllowedSizeInBytes?: number | undefined;
}

export interface ProducerMessage {
  data: Buffer;
  properties?: { [key: string]: string };
  eventTimestamp?: number;
  sequenceId?: number;
  partitionKey?: string;
  orderingKey?: string;
  /** An empty list keeps the message in its cluster. */
  replicationClusters?: string[];
  deliverAfter?: number;
  deliverAt?: number;
  disableReplication?: boolean;
}

export interface ConsumerConfig {
  topic?: string | undefined;
  topics?: string[] | undefined;
  topicsPattern?: string | undefined;
  subscription: string;
  /** Default `Exclusive`. */
  subscriptionType?: SubscriptionType | undefined;
  /** Default `Latest`. */
  subscriptionInitialPosition?: InitialPosition | undefined;
  /** At least 10,000, or 0 for never, the default. */
  ackTimeoutMs?: number | undefined;
  /** Default 60,000. */
  nAckRedeliverTimeoutMs?: number | undefined;
  /** Default 1000. */
  receiverQueueSize?: number | undefined;
  /** Default 50,000. */
  receiverQueueSizeAcrossPartitions?: number | undefined;
  consumerName?: string | undefined;
  properties?: { [key: string]: string } | undefined;
  /** Called with one message after the other; the next waits for the promise, where there is one. */
  listener?: ((message: Message, consumer: Consumer) => void) | undefined;
  readCompacted?: boolean | undefined;
  privateKeyPath?: string | undefined;
  cryptoKeyReader?: CryptoKeyReader | undefined;
  /** Default `FAIL`. */
  cryptoFailureAction?: ConsumerCryptoFailureAction | undefined;
  maxPendingChunkedMessage?: number | undefined;
  autoAckOldestChunkedMessageOnQueueFull?: number | undefined;
  schema?: SchemaInfo | undefined;
  /** Default false. */
  batchIndexAckEnabled?: boolean | undefined;
  /** Default `PersistentOnly`. */
  regexSubscriptionMode?: RegexSubscriptionMode | undefined;
  deadLetterPolicy?: DeadLetterPolicy | undefined;
  batchReceivePolicy?: ConsumerBatchReceivePolicy | undefined;
  keySharedPolicy?: KeySharedPolicy | undefined;
  replicateSubscriptionState?: boolean | undefined;
}

export interface ReaderConfig {
  topic: string;
  startMessageId: MessageId;
  /** Default 1000. */
  receiverQueueSize?: number | undefined;
  readerName?: string | undefined;
  subscriptionRolePrefix?: string | undefined;
  readCompacted?: boolean | undefined;
  listener?: ((message: Message, reader: Reader) => void) | undefined;
  privateKeyPath?: string | undefined;
  cryptoFailureAction?: ConsumerCryptoFailureAction | undefined;
}

export interface DeadLetterPolicy {
  deadLetterTopic: string;
  maxRedeliverCount?: number;
  initialSubscriptionName?: string;
}

export interface ConsumerBatchReceivePolicy {
  maxNumMessages?: number;
  maxNumBytes?: number;
  timeoutMs?: number;
}

export interface ConsumerKeyShareStickyRange {
  start: number;
  end: number;
}
export type ConsumerKeyShareStickyRanges = ConsumerKeyShareStickyRange[];

export interface KeySharedPolicy {
  keyShareMode?: ConsumerKeyShareMode;
  allowOutOfOrderDelivery?: boolean;
  stickyRanges?: ConsumerKeyShareStickyRanges;
}

export type MessageRoutingMode = "UseSinglePartition" | "RoundRobinDistribution" | "CustomPartition";
export type HashingScheme = "Murmur3_32Hash" | "BoostHash" | "JavaStringHash";
export type CompressionType = "None" | "Zlib" | "LZ4" | "ZSTD" | "SNAPPY";
export type ProducerBatchType = "DefaultBatching" | "KeyBasedBatching";
export type ProducerCryptoFailureAction = "FAIL" | "SEND";
export type ProducerAccessMode = "Shared" | "Exclusive" | "WaitForExclusive" | "ExclusiveWithFencing";
export type SubscriptionType = "Exclusive" | "Shared" | "KeyShared" | "Failover";
export type InitialPosition = "Latest" | "Earliest";
export type ConsumerCryptoFailureAction = "FAIL" | "DISCARD" | "CONSUME";
export type ConsumerKeyShareMode = "AutoSplit" | "Sticky";
export type RegexSubscriptionMode = "PersistentOnly" | "NonPersistentOnly" | "AllTopics";
