import type { MetadataStatistics } from "../metadata/index.ts";
import { LATENCY_BUCKETS_MS } from "../metadata/metadata-statistics.ts";

/** What was asked of the metadata store, as Prometheus text under Pulsar's names. */
export function metadataMetrics(cluster: string, statistics: MetadataStatistics): string {
  const own = `cluster="${cluster}",name="metadata-store"`;
  const latency = "pulsar_metadata_store_ops_latency_ms";
  const lines = [`# HELP ${latency} Time until requests were answered`, `# TYPE ${latency} histogram`];
  for (const [key, { counts, count, sumMs }] of statistics.latencies) {
    const [type, status] = key.split(" ");
    const labels = `${own},type="${type}",status="${status}"`;
    let below = 0;
    for (const [i, bound] of [...LATENCY_BUCKETS_MS, undefined].entries()) {
      below += counts[i] ?? 0;
      lines.push(`${latency}_bucket{${labels},le="${bound === undefined ? "+Inf" : bound.toFixed(1)}"} ${below}`);
    }
    lines.push(`${latency}_count{${labels}} ${count}`, `${latency}_sum{${labels}} ${sumMs}`);
  }
  const counter = (name: string, help: string, value: number): void => {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`, `${name}{${own}} ${value}`);
  };
  counter("pulsar_metadata_store_put_bytes_total", "Bytes of values put", statistics.putBytes);
  counter("pulsar_metadata_store_sessions_expired_total", "Sessions that expired", statistics.sessionsExpired);
  return `\n${lines.join("\n")}\n`;
}
