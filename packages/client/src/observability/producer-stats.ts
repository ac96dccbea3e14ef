import { LatencyHistogram } from "./latency-histogram.ts";
import { RateMeter } from "./rate-meter.ts";

/** What a producer has done, over all its partitions. Totals count from when it was opened. */
export interface ProducerStats {
  /** Messages with a receipt, and their payload bytes before compression. */
  readonly messagesSent: number;
  readonly bytesSent: number;
  /** Messages whose send rejected after they were taken. */
  readonly sendsFailed: number;
  /** Messages that wait for a receipt. */
  readonly pendingMessages: number;
  /** A second, since `stats` was asked before. */
  readonly messagesPerSecond: number;
  readonly bytesPerSecond: number;
  /** From when a message's entry was opened to its receipt, in ms. */
  readonly latencyMs: {
    readonly p50: number;
    readonly p75: number;
    readonly p95: number;
    readonly p99: number;
    readonly p999: number;
    readonly max: number;
  };
}

/** Counts, an entry at a time, what a producer sends. */
export class ProducerStatsRecorder {
  readonly #latency = new LatencyHistogram();
  readonly #meter: RateMeter;
  #messages = 0;
  #bytes = 0;
  #failed = 0;

  constructor(nowMs: number) {
    this.#meter = new RateMeter(nowMs, 2);
  }

  onStored(messages: number, bytes: number, latencyMs: number): void {
    this.#messages += messages;
    this.#bytes += bytes;
    this.#latency.add(latencyMs, messages);
  }

  onFailed(messages: number): void {
    this.#failed += messages;
  }

  snapshot(nowMs: number, pendingMessages: number): ProducerStats {
    const [messagesPerSecond = 0, bytesPerSecond = 0] = this.#meter.ratesOf(nowMs, [this.#messages, this.#bytes]);
    const latency = this.#latency;
    return {
      messagesSent: this.#messages,
      bytesSent: this.#bytes,
      sendsFailed: this.#failed,
      pendingMessages,
      messagesPerSecond,
      bytesPerSecond,
      latencyMs: {
        p50: latency.quantileMs(0.5),
        p75: latency.quantileMs(0.75),
        p95: latency.quantileMs(0.95),
        p99: latency.quantileMs(0.99),
        p999: latency.quantileMs(0.999),
        max: latency.maxMs,
      },
    };
  }
}
