import type { LedgerEntry } from "../wire/ledger-entry.ts";

const CHUNK_BITS = 8;
const CHUNK_SIZE = 1 << CHUNK_BITS;

type Chunk = (LedgerEntry | undefined)[];

/** Entries of one ledger by entry id: dense where they follow each other, and small where they do not. */
export class EntryTable {
  readonly #chunks = new Map<number, Chunk>();
  #lastIndex = -1;
  #lastChunk: Chunk = [];
  #heldBytes = 0;

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get(entryId: number): LedgerEntry | undefined {
    return this.#chunks.get(Math.floor(entryId / CHUNK_SIZE))?.[entryId % CHUNK_SIZE];
  }

  /** Answers how many bytes more are held by it. */
  set(entry: LedgerEntry): number {
    const chunk = this.#chunkFor(Math.floor(entry.entryId / CHUNK_SIZE));
    const slot = entry.entryId % CHUNK_SIZE;
    const growth = entry.payload.length - (chunk[slot]?.payload.length ?? 0);
    chunk[slot] = entry;
    this.#heldBytes += growth;
    return growth;
  }

  #chunkFor(index: number): Chunk {
    if (index === this.#lastIndex) return this.#lastChunk;
    let chunk = this.#chunks.get(index);
    if (chunk === undefined) {
      chunk = new Array<LedgerEntry | undefined>(CHUNK_SIZE).fill(undefined);
      this.#chunks.set(index, chunk);
    }
    this.#lastIndex = index;
    this.#lastChunk = chunk;
    return chunk;
  }
}
