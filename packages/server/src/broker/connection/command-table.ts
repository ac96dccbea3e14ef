import { CommandType } from "@pulsewire/protocol";
import type { CommandTable } from "./command-handler.ts";
import { handleAck } from "./commands/ack.ts";
import { handleAuthResponse } from "./commands/auth-response.ts";
import { handleCloseConsumer } from "./commands/close-consumer.ts";
import { handleCloseProducer } from "./commands/close-producer.ts";
import { handleConnect } from "./commands/connect.ts";
import { handleConsumerStats } from "./commands/consumer-stats.ts";
import { handleFlow } from "./commands/flow.ts";
import { handleGetLastMessageId } from "./commands/get-last-message-id.ts";
import { handleGetOrCreateSchema } from "./commands/get-or-create-schema.ts";
import { handleGetSchema } from "./commands/get-schema.ts";
import { handleGetTopicsOfNamespace } from "./commands/get-topics-of-namespace.ts";
import { handleLookup } from "./commands/lookup.ts";
import { handlePartitionedMetadata } from "./commands/partitioned-metadata.ts";
import { handlePing } from "./commands/ping.ts";
import { handlePong } from "./commands/pong.ts";
import { handleProducer } from "./commands/producer.ts";
import { handleRedeliver } from "./commands/redeliver.ts";
import { SCALABLE_TOPIC_COMMANDS } from "./commands/scalable-topics.ts";
import { handleSeek } from "./commands/seek.ts";
import { handleSend } from "./commands/send.ts";
import { handleSubscribe } from "./commands/subscribe.ts";
import { TRANSACTION_COMMANDS } from "./commands/transactions.ts";
import { handleUnsubscribe } from "./commands/unsubscribe.ts";
import { handleWatchTopicList } from "./commands/watch-topic-list.ts";
import { handleWatchTopicListClose } from "./commands/watch-topic-list-close.ts";

/** Every command a client may send, and what serves it. */
export const COMMANDS: CommandTable = {
  [CommandType.CONNECT]: handleConnect,
  [CommandType.AUTH_RESPONSE]: handleAuthResponse,
  [CommandType.PING]: handlePing,
  [CommandType.PONG]: handlePong,
  [CommandType.LOOKUP]: handleLookup,
  [CommandType.PARTITIONED_METADATA]: handlePartitionedMetadata,
  [CommandType.PRODUCER]: handleProducer,
  [CommandType.SEND]: handleSend,
  [CommandType.CLOSE_PRODUCER]: handleCloseProducer,
  [CommandType.SUBSCRIBE]: handleSubscribe,
  [CommandType.FLOW]: handleFlow,
  [CommandType.ACK]: handleAck,
  [CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES]: handleRedeliver,
  [CommandType.UNSUBSCRIBE]: handleUnsubscribe,
  [CommandType.CLOSE_CONSUMER]: handleCloseConsumer,
  [CommandType.SEEK]: handleSeek,
  [CommandType.GET_LAST_MESSAGE_ID]: handleGetLastMessageId,
  [CommandType.CONSUMER_STATS]: handleConsumerStats,
  [CommandType.GET_TOPICS_OF_NAMESPACE]: handleGetTopicsOfNamespace,
  [CommandType.WATCH_TOPIC_LIST]: handleWatchTopicList,
  [CommandType.WATCH_TOPIC_LIST_CLOSE]: handleWatchTopicListClose,
  [CommandType.GET_SCHEMA]: handleGetSchema,
  [CommandType.GET_OR_CREATE_SCHEMA]: handleGetOrCreateSchema,
  ...TRANSACTION_COMMANDS,
  ...SCALABLE_TOPIC_COMMANDS,
};
