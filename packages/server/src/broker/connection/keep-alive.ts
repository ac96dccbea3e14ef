import type { Clock, Timer } from "@pulsewire/runtime";

/** How long a client has to answer when a name it holds is asked for, in ms (`connectionLivenessCheckTimeoutMillis`). */
const LIVENESS_TIMEOUT_MS = 5000;

export interface KeepAliveEvents {
  sendPing(): void;
  /** A ping was missed, or the handshake never came. */
  onSilence(reason: string): void;
}

/** Pings every period, and finds out when nobody answers. */
export class KeepAlive {
  readonly #clock: Clock;
  readonly #events: KeepAliveEvents;
  readonly #ticker: Timer;
  #connected = false;
  #waiting = false;
  #checks: ((alive: boolean) => void)[] = [];
  #checkTimer: Timer | undefined;

  constructor(clock: Clock, periodMs: number, events: KeepAliveEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#ticker = clock.setTicker(periodMs, () => this.#tick());
  }

  /** The handshake is done. */
  connected(): void {
    this.#connected = true;
  }

  onPong(): void {
    this.#waiting = false;
    this.#answerChecks(true);
  }

  /** Asks now; false when no answer came within 5 s, and the connection is ended then. */
  check(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#checks.push(resolve);
      if (this.#checks.length > 1) return;
      this.#events.sendPing();
      this.#checkTimer = this.#clock.setTimer(LIVENESS_TIMEOUT_MS, () => {
        this.#answerChecks(false);
        this.#events.onSilence("it was asked whether it lives and did not answer");
      });
    });
  }

  stop(): void {
    this.#ticker.cancel();
    this.#answerChecks(false);
  }

  #tick(): void {
    if (!this.#connected) this.#events.onSilence("no CONNECT came");
    else if (this.#waiting) this.#events.onSilence("a ping was not answered");
    else {
      this.#waiting = true;
      this.#events.sendPing();
    }
  }

  #answerChecks(alive: boolean): void {
    this.#checkTimer?.cancel();
    this.#checkTimer = undefined;
    const checks = this.#checks;
    this.#checks = [];
    for (const answer of checks) answer(alive);
  }
}
