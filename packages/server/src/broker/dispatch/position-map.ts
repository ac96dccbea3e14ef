import type { Position } from "../../managed-ledger/position.ts";

/** A map from positions to values, without a key object or string for each. */
export class PositionMap<V> {
  readonly #ledgers = new Map<number, Map<number, V>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(position: Position): V | undefined {
    return this.#ledgers.get(position.ledgerId)?.get(position.entryId);
  }

  has(position: Position): boolean {
    return this.#ledgers.get(position.ledgerId)?.has(position.entryId) === true;
  }

  set(position: Position, value: V): void {
    let entries = this.#ledgers.get(position.ledgerId);
    if (entries === undefined) {
      entries = new Map();
      this.#ledgers.set(position.ledgerId, entries);
    }
    const before = entries.size;
    entries.set(position.entryId, value);
    this.#size += entries.size - before;
  }

  delete(position: Position): boolean {
    const entries = this.#ledgers.get(position.ledgerId);
    if (entries?.delete(position.entryId) !== true) return false;
    this.#size--;
    if (entries.size === 0) this.#ledgers.delete(position.ledgerId);
    return true;
  }

  clear(): void {
    this.#ledgers.clear();
    this.#size = 0;
  }

  *entries(): IterableIterator<[Position, V]> {
    for (const [ledgerId, entries] of this.#ledgers) {
      for (const [entryId, value] of entries) yield [{ ledgerId, entryId }, value];
    }
  }

  /** All positions, in order. */
  sortedPositions(): Position[] {
    const positions: Position[] = [];
    for (const ledgerId of [...this.#ledgers.keys()].sort((a, b) => a - b)) {
      const entries = this.#ledgers.get(ledgerId) as Map<number, V>;
      for (const entryId of [...entries.keys()].sort((a, b) => a - b)) positions.push({ ledgerId, entryId });
    }
    return positions;
  }
}
