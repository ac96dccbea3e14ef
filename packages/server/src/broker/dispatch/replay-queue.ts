import { comparePositions, type Position } from "../../managed-ledger/position.ts";
import { PositionMap } from "./position-map.ts";

/** The hash of entries whose key does not matter. */
export const NO_HASH = -1;

/**
 * Entries to be delivered again (or for the first time, after they had to wait), lowest position first. Entries of one
 * key hash are counted, so that a later one is not delivered past them.
 */
export class ReplayQueue {
  readonly #hashes = new PositionMap<number>();
  readonly #perHash = new Map<number, Position[]>();
  /** Positions in order; rebuilt lazily after insertions out of order. */
  #sorted: Position[] = [];
  #dirty = false;

  get size(): number {
    return this.#hashes.size;
  }

  /** Answers whether it was not there yet. */
  add(position: Position, hash: number): boolean {
    if (this.#hashes.has(position)) return false;
    this.#hashes.set(position, hash);
    const place = { ledgerId: position.ledgerId, entryId: position.entryId };
    if (hash !== NO_HASH) {
      const peers = this.#perHash.get(hash);
      if (peers === undefined) this.#perHash.set(hash, [place]);
      else peers.push(place);
    }
    const last = this.#sorted.at(-1);
    const order = last === undefined ? -1 : comparePositions(last, place);
    // what was removed stays listed until the list is tidied, so the same place may stand at the end already
    if (order !== 0) this.#sorted.push(place);
    if (order > 0) this.#dirty = true;
    return true;
  }

  /** Answers its hash; NO_HASH where it was not there, too. */
  remove(position: Position): number {
    const hash = this.#hashes.get(position) ?? NO_HASH;
    this.#hashes.delete(position);
    if (hash === NO_HASH) return hash;
    const peers = this.#perHash.get(hash) ?? [];
    const index = peers.findIndex((p) => comparePositions(p, position) === 0);
    if (index >= 0) peers.splice(index, 1);
    if (peers.length === 0) this.#perHash.delete(hash);
    return hash;
  }

  has(position: Position): boolean {
    return this.#hashes.has(position);
  }

  hasHash(hash: number): boolean {
    return this.#perHash.has(hash);
  }

  /** Whether an earlier entry of this hash is in the queue. */
  hasBefore(hash: number, position: Position): boolean {
    return this.#perHash.get(hash)?.some((p) => comparePositions(p, position) < 0) === true;
  }

  /** The first `count` positions for which `accept` holds, without taking them out. */
  peek(count: number, accept: (hash: number) => boolean): Position[] {
    this.#tidy();
    const positions: Position[] = [];
    for (const position of this.#sorted) {
      if (positions.length >= count) break;
      const hash = this.#hashes.get(position);
      if (hash !== undefined && accept(hash)) positions.push(position);
    }
    return positions;
  }

  clear(): void {
    this.#hashes.clear();
    this.#perHash.clear();
    this.#sorted = [];
    this.#dirty = false;
  }

  #tidy(): void {
    if (!this.#dirty && this.#sorted.length <= 2 * this.#hashes.size + 64) return;
    this.#sorted = this.#hashes.sortedPositions();
    this.#dirty = false;
  }
}
