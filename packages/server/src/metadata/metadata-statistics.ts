import type { Clock } from "@pulsewire/runtime";
import type { MetadataEvent, MetadataStat, MetadataStore, MetadataValue, PutOptions } from "./metadata-store.ts";

/** Upper bounds of the buckets, in ms, as Pulsar has them; one more bucket takes what is above. */
export const LATENCY_BUCKETS_MS: readonly number[] = [1, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** What a request is counted as, by Pulsar's words. */
export type MetadataOperation = "get" | "put" | "del";

/** How long requests took. */
export interface LatencyHistogram {
  /** Requests by bucket, each alone. */
  readonly counts: number[];
  count: number;
  sumMs: number;
}

/** What the nodes of a cluster asked of the metadata store, since the start. */
export class MetadataStatistics {
  readonly latencies: ReadonlyMap<string, LatencyHistogram>;
  putBytes = 0;
  sessionsExpired = 0;

  constructor() {
    const keys = (["get", "put", "del"] as const).flatMap((type) => [`${type} success`, `${type} fail`]);
    this.latencies = new Map(
      keys.map((key) => [key, { counts: new Array(LATENCY_BUCKETS_MS.length + 1).fill(0), count: 0, sumMs: 0 }]),
    );
  }

  observe(type: MetadataOperation, succeeded: boolean, tookMs: number): void {
    const histogram = this.latencies.get(`${type} ${succeeded ? "success" : "fail"}`) as LatencyHistogram;
    const above = LATENCY_BUCKETS_MS.findIndex((bound) => tookMs <= bound);
    const bucket = above < 0 ? LATENCY_BUCKETS_MS.length : above;
    histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
    histogram.count++;
    histogram.sumMs += tookMs;
  }
}

/** A session of which each request is counted and timed. */
export class MeteredMetadata implements MetadataStore {
  readonly #session: MetadataStore;
  readonly #clock: Clock;
  readonly #statistics: MetadataStatistics;

  constructor(session: MetadataStore, clock: Clock, statistics: MetadataStatistics) {
    this.#session = session;
    this.#clock = clock;
    this.#statistics = statistics;
    session.onSessionExpired(() => {
      statistics.sessionsExpired++;
    });
  }

  get sessionId(): number {
    return this.#session.sessionId;
  }

  get(key: string): Promise<MetadataValue | undefined> {
    return this.#timed("get", this.#session.get(key));
  }

  exists(key: string): Promise<boolean> {
    return this.#timed("get", this.#session.exists(key));
  }

  put(key: string, value: Uint8Array, options?: PutOptions): Promise<{ key: string; stat: MetadataStat }> {
    this.#statistics.putBytes += value.length;
    return this.#timed("put", this.#session.put(key, value, options));
  }

  delete(key: string, expectedVersion?: number): Promise<void> {
    return this.#timed("del", this.#session.delete(key, expectedVersion));
  }

  children(key: string): Promise<string[]> {
    return this.#timed("get", this.#session.children(key));
  }

  nextSequence(key: string): Promise<number> {
    return this.#timed("put", this.#session.nextSequence(key));
  }

  watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable {
    return this.#session.watch(prefix, listener);
  }

  onSessionExpired(listener: () => void): Disposable {
    return this.#session.onSessionExpired(listener);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  #timed<T>(type: MetadataOperation, request: Promise<T>): Promise<T> {
    const sinceMs = this.#clock.monotonicMs();
    const ended = (succeeded: boolean): void =>
      this.#statistics.observe(type, succeeded, this.#clock.monotonicMs() - sinceMs);
    request.then(
      () => ended(true),
      () => ended(false),
    );
    return request;
  }
}
