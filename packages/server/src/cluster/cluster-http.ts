import type { Clock } from "@pulsewire/runtime";
import { createAdminApi } from "../admin/admin-api.ts";
import { createBookKeeperApi } from "../admin/bookkeeper-api.ts";
import type { BookieHealth } from "../bookkeeper/index.ts";
import type { BrokerDirectory } from "../broker/broker-directory.ts";
import type { MetadataStatistics } from "../metadata/index.ts";
import type { MetricsSource, TopicSample } from "../metrics/prometheus.ts";
import { RateSampler, type TopicCounters } from "../metrics/rate-sampler.ts";
import { bookieHealth } from "./bookie-health.ts";
import type { ClusterAdmin } from "./cluster-admin.ts";
import type { HttpHandler } from "./cluster-options.ts";
import type { ClusterRecovery } from "./cluster-recovery.ts";
import type { BookieNode, UnstartedBookie } from "./storage-nodes.ts";

export interface ClusterHttpOptions {
  clock: Clock;
  admin: ClusterAdmin;
  directory: BrokerDirectory;
  bookies: readonly BookieNode[];
  /** Those that were not started. */
  unstarted: readonly UnstartedBookie[];
  statistics: MetadataStatistics;
  recovery: ClusterRecovery;
  /** Answers what is neither the admin REST, lookup nor metrics. */
  fallback: HttpHandler | undefined;
}

/** What a cluster answers over HTTP: the admin REST, lookup, metrics, and what the user adds. */
export class ClusterHttp implements Disposable {
  readonly #options: ClusterHttpOptions;
  readonly #rates: RateSampler;
  readonly #api: ReturnType<typeof createAdminApi>;
  readonly #bookkeeperApi: ReturnType<typeof createBookKeeperApi>;

  constructor(options: ClusterHttpOptions) {
    this.#options = options;
    const periodMs = options.admin.settings.statsUpdateFrequencyInSecs * 1000;
    this.#rates = new RateSampler(options.clock, periodMs, () => this.#counters());
    this.#api = createAdminApi(options.admin, this.#rates);
    this.#bookkeeperApi = createBookKeeperApi(options.recovery, () => this.#health);
  }

  readonly handle: HttpHandler = async (request, context) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/metrics") return Response.redirect(new URL("/metrics/", request.url), 301);
    if (pathname === "/metrics/") {
      // loaded when first asked for: most clusters in tests never are
      const { renderMetrics } = await import("../metrics/prometheus.ts");
      return renderMetrics(this.#source);
    }
    if (pathname.startsWith("/api/v1/")) return this.#bookkeeperApi(request);
    const { fallback } = this.#options;
    if (fallback === undefined || pathname.startsWith("/admin/") || pathname.startsWith("/lookup/")) {
      return this.#api(request);
    }
    return fallback(request, context);
  };

  [Symbol.dispose](): void {
    this.#rates[Symbol.dispose]();
  }

  get #health(): readonly BookieHealth[] {
    return bookieHealth(this.#options.bookies, this.#options.unstarted);
  }

  get #source(): MetricsSource {
    const { admin, directory, bookies, statistics, recovery } = this.#options;
    return {
      metadata: statistics,
      recovery: recovery.statistics,
      clusterName: admin.clusterName,
      topics: () => this.#samples(),
      bookies: () =>
        bookies.map(({ id, bookie }) => ({
          id,
          writable: !bookie.readOnly,
          ledgers: bookie.storage.ledgerCount,
          bytes: bookie.storage.heldBytes,
          stats: bookie.stats,
          storage: bookie.storage.figures,
        })),
      bookieHealth: () => this.#health,
      caches: () => directory.all.map((broker) => broker.entryCache),
      activeConnections: () => directory.all.reduce((n, broker) => n + broker.connections.size, 0),
    };
  }

  *#samples(): Iterable<TopicSample> {
    for (const broker of this.#options.directory.all) {
      for (const [topic, loaded] of broker.topics.loaded) {
        yield { namespace: loaded.name.namespace, topic, stats: loaded.stats(), rates: this.#rates.ratesOf(topic) };
      }
    }
  }

  *#counters(): Iterable<readonly [string, TopicCounters]> {
    for (const { topic, stats } of this.#samples()) {
      const { msgInCounter: msgIn, bytesInCounter: bytesIn, msgOutCounter: msgOut, bytesOutCounter: bytesOut } = stats;
      yield [topic, { msgIn, bytesIn, msgOut, bytesOut }];
    }
  }
}
