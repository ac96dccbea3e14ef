import { ProtocolError, ServerError, TopicName } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";

/** The topic a command names. InvalidTopicName when it is none. */
export function topicArgument(text: string): TopicName {
  try {
    return TopicName.parse(text);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new BrokerError(ServerError.InvalidTopicName, `Invalid topic name: ${error.message}`, { cause: error });
  }
}
