// The commands of scalable topics and of transaction-coordinator discovery, of Pulsar 5.0: SCALABLE_TOPIC_LOOKUP,
// SCALABLE_TOPIC_SUBSCRIBE, WATCH_SCALABLE_TOPICS, WATCH_TC_ASSIGNMENTS and the closes of them.
// Gaps: none of them is served yet. What has an answer of its own is answered by it with NotAllowedError (most carry a
// session or watch id instead of a request id); a close of what never opened is passed over.
import { CommandType, ServerError } from "@pulsewire/protocol";
import type { CommandTable } from "../command-handler.ts";

const refusal = {
  error: ServerError.NotAllowedError,
  message: "Scalable topics are not served by this broker",
} as const;

function nothingToClose(): void {
  // it never opened
}

export const SCALABLE_TOPIC_COMMANDS: CommandTable = {
  [CommandType.SCALABLE_TOPIC_LOOKUP]: (connection, { sessionId }) =>
    connection.send({ type: CommandType.SCALABLE_TOPIC_UPDATE, body: { sessionId, ...refusal } }),
  [CommandType.SCALABLE_TOPIC_CLOSE]: nothingToClose,
  [CommandType.SCALABLE_TOPIC_SUBSCRIBE]: (connection, { requestId }) =>
    connection.send({ type: CommandType.SCALABLE_TOPIC_SUBSCRIBE_RESPONSE, body: { requestId, ...refusal } }),
  [CommandType.WATCH_SCALABLE_TOPICS]: (connection, { watchId }) =>
    connection.send({ type: CommandType.WATCH_SCALABLE_TOPICS_UPDATE, body: { watchId, ...refusal } }),
  [CommandType.WATCH_SCALABLE_TOPICS_CLOSE]: nothingToClose,
  [CommandType.WATCH_TC_ASSIGNMENTS]: (connection, { watchId }) =>
    connection.send({ type: CommandType.WATCH_TC_ASSIGNMENTS_UPDATE, body: { watchId, ...refusal } }),
  [CommandType.WATCH_TC_ASSIGNMENTS_CLOSE]: nothingToClose,
};
