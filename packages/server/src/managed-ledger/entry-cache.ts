import { Ring } from "@pulsewire/runtime";
import type { Entry, Position } from "./position.ts";

const CHUNK_BITS = 6;
const CHUNK_SIZE = 1 << CHUNK_BITS;

/** Some neighbouring entries of one ledger; what is evicted at once. */
interface Chunk {
  cache: EntryCache;
  ledgerId: number;
  index: number;
  entries: (Entry | undefined)[];
  bytes: number;
}

/** Between two searches for chunks that nobody is going to read: this share of the cache has to come in. */
const SEARCH_SHARE = 1 / 16;

/**
 * The memory that all managed ledgers of a broker share for recent entries. Where it is full, first goes what every
 * active cursor has read, then what is oldest.
 */
export class EntryCacheBudget {
  readonly bytesMax: number;
  readonly #chunks = new Ring<Chunk>();
  #usedBytes = 0;
  #sinceSearchBytes = Number.POSITIVE_INFINITY;
  /** Entries answered from the cache, and entries that had to be read from bookies. */
  readonly stats: { hits: number; misses: number; evictedBytes: number } = { hits: 0, misses: 0, evictedBytes: 0 };

  /** @param bytesMax Of entries' data. 0 caches nothing. */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  opened(chunk: Chunk): void {
    this.#chunks.push(chunk);
  }

  grew(bytes: number): void {
    this.#usedBytes += bytes;
    this.#sinceSearchBytes += bytes;
    if (this.#usedBytes <= this.bytesMax) return;
    if (this.#sinceSearchBytes >= this.bytesMax * SEARCH_SHARE) this.#evictPassed();
    while (this.#usedBytes > this.bytesMax) {
      const oldest = this.#chunks.shift();
      if (oldest === undefined) return;
      this.stats.evictedBytes += oldest.bytes;
      oldest.cache.evict(oldest);
    }
  }

  shrank(bytes: number): void {
    this.#usedBytes -= bytes;
  }

  #evictPassed(): void {
    this.#sinceSearchBytes = 0;
    for (let left = this.#chunks.length; left > 0; left--) {
      const chunk = this.#chunks.shift() as Chunk;
      // evicted already, with its ledger
      if (chunk.entries.length === 0) continue;
      if (chunk.cache.isPassed(chunk)) {
        this.stats.evictedBytes += chunk.bytes;
        chunk.cache.evict(chunk);
      } else this.#chunks.push(chunk);
    }
  }
}

/** Recent entries of one managed ledger. */
export class EntryCache {
  readonly #budget: EntryCacheBudget;
  readonly #ledgers = new Map<number, Map<number, Chunk>>();
  readonly #slowestReader: () => Position | undefined;
  #newest: Chunk | undefined;

  /** @param slowestReader Where the slowest of those reads next that read lately; undefined when nobody does. */
  constructor(budget: EntryCacheBudget, slowestReader: () => Position | undefined = () => undefined) {
    this.#budget = budget;
    this.#slowestReader = slowestReader;
  }

  /** Whether every active cursor has read a chunk, or there is none. What is being filled is not. */
  isPassed(chunk: Chunk): boolean {
    if (chunk === this.#newest) return false;
    const reader = this.#slowestReader();
    if (reader === undefined || chunk.ledgerId < reader.ledgerId) return true;
    return chunk.ledgerId === reader.ledgerId && (chunk.index + 1) * CHUNK_SIZE <= reader.entryId;
  }

  insert(entry: Entry): void {
    const index = Math.floor(entry.entryId / CHUNK_SIZE);
    let chunk = this.#newest;
    if (chunk === undefined || chunk.index !== index || chunk.ledgerId !== entry.ledgerId) {
      chunk = this.#chunk(entry.ledgerId, index);
    }
    chunk.entries[entry.entryId % CHUNK_SIZE] = entry;
    chunk.bytes += entry.data.length;
    this.#budget.grew(entry.data.length);
  }

  /** Undefined when it is not held. */
  get(ledgerId: number, entryId: number): Entry | undefined {
    const newest = this.#newest;
    const index = Math.floor(entryId / CHUNK_SIZE);
    const chunk =
      newest !== undefined && newest.index === index && newest.ledgerId === ledgerId
        ? newest
        : this.#ledgers.get(ledgerId)?.get(index);
    return chunk?.entries[entryId % CHUNK_SIZE];
  }

  dropLedger(ledgerId: number): void {
    for (const chunk of [...(this.#ledgers.get(ledgerId)?.values() ?? [])]) this.evict(chunk);
  }

  clear(): void {
    for (const ledgerId of [...this.#ledgers.keys()]) this.dropLedger(ledgerId);
  }

  evict(chunk: Chunk): void {
    const chunks = this.#ledgers.get(chunk.ledgerId);
    if (chunks?.get(chunk.index) === chunk) {
      chunks.delete(chunk.index);
      if (chunks.size === 0) this.#ledgers.delete(chunk.ledgerId);
    }
    if (this.#newest === chunk) this.#newest = undefined;
    this.#budget.shrank(chunk.bytes);
    // it may stand in the budget's queue for a while yet: let go of what it held
    chunk.bytes = 0;
    chunk.entries = [];
  }

  #chunk(ledgerId: number, index: number): Chunk {
    let chunks = this.#ledgers.get(ledgerId);
    if (chunks === undefined) {
      chunks = new Map();
      this.#ledgers.set(ledgerId, chunks);
    }
    let chunk = chunks.get(index);
    if (chunk === undefined) {
      chunk = { cache: this, ledgerId, index, entries: new Array(CHUNK_SIZE).fill(undefined), bytes: 0 };
      chunks.set(index, chunk);
      this.#budget.opened(chunk);
    }
    this.#newest = chunk;
    return chunk;
  }
}
