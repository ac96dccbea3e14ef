import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";

/** Told once how a batch of adds went, after what succeeded is durable. An object and not a closure for each batch. */
export interface AddListener {
  /** @param codes One code for all, or one for each entry where they differ. */
  onStored(codes: ResultCode | readonly ResultCode[]): void;
}

/** How a storage on a disk stands. Counts are since its start. */
export interface StorageFigures {
  /** Groups of adds that were synced, each by one call. */
  readonly journalSyncs: number;
  readonly journalBytes: number;
  /** Batches of adds that wait for the journal. */
  readonly journalQueue: number;
  /** Of entries that are in the journal and not yet in entry logs. */
  readonly writeCacheBytes: number;
  /** Of entries that were read from entry logs. */
  readonly readCacheBytes: number;
  /** Batches of adds that wait for room in the write cache. */
  readonly throttledAdds: number;
}

/**
 * What a bookie keeps entries in. Answers that may need the disk come by callback or promise; a storage in memory
 * answers at once.
 */
export interface LedgerStorage {
  /** Bytes of payload held. */
  readonly heldBytes: number;
  readonly ledgerCount: number;
  /** Undefined in memory. */
  readonly figures?: StorageFigures;
  /** The ledgers it knows, those that are only fenced too. */
  ledgerIds(): Iterable<number>;
  /** One more each time entries were found to be lost. */
  readonly losses: number;
  /** Whether entries of a ledger may have been lost: what is not found of it is a failure. */
  isDoubtful(ledgerId: number): boolean;
  /** The ledgers that are in doubt. */
  doubtfulIds(): Iterable<number>;
  /**
   * Takes a batch. The entries of fenced ledgers are refused with LedgerFenced unless `recovery`; an entry that is
   * there already is taken as the same one.
   */
  add(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void;
  /** NoSuchLedger or NoSuchEntry where there is none. */
  read(ledgerId: number, entryId: number): LedgerEntry | ResultCode | Promise<LedgerEntry | ResultCode>;
  /** The highest LAC any entry of the ledger carries, -1 for none. NoSuchLedger where there is no entry. */
  lastAddConfirmed(ledgerId: number): number | ResultCode | Promise<number | ResultCode>;
  /** Refuses adds from now on, to a ledger never seen too. Done when that survives a restart. */
  fence(ledgerId: number): void | Promise<void>;
  /**
   * All that it should have of a ledger was given to it again: what is not found of it from now on never was there. Done
   * when that survives a restart. @param fenced Its fence may have been lost with the entries: it is made again.
   */
  endDoubt(ledgerId: number, fenced: boolean): void | Promise<void>;
  /**
   * Whether nothing is known of a ledger that was perhaps deleted here so long ago that this is not remembered: whoever
   * adds to it finds out first whether it still exists, and is open: it deletes or fences it where not.
   */
  mayBeForgotten(ledgerId: number): boolean;
  /** Forgets a ledger, and remembers that it did, as well as it can; nothing is wrong when it is not there. */
  delete(ledgerId: number): void | Promise<void>;
  close(): void | Promise<void>;
}
