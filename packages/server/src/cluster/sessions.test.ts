import { createMemoryMessenger, createMemoryNetwork, createSeededRandom, type MemoryNetwork } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "./cluster.ts";
import type { ClusterOptions } from "./cluster-options.ts";

let cluster: Cluster | undefined;
let network: MemoryNetwork;
afterEach(() => cluster?.close());

async function start(options: ClusterOptions = {}): Promise<Cluster> {
  network = createMemoryNetwork();
  const memory = { network, messenger: createMemoryMessenger(), random: createSeededRandom(1) };
  cluster = await startCluster({ runtime: { ...createNodeRuntime(), ...memory }, ...options });
  return cluster;
}

const AVAILABLE = "/ledgers/available";

describe("a bookie whose session expired", () => {
  it("registers again, as often as it expires", async () => {
    const { metadata, bookies } = await start();
    const observer = metadata.session();
    const [first] = bookies;
    for (let i = 0; i < 3; i++) {
      metadata.expire((first as (typeof bookies)[0]).metadata);
      await vi.waitFor(async () => expect(await observer.children(AVAILABLE)).toEqual(bookies.map(({ id }) => id)));
    }
  });

  it("registers as read-only again, and as writable once it is that", async () => {
    const { metadata, bookies } = await start();
    const observer = metadata.session();
    const { id, bookie } = bookies[0] as (typeof bookies)[0];
    await bookie.setReadOnly(true);
    metadata.expire((bookies[0] as (typeof bookies)[0]).metadata);
    await vi.waitFor(async () => expect(await observer.children(`${AVAILABLE}/readonly`)).toEqual([id]));
    expect(await observer.children(AVAILABLE)).not.toContain(id);
    await bookie.setReadOnly(false);
    expect(await observer.children(AVAILABLE)).toContain(id);
    expect(await observer.children(`${AVAILABLE}/readonly`)).toEqual([]);
  });

  it("goes on trying while the metadata store cannot be reached", async () => {
    const { metadata, bookies } = await start();
    const observer = metadata.session();
    const [first] = bookies as [(typeof bookies)[0]];
    metadata.available = false;
    metadata.expire(first.metadata);
    await Promise.resolve();
    metadata.available = true;
    await vi.waitFor(async () => expect(await observer.children(AVAILABLE)).toContain(first.id), { timeout: 5_000 });
  });
});

describe("the metadata store's metrics", () => {
  it("have latencies by kind of request, bytes put and sessions that expired", async () => {
    const { metadata, bookies, adminUrl } = await start();
    metadata.expire((bookies[0] as (typeof bookies)[0]).metadata);
    const answer = await network.fetch(new Request(`${adminUrl}/metrics/`));
    const text = await answer.text();
    const own = 'cluster="standalone",name="metadata-store"';
    const value = (series: string): number =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${series} `))
          ?.split(" ")[1],
      );
    expect(value(`pulsar_metadata_store_sessions_expired_total{${own}}`)).toBe(1);
    const puts = value(`pulsar_metadata_store_ops_latency_ms_count{${own},type="put",status="success"}`);
    expect(puts).toBeGreaterThanOrEqual(bookies.length);
    expect(value(`pulsar_metadata_store_ops_latency_ms_bucket{${own},type="put",status="success",le="+Inf"}`)).toBe(
      puts,
    );
    expect(value(`pulsar_metadata_store_put_bytes_total{${own}}`)).toBeGreaterThan(0);
  });
});
