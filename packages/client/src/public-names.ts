export type { ClientRuntime, ClientTlsOptions, CompressionName } from "@pulsewire/runtime";
export {
  type Authentication,
  basicAuthentication,
  type ClientCertificate,
  tokenAuthentication,
} from "./auth/authentication.ts";
export {
  type TlsAuthenticationOptions,
  tlsAuthentication,
  tokenFileAuthentication,
} from "./auth/authentication-files.ts";
export {
  type OAuth2ClientCredentials,
  type OAuth2Options,
  oauth2Authentication,
} from "./auth/oauth2-authentication.ts";
export type { PulsarClientOptions } from "./client-options.ts";
export type { AcknowledgeOptions } from "./consuming/acknowledge-options.ts";
export type { BatchReceivePolicy } from "./consuming/batch-receive-policy.ts";
export type { Consumer } from "./consuming/consumer.ts";
export type {
  ConsumerEventListener,
  ConsumerOptions,
  DeadLetterPolicy,
  InitialPosition,
  MessageListener,
  SubscriptionMode,
} from "./consuming/consumer-options.ts";
export type { KeySharedPolicy } from "./consuming/key-shared-policy.ts";
export type { ConsumerCryptoFailureAction } from "./consuming/payload-options.ts";
export type { Reader } from "./consuming/reader.ts";
export type { ReaderOptions, ReaderSettings, ReaderStart } from "./consuming/reader-options.ts";
export type { ReceiveOptions } from "./consuming/receive-queue.ts";
export {
  type MultiplierBackoffOptions,
  multiplierRedeliveryBackoff,
  type RedeliveryBackoff,
} from "./consuming/redelivery-backoff.ts";
export type { ReconsumeOptions } from "./consuming/retry-letters.ts";
export type { SeekFunction, SeekPosition } from "./consuming/seeking.ts";
export type { SubscriptionType } from "./consuming/subscription-type.ts";
export type { SubscriptionTopicsMode } from "./consuming/topics-pattern.ts";
export { type CryptoKeyReader, type EncryptionKeyInfo, type FixedKeys, fixedKeys } from "./crypto/crypto-key-reader.ts";
export type { EncryptedDataKey, EncryptionContext } from "./crypto/encryption-context.ts";
export {
  AlreadyClosedError,
  type ClientErrorCode,
  ConnectionError,
  InvalidConfigurationError,
  PulsarError,
  type PulsarErrorCode,
  SchemaError,
  type ServerErrorName,
  ServerResponseError,
  TimeoutError,
} from "./errors.ts";
export { type AutoClusterFailoverOptions, autoClusterFailover } from "./failover/auto-cluster-failover.ts";
export {
  type ControlledClusterFailoverOptions,
  controlledClusterFailover,
} from "./failover/controlled-cluster-failover.ts";
export type { ServiceChoice, ServiceUrlControl, ServiceUrlProvider } from "./failover/service-url-provider.ts";
export type { ConsumerInterceptor } from "./interceptors/consumer-interceptor.ts";
export type { ProducerInterceptor } from "./interceptors/producer-interceptor.ts";
export type { Logger } from "./logger.ts";
export type { Message } from "./message.ts";
export { type ChunkPlace, MessageId, type MessageIdFields } from "./message-id.ts";
export type { ConsumerStats } from "./observability/consumer-stats.ts";
export type { ProducerStats } from "./observability/producer-stats.ts";
export type {
  Amount,
  ConsumerTelemetry,
  LookupType,
  MessagePlace,
  ProducerTelemetry,
  SendTelemetry,
  Telemetry,
} from "./observability/telemetry.ts";
export type { ProducerCryptoFailureAction } from "./producing/payload-options.ts";
export type { Producer } from "./producing/producer.ts";
export type { ProducerMessage } from "./producing/producer-message.ts";
export type {
  HashingScheme,
  MessageRouter,
  MessageRoutingMode,
  ProducerAccessModeName,
  ProducerOptions,
} from "./producing/producer-options.ts";
export {
  autoConsumeSchema,
  autoProduceSchema,
  GenericRecord,
  type SchemaFormat,
} from "./schema/auto-schemas.ts";
export { type JsonSchemaOptions, jsonSchema } from "./schema/json-schema.ts";
export { type KeyValue, type KeyValueOptions, keyValueSchema } from "./schema/key-value-schema.ts";
export {
  booleanSchema,
  bytesSchema,
  doubleSchema,
  floatSchema,
  int8Schema,
  int16Schema,
  int32Schema,
  int64Schema,
  stringSchema,
} from "./schema/primitive-schemas.ts";
export type { Schema, SchemaReader } from "./schema/schema.ts";
export type { SchemaInfo, SchemaTypeName } from "./schema/schema-info.ts";
export type { StandardValidator } from "./schema/standard-validator.ts";
export {
  dateSchema,
  instantSchema,
  localDateSchema,
  localDateTimeSchema,
  localTimeSchema,
  timeSchema,
  timestampSchema,
} from "./schema/time-schemas.ts";
export type { TableView, TableViewListener } from "./table-view/table-view.ts";
export type { TableViewOptions } from "./table-view/table-view-options.ts";
export type { Transaction, TransactionOptions, TransactionState } from "./transactions/transaction.ts";
export type { TransactionId } from "./transactions/transaction-id.ts";
