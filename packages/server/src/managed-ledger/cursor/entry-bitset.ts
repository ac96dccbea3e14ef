const CHUNK_BITS = 13;
const CHUNK_SIZE = 1 << CHUNK_BITS;
const CHUNK_WORDS = CHUNK_SIZE >>> 5;

interface Chunk {
  words: Uint32Array;
  /** Bits that are set. */
  count: number;
}

/** Counts the bits of a 32-bit word. */
export function popcount(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A set of entry ids of one ledger: a bit each, in chunks of which only those are held that have one set. */
export class EntryBitset {
  readonly #chunks = new Map<number, Chunk>();
  #count = 0;

  /** How many ids are in it. */
  get count(): number {
    return this.#count;
  }

  has(id: number): boolean {
    const chunk = this.#chunks.get(Math.floor(id / CHUNK_SIZE));
    if (chunk === undefined) return false;
    const bit = id % CHUNK_SIZE;
    return ((chunk.words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }

  /** False when it was there already. */
  add(id: number): boolean {
    const chunk = this.#chunkFor(Math.floor(id / CHUNK_SIZE));
    const bit = id % CHUNK_SIZE;
    const word = chunk.words[bit >>> 5] as number;
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return false;
    chunk.words[bit >>> 5] = word | mask;
    chunk.count++;
    this.#count++;
    return true;
  }

  addRange(first: number, last: number): void {
    for (let id = first; id <= last; id++) this.add(id);
  }

  /** The first id at or after `id` that is not in it. */
  nextAbsent(id: number): number {
    let at = id;
    for (;;) {
      const index = Math.floor(at / CHUNK_SIZE);
      const chunk = this.#chunks.get(index);
      if (chunk === undefined) return at;
      const bit = chunk.count === CHUNK_SIZE ? CHUNK_SIZE : firstBit(chunk.words, at % CHUNK_SIZE, true);
      if (bit < CHUNK_SIZE) return index * CHUNK_SIZE + bit;
      at = (index + 1) * CHUNK_SIZE;
    }
  }

  /** Takes out every id below `id`. */
  clearBelow(id: number): void {
    const boundary = Math.floor(id / CHUNK_SIZE);
    for (const [index, chunk] of this.#chunks) {
      if (index < boundary) this.#drop(index, chunk);
      else if (index === boundary) this.#clearBits(index, chunk, id % CHUNK_SIZE);
    }
  }

  /** Runs of neighbouring ids, rising: calls back with first and last until that answers false. */
  forEachRun(run: (first: number, last: number) => boolean): void {
    let first = -1;
    let last = -2;
    for (const index of [...this.#chunks.keys()].sort((a, b) => a - b)) {
      const { words } = this.#chunks.get(index) as Chunk;
      const base = index * CHUNK_SIZE;
      for (let bit = firstBit(words, 0, false); bit < CHUNK_SIZE; ) {
        const end = firstBit(words, bit, true);
        if (base + bit === last + 1) last = base + end - 1;
        else {
          if (first >= 0 && !run(first, last)) return;
          first = base + bit;
          last = base + end - 1;
        }
        bit = end < CHUNK_SIZE ? firstBit(words, end, false) : CHUNK_SIZE;
      }
    }
    if (first >= 0) run(first, last);
  }

  #chunkFor(index: number): Chunk {
    let chunk = this.#chunks.get(index);
    if (chunk === undefined) {
      chunk = { words: new Uint32Array(CHUNK_WORDS), count: 0 };
      this.#chunks.set(index, chunk);
    }
    return chunk;
  }

  #drop(index: number, chunk: Chunk): void {
    this.#count -= chunk.count;
    this.#chunks.delete(index);
  }

  #clearBits(index: number, chunk: Chunk, end: number): void {
    let removed = 0;
    for (let w = 0; w < end >>> 5; w++) {
      removed += popcount(chunk.words[w] as number);
      chunk.words[w] = 0;
    }
    if ((end & 31) !== 0) {
      const w = end >>> 5;
      const below = (1 << (end & 31)) - 1;
      removed += popcount((chunk.words[w] as number) & below);
      chunk.words[w] = (chunk.words[w] as number) & ~below;
    }
    chunk.count -= removed;
    this.#count -= removed;
    if (chunk.count === 0) this.#chunks.delete(index);
  }
}

/** The first bit at or after `from` that is set (or, with `absent`, is not); the size of the chunk when there is none. */
function firstBit(words: Uint32Array, from: number, absent: boolean): number {
  let w = from >>> 5;
  const flip = absent ? -1 : 0;
  let word = ((words[w] as number) ^ flip) & (-1 << (from & 31));
  while (word === 0) {
    if (++w === CHUNK_WORDS) return CHUNK_SIZE;
    word = (words[w] as number) ^ flip;
  }
  return (w << 5) + 31 - Math.clz32(word & -word);
}
