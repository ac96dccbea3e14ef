import { InvalidConfigurationError } from "../errors.ts";
import { MessageId } from "../message-id.ts";

/** A message id as the admin REST has it. */
export interface MessageIdJson {
  readonly ledgerId: number;
  readonly entryId: number;
  readonly partitionIndex?: number;
  readonly batchIndex?: number;
  readonly batchSize?: number;
}

export function messageIdFrom(json: MessageIdJson): MessageId {
  const { ledgerId, entryId, partitionIndex = -1, batchIndex = -1, batchSize = 0 } = json;
  return MessageId.of({ ledgerId, entryId, partition: partitionIndex, batchIndex, batchSize });
}

/** As a body. The end of a topic is written as the largest number there is, which JSON's own writer would round. */
export function messageIdJson(id: MessageId): Record<string, number> {
  if (!(id instanceof MessageId)) throw new InvalidConfigurationError("a message id is a MessageId");
  return { ledgerId: id.ledgerId, entryId: id.entryId, partitionIndex: id.partition, batchIndex: id.batchIndex };
}
