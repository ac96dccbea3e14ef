/** Buckets an octave: neighbouring ones are 19 % apart, so that a quantile is right within 10 %. */
const PER_OCTAVE = 4;
const FIRST_MS = 1 / 64;
const BUCKETS = 26 * PER_OCTAVE;

/** Latencies counted by size, from 16 microseconds to 17 minutes. Costs one logarithm and one addition. */
export class LatencyHistogram {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #maxMs = 0;

  get maxMs(): number {
    return this.#maxMs;
  }

  /** Counts a latency `times` times. */
  add(ms: number, times: number): void {
    const bucket = Math.ceil(Math.log2(Math.max(ms, FIRST_MS) / FIRST_MS) * PER_OCTAVE);
    const index = Math.min(bucket, BUCKETS - 1);
    this.#counts[index] = (this.#counts[index] as number) + times;
    this.#count += times;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  /** The latency that the given part of all stayed below, such as 0.99; 0 where there are none. In ms. */
  quantileMs(part: number): number {
    let left = Math.ceil(this.#count * part);
    if (left === 0) return 0;
    for (let index = 0; index < BUCKETS; index++) {
      left -= this.#counts[index] as number;
      if (left <= 0) return Math.min(FIRST_MS * 2 ** (index / PER_OCTAVE), this.#maxMs);
    }
    return this.#maxMs;
  }
}
