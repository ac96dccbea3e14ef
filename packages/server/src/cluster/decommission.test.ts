import { createMemoryMessenger, createMemoryNetwork, createSeededRandom } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, expect, it, vi } from "vitest";
import { createBookKeeperClient } from "../bookkeeper/index.ts";
import type { ManagedLedger, Position } from "../managed-ledger/index.ts";
import { createManagedLedgerFactory } from "../managed-ledger/managed-ledger-factory.ts";
import { type Cluster, startCluster } from "./cluster.ts";

const network = createMemoryNetwork();
let cluster: Cluster | undefined;
afterEach(() => cluster?.close());

const runtime = () => ({
  ...createNodeRuntime(),
  network,
  messenger: createMemoryMessenger(),
  random: createSeededRandom(1),
});

function append(ledger: ManagedLedger, text: string): Promise<Position> {
  return new Promise((resolve, reject) => {
    ledger.append(new TextEncoder().encode(text), { onAppended: resolve, onAppendFailed: reject });
  });
}

async function ask(method: string, path: string, body?: unknown): Promise<[number, string]> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const url = `${cluster?.adminUrl}/api/v1/autorecovery${path}`;
  const response = await network.fetch(new Request(url, init));
  return [response.status, await response.text()];
}

it("no bookie leaves while auto-recovery is switched off, and one on its way out stays when it is", async () => {
  const ports = runtime();
  cluster = await startCluster({ runtime: ports, bookies: 5 });
  const metadata = cluster.metadata.session();
  const bookkeeper = createBookKeeperClient({ ...ports, metadata, nodeId: "test" });
  const factory = createManagedLedgerFactory({ clock: ports.clock, bookkeeper, metadata });
  const ledger = await factory.open("public/default/persistent/t");
  await append(ledger, "kept");
  const held = (await bookkeeper.readMetadata(ledger.lastConfirmed.ledgerId)).metadata.fragments[0]?.bookies;
  const leaving = held?.[0] as string;
  expect(await ask("PUT", "/status?enabled=false")).toEqual([200, '{"enabled":false}']);
  expect(await ask("PUT", "/decommission", { bookie_src: leaving })).toEqual([
    409,
    expect.stringMatching(/DecommissionFailed: .* auto-recovery is switched off/),
  ]);
  expect(cluster.bookies.find(({ id }) => id === leaving)?.bookie.readOnly).toBe(false);
  expect(await ask("PUT", "/status?enabled=true")).toEqual([200, '{"enabled":true}']);
  // those who copy take their time
  const slow = cluster.faults.metadata.slow(200);
  const underWay = cluster.recovery.decommission(leaving);
  const refused = expect(underWay).rejects.toThrow(/ledgers are still on it, and auto-recovery .*read-only, try again/);
  const isReadOnly = (): boolean | undefined => cluster?.bookies.find(({ id }) => id === leaving)?.bookie.readOnly;
  await vi.waitFor(() => expect(isReadOnly()).toBe(true), { interval: 5 });
  await cluster.recovery.setEnabled(false);
  await refused;
  slow[Symbol.dispose]();
  await cluster.recovery.setEnabled(true);
  await cluster.recovery.decommission(leaving, { timeoutMs: 10_000 });
  await factory.close();
});

it("a bookie that is dead leaves, and one that is started again on its way out", async () => {
  const ports = runtime();
  cluster = await startCluster({ runtime: ports, bookies: 5 });
  const metadata = cluster.metadata.session();
  const bookkeeper = createBookKeeperClient({ ...ports, metadata, nodeId: "test" });
  const factory = createManagedLedgerFactory({ clock: ports.clock, bookkeeper, metadata });
  const ledger = await factory.open("public/default/persistent/t");
  for (let i = 0; i < 20; i++) await append(ledger, `before-${i}`);
  const [dead, again] = cluster.bookies.map(({ id }) => id) as [string, string];
  cluster.faults.bookie(dead).kill();
  await cluster.recovery.decommission(dead, { timeoutMs: 5_000 });
  const leaving = cluster.recovery.decommission(again, { timeoutMs: 5_000 });
  await cluster.faults.bookie(again).restart();
  await leaving;
  expect(cluster.bookies.map(({ id }) => id)).toEqual(["127.0.0.1:3183", "127.0.0.1:3184", "127.0.0.1:3185"]);
  await append(ledger, "after");
  await factory.close();
});

it("a bookie leaves: what it holds is elsewhere then, and the topics that stood on it go on", async () => {
  const ports = runtime();
  cluster = await startCluster({ runtime: ports, bookies: 4, brokers: 1 });
  const metadata = cluster.metadata.session();
  const bookkeeper = createBookKeeperClient({ ...ports, metadata, nodeId: "test" });
  const factory = createManagedLedgerFactory({ clock: ports.clock, bookkeeper, metadata });
  const ledger = await factory.open("public/default/persistent/t");
  const cursor = await ledger.openCursor("c", { initialPosition: "earliest" });
  for (let i = 0; i < 20; i++) await append(ledger, `before-${i}`);
  await ledger.rollover();
  await append(ledger, "open");

  const [leaving] = cluster.bookies as unknown as [(typeof cluster.bookies)[0]];
  expect(await ask("PUT", "/decommission", { bookie_src: leaving.id })).toEqual([
    200,
    `Success send decommission Bookie command ${leaving.id}`,
  ]);
  expect(cluster.bookies.map(({ id }) => id)).not.toContain(leaving.id);
  await vi.waitFor(async () => expect((await cluster?.recovery.progress())?.underReplicated).toEqual([]));
  for (const ledgerId of await bookkeeper.listLedgers()) {
    const { fragments } = (await bookkeeper.readMetadata(ledgerId)).metadata;
    expect(fragments.flatMap(({ bookies }) => bookies)).not.toContain(leaving.id);
  }
  await append(ledger, "after");
  const texts = (await cursor.read(100, 1_000_000)).map((entry) => new TextDecoder().decode(entry.data));
  expect(texts.at(0)).toBe("before-0");

  const [status, reason] = await ask("PUT", "/decommission", { bookie_src: cluster.bookies[0]?.id });
  expect([status, reason]).toEqual([409, expect.stringContaining("NotEnoughBookies")]);
  expect((await ask("PUT", "/decommission", { bookie_src: "nobody" }))[0]).toBe(409);
  expect((await ask("PUT", "/decommission", {}))[0]).toBe(400);
  await factory.close();
  bookkeeper.close();
});

it("who is the Auditor, what lacks copies and whether they are made is told and set", async () => {
  cluster = await startCluster({ runtime: runtime() });
  await vi.waitFor(async () => expect((await ask("GET", "/who_is_auditor"))[0]).toBe(200));
  expect(await ask("GET", "/list_under_replicated_ledger")).toEqual([
    404,
    expect.stringContaining("No under replicated"),
  ]);
  expect(await ask("PUT", "/trigger_audit")).toEqual([200, "Success to trigger audit."]);
  expect(await ask("PUT", "/status?enabled=false")).toEqual([200, '{"enabled":false}']);
  expect((await cluster.recovery.progress()).enabled).toBe(false);
  expect((await ask("PUT", "/status?enabled=perhaps"))[0]).toBe(400);
  expect(await ask("PUT", "/status?enabled=true")).toEqual([200, '{"enabled":true}']);
});

it("a bookie that nobody copies from does not wait for ever to leave; one that holds nothing leaves", async () => {
  const ports = runtime();
  cluster = await startCluster({ runtime: ports, bookies: 4, settings: { autoRecoveryDaemonEnabled: false } });
  const metadata = cluster.metadata.session();
  const bookkeeper = createBookKeeperClient({ ...ports, metadata, nodeId: "test" });
  const factory = createManagedLedgerFactory({ clock: ports.clock, bookkeeper, metadata });
  await append(await factory.open("public/default/persistent/t"), "x");
  const [ledgerId] = (await bookkeeper.listLedgers()) as [number];
  const holders = (await bookkeeper.readMetadata(ledgerId)).metadata.fragments.flatMap(({ bookies }) => bookies);
  const [holder] = holders as [string];
  await expect(cluster.recovery.decommission(holder)).rejects.toMatchObject({
    code: "DecommissionFailed",
    message: expect.stringContaining("autoRecoveryDaemonEnabled is off"),
  });
  expect(cluster.bookies.find(({ id }) => id === holder)?.bookie.readOnly).toBe(false);
  const idle = cluster.bookies.map(({ id }) => id).find((id) => !holders.includes(id)) as string;
  await cluster.recovery.decommission(idle);
  expect(cluster.bookies).toHaveLength(3);
  await factory.close();
  bookkeeper.close();
});
