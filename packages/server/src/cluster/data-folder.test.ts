import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandType, TopicName } from "@pulsewire/protocol";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProtocolClient } from "../broker/connection/protocol-client-fixture.ts";
import { startCluster } from "./cluster.ts";

const runtime = createNodeRuntime();
let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pulsewire-data-"));
  dataDir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

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
      message: `InUse: ${dataDir}/metadata is in use by another process`,
    });
  });

  it("of something else is refused, and left alone", async () => {
    writeFileSync(join(root, "thesis.txt"), "chapter one");
    await expect(startCluster({ dataDir: root })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("thesis.txt"),
    });
    expect(readdirSync(root)).toEqual(["thesis.txt"]);
  });

  it("of another cluster, or with bookies of one, is refused", async () => {
    await (await startCluster({ dataDir })).close();
    await expect(startCluster({ dataDir, clusterName: "other" })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("is of cluster standalone, not other"),
    });
    const second = join(root, "second");
    await (await startCluster({ dataDir: second })).close();
    rmSync(join(second, "bookies/1"), { recursive: true });
    cpSync(join(dataDir, "bookies/1"), join(second, "bookies/1"), { recursive: true });
    await expect(startCluster({ dataDir: second })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("bookies/1 is of instance"),
    });
  });

  it("is refused where not all of its bookies were asked for; further ones may join", async () => {
    await (await startCluster({ dataDir })).close();
    await expect(startCluster({ dataDir, bookies: 2 })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("holds 3 bookies, 2 were asked for"),
    });
    await (await startCluster({ dataDir, bookies: 4 })).close();
  });

  it("that cannot be read is refused with its name, and can be opened once that is mended", async () => {
    writeFileSync(dataDir, "a file");
    await expect(startCluster({ dataDir })).rejects.toMatchObject({
      code: "Unreadable",
      message: expect.stringContaining(dataDir),
    });
    rmSync(dataDir);
    await (await startCluster({ dataDir })).close();
    const checkpoint = join(dataDir, "bookies/1/checkpoint");
    const away = join(root, "checkpoint");
    execFileSync("mv", [checkpoint, away]);
    await expect(startCluster({ dataDir })).rejects.toMatchObject({ code: "Corrupt" });
    execFileSync("mv", [away, checkpoint]);
    await (await startCluster({ dataDir })).close();
  });

  it("can be opened again after bookies of its cluster were killed", async () => {
    const cluster = await startCluster({ dataDir });
    for (const { bookie } of cluster.bookies) bookie.kill();
    await cluster.close();
    await (await startCluster({ dataDir })).close();
  });

  it("takes BookKeeper's settings, and nothing else under their names", async () => {
    await expect(startCluster({ dataDir, settings: { journalMaxSizeMB: 0 } })).rejects.toThrow(
      "settings.journalMaxSizeMB takes an integer from 1 to 1048576, not 0",
    );
    await (await startCluster({ dataDir, settings: { journalMaxSizeMB: "16", maxMessageSize: 1_000_000 } })).close();
  });
});
