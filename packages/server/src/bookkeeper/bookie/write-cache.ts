import type { LedgerEntry } from "../wire/ledger-entry.ts";

/** What an entry is counted with beside its payload, in bytes. */
const ENTRY_OVERHEAD_BYTES = 128;

interface CachedLedger {
  entries: Map<number, LedgerEntry>;
  lastEntryId: number;
  /** Entries came in the order of their ids, as they nearly always do. */
  inOrder: boolean;
}

/** Entries that are in the journal and not yet in entry logs. Payloads are those that were handed in, not copies. */
export class WriteCache {
  readonly #ledgers = new Map<number, CachedLedger>();
  #bytes = 0;

  /** Payloads and overhead. */
  get bytes(): number {
    return this.#bytes;
  }

  get empty(): boolean {
    return this.#ledgers.size === 0;
  }

  get(ledgerId: number, entryId: number): LedgerEntry | undefined {
    return this.#ledgers.get(ledgerId)?.entries.get(entryId);
  }

  /** Answers by how many bytes of payload there is more. */
  put(entry: LedgerEntry): number {
    const ledger = this.#ledger(entry.ledgerId);
    const before = ledger.entries.get(entry.entryId);
    ledger.entries.set(entry.entryId, entry);
    if (entry.entryId < ledger.lastEntryId) ledger.inOrder = false;
    else ledger.lastEntryId = entry.entryId;
    const growth = entry.payload.length - (before?.payload.length ?? 0);
    this.#bytes += growth + (before === undefined ? ENTRY_OVERHEAD_BYTES : 0);
    return growth;
  }

  deleteLedger(ledgerId: number): void {
    const ledger = this.#ledgers.get(ledgerId);
    if (ledger === undefined) return;
    for (const { payload } of ledger.entries.values()) this.#bytes -= payload.length + ENTRY_OVERHEAD_BYTES;
    this.#ledgers.delete(ledgerId);
  }

  /** Ledgers by id. */
  ledgerIds(): number[] {
    return [...this.#ledgers.keys()].sort((a, b) => a - b);
  }

  /** The entries of a ledger by id. */
  entriesOf(ledgerId: number): Iterable<LedgerEntry> {
    const ledger = this.#ledgers.get(ledgerId);
    if (ledger === undefined) return [];
    if (ledger.inOrder) return ledger.entries.values();
    return [...ledger.entries.values()].sort((a, b) => a.entryId - b.entryId);
  }

  #ledger(ledgerId: number): CachedLedger {
    let ledger = this.#ledgers.get(ledgerId);
    if (ledger === undefined) {
      ledger = { entries: new Map(), lastEntryId: -1, inOrder: true };
      this.#ledgers.set(ledgerId, ledger);
    }
    return ledger;
  }
}
