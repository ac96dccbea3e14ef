import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandType, TopicName } from "@pulsewire/protocol";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProtocolClient } from "../broker/connection/protocol-client-fixture.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { listing } from "./data-folder-fixture.ts";
import type { BookieNode } from "./storage-nodes.ts";

const runtime = createNodeRuntime();
let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pulsewire-data-"));
  dataDir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Publishes until one is stored: this client does not send again by itself what a broker could not store. */
async function storeOne(cluster: Cluster): Promise<void> {
  for (let stored = false; !stored; ) {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    const attached = await client.producer("t", 1).catch(() => undefined);
    if (attached === undefined) continue;
    client.publish(1, 1);
    const answers = [CommandType.SEND_RECEIPT, CommandType.SEND_ERROR, CommandType.CLOSE_PRODUCER] as const;
    const first = await Promise.race(answers.map(async (type) => client.next(type).then(() => type)));
    stored = first === CommandType.SEND_RECEIPT;
    client.close();
  }
}

describe("a data directory", () => {
  it("keeps topics, messages and metadata for the next cluster", async () => {
    {
      await using cluster = await startCluster({ dataDir });
      await cluster.admin.resources.tenants.create("mine", { adminRoles: [], allowedClusters: ["standalone"] });
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      await client.producer("t", 1);
      for (let i = 0; i < 20; i++) client.publish(1, i);
      for (let i = 0; i < 20; i++) await client.next(CommandType.SEND_RECEIPT);
      client.close();
    }
    await using cluster = await startCluster({ dataDir });
    expect(await cluster.admin.resources.tenants.list()).toEqual(["mine", "public", "pulsar"]);
    const topic = await cluster.admin.topic(TopicName.parse("t"), false);
    expect(topic?.stats().storageSize).toBeGreaterThan(0);
    expect(readdirSync(dataDir)).toEqual(["FORMAT", "bookies", "metadata"]);
    expect(readdirSync(join(dataDir, "bookies"))).toEqual(["0", "1", "2"]);
  });

  it("in use is refused", async () => {
    await using _cluster = await startCluster({ dataDir });
    await expect(startCluster({ dataDir })).rejects.toMatchObject({
      code: "InUse",
      message: `InUse: ${dataDir}/metadata is in use by another cluster of this process`,
    });
  });

  it("of which the metadata is missing is refused, and left alone", async () => {
    await (await startCluster({ dataDir })).close();
    rmSync(join(dataDir, "metadata"), { recursive: true });
    const before = listing(dataDir);
    await expect(startCluster({ dataDir })).rejects.toMatchObject({
      code: "Unreadable",
      message: expect.stringMatching(/data\/metadata is missing, and 3 bookies hold what it tells of: put it back/),
    });
    expect(listing(dataDir)).toEqual(before);
  });

  it("of something else is refused, and left alone", async () => {
    writeFileSync(join(root, "thesis.txt"), "chapter one");
    await expect(startCluster({ dataDir: root })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("thesis.txt"),
    });
    expect(readdirSync(root)).toEqual(["thesis.txt"]);
  });

  it("of another cluster is refused, and a bookie of another cluster is not started", async () => {
    await (await startCluster({ dataDir })).close();
    await expect(startCluster({ dataDir, clusterName: "other" })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("is of cluster standalone, not other"),
    });
    const second = join(root, "second");
    await (await startCluster({ dataDir: second })).close();
    rmSync(join(second, "bookies/1"), { recursive: true });
    cpSync(join(dataDir, "bookies/1"), join(second, "bookies/1"), { recursive: true });
    const errors: unknown[] = [];
    await using cluster = await startCluster({ dataDir: second, onError: (error) => errors.push(error) });
    expect(cluster.bookies.map(({ id }) => id)).toEqual(["127.0.0.1:3181", "127.0.0.1:3183"]);
    expect(String(errors[0])).toMatch(/Foreign: bookie 127.0.0.1:3182 is not started: .*bookies\/1 is of instance/);
  });

  it("is refused where not all of its bookies were asked for; further ones may join", async () => {
    await (await startCluster({ dataDir })).close();
    await expect(startCluster({ dataDir, bookies: 2 })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("holds 3 bookies, 2 were asked for"),
    });
    await (await startCluster({ dataDir, bookies: 4 })).close();
  });

  it("of a cluster that a bookie left is opened without that bookie, or with an empty one in its place", async () => {
    {
      await using cluster = await startCluster({ dataDir, bookies: 4 });
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      await client.producer("t", 1);
      client.publish(1, 0);
      await client.next(CommandType.SEND_RECEIPT);
      await cluster.recovery.decommission("127.0.0.1:3182");
      client.close();
    }
    const left = ["127.0.0.1:3181", "127.0.0.1:3183", "127.0.0.1:3184"];
    await expect(startCluster({ dataDir, bookies: 2 })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("holds 3 bookies, 2 were asked for"),
    });
    const errors: unknown[] = [];
    const options = { dataDir, onError: (error: unknown) => errors.push(error) };
    {
      await using cluster = await startCluster({ ...options, bookies: 3 });
      expect(cluster.bookies.map(({ id }) => id)).toEqual(left);
      const topic = await cluster.admin.topic(TopicName.parse("t"), false);
      expect(topic?.stats().storageSize).toBeGreaterThan(0);
    }
    await using cluster = await startCluster({ ...options, bookies: 4 });
    expect(cluster.bookies.map(({ id }) => id)).toEqual([left[0], "127.0.0.1:3182", left[1], left[2]]);
    expect(cluster.bookies[1]?.bookie.stats.addedEntries).toBe(0);
    expect(cluster.bookies[1]?.bookie.storage.ledgerCount).toBe(0);
    expect(errors).toEqual([]);
  });

  it("that cannot be read is refused with its name, and can be opened once that is mended", async () => {
    writeFileSync(dataDir, "a file");
    await expect(startCluster({ dataDir })).rejects.toMatchObject({
      code: "Unreadable",
      message: expect.stringContaining(dataDir),
    });
    rmSync(dataDir);
    await (await startCluster({ dataDir })).close();
  });

  it("can be opened again after bookies of its cluster were killed", async () => {
    const cluster = await startCluster({ dataDir });
    for (const { bookie } of cluster.bookies) bookie.kill();
    await cluster.close();
    await (await startCluster({ dataDir })).close();
  });

  it("keeps what a bookie was given after it was wiped on purpose, and only that", async () => {
    {
      await using cluster = await startCluster({ dataDir });
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      await client.consumer("t", 1, {}, 0);
      await client.producer("t", 1);
      client.publish(1, 0);
      await client.next(CommandType.SEND_RECEIPT);
      for (let i = 0; i < 3; i++) await cluster.faults.bookie(i).restart({ wipe: i < 2 });
      client.close();
      await storeOne(cluster);
    }
    await using cluster = await startCluster({ dataDir });
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await client.consumer("t", 1);
    for (let i = 0; i < 2; i++) await client.next(CommandType.MESSAGE);
    client.close();
  });

  it("is watched for being full after a bookie was killed and started again, too", async () => {
    const settings = { diskUsageThreshold: 0.000_001, diskUsageLwmThreshold: 0.000_000_1 };
    await using cluster = await startCluster({ dataDir, settings });
    await cluster.faults.bookie(0).restart();
    await cluster.faults.bookie(1).restart({ wipe: true });
    for (const i of [0, 1]) await expect.poll(() => (cluster.bookies[i] as BookieNode).bookie.readOnly).toBe(true);
  });

  it("takes BookKeeper's settings, and nothing else under their names", async () => {
    await expect(startCluster({ dataDir, settings: { journalMaxSizeMB: 0 } })).rejects.toThrow(
      "settings.journalMaxSizeMB takes an integer from 1 to 1048576, not 0",
    );
    await (await startCluster({ dataDir, settings: { journalMaxSizeMB: "16", maxMessageSize: 1_000_000 } })).close();
  });
});
