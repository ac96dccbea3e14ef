import { Ring } from "@pulsewire/runtime";
import type { Entry } from "./position.ts";

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

/** The memory that all managed ledgers of a broker share for recent entries: the oldest go first. */
export class EntryCacheBudget {
  readonly bytesMax: number;
  readonly #chunks = new Ring<Chunk>();
  #usedBytes = 0;
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
}

/** Recent entries of one managed ledger. */
export class EntryCache {
  readonly #budget: EntryCacheBudget;
  readonly #ledgers = new Map<number, Map<number, Chunk>>();
  #newest: Chunk | undefined;

  constructor(budget: EntryCacheBudget) {
    this.#budget = budget;
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
