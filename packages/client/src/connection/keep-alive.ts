import type { Clock, Timer } from "@pulsewire/runtime";

export interface KeepAliveActions {
  ping(): void;
  dead(): void;
}

/** Pings a silent peer after one interval, and gives it up after a second one. Any byte heard counts as life. */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #actions: KeepAliveActions;
  #ticker: Timer | undefined;
  #heard = true;
  #asked = false;

  constructor(clock: Clock, intervalMs: number, actions: KeepAliveActions) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#actions = actions;
  }

  /** Does nothing where the interval is 0. */
  start(): void {
    if (this.#intervalMs > 0) this.#ticker = this.#clock.setTicker(this.#intervalMs, () => this.#tick());
  }

  stop(): void {
    this.#ticker?.cancel();
    this.#ticker = undefined;
  }

  heard(): void {
    this.#heard = true;
  }

  #tick(): void {
    if (!this.#heard && this.#asked) {
      this.stop();
      this.#actions.dead();
      return;
    }
    this.#asked = true;
    this.#heard = false;
    this.#actions.ping();
  }
}
