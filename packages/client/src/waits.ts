import type { Clock } from "@pulsewire/runtime";
import type { PulsarError } from "./errors.ts";

/**
 * Waiting for the application's own code, its credentials and its keys, which may never answer, and for the time to try
 * something again. Each wait has an end, and all of them end with the client.
 */
export class Waits {
  readonly #clock: Clock;
  readonly #waiting = new Set<(error: PulsarError) => void>();
  #ended: PulsarError | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `asked` answers; rejects with the error that `late` makes after so long, or with that of the end. */
  bounded<T>(asked: Promise<T>, timeoutMs: number, late: () => PulsarError): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = this.#clock.setTimer(timeoutMs, () => fail(late()));
      const over = (): void => {
        timer.cancel();
        this.#waiting.delete(fail);
      };
      const fail = (error: unknown): void => {
        over();
        reject(error);
      };
      this.#waiting.add(fail);
      asked.then((value) => {
        over();
        resolve(value);
      }, fail);
      if (this.#ended !== undefined) fail(this.#ended);
    });
  }

  /** Resolves after so long, and rejects at the end. Keeps the process alive: somebody waits for what comes after it. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = this.onEnd((error) => {
        timer.cancel();
        reject(error);
      });
      const done = (): void => {
        over();
        resolve();
      };
      const timer = this.#clock.setTimer(ms, done, { keepAlive: true });
      if (this.#ended !== undefined) {
        timer.cancel();
        over();
        reject(this.#ended);
      }
    });
  }

  /** Called at the end; the answer takes that back. */
  onEnd(listener: (error: PulsarError) => void): () => void {
    this.#waiting.add(listener);
    return () => void this.#waiting.delete(listener);
  }

  /** Rejects all that wait, now and later. */
  end(error: PulsarError): void {
    this.#ended = error;
    for (const fail of [...this.#waiting]) fail(error);
    this.#waiting.clear();
  }
}
