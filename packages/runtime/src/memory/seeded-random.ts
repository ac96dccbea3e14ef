import type { Random } from "../random.ts";

/** FNV-1a over UTF-16 units, to derive a stream's seed from its name. */
function hashText(text: string, seed: number): number {
  let h = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h;
}

function splitmix(state: number): () => number {
  let s = state >>> 0;
  return () => {
    s = (s + 0x9e3779b9) >>> 0;
    let z = s;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}

/** Random numbers that one seed decides (xoshiro128**). */
class SeededRandom implements Random {
  readonly #seed: number;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    const next = splitmix(this.#seed);
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() || 1;
  }

  #uint32(): number {
    const r = Math.imul(this.#b, 5);
    const result = Math.imul((r << 7) | (r >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  float(): number {
    return this.#uint32() / 4294967296;
  }

  integer(below: number): number {
    return Math.floor(this.float() * below);
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) bytes[i] = this.#uint32() & 255;
    return bytes;
  }

  fork(name: string): Random {
    return new SeededRandom(hashText(name, this.#seed));
  }
}

/** Random numbers that one seed decides; the same seed gives the same numbers on every platform. */
export function createSeededRandom(seed: number): Random {
  return new SeededRandom(seed);
}
