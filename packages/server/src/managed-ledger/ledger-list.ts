import type { LedgerInfo } from "./managed-ledger.ts";
import { comparePositions, type Position } from "./position.ts";

/** One ledger of the list. The numbers of the open one grow as entries are acknowledged. */
export interface LedgerSlot extends LedgerInfo {
  createdMs: number;
  /** How many entries the ledgers before it hold, counted from where the owner took over. */
  startRank: number;
}

/**
 * The ledgers of a managed ledger in order, and the arithmetic of positions in them. A position's rank is the number
 * of entries at or before it; differences of ranks count entries without walking the list.
 */
export class LedgerList {
  readonly #slots: LedgerSlot[] = [];
  #sizeBytes = 0;

  get slots(): readonly LedgerSlot[] {
    return this.#slots;
  }

  get last(): LedgerSlot | undefined {
    return this.#slots.at(-1);
  }

  get entryCount(): number {
    const last = this.last;
    return last === undefined ? 0 : last.startRank + last.entries - (this.#slots[0] as LedgerSlot).startRank;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  append(info: LedgerInfo & { createdMs: number }): LedgerSlot {
    const last = this.last;
    const slot = { ...info, startRank: last === undefined ? 0 : last.startRank + last.entries };
    this.#slots.push(slot);
    this.#sizeBytes += slot.sizeBytes;
    return slot;
  }

  /** One entry more in the last ledger. */
  grow(slot: LedgerSlot, bytes: number): void {
    slot.entries++;
    slot.sizeBytes += bytes;
    this.#sizeBytes += bytes;
  }

  remove(ledgerIds: ReadonlySet<number>): void {
    for (let i = this.#slots.length - 1; i >= 0; i--) {
      const slot = this.#slots[i] as LedgerSlot;
      if (!ledgerIds.has(slot.ledgerId)) continue;
      this.#slots.splice(i, 1);
      this.#sizeBytes -= slot.sizeBytes;
    }
  }

  get(ledgerId: number): LedgerSlot | undefined {
    const slot = this.#slots[this.#lowerBound(ledgerId)];
    return slot?.ledgerId === ledgerId ? slot : undefined;
  }

  has(position: Position): boolean {
    const slot = this.get(position.ledgerId);
    return slot !== undefined && position.entryId >= 0 && position.entryId < slot.entries;
  }

  /** The first place where an entry is or will be. */
  first(): Position {
    return this.next({ ledgerId: -1, entryId: -1 });
  }

  /** The last entry; entry -1 of the first ledger when there is none. */
  lastEntry(): Position {
    for (let i = this.#slots.length - 1; i >= 0; i--) {
      const slot = this.#slots[i] as LedgerSlot;
      if (slot.entries > 0) return { ledgerId: slot.ledgerId, entryId: slot.entries - 1 };
    }
    return { ledgerId: this.#slots[0]?.ledgerId ?? -1, entryId: -1 };
  }

  /** The next place after a position where an entry is or will be. */
  next({ ledgerId, entryId }: Position): Position {
    const { length } = this.#slots;
    for (let i = this.#lowerBound(ledgerId); i < length; i++) {
      const slot = this.#slots[i] as LedgerSlot;
      const candidate = slot.ledgerId === ledgerId ? Math.max(0, entryId + 1) : 0;
      if (candidate < slot.entries) return { ledgerId: slot.ledgerId, entryId: candidate };
    }
    const last = this.last;
    return last === undefined ? { ledgerId, entryId: entryId + 1 } : { ledgerId: last.ledgerId, entryId: last.entries };
  }

  atOrAfter({ ledgerId, entryId }: Position): Position {
    return this.next({ ledgerId, entryId: entryId - 1 });
  }

  previous({ ledgerId, entryId }: Position): Position {
    const at = this.#lowerBound(ledgerId);
    const slot = this.#slots[at];
    if (slot?.ledgerId === ledgerId && entryId > 0 && slot.entries > 0) {
      return { ledgerId, entryId: Math.min(entryId, slot.entries) - 1 };
    }
    for (let i = at - 1; i >= 0; i--) {
      const before = this.#slots[i] as LedgerSlot;
      if (before.entries > 0) return { ledgerId: before.ledgerId, entryId: before.entries - 1 };
    }
    return { ledgerId: slot?.ledgerId ?? ledgerId, entryId: -1 };
  }

  /** Entries in (from, to]. */
  count(from: Position, to: Position): number {
    if (comparePositions(from, to) >= 0) return 0;
    return this.rank(to) - this.rank(from);
  }

  rank({ ledgerId, entryId }: Position): number {
    const slot = this.#slots[this.#lowerBound(ledgerId)];
    if (slot === undefined) {
      const last = this.last;
      return last === undefined ? 0 : last.startRank + last.entries;
    }
    if (slot.ledgerId !== ledgerId) return slot.startRank;
    return slot.startRank + Math.max(0, Math.min(entryId + 1, slot.entries));
  }

  /** The entry of a rank, within the list; undefined outside. */
  atRank(rank: number): Position | undefined {
    let low = 0;
    let high = this.#slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const slot = this.#slots[middle] as LedgerSlot;
      if (slot.startRank + slot.entries < rank) low = middle + 1;
      else high = middle;
    }
    const slot = this.#slots[low];
    if (slot === undefined || rank <= slot.startRank) return undefined;
    return { ledgerId: slot.ledgerId, entryId: rank - slot.startRank - 1 };
  }

  /** The index of the first ledger whose id is at least `ledgerId`. */
  #lowerBound(ledgerId: number): number {
    const { length } = this.#slots;
    // nearly everything that is asked is about the last ledger
    if (length > 0 && (this.#slots[length - 1] as LedgerSlot).ledgerId === ledgerId) return length - 1;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle] as LedgerSlot).ledgerId < ledgerId) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
