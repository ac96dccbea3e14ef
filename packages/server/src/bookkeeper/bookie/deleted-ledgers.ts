/** How many are remembered one by one. */
const REMEMBERED_MAX = 10_000;

/** Ledgers that a storage before this one may have had entries and fences of. */
export interface LedgersBefore {
  /** Those that metadata still knows. */
  readonly ids: readonly number[];
  /** No ledger made by then has a greater id, and any up to it may have been deleted since; -1 where none was made. */
  readonly lastId: number;
}

export const NO_LEDGERS_BEFORE: LedgersBefore = { ids: [], lastId: -1 };

/**
 * The ledgers that a bookie was told to delete. With a ledger its fence goes: a writer that was fenced long ago, and does
 * not know, must not find a bookie that has forgotten both, and be told that what it writes is stored. The latest are
 * remembered one by one; of the others it is known only up to which id there may be some.
 */
export class DeletedLedgers {
  readonly #ids = new Set<number>();
  #forgottenUpTo = -1;

  /** Every id up to here that is neither remembered nor known as a ledger may have been deleted; -1 for none. */
  get forgottenUpTo(): number {
    return this.#forgottenUpTo;
  }

  ids(): Iterable<number> {
    return this.#ids;
  }

  has(ledgerId: number): boolean {
    return this.#ids.size > 0 && this.#ids.has(ledgerId);
  }

  add(ledgerId: number): void {
    this.#ids.add(ledgerId);
    if (this.#ids.size <= REMEMBERED_MAX) return;
    // the old go: of a ledger that is about to be written to first, nobody has to ask whether it still exists
    const ascending = Float64Array.from(this.#ids).sort();
    for (const id of ascending.subarray(0, ascending.length >>> 1)) this.#forget(id);
  }

  /** What was deleted before, up to an id, is not known. */
  forgetUpTo(ledgerId: number): void {
    this.#forgottenUpTo = Math.max(this.#forgottenUpTo, ledgerId);
  }

  #forget(ledgerId: number): void {
    this.#ids.delete(ledgerId);
    this.forgetUpTo(ledgerId);
  }
}
