import type { PositionRange } from "../managed-ledger.ts";
import type { Position } from "../position.ts";
import { EntryBitset } from "./entry-bitset.ts";

/** Runs of acknowledged entry ids of one ledger: first, last, first, last, … */
export interface LedgerRuns {
  ledgerId: number;
  runs: number[];
}

/**
 * The single entries that are acknowledged above a cursor's mark-delete position. A bit an entry and not a list of
 * ranges: an acknowledgement costs the same however many holes there are.
 */
export class AckedEntries {
  readonly #ledgers = new Map<number, EntryBitset>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  has(ledgerId: number, entryId: number): boolean {
    return this.#count > 0 && this.#ledgers.get(ledgerId)?.has(entryId) === true;
  }

  /** False when it was there already. */
  add(ledgerId: number, entryId: number): boolean {
    const added = this.#ledger(ledgerId).add(entryId);
    if (added) this.#count++;
    return added;
  }

  addRun(ledgerId: number, first: number, last: number): void {
    const ledger = this.#ledger(ledgerId);
    const before = ledger.count;
    ledger.addRange(first, last);
    this.#count += ledger.count - before;
  }

  /** The first entry id at or after one that is not in it. */
  nextAbsent(ledgerId: number, entryId: number): number {
    return this.#count === 0 ? entryId : (this.#ledgers.get(ledgerId)?.nextAbsent(entryId) ?? entryId);
  }

  /** Forgets everything at and below a position. */
  dropUpTo({ ledgerId, entryId }: Position): void {
    if (this.#count === 0) return;
    for (const [id, ledger] of this.#ledgers) {
      if (id > ledgerId) continue;
      const before = ledger.count;
      if (id === ledgerId) ledger.clearBelow(entryId + 1);
      const left = id === ledgerId ? ledger.count : 0;
      this.#count -= before - left;
      if (left === 0) this.#ledgers.delete(id);
    }
  }

  clear(): void {
    this.#ledgers.clear();
    this.#count = 0;
  }

  /** The lowest `runsMax` runs, by ledger. */
  runs(runsMax: number): LedgerRuns[] {
    const answer: LedgerRuns[] = [];
    let left = runsMax;
    for (const ledgerId of [...this.#ledgers.keys()].sort((a, b) => a - b)) {
      if (left <= 0) break;
      const runs: number[] = [];
      this.#ledgers.get(ledgerId)?.forEachRun((first, last) => {
        runs.push(first, last);
        return --left > 0;
      });
      answer.push({ ledgerId, runs });
    }
    return answer;
  }

  ranges(): PositionRange[] {
    return this.runs(Number.POSITIVE_INFINITY).flatMap(({ ledgerId, runs }) => {
      const ranges: PositionRange[] = [];
      for (let i = 0; i < runs.length; i += 2) {
        ranges.push({
          lowerExclusive: { ledgerId, entryId: (runs[i] as number) - 1 },
          upperInclusive: { ledgerId, entryId: runs[i + 1] as number },
        });
      }
      return ranges;
    });
  }

  #ledger(ledgerId: number): EntryBitset {
    let ledger = this.#ledgers.get(ledgerId);
    if (ledger === undefined) {
      ledger = new EntryBitset();
      this.#ledgers.set(ledgerId, ledger);
    }
    return ledger;
  }
}
