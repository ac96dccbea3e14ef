import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { EntryLogs } from "./entry-log/entry-logs.ts";
import type { Run } from "./entry-log/run.ts";
import type { LedgerState, LedgerTable } from "./ledger-table.ts";
import type { LocationIndex } from "./location-index.ts";
import { ReadCache } from "./read-cache.ts";
import { StorageError } from "./storage-error.ts";

export interface EntryReaderOptions {
  table: LedgerTable;
  checkpointer: Checkpointer;
  logs: EntryLogs;
  index: LocationIndex;
  cacheBytesMax: number;
}

type Found = LedgerEntry | "moved" | "damaged" | undefined;

/** An entry log may be compacted away while it is being read; then the index knows better. */
const ATTEMPTS = 3;

/** Finds entries: in the write cache, the read cache, or by the index in entry logs, a whole run at once. */
export class EntryReader {
  readonly #options: EntryReaderOptions;
  readonly #cache: ReadCache;

  constructor(options: EntryReaderOptions) {
    this.#options = options;
    this.#cache = new ReadCache(options.cacheBytesMax);
  }

  read(ledgerId: number, entryId: number): LedgerEntry | ResultCode | Promise<LedgerEntry | ResultCode> {
    const { table, checkpointer } = this.#options;
    const ledger = table.get(ledgerId);
    if (ledger === undefined) return table.damaged ? "StorageFailed" : "NoSuchLedger";
    const cached = checkpointer.cached(ledgerId, entryId) ?? this.#cache.get(ledgerId, entryId);
    if (cached !== undefined) return cached;
    if (ledger.empty || checkpointer.isDeleted(ledgerId)) return absentFrom(ledger);
    return this.#readStored(ledger, entryId);
  }

  /** Of what was read ahead. */
  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  deleteLedger(ledgerId: number): void {
    this.#cache.deleteLedger(ledgerId);
  }

  async #readStored(ledger: LedgerState, entryId: number): Promise<LedgerEntry | ResultCode> {
    const { table } = this.#options;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const found = await this.#find(ledger, entryId);
      if (table.get(ledger.ledgerId) !== ledger) return "NoSuchLedger";
      if (found === "damaged") return "StorageFailed";
      if (found !== "moved") return found ?? absentFrom(ledger);
    }
    return "StorageFailed";
  }

  async #find({ ledgerId }: LedgerState, entryId: number): Promise<Found> {
    let outcome: Found;
    try {
      for await (const run of this.#options.index.find(ledgerId, entryId)) {
        const found = await this.#readRun(run, entryId);
        if (typeof found === "object") return found;
        if (outcome !== "damaged") outcome = found;
      }
      return outcome;
    } catch (error) {
      // a damaged index says of no entry that it is not there
      if (error instanceof StorageError && error.code === "Corrupt") return "damaged";
      throw error;
    }
  }

  async #readRun(run: Run, entryId: number): Promise<Found> {
    const { logs, table } = this.#options;
    const block = await logs.read(run);
    if (block === undefined) return "moved";
    const intact = block.entries.filter((entry) => entry !== undefined);
    if (table.get(run.ledgerId) !== undefined) this.#cache.put(intact, block.bytes);
    return block.entries[entryId - run.firstEntryId] ?? "damaged";
  }
}

/** Where entries may have been lost, "there is none" would be a lie. */
function absentFrom(ledger: LedgerState): ResultCode {
  return ledger.limbo ? "StorageFailed" : "NoSuchEntry";
}
