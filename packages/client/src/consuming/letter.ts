import { TopicName } from "@pulsewire/protocol";
import type { Message } from "../message.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";

/** How often a message was consumed again by way of the retry topic. */
export const RECONSUME_TIMES = "RECONSUMETIMES";
/** After how many ms it was to come again. */
export const DELAY_TIME = "DELAY_TIME";
const REAL_TOPIC = "REAL_TOPIC";
const REAL_SUBSCRIPTION = "REAL_SUBSCRIPTION";
const ORIGIN_MESSAGE_ID = "ORIGIN_MESSAGE_ID";
/** The same under the name older clients look for. */
const ORIGIN_MESSAGE_ID_OLD = "ORIGIN_MESSAGE_IDY_TIME";

/**
 * A received message as it goes to a retry or dead-letter topic: everything its producer gave it, and where it was
 * first consumed. A message that comes from a retry topic keeps what it says of that.
 */
export function letterOf(
  message: Message,
  subscription: string,
  extra: Readonly<Record<string, string>> = {},
): ProducerMessage {
  const { key, keyBytes, orderingKey, eventTime } = message;
  const originId = message.properties[ORIGIN_MESSAGE_ID] ?? message.messageId.toString();
  const sent = message.hasBase64EncodedKey ? keyBytes : key;
  return {
    data: message.hasNullValue ? null : message.data,
    properties: {
      [REAL_TOPIC]: TopicName.parse(message.topic).partitionedTopicName,
      [REAL_SUBSCRIPTION]: subscription,
      [ORIGIN_MESSAGE_ID]: originId,
      [ORIGIN_MESSAGE_ID_OLD]: originId,
      ...message.properties,
      ...extra,
    },
    ...(sent === undefined ? {} : { key: sent }),
    ...(orderingKey === undefined ? {} : { orderingKey }),
    ...(eventTime === 0 ? {} : { eventTime }),
  };
}
