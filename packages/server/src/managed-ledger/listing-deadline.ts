import type { Clock } from "@pulsewire/runtime";

/**
 * Until when a ledger that is asked for now has to be listed. A ledger that nobody lists may be deleted after a while by
 * whoever looks for such (`OrphanCollector`): one that was listed later than this may be gone, and must not be used.
 */
export class ListingDeadline {
  readonly #clock: Clock;
  readonly #atMs: number;

  /** To be made before the ledger is. */
  constructor(clock: Clock, withinMs: number) {
    this.#clock = clock;
    this.#atMs = clock.monotonicMs() + withinMs;
  }

  get isOver(): boolean {
    return this.#clock.monotonicMs() >= this.#atMs;
  }
}
