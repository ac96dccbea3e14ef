import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandType, TopicName } from "@pulsewire/protocol";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bookiesOf, LedgerMetadataStore } from "../bookkeeper/index.ts";
import { ProtocolClient } from "../broker/connection/protocol-client-fixture.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import type { BookieNode } from "./storage-nodes.ts";

const runtime = createNodeRuntime();
let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pulsewire-data-"));
  dataDir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Every file below a folder, or the file itself, less the index: LevelDB writes to it at each start. */
function listing(path: string): string[] {
  if (!statSync(path).isDirectory()) return [`${path} ${readFileSync(path, "utf8")}`];
  const own = readdirSync(path).filter((name) => name !== "index");
  return own.flatMap((name) => [name, ...listing(join(path, name))]);
}

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

  it.each([
    [
      "checkpoint",
      /bookies\/0\/checkpoint: the file is missing; the entry logs and what is left of the journal were kept/,
    ],
    [
      "entry-logs/0000000001.log",
      /bookies\/0\/entry-logs\/0000000001.log: the file is missing, every other file was kept/,
    ],
  ])(
    "of which one bookie lacks its %s is opened: the others serve, and it is given what it lacks",
    async (file, told) => {
      {
        await using cluster = await startCluster({ dataDir });
        const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
        await client.consumer("t", 1, {}, 0);
        await client.producer("t", 1);
        client.publish(1, 0);
        await client.next(CommandType.SEND_RECEIPT);
        for (const { folder } of cluster.bookies) await folder?.storage.checkpoint();
        client.close();
      }
      rmSync(join(dataDir, "bookies/0", file));
      const errors: unknown[] = [];
      await using cluster = await startCluster({ dataDir, onError: (error) => errors.push(error) });
      expect(String(errors[0])).toMatch(told);
      expect(String(errors[1])).toMatch(/bookie 127.0.0.1:3181 has perhaps not all of the \d+ ledgers/);
      expect(cluster.bookies).toHaveLength(3);
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      await client.consumer("t", 1);
      const { body } = await client.nextWithEntry(CommandType.MESSAGE);
      const { ledgerId } = body.messageId;
      const { storage } = (cluster.bookies[0] as BookieNode).bookie;
      await expect.poll(() => storage.read(Number(ledgerId), 0)).toMatchObject({ ledgerId: Number(ledgerId) });
      client.close();
    },
  );

  it("of a bookie that is damaged: metrics and the admin REST show it, until all it lacks is copied to it", async () => {
    {
      await using cluster = await startCluster({ dataDir, bookies: 4 });
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      for (let topic = 0; topic < 4; topic++) {
        await client.producer(`t-${topic}`, topic);
        client.publish(topic, 0);
        await client.next(CommandType.SEND_RECEIPT);
      }
      for (const { folder } of cluster.bookies) await folder?.storage.checkpoint();
      client.close();
    }
    rmSync(join(dataDir, "bookies/1/checkpoint"));
    writeFileSync(join(dataDir, "bookies/2/VERSION"), "{");
    const settings = { openLedgerRereplicationGracePeriod: 1 };
    const recovery = { autoRecoveryDaemonEnabled: false };
    const get = (cluster: Cluster, path: string): Promise<Response> =>
      runtime.network.fetch(new Request(`${cluster.adminUrl}${path}`));
    const shown = async (cluster: Cluster): Promise<{ metrics: string; damage: Record<string, unknown> }> => ({
      metrics: await (await get(cluster, "/metrics/")).text(),
      damage: (await (await get(cluster, "/api/v1/bookie/damage")).json()) as Record<string, unknown>,
    });
    {
      await using cluster = await startCluster({ dataDir, bookies: 4, settings: { ...settings, ...recovery } });
      const { metrics, damage } = await shown(cluster);
      const [, damaged, unstarted] = ["3181", "3182", "3183"].map((port) => damage[`127.0.0.1:${port}`]);
      expect(damaged).toMatchObject({ started: true, damagedFiles: [join(dataDir, "bookies/1/checkpoint")] });
      const { ledgersInDoubt, doubtfulLedgers } = damaged as { ledgersInDoubt: number; doubtfulLedgers: number[] };
      expect(ledgersInDoubt).toBeGreaterThan(0);
      expect(doubtfulLedgers).toHaveLength(ledgersInDoubt);
      expect(unstarted).toMatchObject({ started: false, error: expect.stringContaining("VERSION cannot be read") });
      expect(metrics).toContain(`pulsewire_bookie_ledgers_in_doubt{bookie="127.0.0.1:3182"} ${ledgersInDoubt}\n`);
      expect(metrics).toContain('pulsewire_bookie_damaged_files{bookie="127.0.0.1:3182"} 1\n');
      expect(metrics).toMatch(/bookie_journal_JOURNAL_SYNC_count\{bookie="127.0.0.1:3182"\} \d/);
      for (const [port, started] of [
        ["3182", 1],
        ["3183", 0],
      ]) {
        expect(metrics).toContain(`pulsewire_bookie_started{bookie="127.0.0.1:${port}"} ${started}\n`);
      }
      expect(metrics).toContain('bookie_SERVER_STATUS{bookie="127.0.0.1:3183"} -1\n');
    }
    // nobody copied anything: what is in doubt is so at the next start too
    const errors: unknown[] = [];
    const onError = (error: unknown): unknown => errors.push(error);
    await using cluster = await startCluster({ dataDir, bookies: 4, settings, onError });
    expect(errors.map(String).join()).toMatch(/bookie 127.0.0.1:3182 has perhaps not all of the \d+ ledgers/);
    await expect
      .poll(() => shown(cluster), { timeout: 10_000 })
      .toMatchObject({
        metrics: expect.stringContaining('pulsewire_bookie_ledgers_in_doubt{bookie="127.0.0.1:3182"} 0\n'),
        damage: { "127.0.0.1:3182": { ledgersInDoubt: 0, doubtfulLedgers: [] } },
      });
  });

  /** A folder in the place of a file: whoever reads it gets an error of the system. */
  const unreadable: Record<string, { spoil: (folder: string) => void; told: RegExp }> = {
    "its checkpoint": {
      spoil: (folder) => {
        rmSync(join(folder, "checkpoint"));
        mkdirSync(join(folder, "checkpoint"));
      },
      told: /Unreadable: bookie 127.0.0.1:3181 is not started: .*EISDIR.*bookies\/0\/checkpoint.*mend its folder/,
    },
    "its mark": {
      spoil: (folder) => writeFileSync(join(folder, "VERSION"), "{"),
      told: /Foreign: bookie 127.0.0.1:3181 is not started: .*bookies\/0\/VERSION cannot be read/,
    },
    "its index": {
      spoil: (folder) => {
        rmSync(join(folder, "index"), { recursive: true });
        writeFileSync(join(folder, "index"), "a file");
      },
      told: /Unreadable: bookie 127.0.0.1:3181 is not started: .*bookies\/0\/index/,
    },
    "all of its folder": {
      spoil: (folder) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "a file");
      },
      told: /Unreadable: bookie 127.0.0.1:3181 is not started: .*ENOTDIR.*bookies\/0/,
    },
  };

  it.each(Object.keys(unreadable))(
    "of which one bookie cannot read %s: it is not started, the others serve, and take what it held",
    async (what) => {
      {
        await using cluster = await startCluster({ dataDir });
        const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
        for (let topic = 0; topic < 4; topic++) {
          await client.consumer(`t-${topic}`, topic, {}, 0);
          await client.producer(`t-${topic}`, topic);
          client.publish(topic, 0);
          await client.next(CommandType.SEND_RECEIPT);
        }
        client.close();
      }
      const folder = join(dataDir, "bookies/0");
      unreadable[what]?.spoil(folder);
      const before = listing(folder);
      const errors: unknown[] = [];
      // a fourth, since copies are three
      await using cluster = await startCluster({ dataDir, bookies: 4, onError: (error) => errors.push(error) });
      expect(String(errors[0])).toMatch(unreadable[what]?.told as RegExp);
      expect(cluster.bookies.map(({ id }) => id)).toEqual(["127.0.0.1:3182", "127.0.0.1:3183", "127.0.0.1:3184"]);
      expect(cluster.unstartedBookies.map(({ id }) => id)).toEqual(["127.0.0.1:3181"]);
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      for (let topic = 0; topic < 4; topic++) {
        await client.consumer(`t-${topic}`, topic);
        await client.next(CommandType.MESSAGE);
        await client.producer(`t-${topic}`, topic);
        client.publish(topic, 1);
        await client.next(CommandType.SEND_RECEIPT);
      }
      client.close();
      const ledgers = new LedgerMetadataStore(cluster.metadata.session());
      const onIt = async (): Promise<number> => {
        const named = await Promise.all((await ledgers.list()).map((id) => bookiesOf(ledgers, id)));
        return named.flat().filter((id) => id === "127.0.0.1:3181").length;
      };
      await expect.poll(onIt).toBe(0);
      expect(listing(folder)).toEqual(before);
    },
  );

  it("of which metadata is damaged is refused, and nothing in it is touched", async () => {
    {
      await using cluster = await startCluster({ dataDir });
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      for (let topic = 0; topic < 3; topic++) await client.consumer(`t-${topic}`, topic, {}, 0);
      client.close();
    }
    const log = readdirSync(join(dataDir, "metadata")).find((name) => name.endsWith(".log")) as string;
    const path = join(dataDir, "metadata", log);
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(1_500) ^ 4, 1_500);
    writeFileSync(path, bytes);
    const before = listing(dataDir);
    await expect(startCluster({ dataDir })).rejects.toMatchObject({
      code: "Corrupt",
      message: expect.stringContaining(`${path} is damaged at byte `),
    });
    expect(listing(dataDir)).toEqual(before);
    rmSync(path);
    await expect(startCluster({ dataDir })).rejects.toMatchObject({ code: "Corrupt" });
  });

  it("of which no bookie can be opened is refused, and its place is not another's where one cannot", async () => {
    await (await startCluster({ dataDir })).close();
    for (const i of [0, 1, 2]) writeFileSync(join(dataDir, `bookies/${i}/VERSION`), "{");
    await expect(startCluster({ dataDir })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("bookies/0/VERSION cannot be read"),
    });
    rmSync(join(dataDir, "bookies/1"), { recursive: true });
    writeFileSync(join(dataDir, "bookies/1"), "a file");
    await expect(startCluster({ dataDir, bookies: 2 })).rejects.toMatchObject({
      code: "Foreign",
      message: expect.stringContaining("holds 3 bookies, 2 were asked for"),
    });
  });

  it("can be opened again after bookies of its cluster were killed", async () => {
    const cluster = await startCluster({ dataDir });
    for (const { bookie } of cluster.bookies) bookie.kill();
    await cluster.close();
    await (await startCluster({ dataDir })).close();
  });

  it("of a bookie that is empty: what others acknowledged with it is there, and is copied to it again", async () => {
    const crashed = join(root, "crashed");
    {
      await using cluster = await startCluster({ dataDir });
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      await client.producer("t", 1);
      // two of three copies, and the entry counts
      using _stopped = cluster.faults.bookie(2).pause();
      client.publish(1, 0);
      await client.next(CommandType.SEND_RECEIPT);
      cpSync(dataDir, crashed, { recursive: true });
      client.close();
    }
    rmSync(join(crashed, "bookies/0"), { recursive: true });
    const errors: unknown[] = [];
    await using cluster = await startCluster({ dataDir: crashed, onError: (error) => errors.push(error) });
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await client.consumer("t", 1);
    const { body } = await client.nextWithEntry(CommandType.MESSAGE);
    const { ledgerId } = body.messageId;
    const { storage } = (cluster.bookies[0] as BookieNode).bookie;
    await expect.poll(() => storage.read(Number(ledgerId), 0)).toMatchObject({ ledgerId: Number(ledgerId) });
    expect(String(errors[0])).toMatch(/Corrupt: bookie 127.0.0.1:3181 has nothing of the \d+ ledgers/);
    client.close();
  });

  const filesOf = (folder: string, name: RegExp): string[] =>
    readdirSync(folder).flatMap((file) => (name.test(file) ? [join(folder, file)] : []));
  const spoiledIndex: Record<string, { spoil: (index: string) => void; told: RegExp }> = {
    "a head that names no file": {
      spoil: (index) => writeFileSync(join(index, "CURRENT"), "garbage\n"),
      told: /index: IO error: .*index\/garbage: No such file/,
    },
    "half a head": {
      spoil: (index) => writeFileSync(join(index, "CURRENT"), "no such manifest"),
      told: /index: Corruption: CURRENT/,
    },
    "no head": {
      spoil: (index) => rmSync(join(index, "CURRENT")),
      told: /index: it is missing/,
    },
    "a head that names a folder": {
      spoil: (index) => writeFileSync(join(index, "CURRENT"), "..\n"),
      told: /index: IO error: .*Is a directory/,
    },
    "no manifest": {
      spoil: (index) => {
        for (const file of filesOf(index, /^MANIFEST/)) rmSync(file);
      },
      told: /index: IO error: .*MANIFEST.*No such file/,
    },
    "an empty manifest": {
      spoil: (index) => {
        for (const file of filesOf(index, /^MANIFEST/)) writeFileSync(file, "");
      },
      told: /index: Corruption/,
    },
    "no tables": {
      spoil: (index) => {
        for (const file of filesOf(index, /ldb$/)) rmSync(file);
      },
      told: /index: Corruption: .*missing files/,
    },
    "a log that is lost": {
      spoil: (index) => {
        for (const file of filesOf(index, /^\d+\.log$/)) rmSync(file);
      },
      told: /index: its log is missing or damaged/,
    },
    "tables cut short": {
      spoil: (index) => {
        for (const file of filesOf(index, /ldb$/)) writeFileSync(file, readFileSync(file).subarray(0, 10));
      },
      told: /index: IO error: .*ldb/,
    },
    "no files": { spoil: (index) => rmSync(index, { recursive: true }), told: /index: it is missing/ },
  };

  it.each(Object.keys(spoiledIndex))(
    "with an index of %s: it is told, and made anew from the entry logs",
    async (what) => {
      {
        await using cluster = await startCluster({ dataDir });
        const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
        await client.consumer("t", 1, {}, 0);
        await client.producer("t", 1);
        client.publish(1, 0);
        await client.next(CommandType.SEND_RECEIPT);
        client.close();
      }
      // what was written before a start is a table after it
      await (await startCluster({ dataDir })).close();
      for (const i of [0, 1, 2]) spoiledIndex[what]?.spoil(join(dataDir, `bookies/${i}/index`));
      const errors: unknown[] = [];
      await using cluster = await startCluster({ dataDir, onError: (error) => errors.push(error) });
      expect(errors).toHaveLength(3);
      for (const error of errors) {
        expect(String(error)).toMatch(spoiledIndex[what]?.told as RegExp);
        expect(String(error)).toMatch(/^StorageError: Corrupt: .*; it is made anew from the entry logs$/);
      }
      const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
      await client.consumer("t", 1);
      await client.next(CommandType.MESSAGE);
      client.close();
    },
  );

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
