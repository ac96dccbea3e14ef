export { type Authentication, tokenAuthentication } from "./auth/authentication.ts";
export type { PulsarClientOptions } from "./client-options.ts";
export type { BatchReceivePolicy } from "./consuming/batch-receive-policy.ts";
export type { Consumer } from "./consuming/consumer.ts";
export type {
  ConsumerOptions,
  DeadLetterPolicy,
  InitialPosition,
  KeySharedPolicy,
  MessageListener,
  SubscriptionType,
} from "./consuming/consumer-options.ts";
export type { Reader, ReaderOptions } from "./consuming/reader.ts";
export type { ReceiveOptions } from "./consuming/receive-queue.ts";
export {
  type MultiplierBackoffOptions,
  multiplierRedeliveryBackoff,
  type RedeliveryBackoff,
} from "./consuming/redelivery-backoff.ts";
export type { ReconsumeOptions } from "./consuming/retry-letters.ts";
export {
  AlreadyClosedError,
  type ClientErrorCode,
  ConnectionError,
  InvalidConfigurationError,
  PulsarError,
  type PulsarErrorCode,
  type ServerErrorName,
  ServerResponseError,
  TimeoutError,
} from "./errors.ts";
export type { Logger } from "./logger.ts";
export type { Message } from "./message.ts";
export { MessageId, type MessageIdFields } from "./message-id.ts";
export type { Producer } from "./producing/producer.ts";
export type { ProducerMessage } from "./producing/producer-message.ts";
export type {
  HashingScheme,
  MessageRouter,
  MessageRoutingMode,
  ProducerAccessModeName,
  ProducerOptions,
} from "./producing/producer-options.ts";
