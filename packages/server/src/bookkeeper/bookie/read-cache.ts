import type { LedgerEntry } from "../wire/ledger-entry.ts";

interface Block {
  entries: readonly LedgerEntry[];
  bytes: number;
}

/** Entries read from entry logs, in the blocks they were read in; the oldest block goes first. */
export class ReadCache {
  readonly #maxBytes: number;
  readonly #ledgers = new Map<number, Map<number, LedgerEntry>>();
  readonly #blocks = new Set<Block>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(ledgerId: number, entryId: number): LedgerEntry | undefined {
    return this.#ledgers.get(ledgerId)?.get(entryId);
  }

  /** Takes the entries of one block, all of one ledger. @param bytes What they keep in memory. */
  put(entries: readonly LedgerEntry[], bytes: number): void {
    const [first] = entries;
    if (first === undefined || bytes > this.#maxBytes) return;
    let ledger = this.#ledgers.get(first.ledgerId);
    if (ledger === undefined) {
      ledger = new Map();
      this.#ledgers.set(first.ledgerId, ledger);
    }
    for (const entry of entries) ledger.set(entry.entryId, entry);
    this.#blocks.add({ entries, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#blocks) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  deleteLedger(ledgerId: number): void {
    this.#ledgers.delete(ledgerId);
  }

  #drop(block: Block): void {
    this.#blocks.delete(block);
    this.#bytes -= block.bytes;
    const ledger = this.#ledgers.get(block.entries[0]?.ledgerId ?? -1);
    if (ledger === undefined) return;
    for (const entry of block.entries) {
      // read twice at the same time, it belongs to the later block
      if (ledger.get(entry.entryId) === entry) ledger.delete(entry.entryId);
    }
    if (ledger.size === 0) this.#ledgers.delete(block.entries[0]?.ledgerId ?? -1);
  }
}
