import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandType } from "@pulsewire/protocol";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bookiesOf, LedgerMetadataStore } from "../bookkeeper/index.ts";
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

/** A message that a subscription keeps. */
async function keepOne(cluster: Cluster): Promise<void> {
  const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
  await client.consumer("t", 1, {}, 0);
  await client.producer("t", 1);
  client.publish(1, 0);
  await client.next(CommandType.SEND_RECEIPT);
  client.close();
}

describe("a data directory", () => {
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
        await keepOne(cluster);
        for (const { folder } of cluster.bookies) await folder?.storage.checkpoint();
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
        await keepOne(cluster);
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
});
