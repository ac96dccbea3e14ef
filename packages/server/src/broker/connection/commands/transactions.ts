// The transaction commands, from version 19: TC_CLIENT_CONNECT_REQUEST, NEW_TXN, ADD_PARTITION_TO_TXN,
// ADD_SUBSCRIPTION_TO_TXN, END_TXN, END_TXN_ON_PARTITION, END_TXN_ON_SUBSCRIPTION.
// Gaps: none of them is served yet. Each is answered by its own response with TransactionCoordinatorNotFound, as by a
// broker that has no coordinator: clients match these by request id, and would wait for ever for a plain ERROR.
import { CommandType, type Int64, ServerError } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";
import type { CommandTable } from "../command-handler.ts";

const refusal = {
  error: ServerError.TransactionCoordinatorNotFound,
  message: "Transactions are not served by this broker",
} as const;

type Response =
  | typeof CommandType.TC_CLIENT_CONNECT_RESPONSE
  | typeof CommandType.NEW_TXN_RESPONSE
  | typeof CommandType.ADD_PARTITION_TO_TXN_RESPONSE
  | typeof CommandType.ADD_SUBSCRIPTION_TO_TXN_RESPONSE
  | typeof CommandType.END_TXN_RESPONSE
  | typeof CommandType.END_TXN_ON_PARTITION_RESPONSE
  | typeof CommandType.END_TXN_ON_SUBSCRIPTION_RESPONSE;

function refuseWith(type: Response): (connection: BrokerConnection, body: { requestId: Int64 }) => void {
  return (connection, { requestId }) => connection.send({ type, body: { requestId, ...refusal } });
}

export const TRANSACTION_COMMANDS: CommandTable = {
  [CommandType.TC_CLIENT_CONNECT_REQUEST]: refuseWith(CommandType.TC_CLIENT_CONNECT_RESPONSE),
  [CommandType.NEW_TXN]: refuseWith(CommandType.NEW_TXN_RESPONSE),
  [CommandType.ADD_PARTITION_TO_TXN]: refuseWith(CommandType.ADD_PARTITION_TO_TXN_RESPONSE),
  [CommandType.ADD_SUBSCRIPTION_TO_TXN]: refuseWith(CommandType.ADD_SUBSCRIPTION_TO_TXN_RESPONSE),
  [CommandType.END_TXN]: refuseWith(CommandType.END_TXN_RESPONSE),
  [CommandType.END_TXN_ON_PARTITION]: refuseWith(CommandType.END_TXN_ON_PARTITION_RESPONSE),
  [CommandType.END_TXN_ON_SUBSCRIPTION]: refuseWith(CommandType.END_TXN_ON_SUBSCRIPTION_RESPONSE),
};
