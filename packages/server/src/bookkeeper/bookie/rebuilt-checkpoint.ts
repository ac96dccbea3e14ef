import type { Disk } from "@pulsewire/runtime";
import { CHECKPOINT_PATH, type Checkpoint } from "./checkpoint.ts";
import type { LedgersBefore } from "./deleted-ledgers.ts";
import type { EntryLogSnapshot } from "./entry-log/entry-log.ts";
import { listEntryLogs } from "./entry-log/entry-log.ts";
import { scanEntryLog } from "./entry-log/open-entry-log.ts";
import { listJournalFiles } from "./journal/journal-file.ts";
import { doubtfulLedger, forgottenUpTo, type LedgerSnapshot, lostLedger } from "./ledger-table.ts";
import type { Damage } from "./storage-error.ts";

/** An index whose number is neither this one nor the next is made anew. */
const BEYOND_THE_INDEX = 2;

/**
 * A checkpoint in the place of one that is gone or damaged: every entry that the entry logs have, and all of the journal
 * that is left. Fences and deletions may have been in it, and what was lost before: so of no ledger is said any more
 * that an entry never was, and adds to them are taken from recoveries alone.
 * @param known The number of the last flush that the index has seen.
 * @param before The ledgers that metadata says the bookie has entries of.
 */
export async function rebuiltCheckpoint(disk: Disk, known: number, before: LedgersBefore): Promise<Checkpoint> {
  const logs: EntryLogSnapshot[] = [];
  const ledgers = new Map<number, { lac: number; bytes: number }>();
  for (const logId of await listEntryLogs(disk)) {
    const scanned = await scanEntryLog(disk, logId);
    if (scanned === undefined) continue;
    logs.push(scanned.snapshot);
    for (const [ledgerId, { lac, bytes }] of scanned.ledgers) {
      const before = ledgers.get(ledgerId) ?? { lac: -1, bytes: 0 };
      ledgers.set(ledgerId, { lac: Math.max(lac, before.lac), bytes: before.bytes + bytes });
    }
  }
  const found = Array.from(ledgers, ([id, { lac, bytes }]): LedgerSnapshot => doubtfulLedger(id, lac, bytes));
  const [firstJournal = 1] = await listJournalFiles(disk);
  return {
    sequence: known + BEYOND_THE_INDEX,
    mark: { fileId: firstJournal, offset: 0 },
    logs,
    ledgers: [
      ...forgottenUpTo(before.lastId),
      ...found,
      ...before.ids.filter((id) => !ledgers.has(id)).map(lostLedger),
    ],
    damaged: true,
  };
}

export function checkpointDamage(reason: string): Damage {
  const detail = `${reason}; the entry logs and what is left of the journal were kept`;
  return { file: CHECKPOINT_PATH, fromOffset: 0, toOffset: 0, ledgerId: undefined, detail, whole: true };
}
