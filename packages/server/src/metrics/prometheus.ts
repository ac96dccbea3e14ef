import type { BookieHealth, RecoveryStatistics } from "../bookkeeper/index.ts";
import type { SubscriptionStats } from "../broker/subscription/contracts.ts";
import type { TopicStats } from "../broker/topic/topic.ts";
import type { EntryCacheInfo } from "../managed-ledger/index.ts";
import type { MetadataStatistics } from "../metadata/index.ts";
import { addBookies, type BookieSample } from "./bookie-metrics.ts";
import { metadataMetrics } from "./metadata-metrics.ts";
import type { TopicRates } from "./rate-sampler.ts";
import { Scrape } from "./scrape.ts";

/** What is exposed of one topic. */
export interface TopicSample {
  namespace: string;
  topic: string;
  stats: TopicStats;
  rates: TopicRates;
}

export interface MetricsSource {
  clusterName: string;
  /** What was asked of the metadata store. */
  metadata: MetadataStatistics;
  /** What auto-recovery did, by BookKeeper's names. */
  recovery: RecoveryStatistics;
  topics(): Iterable<TopicSample>;
  bookies(): Iterable<BookieSample>;
  /** Those that were not started too. */
  bookieHealth(): Iterable<BookieHealth>;
  activeConnections(): number;
  /** The memory for recent entries, of each broker. */
  caches(): Iterable<EntryCacheInfo>;
}

const TOPIC_LABELS = ["cluster", "namespace", "topic"] as const;
const SUBSCRIPTION_LABELS = [...TOPIC_LABELS, "subscription"] as const;

function addTopics(scrape: Scrape, cluster: string, samples: readonly TopicSample[]): void {
  const gauge = (name: string, help: string) => scrape.gauge(name, help, TOPIC_LABELS);
  const counter = (name: string, help: string) => scrape.counter(name, help, TOPIC_LABELS);
  const rateIn = gauge("pulsar_rate_in", "Messages published per second");
  const rateOut = gauge("pulsar_rate_out", "Messages delivered per second");
  const throughputIn = gauge("pulsar_throughput_in", "Bytes published per second");
  const throughputOut = gauge("pulsar_throughput_out", "Bytes delivered per second");
  const producers = gauge("pulsar_producers_count", "Producers connected");
  const consumers = gauge("pulsar_consumers_count", "Consumers connected");
  const subscriptions = gauge("pulsar_subscriptions_count", "Subscriptions");
  const storage = gauge("pulsar_storage_size", "Bytes stored, every copy counted");
  const logical = gauge("pulsar_storage_logical_size", "Bytes stored, one copy counted");
  const pinned = gauge("pulsar_storage_backlog_size", "Bytes kept for the slowest subscription");
  const backlog = gauge("pulsar_msg_backlog", "Entries not acknowledged, over all subscriptions");
  const inMessages = counter("pulsar_in_messages_total", "Messages published");
  const inBytes = counter("pulsar_in_bytes_total", "Bytes published");
  for (const { namespace, topic, stats, rates } of samples) {
    const labels = { cluster, namespace, topic };
    const subs = [...stats.subscriptions.values()];
    const sum = (pick: (s: SubscriptionStats) => number): number => subs.reduce((n, s) => n + pick(s), 0);
    rateIn(labels, rates.msgRateIn);
    rateOut(labels, rates.msgRateOut);
    throughputIn(labels, rates.msgThroughputIn);
    throughputOut(labels, rates.msgThroughputOut);
    producers(labels, stats.publishers.length);
    consumers(
      labels,
      sum((s) => s.consumers.length),
    );
    subscriptions(labels, subs.length);
    storage(labels, stats.storedBytes);
    logical(labels, stats.storageSize);
    pinned(labels, stats.backlogSize);
    backlog(
      labels,
      sum((s) => s.msgBacklog),
    );
    inMessages(labels, stats.msgInCounter);
    inBytes(labels, stats.bytesInCounter);
  }
}

function addSubscriptions(scrape: Scrape, cluster: string, samples: readonly TopicSample[]): void {
  const gauge = (name: string, help: string) => scrape.gauge(name, help, SUBSCRIPTION_LABELS);
  const backlog = gauge("pulsar_subscription_back_log", "Entries not acknowledged");
  const unacked = gauge("pulsar_subscription_unacked_messages", "Messages delivered and not acknowledged");
  const blocked = gauge(
    "pulsar_subscription_blocked_on_unacked_messages",
    "1 while deliveries wait for acknowledgements",
  );
  const delayed = gauge("pulsar_subscription_delayed", "Entries whose delivery time has not come");
  const consumers = gauge("pulsar_subscription_consumers_count", "Consumers connected");
  const counter = (name: string, help: string) => scrape.counter(name, help, SUBSCRIPTION_LABELS);
  const outMessages = counter("pulsar_out_messages_total", "Messages delivered");
  const outBytes = counter("pulsar_out_bytes_total", "Bytes delivered");
  const failures = scrape.counter(
    "pulsewire_subscription_read_failures_total",
    "Reads of entries for consumers that failed; the name is ours",
    SUBSCRIPTION_LABELS,
  );
  for (const { namespace, topic, stats } of samples) {
    for (const s of stats.subscriptions.values()) {
      const labels = { cluster, namespace, topic, subscription: s.name };
      backlog(labels, s.msgBacklog);
      unacked(labels, s.unackedMessages);
      blocked(labels, s.blockedOnUnackedMessages ? 1 : 0);
      delayed(labels, s.msgDelayed);
      consumers(labels, s.consumers.length);
      outMessages(labels, s.msgOutCounter);
      outBytes(labels, s.bytesOutCounter);
      failures(labels, s.readFailures);
    }
  }
}

function addCluster(scrape: Scrape, source: MetricsSource, samples: readonly TopicSample[]): void {
  const { clusterName: cluster } = source;
  const topics = scrape.gauge("pulsar_topics_count", "Topics loaded", ["cluster", "namespace"]);
  const counts = new Map<string, number>();
  for (const { namespace } of samples) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  for (const [namespace, count] of counts) topics({ cluster, namespace }, count);
  scrape.gauge("pulsar_active_connections", "Client connections open", ["cluster"])(
    { cluster },
    source.activeConnections(),
  );
  for (const [name, value] of Object.entries(source.recovery)) {
    scrape.counter(name, "What auto-recovery did", ["cluster"])({ cluster }, value);
  }
}

function addCaches(scrape: Scrape, source: MetricsSource): void {
  const { clusterName: cluster } = source;
  const sum = { usedBytes: 0, hits: 0, misses: 0, evictedBytes: 0 };
  for (const { usedBytes, stats } of source.caches()) {
    sum.usedBytes += usedBytes;
    sum.hits += stats.hits;
    sum.misses += stats.misses;
    sum.evictedBytes += stats.evictedBytes;
  }
  const counter = (name: string, help: string, value: number): void =>
    scrape.counter(name, help, ["cluster"])({ cluster }, value);
  scrape.gauge("pulsar_ml_cache_used_size", "Bytes of recent entries in memory", ["cluster"])(
    { cluster },
    sum.usedBytes,
  );
  counter("pulsar_ml_cache_hits_total", "Entries read from memory", sum.hits);
  counter("pulsar_ml_cache_misses_total", "Entries read from bookies, by those that are behind", sum.misses);
  counter("pulsar_ml_cache_evicted_bytes_total", "Bytes of entries that memory let go", sum.evictedBytes);
}

/** Everything as Prometheus text, under the names Pulsar and BookKeeper use. */
export async function renderMetrics(source: MetricsSource): Promise<Response> {
  const scrape = new Scrape();
  const samples = [...source.topics()];
  addCluster(scrape, source, samples);
  addBookies(scrape, source.bookies(), source.bookieHealth());
  addCaches(scrape, source);
  addTopics(scrape, source.clusterName, samples);
  addSubscriptions(scrape, source.clusterName, samples);
  const text = await scrape.registry.metrics();
  return new Response(text + metadataMetrics(source.clusterName, source.metadata), {
    headers: { "content-type": scrape.registry.contentType },
  });
}
