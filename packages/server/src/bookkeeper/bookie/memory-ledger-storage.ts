import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import { DeletedLedgers, type LedgersBefore, NO_LEDGERS_BEFORE } from "./deleted-ledgers.ts";
import { EntryTable } from "./entry-table.ts";
import type { AddListener, LedgerStorage } from "./ledger-storage.ts";

interface MemoryLedger {
  entries: EntryTable;
  fenced: boolean;
  empty: boolean;
  lac: number;
}

/** Keeps entries in memory: durable as long as the process is. */
export class MemoryLedgerStorage implements LedgerStorage {
  /** Ledgers it may have had entries and fences of, and lost: what it does not find of them it has no word on. */
  readonly #lost: Set<number>;
  readonly #ledgers = new Map<number, MemoryLedger>();
  readonly #deleted = new DeletedLedgers();
  #lastId = -1;
  #lastLedger: MemoryLedger | undefined;
  #heldBytes = 0;

  /** @param before Ledgers whose entries, or fences, a storage before this one had. Default: none. */
  constructor(before: LedgersBefore = NO_LEDGERS_BEFORE) {
    this.#lost = new Set(before.ids);
    this.#deleted.forgetUpTo(before.lastId);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get ledgerCount(): number {
    return this.#ledgers.size;
  }

  ledgerIds(): Iterable<number> {
    return new Set([...this.#ledgers.keys(), ...this.#lost]);
  }

  /** What was lost was lost before it began. */
  get losses(): number {
    return 0;
  }

  isDoubtful(ledgerId: number): boolean {
    return this.#lost.has(ledgerId);
  }

  doubtfulIds(): Iterable<number> {
    return this.#lost;
  }

  endDoubt(ledgerId: number, fenced: boolean): void {
    if (this.#lost.delete(ledgerId) && fenced) this.fence(ledgerId);
  }

  add(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void {
    let codes: ResultCode[] | undefined;
    for (let i = 0; i < entries.length; i++) {
      const code = this.#addOne(entries[i] as LedgerEntry, recovery);
      if (code !== "Ok") codes ??= new Array<ResultCode>(entries.length).fill("Ok");
      if (codes !== undefined) codes[i] = code;
    }
    listener.onStored(codes ?? "Ok");
  }

  read(ledgerId: number, entryId: number): LedgerEntry | ResultCode {
    const ledger = this.#ledgers.get(ledgerId);
    const found = ledger?.entries.get(entryId);
    if (found !== undefined) return found;
    if (this.#lost.has(ledgerId)) return "StorageFailed";
    return ledger === undefined ? "NoSuchLedger" : "NoSuchEntry";
  }

  lastAddConfirmed(ledgerId: number): number | ResultCode {
    const ledger = this.#ledgers.get(ledgerId);
    if (ledger !== undefined && !ledger.empty) return ledger.lac;
    return this.#lost.has(ledgerId) ? "StorageFailed" : "NoSuchLedger";
  }

  fence(ledgerId: number): void {
    this.#ledger(ledgerId).fenced = true;
  }

  delete(ledgerId: number): void {
    const ledger = this.#ledgers.get(ledgerId);
    this.#heldBytes -= ledger?.entries.heldBytes ?? 0;
    this.#ledgers.delete(ledgerId);
    this.#lost.delete(ledgerId);
    if (this.#lastId === ledgerId) this.#lastId = -1;
    this.#deleted.add(ledgerId);
  }

  mayBeForgotten(ledgerId: number): boolean {
    if (ledgerId > this.#deleted.forgottenUpTo || this.#deleted.has(ledgerId)) return false;
    return !this.#ledgers.has(ledgerId) && !this.#lost.has(ledgerId);
  }

  close(): void {
    this.#ledgers.clear();
    this.#lastId = -1;
    this.#lastLedger = undefined;
    this.#heldBytes = 0;
  }

  #addOne(entry: LedgerEntry, recovery: boolean): ResultCode {
    if (this.#deleted.has(entry.ledgerId)) return "NoSuchLedger";
    // a fence may be what was lost: the ledger's writer has to go elsewhere
    if (!recovery && this.#lost.size > 0 && this.#lost.has(entry.ledgerId)) {
      return this.#ledgers.get(entry.ledgerId)?.fenced === true ? "LedgerFenced" : "StorageFailed";
    }
    const ledger = this.#ledger(entry.ledgerId);
    if (ledger.fenced && !recovery) return "LedgerFenced";
    this.#heldBytes += ledger.entries.set(entry);
    ledger.empty = false;
    if (entry.lac > ledger.lac) ledger.lac = entry.lac;
    return "Ok";
  }

  #ledger(ledgerId: number): MemoryLedger {
    if (ledgerId === this.#lastId && this.#lastLedger !== undefined) return this.#lastLedger;
    let ledger = this.#ledgers.get(ledgerId);
    if (ledger === undefined) {
      ledger = { entries: new EntryTable(), fenced: false, empty: true, lac: -1 };
      this.#ledgers.set(ledgerId, ledger);
    }
    this.#lastId = ledgerId;
    this.#lastLedger = ledger;
    return ledger;
  }
}
