import type { Disk, DiskFile } from "@pulsewire/runtime";
import { type RecordHead, RecordKind } from "../entry-record.ts";
import { RecordScanner } from "../record-scanner.ts";
import type { Damage } from "../storage-error.ts";
import {
  hasJournalHeader,
  JOURNAL_FOLDER,
  JOURNAL_HEADER_BYTES,
  type JournalMark,
  journalPath,
  listJournalFiles,
} from "./journal-file.ts";

/** Who gets what a journal holds. */
export interface ReplayTarget {
  /** One record, and the place after it. May take its time. */
  onRecord(head: RecordHead, payload: Uint8Array, next: JournalMark): void | Promise<void>;
  /** A part that was durable once and cannot be read: what it held is lost here. */
  onDamage(damage: Damage): void;
}

/**
 * Reads the journal from a mark on (offset 0: from the beginning of a file that may not be there yet), to its end. A tail that was never synced is cut off. A part that cannot be read
 * while a later group shows that it was synced is damage: it is told, skipped, and what follows is kept.
 * Answers the id of the file to go on with.
 */
export async function replayJournal(disk: Disk, from: JournalMark, target: ReplayTarget): Promise<number> {
  const fileIds = await listJournalFiles(disk);
  for (const fileId of fileIds) if (fileId < from.fileId) await disk.remove(journalPath(fileId));
  const lastId = fileIds.at(-1) ?? 0;
  for (let fileId = from.fileId; fileId <= lastId; fileId++) {
    if (!fileIds.includes(fileId)) {
      target.onDamage(missing(journalPath(fileId), 0, "the files after it were kept"));
      continue;
    }
    const offset = fileId === from.fileId ? Math.max(from.offset, JOURNAL_HEADER_BYTES) : JOURNAL_HEADER_BYTES;
    const begun = await replayFile(disk, { fileId, offset }, fileId === lastId, target);
    if (!begun) return fileId;
  }
  if (lastId >= from.fileId) return lastId + 1;
  if (from.offset === 0) return from.fileId;
  const file = journalPath(from.fileId);
  target.onDamage(missing(file, from.offset, "what was before it was kept"));
  return from.fileId + 1;
}

/** False for a last file that was never begun: it is gone. */
async function replayFile(disk: Disk, from: JournalMark, isLast: boolean, target: ReplayTarget): Promise<boolean> {
  const path = journalPath(from.fileId);
  const file = await disk.open(path);
  try {
    const intact = file.sizeBytes >= from.offset && (await hasJournalHeader(file, from.fileId));
    if (intact) {
      await replayRecords(file, from, isLast, target);
      // what was read may be in the system's memory alone: written before the process ended, and never synced
      if (isLast) await file.sync();
    }
    // a crash while a file was being made leaves one with nothing in it
    else if (isLast && file.sizeBytes <= JOURNAL_HEADER_BYTES && from.offset <= JOURNAL_HEADER_BYTES) {
      await disk.remove(path);
      await disk.syncFolder(JOURNAL_FOLDER);
      return false;
    } else target.onDamage(damageOf(path, 0, file.sizeBytes, undefined, "nothing of this file was kept"));
    return true;
  } finally {
    await file.close();
  }
}

async function replayRecords(file: DiskFile, from: JournalMark, isLast: boolean, target: ReplayTarget): Promise<void> {
  const { fileId } = from;
  const scanner = new RecordScanner(file);
  const isGroup = (head: RecordHead, offset: number): boolean =>
    head.kind === RecordKind.Group && head.ledgerId === fileId && head.entryId === offset;
  for (let offset = from.offset; ; ) {
    const scanned = await scanner.at(offset);
    if (scanned.kind === "end") return;
    if (scanned.kind === "record") {
      offset = scanned.endOffset;
      await target.onRecord(scanned.head, scanned.payload, { fileId, offset });
      continue;
    }
    // a group is written only after those before it were synced, and so is a file
    const searchFrom = scanned.kind === "damaged" ? scanned.endOffset : offset + 1;
    const groupAt = await scanner.find(searchFrom, isGroup);
    if (groupAt === undefined && isLast) {
      await file.truncate(offset);
      return;
    }
    const ledgerId = scanned.kind === "damaged" ? scanned.head.ledgerId : undefined;
    const next = scanned.kind === "damaged" ? scanned.endOffset : (groupAt ?? file.sizeBytes);
    const kept = next === file.sizeBytes ? "everything before was kept" : "everything before and after was kept";
    target.onDamage(damageOf(journalPath(fileId), offset, next, ledgerId, kept));
    offset = next;
  }
}

function missing(file: string, toOffset: number, kept: string): Damage {
  return { ...damageOf(file, 0, toOffset, undefined, `the file is missing, ${kept}`), whole: true };
}

function damageOf(
  file: string,
  fromOffset: number,
  toOffset: number,
  ledgerId: number | undefined,
  detail: string,
): Damage {
  return { file, fromOffset, toOffset, ledgerId, detail };
}
