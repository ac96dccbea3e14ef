import type { Clock, Timer } from "@pulsewire/runtime";
import { READ_BATCH_ENTRIES } from "../dispatch/dispatcher.ts";

/** How long after a failed read the next is tried, in ms: at first, and at most where the same goes on failing. */
const RETRY_MS = 100;
const RETRY_MS_MAX = 5_000;

export interface ReadPacingOptions {
  clock: Clock;
  /** It is time to read again. */
  onRetry(): void;
  /** Told what fails, once where it goes on failing in the same way. */
  onFailing(error: unknown): void;
}

/**
 * How a subscription reads on where reads fail. After a failure one entry is read at a time, as Pulsar does, and more
 * again as that succeeds: an entry of which no copy can be read holds up those behind it, and not those before it.
 */
export class ReadPacing {
  readonly #options: ReadPacingOptions;
  #entriesMax = READ_BATCH_ENTRIES;
  #retryMs = RETRY_MS;
  #timer: Timer | undefined;
  #told: string | undefined;
  #failures = 0;

  constructor(options: ReadPacingOptions) {
    this.#options = options;
  }

  /** Entries to read at once, at most. */
  get entriesMax(): number {
    return this.#entriesMax;
  }

  /** A read failed: the next one waits. */
  get paused(): boolean {
    return this.#timer !== undefined;
  }

  /** Reads that failed. */
  get failures(): number {
    return this.#failures;
  }

  succeeded(): void {
    if (this.#entriesMax === READ_BATCH_ENTRIES) return;
    this.#retryMs = RETRY_MS;
    this.#entriesMax = Math.min(READ_BATCH_ENTRIES, 2 * this.#entriesMax);
    if (this.#entriesMax === READ_BATCH_ENTRIES) this.#told = undefined;
  }

  failed(error: unknown): void {
    this.#failures++;
    this.#tell(error);
    if (this.#entriesMax === 1) this.#retryMs = Math.min(RETRY_MS_MAX, 2 * this.#retryMs);
    this.#entriesMax = 1;
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(this.#retryMs, () => {
      this.#timer = undefined;
      this.#options.onRetry();
    });
  }

  /** The next read is of something else: it need not wait. */
  moved(): void {
    this.stop();
    this.#retryMs = RETRY_MS;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** By the error it comes from: the one read at a time says other entries than the many. */
  #tell(error: unknown): void {
    const { cause = error } = error instanceof Error ? error : {};
    const text = String(cause);
    if (text === this.#told) return;
    this.#told = text;
    this.#options.onFailing(error);
  }
}
