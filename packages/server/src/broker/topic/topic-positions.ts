import type { CommandSubscribe, MessageIdData } from "@pulsewire/protocol";
import { EARLIEST_POSITION, type ManagedLedger, type Position } from "../../managed-ledger/index.ts";
import type { SeekTarget } from "./topic.ts";

/** Ids above this are `MessageId.latest`, Java's largest long. */
const LATEST_FROM = 2 ** 62;

/** The position at which an id's entry is or will be read: earliest and latest are looked up. */
export function positionOfId(ledger: ManagedLedger, id: MessageIdData): Position {
  if (id.ledgerId >= LATEST_FROM || id.entryId >= LATEST_FROM) return ledger.nextPosition(ledger.lastConfirmed);
  if (id.ledgerId < 0) return ledger.firstPosition;
  return { ledgerId: id.ledgerId, entryId: Math.max(id.entryId, 0) };
}

/** The first position published at or after a time. */
export async function positionAtTime(ledger: ManagedLedger, publishTimeMs: number): Promise<Position> {
  const before = await ledger.findNewestMatching((entry) => entry.metadata.publishTime < publishTimeMs);
  return before === undefined ? ledger.firstPosition : ledger.nextPosition(before);
}

export function positionOfTarget(ledger: ManagedLedger, target: SeekTarget): Position | Promise<Position> {
  return target.kind === "id" ? positionOfId(ledger, target.messageId) : positionAtTime(ledger, target.publishTimeMs);
}

/**
 * Where a reader's cursor stands before its first read: right before the entry of the start id, whatever its batch
 * index (the client skips inside the batch); without an id by initial position.
 */
export async function startOfReader(
  ledger: ManagedLedger,
  command: CommandSubscribe,
  nowMs: number,
): Promise<Position> {
  const rollbackSec = command.startMessageRollbackDurationSec ?? 0;
  if (rollbackSec > 0) return before(await positionAtTime(ledger, nowMs - rollbackSec * 1000));
  const id = command.startMessageId;
  if (id !== undefined) {
    if (id.ledgerId >= LATEST_FROM) return ledger.lastConfirmed;
    return id.ledgerId < 0 ? EARLIEST_POSITION : before(positionOfId(ledger, id));
  }
  return command.initialPosition === 1 ? EARLIEST_POSITION : ledger.lastConfirmed;
}

function before(position: Position): Position {
  return { ledgerId: position.ledgerId, entryId: position.entryId - 1 };
}

/** The last message there is, -1:-1 without one. `batchIndex` is that of the last in its batch, or -1. */
export async function lastMessageOf(ledger: ManagedLedger): Promise<{ position: Position; batchIndex: number }> {
  const last = ledger.lastConfirmed;
  const entry = last.entryId < 0 ? undefined : await ledger.readEntry(last);
  if (entry === undefined) return { position: EARLIEST_POSITION, batchIndex: -1 };
  const { numMessagesInBatch } = entry.metadata;
  return { position: last, batchIndex: numMessagesInBatch === undefined ? -1 : numMessagesInBatch - 1 };
}
