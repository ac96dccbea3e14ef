import { RateMeter } from "./rate-meter.ts";

/** What a consumer has done, over all its partitions. Totals count from when it was opened. */
export interface ConsumerStats {
  /** Messages that came from brokers, and their bytes after decompression. */
  readonly messagesReceived: number;
  readonly bytesReceived: number;
  /** Acknowledgements the application gave; a cumulative one counts once. */
  readonly acknowledged: number;
  readonly negativelyAcknowledged: number;
  /** Messages that came and wait for `receive`. */
  readonly queuedMessages: number;
  /** A second, since `stats` was asked before. */
  readonly messagesPerSecond: number;
  readonly bytesPerSecond: number;
}

/** Counts what a consumer receives, an entry at a time, and acknowledges. */
export class ConsumerStatsRecorder {
  #meter: RateMeter = new RateMeter(0, 2);
  #messages = 0;
  #bytes = 0;
  acknowledged = 0;
  negativelyAcknowledged = 0;

  /** Rates count from now on. */
  begin(nowMs: number): void {
    this.#meter = new RateMeter(nowMs, 2);
  }

  onReceived(messages: number, bytes: number): void {
    this.#messages += messages;
    this.#bytes += bytes;
  }

  snapshot(nowMs: number, queuedMessages: number): ConsumerStats {
    const [messagesPerSecond = 0, bytesPerSecond = 0] = this.#meter.ratesOf(nowMs, [this.#messages, this.#bytes]);
    return {
      messagesReceived: this.#messages,
      bytesReceived: this.#bytes,
      acknowledged: this.acknowledged,
      negativelyAcknowledged: this.negativelyAcknowledged,
      queuedMessages,
      messagesPerSecond,
      bytesPerSecond,
    };
  }
}
