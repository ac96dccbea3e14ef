// GET_LAST_MESSAGE_ID, from version 12. Answered by GET_LAST_MESSAGE_ID_RESPONSE with the last message's id (-1:-1 on an
// empty topic, the last index inside a batch) and the subscription's mark-delete position. ERROR: MetadataError for a
// consumer that is not open.
import { type CommandGetLastMessageId, CommandType } from "@pulsewire/protocol";
import type { BrokerConnection } from "../broker-connection.ts";
import { openConsumer } from "./open-consumer.ts";

export async function handleGetLastMessageId(
  connection: BrokerConnection,
  body: CommandGetLastMessageId,
): Promise<void> {
  const { topic, subscription } = openConsumer(connection, body.consumerId);
  const { position, batchIndex, markDeleted } = await topic.lastMessageId(subscription);
  const { ledgerId, entryId } = position;
  connection.send({
    type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE,
    body: {
      lastMessageId: { ledgerId, entryId, partition: topic.name.partitionIndex, batchIndex },
      requestId: body.requestId,
      consumerMarkDeletePosition:
        markDeleted === undefined ? undefined : { ledgerId: markDeleted.ledgerId, entryId: markDeleted.entryId },
    },
  });
}
