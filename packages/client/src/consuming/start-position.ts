import { EARLIEST, LATEST, type MessageIdData } from "@pulsewire/protocol";
import { MessageId } from "../message-id.ts";
import { AckSet } from "./ack-set.ts";

/**
 * Where reading starts: an id (with or without the message itself), or a publish time, which the broker alone can
 * find. For a durable subscription the broker knows, and it serves to leave out the first part of a batch after a seek.
 */
export type StartPosition =
  | { kind: "id"; id: MessageId; inclusive: boolean }
  | {
      kind: "time";
      timestampMs: number;
      /** The same as the time that was to go back when it began, which the broker's clock counts. */
      rollbackMs?: number;
    };

/** The broker starts at the beginning of the start id's entry; this tells which of its messages come before the start. */
export function isBeforeStart(
  start: StartPosition | undefined,
  ledgerId: number,
  entryId: number,
  batchIndex: number,
): boolean {
  if (start?.kind !== "id") return false;
  const { id, inclusive } = start;
  // between the chunks of the start lie messages that come before it
  if (id.chunks !== undefined && (ledgerId < id.ledgerId || (ledgerId === id.ledgerId && entryId < id.entryId)))
    return true;
  if (id.ledgerId !== ledgerId || id.entryId !== entryId) return false;
  // an id without an index means its whole entry
  if (id.batchIndex < 0 || batchIndex < 0) return !inclusive;
  return inclusive ? batchIndex < id.batchIndex : batchIndex <= id.batchIndex;
}

export function isEarliest(id: MessageId): boolean {
  return id.ledgerId === MessageId.earliest.ledgerId && id.entryId === MessageId.earliest.entryId;
}

export function isLatest(id: MessageId): boolean {
  return id.ledgerId === MessageId.latest.ledgerId && id.entryId === MessageId.latest.entryId;
}

/** A start for SUBSCRIBE and SEEK. */
export function startIdData(id: MessageId): MessageIdData {
  if (isEarliest(id)) return EARLIEST;
  if (isLatest(id)) return LATEST;
  // of a message in chunks all have to come again, also where it is left out: others may have begun between them
  const { ledgerId, entryId } = id.chunks?.[0] ?? id;
  const data: MessageIdData = { ledgerId, entryId };
  if (id.partition >= 0) data.partition = id.partition;
  if (id.batchIndex >= 0) data.batchIndex = id.batchIndex;
  return data;
}

/** A start for SEEK: of a batch, with what comes before the start as acknowledged, which the broker would else keep. */
export function seekIdData(id: MessageId, inclusive: boolean): MessageIdData {
  const data = startIdData(id);
  if (id.batchIndex < 0 || id.batchSize === 0) return data;
  const set = new AckSet(id.ledgerId, id.entryId, id.batchSize);
  set.acknowledgeUpTo(inclusive ? id.batchIndex - 1 : id.batchIndex);
  return set.complete ? data : { ...data, ackSet: set.toBits() };
}

/**
 * Whether a topic whose last message is `last` has one behind the start, where nothing was read since.
 * `markDelete` is where the broker sees the subscription: only it knows where a publish time or the end is.
 */
export function isBehindStart(
  last: MessageId,
  start: StartPosition | undefined,
  markDelete: MessageIdData | undefined,
): boolean {
  if (start?.kind === "id" && !isLatest(start.id)) {
    if (isEarliest(start.id)) return true;
    const order = last.compareTo(comparable(start.id, last));
    return order > 0 || (order === 0 && start.inclusive);
  }
  if (markDelete === undefined) return false;
  return (
    last.ledgerId - markDelete.ledgerId > 0 ||
    (last.ledgerId === markDelete.ledgerId && last.entryId > markDelete.entryId)
  );
}

/** An id of the same partition; one that means its whole entry stands for the entry's last message. */
function comparable(id: MessageId, like: MessageId): MessageId {
  const sameEntry = id.ledgerId === like.ledgerId && id.entryId === like.entryId;
  const batchIndex = id.batchIndex < 0 && sameEntry ? like.batchIndex : id.batchIndex;
  return new MessageId(id.ledgerId, id.entryId, like.partition, batchIndex, id.batchSize, id.topic);
}
