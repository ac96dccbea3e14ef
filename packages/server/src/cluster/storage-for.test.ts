import { createMemoryDisk, createMemoryMessenger, createMemoryNetwork, createSeededRandom } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { afterEach, expect, it } from "vitest";
import { DiskLedgerStorage } from "../bookkeeper/bookie/disk-ledger-storage.ts";
import { add, entryOf, openMemoryIndex, textAt } from "../bookkeeper/bookie/storage-fixture.ts";
import { MetadataError } from "../metadata/index.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import type { BookieOpening, BookieStorage, ClusterOptions } from "./cluster-options.ts";

let cluster: Cluster | undefined;
afterEach(() => cluster?.close());

/** Bookies whose disks outlive their processes: what each process opened, and what it was told. */
class Disks {
  readonly opened: { id: string; wipe: boolean; storage: DiskLedgerStorage }[] = [];
  readonly watched: string[] = [];
  readonly #disks = new Map<string, ReturnType<typeof createMemoryDisk>>();

  readonly storageFor = async (id: string, { clock, ledgersBefore, wipe }: BookieOpening): Promise<BookieStorage> => {
    const disk = (wipe ? undefined : this.#disks.get(id)) ?? createMemoryDisk();
    this.#disks.set(id, disk);
    const storage = await DiskLedgerStorage.open({ disk, clock, index: await openMemoryIndex(), ledgersBefore });
    this.opened.push({ id, wipe, storage });
    const watch = (): Disposable => {
      this.watched.push(id);
      return { [Symbol.dispose]: () => undefined };
    };
    return { storage, damagedFiles: [], watch };
  };
}

async function start(options: ClusterOptions): Promise<Cluster> {
  const memory = { network: createMemoryNetwork(), messenger: createMemoryMessenger(), random: createSeededRandom(1) };
  cluster = await startCluster({ runtime: { ...createNodeRuntime(), ...memory }, bookies: 1, ...options });
  return cluster;
}

const ID = "127.0.0.1:3181";

it("each process of a bookie opens what the one before it left on its disk", async () => {
  const disks = new Disks();
  const { faults, bookies } = await start({ storageFor: disks.storageFor });
  await add((bookies[0] as (typeof bookies)[0]).bookie.storage, [entryOf(7, 0)]);
  await faults.bookie(0).restart();
  expect(disks.opened.map(({ id, wipe }) => [id, wipe])).toEqual([
    [ID, false],
    [ID, false],
  ]);
  const { bookie } = bookies[0] as (typeof bookies)[0];
  expect(bookie.storage).toBe(disks.opened[1]?.storage);
  expect(await textAt(bookie.storage, 7, 0)).toBe("7:0");
  expect(disks.watched).toEqual([ID, ID]);
});

it("one that is wiped opens an empty disk, and knows which ledgers it lost", async () => {
  const disks = new Disks();
  const errors: unknown[] = [];
  const { faults, bookies, metadata } = await start({
    storageFor: disks.storageFor,
    onError: (error) => errors.push(error),
  });
  const ledger = { state: "OPEN", ensembleSize: 1, writeQuorum: 1, ackQuorum: 1 };
  const stored = { ...ledger, fragments: [{ firstEntryId: 0, bookies: [ID] }] };
  const session = metadata.session();
  await session.put("/ledgers/00/0000/L0007", new TextEncoder().encode(JSON.stringify(stored)));
  await faults.bookie(0).restart({ wipe: true });
  expect(disks.opened.at(-1)?.wipe).toBe(true);
  expect(await textAt((bookies[0] as (typeof bookies)[0]).bookie.storage, 7, 0)).toBe("StorageFailed");
  expect(errors.map(String)).toEqual([expect.stringContaining("has nothing of the 1 ledgers")]);
});

it("lets go of what was opened for a process that could not register", async () => {
  const disks = new Disks();
  let away = false;
  const { faults, bookies } = await start({
    storageFor: disks.storageFor,
    metadataFor: (session) => ({
      sessionId: session.sessionId,
      get: (key) => session.get(key),
      exists: (key) => session.exists(key),
      put: (key, value, options) =>
        away ? Promise.reject(new MetadataError("Unavailable", "away")) : session.put(key, value, options),
      delete: (key, version) => session.delete(key, version),
      children: (key) => session.children(key),
      nextSequence: (key) => session.nextSequence(key),
      watch: (prefix, listener) => session.watch(prefix, listener),
      onSessionExpired: (listener) => session.onSessionExpired(listener),
      close: () => session.close(),
    }),
  });
  away = true;
  await expect(faults.bookie(0).restart()).rejects.toMatchObject({ code: "Unavailable" });
  const left = disks.opened[1]?.storage as DiskLedgerStorage;
  expect(await add(left, [entryOf(1, 0)])).toBe("StorageFailed");
  away = false;
  await faults.bookie(0).restart();
  expect((bookies[0] as (typeof bookies)[0]).bookie.storage).toBe(disks.opened[2]?.storage);
});
