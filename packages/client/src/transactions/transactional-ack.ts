import { CommandAckAckType, CommandType, type MessageIdData } from "@pulsewire/protocol";
import type { Connection } from "../connection/connection.ts";
import { AckSet } from "../consuming/ack-set.ts";
import type { AckPlace } from "../consuming/ack-tracker.ts";
import { bits } from "./transaction-coordinators.ts";
import type { TransactionId } from "./transaction-id.ts";

export interface TransactionalAck {
  readonly consumerId: number;
  readonly topic: string;
  readonly place: AckPlace;
  readonly cumulative: boolean;
}

/** Acknowledges as part of a transaction; always with the broker's answer. Rejects with `TransactionConflict` and others. */
export async function sendTransactionalAck(
  connection: Connection,
  id: TransactionId,
  { consumerId, topic, place, cumulative }: TransactionalAck,
): Promise<void> {
  const ackType = cumulative ? CommandAckAckType.Cumulative : CommandAckAckType.Individual;
  // of a message in chunks all of them; a cumulative acknowledgement takes the earlier ones along
  const places =
    cumulative || place.chunks === undefined
      ? [place]
      : place.chunks.map((c) => ({ ...c, batchIndex: -1, batchSize: 0 }));
  const messageId = places.map((one) => idData(one, cumulative));
  await connection.request(`an acknowledgement on ${topic} in transaction ${id}`, (requestId) => ({
    type: CommandType.ACK,
    body: { consumerId, ackType, messageId, requestId, ...bits(id) },
  }));
}

function idData({ ledgerId, entryId, batchIndex, batchSize }: AckPlace, cumulative: boolean): MessageIdData {
  if (batchIndex < 0 || batchSize === 0) return { ledgerId, entryId };
  const set = new AckSet(ledgerId, entryId, batchSize);
  if (cumulative) set.acknowledgeUpTo(batchIndex);
  else set.acknowledge(batchIndex);
  // the last message of a batch, or its only one, stands for the entry
  if (set.complete) return { ledgerId, entryId };
  return { ledgerId, entryId, batchSize, ackSet: set.toBits() };
}
