import {
  type Command,
  CommandLookupTopicResponseLookupType,
  CommandPartitionedTopicMetadataResponseLookupType,
  CommandType,
  type Int64,
  ServerError,
} from "@pulsewire/protocol";
import { type PulsarError, ServerResponseError } from "../errors.ts";

/** A command that answers a request, taken apart. */
export interface Response {
  readonly requestId: Int64;
  /** The broker's refusal, where it is one. */
  readonly error: PulsarError | undefined;
}

function refusal(error: number | undefined, message: string | undefined): PulsarError | undefined {
  return error === undefined ? undefined : new ServerResponseError(error, message ?? "no reason given");
}

/** The request a command answers and whether it refuses it; undefined for a command that is no answer. */
export function responseOf(command: Command): Response | undefined {
  switch (command.type) {
    case CommandType.SUCCESS:
    case CommandType.PRODUCER_SUCCESS:
    case CommandType.GET_LAST_MESSAGE_ID_RESPONSE:
    case CommandType.GET_TOPICS_OF_NAMESPACE_RESPONSE:
    case CommandType.WATCH_TOPIC_LIST_SUCCESS:
      return { requestId: command.body.requestId, error: undefined };
    case CommandType.ERROR:
      return { requestId: command.body.requestId, error: refusal(command.body.error, command.body.message) };
    case CommandType.LOOKUP_RESPONSE: {
      const { requestId, response, error, message } = command.body;
      const failed = response === CommandLookupTopicResponseLookupType.Failed || response === undefined;
      return { requestId, error: failed ? refusal(error ?? ServerError.UnknownError, message) : undefined };
    }
    case CommandType.PARTITIONED_METADATA_RESPONSE: {
      const { requestId, response, error, message } = command.body;
      const failed = response === CommandPartitionedTopicMetadataResponseLookupType.Failed;
      return { requestId, error: failed ? refusal(error ?? ServerError.UnknownError, message) : undefined };
    }
    case CommandType.ACK_RESPONSE: {
      const { requestId, error, message } = command.body;
      return requestId === undefined ? undefined : { requestId, error: refusal(error, message) };
    }
    case CommandType.GET_SCHEMA_RESPONSE:
    case CommandType.GET_OR_CREATE_SCHEMA_RESPONSE:
    case CommandType.CONSUMER_STATS_RESPONSE: {
      const { requestId, errorCode, errorMessage } = command.body;
      return { requestId, error: refusal(errorCode, errorMessage) };
    }
    case CommandType.NEW_TXN_RESPONSE:
    case CommandType.ADD_PARTITION_TO_TXN_RESPONSE:
    case CommandType.ADD_SUBSCRIPTION_TO_TXN_RESPONSE:
    case CommandType.END_TXN_RESPONSE:
    case CommandType.TC_CLIENT_CONNECT_RESPONSE: {
      const { requestId, error, message } = command.body;
      return { requestId, error: refusal(error, message) };
    }
    default:
      return undefined;
  }
}
