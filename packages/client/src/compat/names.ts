export {
  type AthenzConfig,
  type AthenzX509Config,
  AuthenticationAthenz,
  AuthenticationBasic,
  AuthenticationOauth2,
  AuthenticationTls,
  AuthenticationToken,
  type Oauth2Params,
} from "./authentication.ts";
export type {
  AutoClusterFailoverConfig,
  ClientConfig,
  ClientConfigBase,
  CompressionType,
  ConsumerBatchReceivePolicy,
  ConsumerConfig,
  ConsumerCryptoFailureAction,
  ConsumerKeyShareMode,
  ConsumerKeyShareStickyRange,
  ConsumerKeyShareStickyRanges,
  DeadLetterPolicy,
  HashingScheme,
  InitialPosition,
  KeySharedPolicy,
  MessageRouter,
  MessageRoutingMode,
  ProducerAccessMode,
  ProducerBatchType,
  ProducerConfig,
  ProducerCryptoFailureAction,
  ProducerMessage,
  ReaderConfig,
  RegexSubscriptionMode,
  ServiceInfo,
  SubscriptionType,
  TopicMetadata,
} from "./config.ts";
export type { Consumer } from "./consumer.ts";
export { CryptoKeyReader, type EncryptionKeyInfo } from "./crypto-key-reader.ts";
export { type LogHandler, LogLevel } from "./log.ts";
export { type EncryptionContext, type EncryptionKey, Message } from "./message.ts";
export { MessageId } from "./message-id.ts";
export { Client } from "./node-client.ts";
export type { Producer } from "./producer.ts";
export * as ProtobufNativeSchema from "./protobuf-native-schema.ts";
export type { Reader } from "./reader.ts";
export type { SchemaInfo, SchemaType } from "./schema-info.ts";
