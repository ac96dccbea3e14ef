import type { Clock, Timer } from "@pulsewire/runtime";

/** What is counted of one topic; numbers that only grow. */
export interface TopicCounters {
  msgIn: number;
  bytesIn: number;
  msgOut: number;
  bytesOut: number;
}

export interface TopicRates {
  msgRateIn: number;
  msgThroughputIn: number;
  msgRateOut: number;
  msgThroughputOut: number;
}

const NO_RATES: TopicRates = Object.freeze({ msgRateIn: 0, msgThroughputIn: 0, msgRateOut: 0, msgThroughputOut: 0 });

/**
 * Rates per second, from counters looked at once a period (`statsUpdateFrequencyInSecs`, default 60 s in Pulsar). A
 * topic that is new since the last look has none yet.
 */
export class RateSampler implements Disposable {
  readonly #clock: Clock;
  readonly #read: () => Iterable<readonly [string, TopicCounters]>;
  readonly #ticker: Timer;
  #counters = new Map<string, TopicCounters>();
  #rates = new Map<string, TopicRates>();
  #sampledAtMs: number;

  constructor(clock: Clock, periodMs: number, read: () => Iterable<readonly [string, TopicCounters]>) {
    this.#clock = clock;
    this.#read = read;
    this.#sampledAtMs = clock.monotonicMs();
    this.#ticker = clock.setTicker(periodMs, () => this.sample());
  }

  ratesOf(topic: string): TopicRates {
    return this.#rates.get(topic) ?? NO_RATES;
  }

  sample(): void {
    const now = this.#clock.monotonicMs();
    const seconds = (now - this.#sampledAtMs) / 1000;
    if (seconds <= 0) return;
    const counters = new Map(this.#read());
    const rates = new Map<string, TopicRates>();
    for (const [topic, current] of counters) {
      const before = this.#counters.get(topic);
      if (before === undefined) continue;
      // counters start again at 0 when a topic was loaded anew
      const rate = (a: number, b: number): number => Math.max(0, a - b) / seconds;
      rates.set(topic, {
        msgRateIn: rate(current.msgIn, before.msgIn),
        msgThroughputIn: rate(current.bytesIn, before.bytesIn),
        msgRateOut: rate(current.msgOut, before.msgOut),
        msgThroughputOut: rate(current.bytesOut, before.bytesOut),
      });
    }
    this.#counters = counters;
    this.#rates = rates;
    this.#sampledAtMs = now;
  }

  [Symbol.dispose](): void {
    this.#ticker.cancel();
  }
}
