import { type KeySharedMeta, KeySharedMode, murmur3Hash, ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";
import type { AttachedConsumer } from "../subscription/consumer.ts";
import { HeldError } from "../subscription/held-error.ts";
import { HASH_RANGE_SIZE } from "./sticky-key.ts";

/** Which consumer a key hash belongs to. */
export interface KeySelector {
  readonly mode: KeySharedMode;
  /** Throws a ConsumerAssignError when the consumer's ranges cannot be given to it. */
  add(consumer: AttachedConsumer): void;
  remove(consumer: AttachedConsumer): void;
  select(hash: number): AttachedConsumer | undefined;
  /** The consumer's ranges as `[start, end]`, for statistics. */
  rangesOf(consumer: AttachedConsumer): readonly string[];
}

/** `subscriptionKeySharedConsistentHashingReplicaPoints`. */
const POINTS_PER_CONSUMER = 100;

interface RingPoint {
  hash: number;
  consumer: AttachedConsumer;
}

/** Splits the hashes by a consistent-hash ring: a join or leave moves only the joining or leaving consumer's share. */
class AutoSplitSelector implements KeySelector {
  readonly mode: KeySharedMode = KeySharedMode.AUTO_SPLIT;
  #ring: RingPoint[] = [];

  add(consumer: AttachedConsumer): void {
    const taken = new Set(this.#ring.map((p) => p.hash));
    for (let i = 0; i < POINTS_PER_CONSUMER && taken.size < HASH_RANGE_SIZE; i++) {
      let hash = murmur3Hash(`${consumer.options.consumerName}/${i}`) % HASH_RANGE_SIZE;
      // a namesake has the same points: it takes the next free ones
      while (taken.has(hash)) hash = (hash + 1) % HASH_RANGE_SIZE;
      taken.add(hash);
      this.#ring.push({ hash, consumer });
    }
    this.#ring.sort((a, b) => a.hash - b.hash);
  }

  remove(consumer: AttachedConsumer): void {
    this.#ring = this.#ring.filter((p) => p.consumer !== consumer);
  }

  select(hash: number): AttachedConsumer | undefined {
    const ring = this.#ring;
    let low = 0;
    let high = ring.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ring[middle] as RingPoint).hash < hash) low = middle + 1;
      else high = middle;
    }
    return (ring[low] ?? ring[0])?.consumer;
  }

  rangesOf(consumer: AttachedConsumer): readonly string[] {
    const ranges: string[] = [];
    for (const [i, point] of this.#ring.entries()) {
      if (point.consumer !== consumer) continue;
      const start = i === 0 ? 0 : (this.#ring[i - 1] as RingPoint).hash + 1;
      ranges.push(`[${start}, ${point.hash}]`);
    }
    return ranges;
  }
}

interface StickyRange {
  start: number;
  end: number;
  consumer: AttachedConsumer;
}

/** Hash ranges that the consumers themselves named. */
class StickySelector implements KeySelector {
  readonly mode: KeySharedMode = KeySharedMode.STICKY;
  #ranges: StickyRange[] = [];

  add(consumer: AttachedConsumer): void {
    const asked = consumer.options.keySharedMeta?.hashRanges ?? [];
    if (asked.length === 0) throw assignError("a sticky consumer must name its hash ranges");
    const ranges = asked.map((r) => ({ start: r.start, end: r.end, consumer }));
    for (const [i, range] of ranges.entries()) {
      if (range.start < 0 || range.end >= HASH_RANGE_SIZE || range.start > range.end) {
        throw assignError(`the range ${range.start}-${range.end} is not within 0-${HASH_RANGE_SIZE - 1}`);
      }
      const rival = [...this.#ranges, ...ranges.slice(0, i)].find((r) => r.start <= range.end && range.start <= r.end);
      if (rival !== undefined) {
        const owner = rival.consumer.options.consumerName;
        const detail = `the range ${range.start}-${range.end} overlaps ${rival.start}-${rival.end} of ${owner}`;
        if (rival.consumer === consumer) throw assignError(detail);
        throw new HeldError(ServerError.ConsumerAssignError, detail, rival.consumer);
      }
    }
    this.#ranges.push(...ranges);
  }

  remove(consumer: AttachedConsumer): void {
    this.#ranges = this.#ranges.filter((r) => r.consumer !== consumer);
  }

  select(hash: number): AttachedConsumer | undefined {
    return this.#ranges.find((r) => r.start <= hash && hash <= r.end)?.consumer;
  }

  rangesOf(consumer: AttachedConsumer): readonly string[] {
    return this.#ranges.filter((r) => r.consumer === consumer).map((r) => `[${r.start}, ${r.end}]`);
  }
}

function assignError(detail: string): BrokerError {
  return new BrokerError(ServerError.ConsumerAssignError, detail);
}

/** The selector for how the first consumer wants the keys shared. */
export function createKeySelector(meta: KeySharedMeta | undefined): KeySelector {
  return meta?.keySharedMode === KeySharedMode.STICKY ? new StickySelector() : new AutoSplitSelector();
}
