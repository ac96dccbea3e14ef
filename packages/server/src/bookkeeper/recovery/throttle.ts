import type { Clock } from "@pulsewire/runtime";

/** Lets bytes pass at a rate: who takes more than its share waits until the debt is paid. */
export class Throttle {
  readonly #clock: Clock;
  readonly #bytesPerSecond: number;
  #freeAtMs: number;

  /** @param bytesPerSecond -1 without limit. */
  constructor(clock: Clock, bytesPerSecond: number) {
    this.#clock = clock;
    this.#bytesPerSecond = bytesPerSecond;
    this.#freeAtMs = clock.monotonicMs();
  }

  async take(bytes: number): Promise<void> {
    if (this.#bytesPerSecond < 0) return;
    const nowMs = this.#clock.monotonicMs();
    const waitMs = this.#freeAtMs - nowMs;
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + (bytes * 1000) / Math.max(1, this.#bytesPerSecond);
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      this.#clock.setTimer(waitMs, resolve);
    });
  }
}
