import type { Random } from "../random.ts";

export interface BackoffOptions {
  /** Default 100 ms. */
  initialMs?: number;
  /** Default 60,000 ms. */
  maxMs?: number;
  /** The share of a delay that is random, 0 to 1. Default 0.1, downwards. */
  jitter?: number;
}

/** Delays that double from `initialMs` to `maxMs`. */
export class Backoff {
  readonly #random: Random;
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #jitter: number;
  #nextMs: number;

  constructor(random: Random, options: BackoffOptions = {}) {
    this.#random = random;
    this.#initialMs = options.initialMs ?? 100;
    this.#maxMs = options.maxMs ?? 60_000;
    this.#jitter = options.jitter ?? 0.1;
    this.#nextMs = this.#initialMs;
  }

  nextMs(): number {
    const delay = this.#nextMs;
    this.#nextMs = Math.min(delay * 2, this.#maxMs);
    return delay - delay * this.#jitter * this.#random.float();
  }

  reset(): void {
    this.#nextMs = this.#initialMs;
  }
}
