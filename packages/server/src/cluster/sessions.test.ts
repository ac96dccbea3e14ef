import { createMemoryMessenger, createMemoryNetwork, createSeededRandom } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "./cluster.ts";
import type { ClusterOptions } from "./cluster-options.ts";

let cluster: Cluster | undefined;
afterEach(() => cluster?.close());

async function start(options: ClusterOptions = {}): Promise<Cluster> {
  const memory = { network: createMemoryNetwork(), messenger: createMemoryMessenger(), random: createSeededRandom(1) };
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
