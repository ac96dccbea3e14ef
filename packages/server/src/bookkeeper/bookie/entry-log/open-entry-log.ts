import type { Disk } from "@pulsewire/runtime";
import { entryOf, RecordKind } from "../entry-record.ts";
import { RecordScanner } from "../record-scanner.ts";
import type { Damage } from "../storage-error.ts";
import {
  decodeLedgerMap,
  ENTRY_LOG_HEADER_BYTES,
  type EntryLog,
  type EntryLogSnapshot,
  entryLogPath,
} from "./entry-log.ts";

/** Told of damage, and of which ledgers it may have taken entries; undefined where that is not known. */
export type OnLost = (damage: Damage, ledgerIds: Iterable<number> | undefined) => void;

/** Opens a log that a checkpoint knows of, with what is left of it. Undefined where that is nothing. */
export async function openEntryLog(
  disk: Disk,
  snapshot: EntryLogSnapshot,
  isThere: boolean,
  isLiving: (ledgerId: number) => boolean,
  onLost: OnLost,
): Promise<EntryLog | undefined> {
  const { logId, lengthBytes } = snapshot;
  const path = entryLogPath(logId);
  const known = snapshot.ledgers?.map(([ledgerId]) => ledgerId).filter(isLiving);
  const lost = (fromOffset: number, detail: string, whole?: true): void => {
    const damage = { file: path, fromOffset, toOffset: lengthBytes, ledgerId: undefined, detail };
    onLost(whole === true ? { ...damage, whole } : damage, known);
  };
  if (!isThere) {
    lost(0, "the file is missing, every other file was kept", true);
    return undefined;
  }
  const file = await disk.open(path);
  if (file.sizeBytes <= ENTRY_LOG_HEADER_BYTES && file.sizeBytes < lengthBytes) {
    await file.close();
    lost(0, "nothing of this file was kept, every other file was");
    return undefined;
  }
  const log: EntryLog = { logId, file, lengthBytes, mapOffset: snapshot.mapOffset, ledgers: new Map() };
  if (file.sizeBytes < lengthBytes) {
    log.mapOffset = undefined;
    log.lengthBytes = await countEntries(log, file.sizeBytes, isLiving);
    await file.truncate(log.lengthBytes);
    lost(log.lengthBytes, "the file is shorter than it was, everything before was kept");
    return log;
  }
  if (log.mapOffset === undefined && file.sizeBytes > lengthBytes) await file.truncate(lengthBytes);
  const ledgers = snapshot.ledgers ?? (await readLedgerMap(log));
  if (ledgers === undefined) await countEntries(log, log.mapOffset ?? lengthBytes, isLiving);
  for (const [ledgerId, bytes] of ledgers ?? []) if (isLiving(ledgerId)) log.ledgers.set(ledgerId, bytes);
  return log;
}

/** What a log holds, from the log alone. */
export interface ScannedLog {
  snapshot: EntryLogSnapshot;
  /** LAC and bytes of payload of each ledger. */
  ledgers: Map<number, { lac: number; bytes: number }>;
}

/** Reads a whole log of which no checkpoint tells. Undefined where there is nothing in it. */
export async function scanEntryLog(disk: Disk, logId: number): Promise<ScannedLog | undefined> {
  const file = await disk.open(entryLogPath(logId));
  try {
    const scanned: ScannedLog["ledgers"] = new Map();
    const log: EntryLog = { logId, file, lengthBytes: file.sizeBytes, mapOffset: undefined, ledgers: new Map() };
    const lengthBytes = await countEntries(
      log,
      file.sizeBytes,
      () => true,
      (ledgerId, lac, bytes) => {
        const before = scanned.get(ledgerId) ?? { lac: -1, bytes: 0 };
        scanned.set(ledgerId, { lac: Math.max(before.lac, lac), bytes: before.bytes + bytes });
      },
    );
    if (log.ledgers.size === 0) return undefined;
    return { snapshot: { logId, lengthBytes, ledgers: [...log.ledgers] }, ledgers: scanned };
  } finally {
    await file.close();
  }
}

/** Fills a log's ledgers from its entries, and answers where the last whole one of them ends. */
async function countEntries(
  log: EntryLog,
  sizeBytes: number,
  isLiving: (ledgerId: number) => boolean,
  onEntry?: (ledgerId: number, lac: number, bytes: number) => void,
): Promise<number> {
  const scanner = new RecordScanner(log.file, sizeBytes);
  let end = ENTRY_LOG_HEADER_BYTES;
  for (let offset = ENTRY_LOG_HEADER_BYTES; ; ) {
    const scanned = await scanner.at(offset);
    if (scanned.kind === "end") return end;
    if (scanned.kind === "broken") {
      const next = await scanner.find(offset + 1, (head) => head.kind === RecordKind.Entry);
      if (next === undefined) return end;
      offset = next;
      continue;
    }
    const { head } = scanned;
    const length = scanned.endOffset - offset;
    offset = scanned.endOffset;
    if (head.kind !== RecordKind.Entry) continue;
    end = offset;
    if (isLiving(head.ledgerId)) log.ledgers.set(head.ledgerId, (log.ledgers.get(head.ledgerId) ?? 0) + length);
    if (scanned.kind === "record") {
      const { ledgerId, lac, payload } = entryOf(head, scanned.payload);
      onEntry?.(ledgerId, lac, payload.length);
    }
  }
}

/** Undefined where it cannot be read. */
async function readLedgerMap(log: EntryLog): Promise<[number, number][] | undefined> {
  const scanned = await new RecordScanner(log.file, log.lengthBytes).at(log.mapOffset ?? 0);
  if (scanned.kind === "record" && scanned.head.kind === RecordKind.LedgerMap) return decodeLedgerMap(scanned.payload);
  return undefined;
}
