// ACK, all versions. Answered by ACK_RESPONSE where `request_id` is set (from version 17), never otherwise.
// The answer comes once the acknowledgement is stored: what has a receipt survives the broker.
// Gaps: transactions are refused with NotAllowedError; `validation_error` and `properties` are not looked at.
import { type CommandAck, CommandAckAckType, CommandType, type MessageIdData, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../../broker-error.ts";
import type { AckRequest } from "../../subscription/contracts.ts";
import type { BrokerConnection } from "../broker-connection.ts";

export function handleAck(connection: BrokerConnection, body: CommandAck): void | Promise<void> {
  let failure: BrokerError | undefined;
  try {
    acknowledge(connection, body);
  } catch (error) {
    failure = BrokerError.from(error);
  }
  if (body.requestId === undefined) return;
  if (failure === undefined) return answerWhenStored(connection, body);
  answer(connection, body, failure);
}

async function answerWhenStored(connection: BrokerConnection, body: CommandAck): Promise<void> {
  let failure: BrokerError | undefined;
  try {
    await connection.consumers.get(body.consumerId)?.consumer.flushAcknowledgements();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    failure = new BrokerError(ServerError.PersistenceError, `The acknowledgement is not stored: ${reason}`, { cause });
  }
  answer(connection, body, failure);
}

function answer(connection: BrokerConnection, body: CommandAck, failure: BrokerError | undefined): void {
  const { consumerId, requestId } = body;
  const [error, message] = [failure?.code, failure?.message];
  connection.send({ type: CommandType.ACK_RESPONSE, body: { consumerId, requestId, error, message } });
}

function acknowledge(connection: BrokerConnection, body: CommandAck): void {
  const connected = connection.consumers.get(body.consumerId);
  if (connected === undefined) throw new BrokerError(ServerError.ConsumerNotFound, "Consumer not found");
  if ((body.txnidMostBits ?? 0) !== 0 || (body.txnidLeastBits ?? 0) !== 0) {
    throw new BrokerError(ServerError.NotAllowedError, "Transactions are not served by this broker");
  }
  const ids = body.messageId ?? [];
  if (body.ackType === CommandAckAckType.Individual) {
    connected.consumer.acknowledge(ids.map(requestOf));
    return;
  }
  const [id] = ids;
  if (id === undefined || ids.length > 1) {
    throw new BrokerError(ServerError.NotAllowedError, "A cumulative acknowledgement names one message");
  }
  connected.consumer.acknowledgeCumulative(requestOf(id));
}

function requestOf({ ledgerId, entryId, ackSet }: MessageIdData): AckRequest {
  return { position: { ledgerId, entryId }, ackSet: ackSet === undefined || ackSet.length === 0 ? undefined : ackSet };
}
