import type { Disk } from "@pulsewire/runtime";
import { type Checkpoint, FIRST_CHECKPOINT, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { type CheckpointedJournal, Checkpointer } from "./checkpointer.ts";
import { type LedgersBefore, NO_LEDGERS_BEFORE } from "./deleted-ledgers.ts";
import type { DiskLedgerStorageOptions, StorageParts } from "./disk-ledger-storage.ts";
import { listEntryLogs } from "./entry-log/entry-log.ts";
import { EntryLogs } from "./entry-log/entry-logs.ts";
import type { OnLost } from "./entry-log/open-entry-log.ts";
import { EntryReader } from "./entry-reader.ts";
import { entryOf, isEntry, type RecordHead, RecordKind } from "./entry-record.ts";
import { Journal } from "./journal/journal.ts";
import { type JournalMark, listJournalFiles } from "./journal/journal-file.ts";
import { type ReplayTarget, replayJournal } from "./journal/journal-replay.ts";
import { forgottenUpTo, LedgerTable, lostLedger } from "./ledger-table.ts";
import { LocationIndex } from "./location-index.ts";
import { checkpointDamage, rebuiltCheckpoint } from "./rebuilt-checkpoint.ts";
import { type Damage, StorageError } from "./storage-error.ts";
import type { BookieSettings } from "./storage-settings.ts";

const MEGABYTE = 1024 * 1024;
const INDEX_DAMAGE: Damage = {
  file: "index",
  fromOffset: 0,
  toOffset: 0,
  ledgerId: undefined,
  detail: "it is damaged; it is made anew from the entry logs",
  whole: true,
};

/** Brings a storage to where it was: the checkpoint, the index if it is behind, the journal from the checkpoint on. */
export async function recoverStorage(given: DiskLedgerStorageOptions, settings: BookieSettings): Promise<StorageParts> {
  const options = { ...given, ...onceAsked(given.ledgersBefore) };
  const index = new LocationIndex(options.index);
  let logs: EntryLogs | undefined;
  try {
    const checkpoint = await firstOrLastCheckpoint(options, index);
    const table = new LedgerTable();
    table.restore(checkpoint.ledgers);
    table.damaged = checkpoint.damaged;
    table.doubtsFrom = checkpoint.doubtsFrom ?? 0;
    const { disk } = options;
    const nextJournal = await nextJournalFile(disk);
    const onLost: OnLost = (damage, ledgerIds) => {
      table.doubtsFrom = nextJournal;
      if (ledgerIds === undefined) table.damage(undefined);
      else for (const ledgerId of ledgerIds) table.damage(ledgerId);
      options.onDamage?.(damage);
    };
    const isLiving = (ledgerId: number): boolean => table.get(ledgerId) !== undefined;
    logs = await EntryLogs.open(disk, settings, checkpoint.logs, isLiving, onLost);
    return await recover(options, settings, { checkpoint, table, logs, index, nextJournal });
  } catch (error) {
    await logs?.close();
    await index.close();
    throw error;
  }
}

function onceAsked(
  ledgersBefore: DiskLedgerStorageOptions["ledgersBefore"],
): Pick<DiskLedgerStorageOptions, "ledgersBefore"> {
  if (ledgersBefore === undefined) return {};
  let asked: Promise<LedgersBefore> | undefined;
  return {
    ledgersBefore: () => {
      asked ??= ledgersBefore();
      return asked;
    },
  };
}

interface Opened {
  checkpoint: Checkpoint;
  table: LedgerTable;
  logs: EntryLogs;
  index: LocationIndex;
  /** The journal file that this start begins, at the earliest. */
  nextJournal: number;
}

async function recover(
  options: DiskLedgerStorageOptions,
  settings: BookieSettings,
  { checkpoint, table, logs, index, nextJournal }: Opened,
): Promise<StorageParts> {
  const { disk, clock, onFailed = () => undefined, onError = () => undefined } = options;
  const onDamage = (damage: Damage): void => {
    table.damage(damage.ledgerId);
    table.doubtsFrom = nextJournal;
    options.onDamage?.(damage);
  };
  // nothing is lost with it: no ledger is in doubt
  const onUnsound = (): void => options.onDamage?.(INDEX_DAMAGE);
  await bringIndexUpToDate(index, logs, checkpoint.sequence, { onDamage, onUnsound }, () => {
    const { damaged, doubtsFrom } = table;
    return writeCheckpoint(disk, { ...checkpoint, ledgers: table.snapshot(), damaged, doubtsFrom });
  });
  const replayed = new ReplayedJournal(checkpoint.mark);
  const cacheBytesMax = (settings.dbStorage_writeCacheMaxSizeMb * MEGABYTE) / 2;
  const checkpointer = new Checkpointer({
    disk,
    table,
    logs,
    index,
    journal: replayed,
    last: checkpoint,
    cacheBytesMax,
  });
  const target = new Replay(table, checkpointer, replayed, onDamage);
  const fileId = await replayJournal(disk, checkpoint.mark, target);
  if (table.damaged && options.ledgersBefore !== undefined) table.limitDamage(await options.ledgersBefore());
  const journal = await Journal.create({ disk, clock, settings, fileId, onFailed });
  checkpointer.attach(journal);
  const readCacheBytesMax = settings.dbStorage_readAheadCacheMaxSizeMb * MEGABYTE;
  const reader = new EntryReader({ table, checkpointer, logs, index, cacheBytesMax: readCacheBytesMax });
  return { clock, settings, table, journal, checkpointer, reader, onError };
}

async function firstOrLastCheckpoint(options: DiskLedgerStorageOptions, index: LocationIndex): Promise<Checkpoint> {
  const { disk, ledgersBefore } = options;
  const read = await checkpointOrDamage(disk);
  if (read !== undefined && "sequence" in read) {
    // it may have got its name just before the process ended: nothing may build on it that outlives it
    await disk.syncFolder("");
    return read;
  }
  const before = (await ledgersBefore?.()) ?? NO_LEDGERS_BEFORE;
  const next: Checkpoint =
    read === undefined
      ? { ...FIRST_CHECKPOINT, ledgers: [...forgottenUpTo(before.lastId), ...before.ids.map(lostLedger)] }
      : {
          ...(await rebuiltCheckpoint(disk, await index.sequence(), before)),
          doubtsFrom: await nextJournalFile(disk),
        };
  if (read !== undefined) options.onDamage?.(read);
  await writeCheckpoint(disk, next);
  return next;
}

async function nextJournalFile(disk: Disk): Promise<number> {
  return ((await listJournalFiles(disk)).at(-1) ?? 0) + 1;
}

/** Undefined where nothing was ever stored. */
async function checkpointOrDamage(disk: Disk): Promise<Checkpoint | Damage | undefined> {
  try {
    const checkpoint = await readCheckpoint(disk);
    if (checkpoint !== undefined) return checkpoint;
  } catch (error) {
    if (error instanceof StorageError && error.code === "Corrupt") return checkpointDamage("it cannot be read");
    throw error;
  }
  const [journals, logs] = [await listJournalFiles(disk), await listEntryLogs(disk)];
  return journals.length + logs.length > 0 ? checkpointDamage("the file is missing") : undefined;
}

/** An index that has not seen the checkpoint's flush, or one that has seen others, is made anew from the entry logs. */
async function bringIndexUpToDate(
  index: LocationIndex,
  logs: EntryLogs,
  sequence: number,
  { onDamage, onUnsound }: { onDamage: (damage: Damage) => void; onUnsound: () => void },
  keepDamage: () => Promise<void>,
): Promise<void> {
  const known = await index.sequence();
  // a crash between the writing of the index and of the checkpoint leaves the index one ahead
  const isOfIt = known === sequence || known === sequence + 1 || (known === -1 && sequence === 0);
  if (isOfIt) {
    if (await index.isSound()) return;
    onUnsound();
  }
  await index.clear();
  let damaged = false;
  const noted = (damage: Damage): void => {
    damaged = true;
    onDamage(damage);
  };
  for await (const runs of logs.scan(noted)) await index.write(runs, [], 0);
  // with an index that is whole the logs are not looked through again, and nobody would know any more
  if (damaged) await keepDamage();
  await index.write([], [], sequence);
}

/** The journal while it is read: the place after the last record that was taken. */
class ReplayedJournal implements CheckpointedJournal {
  position: JournalMark;

  constructor(position: JournalMark) {
    this.position = position;
  }

  async cut(): Promise<JournalMark> {
    return this.position;
  }

  async trim(): Promise<void> {
    // files are removed when there is a new journal
  }
}

class Replay implements ReplayTarget {
  readonly onDamage: (damage: Damage) => void;
  readonly #table: LedgerTable;
  readonly #checkpointer: Checkpointer;
  readonly #journal: ReplayedJournal;

  constructor(
    table: LedgerTable,
    checkpointer: Checkpointer,
    journal: ReplayedJournal,
    onDamage: (damage: Damage) => void,
  ) {
    this.#table = table;
    this.#checkpointer = checkpointer;
    this.#journal = journal;
    this.onDamage = onDamage;
  }

  onRecord(head: RecordHead, payload: Uint8Array, next: JournalMark): void | Promise<void> {
    this.#apply(head, payload, next.fileId);
    this.#journal.position = next;
    if (this.#checkpointer.due) return this.#checkpointer.checkpoint();
  }

  #apply(head: RecordHead, payload: Uint8Array, fileId: number): void {
    const { ledgerId } = head;
    if (isEntry(head)) {
      const entry = entryOf(head, payload);
      if (this.#table.admit(entry, true) !== "Ok") return;
      this.#table.added(entry, this.#checkpointer.put(entry), head.kind === RecordKind.RecoveredEntry);
    } else if (head.kind === RecordKind.Fence) this.#table.fence(ledgerId).fenced = "durable";
    else if (head.kind === RecordKind.DeleteLedger) {
      this.#table.delete(ledgerId);
      this.#checkpointer.deleteLedger(ledgerId);
    }
    // what was found to be lost since, or at this start, may be what was given to it, or its fence
    else if (head.kind === RecordKind.EndOfDoubt && fileId >= this.#table.doubtsFrom) this.#table.endDoubt(ledgerId);
  }
}
