/** Events a second, from one question to the next. */
export class RateMeter {
  #sinceMs: number;
  readonly #last: number[];

  constructor(nowMs: number, counters: number) {
    this.#sinceMs = nowMs;
    this.#last = Array.from({ length: counters }, () => 0);
  }

  /** What each of the counters has grown by a second since the question before, or since the beginning. */
  ratesOf(nowMs: number, totals: readonly number[]): number[] {
    const seconds = (nowMs - this.#sinceMs) / 1000;
    const rates = totals.map((total, i) => (seconds > 0 ? (total - (this.#last[i] ?? 0)) / seconds : 0));
    // a question right after another must not forget what came between the two before
    if (seconds > 0) {
      this.#sinceMs = nowMs;
      for (const [i, total] of totals.entries()) this.#last[i] = total;
    }
    return rates;
  }
}
