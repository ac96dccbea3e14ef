import type { BookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import { BookKeeperError } from "../bookkeeper/client/bookkeeper-error.ts";
import type { LedgerReader } from "../bookkeeper/client/ledger-reader.ts";
import type { LedgerWriter } from "../bookkeeper/client/ledger-writer.ts";
import { EntryCache, type EntryCacheBudget } from "./entry-cache.ts";
import { ManagedLedgerError } from "./managed-ledger.ts";
import { Entry, type Position } from "./position.ts";

/** Entries of one managed ledger, from the cache or from bookies. */
export class EntrySource {
  readonly #bookkeeper: BookKeeperClient;
  readonly #budget: EntryCacheBudget;
  readonly #cache: EntryCache;
  readonly #readers = new Map<number, Promise<LedgerReader>>();

  /** @param slowestReader Where the slowest of those reads next that read lately. */
  constructor(bookkeeper: BookKeeperClient, budget: EntryCacheBudget, slowestReader: () => Position | undefined) {
    this.#bookkeeper = bookkeeper;
    this.#budget = budget;
    this.#cache = new EntryCache(budget, slowestReader);
  }

  /** The ledger being written is read through its writer. */
  follow(writer: LedgerWriter): void {
    this.#readers.set(writer.ledgerId, Promise.resolve(this.#bookkeeper.readerOf(writer)));
  }

  added(entry: Entry): void {
    this.#cache.insert(entry);
  }

  cached(ledgerId: number, entryId: number): Entry | undefined {
    const entry = this.#cache.get(ledgerId, entryId);
    if (entry !== undefined) this.#budget.stats.hits++;
    return entry;
  }

  /** The entries from `first` to `last`, both included, from bookies. Rejects with a ManagedLedgerError. */
  async read(ledgerId: number, first: number, last: number): Promise<Entry[]> {
    try {
      const reader = await this.#reader(ledgerId);
      const entries = await reader.read(first, last);
      this.#budget.stats.misses += entries.length;
      return entries.map((entry) => new Entry(ledgerId, entry.entryId, entry.payload));
    } catch (error) {
      throw asStorageError(error, `${ledgerId}:${first}-${last}`);
    }
  }

  dropLedger(ledgerId: number): void {
    this.#readers.delete(ledgerId);
    this.#cache.dropLedger(ledgerId);
  }

  close(): void {
    this.#readers.clear();
    this.#cache.clear();
  }

  #reader(ledgerId: number): Promise<LedgerReader> {
    let reader = this.#readers.get(ledgerId);
    if (reader === undefined) {
      reader = this.#bookkeeper.openLedger(ledgerId);
      this.#readers.set(ledgerId, reader);
      reader.catch(() => this.#readers.delete(ledgerId));
    }
    return reader;
  }
}

/** A failure of BookKeeper as one of the managed ledger. */
export function asStorageError(error: unknown, what: string): ManagedLedgerError {
  if (error instanceof ManagedLedgerError) return error;
  const code = storageCode(error);
  const message = error instanceof Error ? error.message : String(error);
  // a code that both have is said once
  const said = message.startsWith(`${code}: `) ? message.slice(`${code}: `.length) : message;
  return new ManagedLedgerError(code, `${what}: ${said}`, { cause: error });
}

function storageCode(error: unknown): ManagedLedgerError["code"] {
  if (!(error instanceof BookKeeperError)) return "StorageFailed";
  switch (error.code) {
    case "LedgerFenced":
      return "Fenced";
    case "NotEnoughBookies":
    case "MetadataUnavailable":
      return error.code;
    case "NoSuchEntry":
    case "NoSuchLedger":
      return "InvalidPosition";
    default:
      return "StorageFailed";
  }
}
