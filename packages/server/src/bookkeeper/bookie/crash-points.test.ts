import { ManualClock } from "@pulsewire/runtime";
import { drainMicrotasks } from "@pulsewire/runtime/node";
import { createSimulation, type Simulation } from "@pulsewire/simulator";
import { expect, test } from "vitest";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import { CrashingDisk, type CrashPoint } from "./crashing-disk-fixture.ts";
import type { LedgersBefore } from "./deleted-ledgers.ts";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import type { IndexLevel } from "./location-index.ts";
import {
  add,
  copyOfIndex,
  entriesOf,
  entryOf,
  openMemoryIndex,
  textAt,
  textsFrom,
  textsOf,
} from "./storage-fixture.ts";

const NODE = "bookie";
const SETTINGS = { journalPreAllocSizeMB: 0.002, logSizeLimit: 2000, dbStorage_readAheadCacheBatchSize: 4 };

/** What the outside was told, and so has to hold. */
class Promises {
  readonly entries = new Map<string, string>();
  readonly fenced = new Set<number>();
  readonly deleted = new Set<number>();
  doubtIsOver = false;
}

/** What the machine had of it was lost before the test, and is given to it again. */
const LOST_LEDGER = 7;

interface Machine {
  simulation: Simulation;
  index: IndexLevel;
  damage: string[];
}

/** One process on the machine: opens the storage and works, until it is done or crashes. */
async function run(
  machine: Machine,
  point: CrashPoint | undefined,
  work: (storage: DiskLedgerStorage) => Promise<void>,
): Promise<{ operations: number; crashed: boolean }> {
  const { simulation, index } = machine;
  const disk = new CrashingDisk(simulation.diskOf(NODE), point, () => {
    simulation.crash(NODE);
    simulation.restart(NODE);
  });
  const onDamage = ({ file }: { file: string }): unknown => machine.damage.push(file);
  const clock = new ManualClock();
  const ledgersBefore = async (): Promise<LedgersBefore> => ({ ids: [LOST_LEDGER], lastId: -1 });
  const ended = DiskLedgerStorage.open({ disk, clock, index, settings: SETTINGS, onDamage, ledgersBefore }).then(work);
  const crashed = await Promise.race([ended.then(() => false), disk.crashed.then(() => true)]);
  return { operations: disk.operations, crashed };
}

/** A bit of everything; each promise is noted once it was made. */
function workload(promises: Promises): (storage: DiskLedgerStorage) => Promise<void> {
  return async (storage) => {
    const store = async (entries: readonly LedgerEntry[], recovery = false): Promise<void> => {
      const codes = await add(storage, entries, recovery);
      entries.forEach(({ ledgerId, entryId, payload }, i) => {
        const code = typeof codes === "string" ? codes : codes[i];
        if (code === "Ok") promises.entries.set(`${ledgerId}:${entryId}`, new TextDecoder().decode(payload));
      });
    };
    const text = "some payload ".repeat(10);
    await store(entriesOf(1, 0, 2, text));
    await Promise.all([store(entriesOf(2, 0, 1)), store(entriesOf(3, 0, 1, text)), store([entryOf(1, 3)])]);
    await storage.checkpoint();
    await Promise.all([store(entriesOf(1, 4, 8, text)), storage.fence(2)?.then(() => promises.fenced.add(2))]);
    const checkpoint = storage.checkpoint();
    await Promise.all([store([entryOf(3, 2)]), store([entryOf(2, 2)], true)]);
    await store(entriesOf(LOST_LEDGER, 0, 2), true);
    await Promise.all([checkpoint, storage.endDoubt(LOST_LEDGER, true)]);
    promises.doubtIsOver = true;
    promises.deleted.add(1);
    await storage.delete(1);
    await store(entriesOf(4, 0, 9, text));
    await storage.compact(0.9);
    await store([entryOf(4, 10), entryOf(3, 3)]);
    await storage.close();
  };
}

async function verify(storage: DiskLedgerStorage, promises: Promises, damage: readonly string[]): Promise<void> {
  expect(damage).toEqual([]);
  for (const [place, text] of promises.entries) {
    const [ledgerId, entryId] = place.split(":").map(Number) as [number, number];
    const found = await textAt(storage, ledgerId, entryId);
    // a deletion under way may have been done or not
    if (!promises.deleted.has(ledgerId) || found !== "NoSuchLedger")
      expect(`${place} ${found}`).toBe(`${place} ${text}`);
  }
  for (const ledgerId of promises.fenced) {
    expect(await add(storage, [entryOf(ledgerId, 50)])).toEqual(["LedgerFenced"]);
  }
  await verifyLostLedger(storage, promises);
  await add(storage, [entryOf(9, 0)]);
  expect(await textAt(storage, 9, 0)).toBe("9:0");
  await storage.checkpoint();
}

/** Once it is in no doubt it has all of the ledger, and its fence. */
async function verifyLostLedger(storage: DiskLedgerStorage, { doubtIsOver }: Promises): Promise<void> {
  if (doubtIsOver) expect(storage.isDoubtful(LOST_LEDGER)).toBe(false);
  if (storage.isDoubtful(LOST_LEDGER)) {
    expect(await textAt(storage, LOST_LEDGER, 3)).toBe("StorageFailed");
    return;
  }
  expect(await textsOf(storage, LOST_LEDGER, 0, 3)).toEqual([...textsFrom(LOST_LEDGER, 0, 2), "NoSuchEntry"]);
  expect(await add(storage, [entryOf(LOST_LEDGER, 3)])).toEqual(["LedgerFenced"]);
}

/** A machine on which a process ended without closing before: there is a journal file to replay and to remove. */
async function machineOf(seed: number, unsyncedLossProbability: number): Promise<Machine> {
  const disk = { unsyncedLossProbability, tornWriteProbability: 0.5 };
  const simulation = createSimulation({ seed, drain: drainMicrotasks, faults: { disk } });
  const machine: Machine = { simulation, index: await openMemoryIndex(), damage: [] };
  await run(machine, undefined, async (storage) => {
    await add(storage, entriesOf(1, 20, 25));
  });
  machine.index = await openMemoryIndex();
  return machine;
}

test.each([
  { loss: 0, index: "kept" },
  { loss: 1, index: "kept" },
  { loss: 0.5, index: "lost" },
] as const)(
  "a crash at any operation of the disk, unsynced data lost $loss, index $index: what was promised holds",
  async ({ loss, index }) => {
    const { operations } = await run(await machineOf(1, loss), undefined, workload(new Promises()));
    expect(operations).toBeGreaterThan(100);
    for (let operation = 0; operation < operations; operation++) {
      const when = operation % 2 === 0 ? "before" : "after";
      const machine = await machineOf(operation, loss);
      const promises = new Promises();
      const first = await run(machine, { operation, when }, workload(promises));
      expect(first.crashed).toBe(true);
      // and once more while it recovers, or soon after
      for (const again of [machine.simulation.random.integer(50), undefined, undefined]) {
        machine.index = index === "kept" ? await copyOfIndex(machine.index) : await openMemoryIndex();
        const point = again === undefined ? undefined : ({ operation: again, when: "after" } as const);
        await run(machine, point, (storage) => verify(storage, promises, machine.damage));
      }
    }
  },
  120_000,
);
