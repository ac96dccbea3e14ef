import type { Clock } from "@pulsewire/runtime";

/** Lets bytes pass at a rate: who takes more than its share waits until the debt is paid, or the throttle is disposed. */
export class Throttle implements Disposable {
  readonly #clock: Clock;
  readonly #bytesPerSecond: number;
  readonly #waiting = new Set<() => void>();
  #freeAtMs: number;
  #disposed = false;

  /** @param bytesPerSecond -1 without limit. */
  constructor(clock: Clock, bytesPerSecond: number) {
    this.#clock = clock;
    this.#bytesPerSecond = bytesPerSecond;
    this.#freeAtMs = clock.monotonicMs();
  }

  async take(bytes: number): Promise<void> {
    if (this.#bytesPerSecond < 0 || this.#disposed) return;
    const nowMs = this.#clock.monotonicMs();
    const waitMs = this.#freeAtMs - nowMs;
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + (bytes * 1000) / Math.max(1, this.#bytesPerSecond);
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const pass = (): void => {
        timer.cancel();
        this.#waiting.delete(pass);
        resolve();
      };
      const timer = this.#clock.setTimer(waitMs, pass);
      this.#waiting.add(pass);
    });
  }

  /** Nobody waits any more: at a low rate that could be for hours. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const pass of [...this.#waiting]) pass();
  }
}
