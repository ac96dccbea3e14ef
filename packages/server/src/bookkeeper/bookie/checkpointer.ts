import type { Disk } from "@pulsewire/runtime";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import { type Checkpoint, writeCheckpoint } from "./checkpoint.ts";
import { LogCompaction } from "./entry-log/compaction.ts";
import type { EntryLogs } from "./entry-log/entry-logs.ts";
import type { JournalMark } from "./journal/journal-file.ts";
import type { LedgerSnapshot, LedgerTable } from "./ledger-table.ts";
import type { LocationIndex } from "./location-index.ts";
import { WriteCache } from "./write-cache.ts";

/** What a checkpoint needs of the journal. */
export interface CheckpointedJournal {
  /** The place after everything so far, once that is durable. */
  cut(): Promise<JournalMark>;
  /** Lets go of what is before a mark. */
  trim(mark: JournalMark): Promise<void>;
}

export interface CheckpointerOptions {
  disk: Disk;
  table: LedgerTable;
  logs: EntryLogs;
  index: LocationIndex;
  journal: CheckpointedJournal;
  /** The checkpoint the storage was opened from. */
  last: Checkpoint;
  /** Of the cache that fills, in bytes. */
  cacheBytesMax: number;
}

/** The state at one moment on its way to the disk. Kept until it is there, however often that is tried. */
interface Frozen {
  cache: WriteCache;
  deletedLedgers: ReadonlySet<number>;
  ledgers: LedgerSnapshot[];
  damaged: boolean;
  cut: Promise<JournalMark>;
}

/**
 * Holds what is in the journal alone, and moves it to entry logs and index: freeze the cache, wait until the journal has
 * it, write the logs, then the index, then the checkpoint; after that the journal up to there is needed no more. A crash
 * in between leaves the checkpoint before, whose journal is replayed.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #journal: CheckpointedJournal;
  #active = new WriteCache();
  #deletedLedgers = new Set<number>();
  #frozen: Frozen | undefined;
  #sequence: number;
  #mark: JournalMark;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#journal = options.journal;
    this.#sequence = options.last.sequence;
    this.#mark = options.last.mark;
  }

  /** Goes on with the journal itself after its replay. */
  attach(journal: CheckpointedJournal): void {
    this.#journal = journal;
  }

  /** Bytes that the journal alone has, and the memory they take. */
  get cachedBytes(): number {
    return this.#active.bytes + (this.#frozen?.cache.bytes ?? 0);
  }

  /** A checkpoint should be made. */
  get due(): boolean {
    return this.#running === undefined && this.#active.bytes >= this.#options.cacheBytesMax;
  }

  /** Nothing more fits until the checkpoint under way is done. */
  get full(): boolean {
    return this.#running !== undefined && this.#active.bytes >= this.#options.cacheBytesMax;
  }

  /** Answers by how many bytes of payload there is more. */
  put(entry: LedgerEntry): number {
    return this.#active.put(entry);
  }

  cached(ledgerId: number, entryId: number): LedgerEntry | undefined {
    return this.#active.get(ledgerId, entryId) ?? this.#frozen?.cache.get(ledgerId, entryId);
  }

  deleteLedger(ledgerId: number): void {
    this.#active.deleteLedger(ledgerId);
    this.#deletedLedgers.add(ledgerId);
  }

  /** The ledger was deleted, and the index may not know yet. */
  isDeleted(ledgerId: number): boolean {
    return this.#deletedLedgers.has(ledgerId) || this.#frozen?.deletedLedgers.has(ledgerId) === true;
  }

  /** Done when everything up to now is in entry logs. Rejects when the disk fails; nothing is lost by that. */
  checkpoint(): Promise<void> {
    return this.#run(() => this.#flush());
  }

  compact(threshold: number): Promise<void> {
    return this.#run(async () => {
      const { logs, index, table } = this.#options;
      await this.#flush();
      const compaction = new LogCompaction({ logs, index, table });
      for (const log of compaction.candidates(threshold)) {
        await compaction.copy(log);
        // the copies are found after a crash only once a checkpoint covers them; the index may name them after that
        await this.#flush(true);
        await compaction.switchIndex(log, this.#sequence);
      }
      if (compaction.logs > 0) await this.#flush(true);
    });
  }

  async close(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.#options.logs.close();
    await this.#options.index.close();
  }

  /** One after the other; calls while one waits for its turn share it. */
  #run(work: () => Promise<void>): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin(work);
    const afterwards = (): Promise<void> => {
      this.#next = undefined;
      return this.#begin(work);
    };
    this.#next = this.#running.then(afterwards, afterwards);
    return this.#next;
  }

  #begin(work: () => Promise<void>): Promise<void> {
    const ended = (): void => {
      this.#running = undefined;
    };
    const running = work();
    this.#running = running;
    running.then(ended, ended);
    return running;
  }

  async #flush(always = false): Promise<void> {
    // left over from an attempt that failed: it goes first, and what came since after it
    if (this.#frozen !== undefined) await this.#write(this.#frozen, true);
    this.#frozen = this.#freeze();
    await this.#write(this.#frozen, always);
  }

  #freeze(): Frozen {
    const { table } = this.#options;
    const frozen: Frozen = {
      cache: this.#active,
      deletedLedgers: this.#deletedLedgers,
      ledgers: table.snapshot(),
      damaged: table.damaged,
      cut: this.#journal.cut(),
    };
    this.#active = new WriteCache();
    this.#deletedLedgers = new Set();
    return frozen;
  }

  async #write(frozen: Frozen, always: boolean): Promise<void> {
    const { disk, logs, index } = this.#options;
    const mark = await frozen.cut;
    const unchanged = mark.fileId === this.#mark.fileId && mark.offset === this.#mark.offset;
    if (always || !unchanged) {
      logs.forgetLedgers(frozen.deletedLedgers);
      await index.deleteLedgers(frozen.deletedLedgers);
      const runs = await logs.write(this.#entriesOf(frozen.cache));
      const sequence = this.#sequence + 1;
      await index.write(runs, [], sequence);
      const dead = logs.takeDead();
      const { ledgers, damaged } = frozen;
      const { doubtsFrom } = this.#options.table;
      const next = { sequence, mark, logs: logs.snapshot(), ledgers, damaged };
      // its journal is still to be read: one that is made while it is replayed
      await writeCheckpoint(disk, mark.fileId < doubtsFrom ? { ...next, doubtsFrom } : next);
      this.#sequence = sequence;
      this.#mark = mark;
      await logs.remove(dead);
      await this.#journal.trim(mark);
    }
    this.#frozen = undefined;
  }

  /** By ledger and entry, less what was deleted since. */
  *#entriesOf(cache: WriteCache): Iterable<LedgerEntry> {
    for (const ledgerId of cache.ledgerIds()) {
      if (!this.#deletedLedgers.has(ledgerId)) yield* cache.entriesOf(ledgerId);
    }
  }
}
