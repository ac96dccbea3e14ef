import { type Clock, type Disk, Ring, type Timer } from "@pulsewire/runtime";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { LedgersBefore } from "./deleted-ledgers.ts";
import type { EntryReader } from "./entry-reader.ts";
import { RecordKind } from "./entry-record.ts";
import type { Journal } from "./journal/journal.ts";
import type { JournalWaiter } from "./journal/journal-group.ts";
import type { AddListener, LedgerStorage, StorageFigures } from "./ledger-storage.ts";
import type { LedgerTable } from "./ledger-table.ts";
import type { IndexLevel } from "./location-index.ts";
import { recoverStorage } from "./recovery.ts";
import type { Damage, StorageError } from "./storage-error.ts";
import { type BookieSettings, parseBookieSettings } from "./storage-settings.ts";

export interface DiskLedgerStorageOptions {
  disk: Disk;
  clock: Clock;
  /** Open, and the storage's own: closed with it. Empty or lost, it is made anew from the entry logs. */
  index: IndexLevel;
  /** Default: every one its own. */
  settings?: Partial<BookieSettings>;
  /**
   * Ledgers that a storage before this one may have had entries and fences of, asked where the disk holds nothing, or
   * something was lost of which it is not known what: what is not found of them is a failure, and not an entry that never
   * was. Default: none where the disk holds nothing, else any.
   */
  ledgersBefore?: () => Promise<LedgersBefore>;
  /** Told of each part of a file that the start could not read. */
  onDamage?: (damage: Damage) => void;
  /** Told once when the journal failed: no add succeeds any more. */
  onFailed?: (error: StorageError) => void;
  /** Told of housekeeping that failed and will be tried again. */
  onError?: (error: unknown) => void;
}

/** One batch of adds until its group is durable. */
class AddBatch implements JournalWaiter {
  readonly #listener: AddListener;
  readonly #codes: ResultCode | readonly ResultCode[];

  constructor(listener: AddListener, codes: ResultCode | readonly ResultCode[]) {
    this.#listener = listener;
    this.#codes = codes;
  }

  onDurable(): void {
    this.#listener.onStored(this.#codes);
  }

  onFailed(): void {
    this.#listener.onStored("StorageFailed");
  }
}

/** An add that waits for room in the write cache. */
interface WaitingAdd {
  entries: readonly LedgerEntry[];
  recovery: boolean;
  listener: AddListener;
  sinceMs: number;
}

/** How often adds that wait are looked at for having waited too long, in ms. */
const THROTTLE_CHECK_MS = 100;

/**
 * Keeps entries on a disk. An add goes to the write cache and the journal and is answered once the journal is synced;
 * checkpoints move what the cache holds to entry logs. Reads never touch the journal.
 */
export class DiskLedgerStorage implements LedgerStorage {
  readonly #clock: Clock;
  readonly #settings: BookieSettings;
  readonly #table: LedgerTable;
  readonly #journal: Journal;
  readonly #checkpointer: Checkpointer;
  readonly #reader: EntryReader;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Ring<WaitingAdd>();
  readonly #tickers: Timer[];
  #throttleTimer: Timer | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: StorageParts) {
    const { clock, settings, table, journal, checkpointer, reader, onError } = parts;
    this.#clock = clock;
    this.#settings = settings;
    this.#table = table;
    this.#journal = journal;
    this.#checkpointer = checkpointer;
    this.#reader = reader;
    this.#onError = onError;
    this.#tickers = [clock.setTicker(settings.flushInterval, () => this.#checkpointSoon())];
    const { minorCompactionInterval, minorCompactionThreshold } = settings;
    this.#compactEvery(minorCompactionInterval, minorCompactionThreshold);
    this.#compactEvery(settings.majorCompactionInterval, settings.majorCompactionThreshold);
  }

  /**
   * Opens what is there, or begins. After a crash the journal is replayed from the last checkpoint. Files that are missing
   * or damaged are told, and what is left is served.
   * @throws StorageError Foreign.
   */
  static async open(options: DiskLedgerStorageOptions): Promise<DiskLedgerStorage> {
    return new DiskLedgerStorage(await recoverStorage(options, parseBookieSettings({ ...options.settings })));
  }

  get heldBytes(): number {
    return this.#table.bytes;
  }

  get ledgerCount(): number {
    return this.#table.size;
  }

  ledgerIds(): Iterable<number> {
    return this.#table.ids();
  }

  get losses(): number {
    return this.#table.losses;
  }

  isDoubtful(ledgerId: number): boolean {
    return this.#table.isDoubtful(ledgerId);
  }

  mayBeForgotten(ledgerId: number): boolean {
    return this.#table.mayBeForgotten(ledgerId);
  }

  doubtfulIds(): Iterable<number> {
    return this.#table.doubtfulIds();
  }

  get figures(): StorageFigures {
    return {
      journalSyncs: this.#journal.syncs,
      journalBytes: this.#journal.writtenBytes,
      journalQueue: this.#journal.waiting,
      writeCacheBytes: this.#checkpointer.cachedBytes,
      readCacheBytes: this.#reader.cachedBytes,
      throttledAdds: this.#waiting.length,
    };
  }

  add(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void {
    if (this.#closing !== undefined) listener.onStored("StorageFailed");
    else if (this.#waiting.length > 0 || this.#checkpointer.full) this.#throttle(entries, recovery, listener);
    else this.#take(entries, recovery, listener);
  }

  read(ledgerId: number, entryId: number): LedgerEntry | ResultCode | Promise<LedgerEntry | ResultCode> {
    return this.#reader.read(ledgerId, entryId);
  }

  lastAddConfirmed(ledgerId: number): number | ResultCode {
    const ledger = this.#table.get(ledgerId);
    if (ledger === undefined) return this.#table.damaged ? "StorageFailed" : "NoSuchLedger";
    if (!ledger.empty) return ledger.lac;
    return ledger.limbo ? "StorageFailed" : "NoSuchLedger";
  }

  fence(ledgerId: number): void | Promise<void> {
    const ledger = this.#table.fence(ledgerId);
    if (ledger.fenced === "durable") return;
    return this.#record(RecordKind.Fence, ledgerId).then(() => {
      ledger.fenced = "durable";
    });
  }

  endDoubt(ledgerId: number, fenced: boolean): void | Promise<void> {
    if (this.#table.get(ledgerId)?.limbo !== true) return;
    // its record comes first: none ends the doubt of which the fence is not there
    const fencing = fenced ? this.fence(ledgerId) : undefined;
    this.#table.endDoubt(ledgerId);
    const noted = this.#record(RecordKind.EndOfDoubt, ledgerId);
    return Promise.all([fencing, noted]).then(() => undefined);
  }

  delete(ledgerId: number): void | Promise<void> {
    const known = this.#table.get(ledgerId) !== undefined;
    if (!known && this.#table.isDeleted(ledgerId)) return;
    this.#table.delete(ledgerId);
    if (known) {
      this.#checkpointer.deleteLedger(ledgerId);
      this.#reader.deleteLedger(ledgerId);
    }
    return this.#record(RecordKind.DeleteLedger, ledgerId);
  }

  /** Moves everything to entry logs now, and lets the journal go. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.checkpoint();
  }

  /**
   * Copies what still lives in entry logs of which little does, and removes those logs.
   * @param threshold The living share below which a log is compacted, 0 to 1.
   */
  async compact(threshold: number): Promise<void> {
    await this.#checkpointer.compact(threshold);
    this.#takeWaiting();
  }

  /** Checkpoints, so that the next start has nothing to replay, and ends. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const ticker of this.#tickers) ticker.cancel();
    this.#throttleTimer?.cancel();
    for (let add = this.#waiting.shift(); add !== undefined; add = this.#waiting.shift()) {
      add.listener.onStored("StorageFailed");
    }
    try {
      await this.#checkpointer.checkpoint();
    } catch (error) {
      // the journal has it all; the next start replays it
      this.#onError(error);
    }
    await this.#journal.close();
    await this.#checkpointer.close();
  }

  #take(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void {
    let codes: ResultCode[] | undefined;
    let taken = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as LedgerEntry;
      const code = this.#table.admit(entry, recovery);
      if (code === "Ok") {
        this.#journal.appendEntry(entry, recovery);
        this.#table.added(entry, this.#checkpointer.put(entry), recovery);
        taken++;
      } else codes ??= new Array<ResultCode>(entries.length).fill("Ok");
      if (codes !== undefined) codes[i] = code;
    }
    if (taken === 0) listener.onStored(codes ?? "Ok");
    else this.#journal.wait(new AddBatch(listener, codes ?? "Ok"));
    if (this.#checkpointer.due) this.#checkpointSoon();
  }

  #record(kind: RecordKind, ledgerId: number): Promise<void> {
    this.#journal.appendRecord(kind, ledgerId);
    return new Promise((resolve, reject) => this.#journal.wait({ onDurable: resolve, onFailed: reject }));
  }

  #checkpointSoon(): void {
    this.#checkpointer.checkpoint().then(
      () => this.#takeWaiting(),
      (error: unknown) => this.#onError(error),
    );
  }

  #compactEvery(seconds: number, threshold: number): void {
    if (seconds === 0 || threshold === 0) return;
    const compact = (): void => {
      this.compact(threshold).catch((error: unknown) => this.#onError(error));
    };
    this.#tickers.push(this.#clock.setTicker(seconds * 1000, compact));
  }

  #throttle(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void {
    this.#waiting.push({ entries, recovery, listener, sinceMs: this.#clock.monotonicMs() });
    this.#throttleTimer ??= this.#clock.setTicker(THROTTLE_CHECK_MS, () => this.#failOverdue(), { keepAlive: true });
  }

  #takeWaiting(): void {
    while (this.#waiting.length > 0 && !this.#checkpointer.full) {
      const add = this.#waiting.shift() as WaitingAdd;
      this.#take(add.entries, add.recovery, add.listener);
    }
    this.#stopThrottleTimer();
  }

  #failOverdue(): void {
    const overdueMs = this.#clock.monotonicMs() - this.#settings.dbStorage_maxThrottleTimeMs;
    while ((this.#waiting.at(0)?.sinceMs ?? Number.POSITIVE_INFINITY) <= overdueMs) {
      this.#waiting.shift()?.listener.onStored("StorageFailed");
    }
    this.#stopThrottleTimer();
    // a checkpoint that failed is what made them wait
    if (this.#waiting.length > 0) this.#checkpointSoon();
  }

  #stopThrottleTimer(): void {
    if (this.#waiting.length > 0) return;
    this.#throttleTimer?.cancel();
    this.#throttleTimer = undefined;
  }
}

/** What a storage is made of, once it is recovered. */
export interface StorageParts {
  clock: Clock;
  settings: BookieSettings;
  table: LedgerTable;
  journal: Journal;
  checkpointer: Checkpointer;
  reader: EntryReader;
  onError: (error: unknown) => void;
}
