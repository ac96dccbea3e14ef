import { ManualClock } from "@pulsewire/runtime";
import { drainMicrotasks } from "@pulsewire/runtime/node";
import { createSimulation } from "@pulsewire/simulator";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CrashingDisk } from "./crashing-disk-fixture.ts";
import { DiskLedgerStorage } from "./disk-ledger-storage.ts";
import type { IndexLevel } from "./location-index.ts";
import { copyOfIndex, entryOf, openMemoryIndex, textAt } from "./storage-fixture.ts";

const SLOTS = 4;
const NODE = "bookie";

type Step =
  | { kind: "add"; slot: number; count: number; size: number; recovery: boolean }
  | { kind: "add-again"; slot: number; entryId: number }
  | { kind: "fence" | "delete"; slot: number }
  | { kind: "checkpoint" | "compact" | "settle" | "close" }
  | { kind: "crash"; index: "kept" | "lost" };

const slot = fc.nat(SLOTS - 1);
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("add" as const),
        slot,
        count: fc.integer({ min: 1, max: 12 }),
        size: fc.nat(400),
        recovery: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("add-again" as const), slot, entryId: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("fence" as const, "delete" as const), slot }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom("checkpoint" as const, "compact" as const, "settle" as const, "close" as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("crash" as const),
        index: fc.constantFrom("kept" as const, "lost" as const),
      }),
    },
  ),
  { maxLength: 60 },
);

/** A ledger as the one who uses the storage knows it. */
class ModelLedger {
  readonly ledgerId: number;
  nextEntryId = 0;
  /** Texts that were stored for certain, and those of which nobody knows. */
  readonly stored = new Map<number, string>();
  readonly possible = new Map<number, string>();
  fenced: "no" | "perhaps" | "yes" = "no";
  deleted: "perhaps" | "yes" | "no" = "no";

  constructor(ledgerId: number) {
    this.ledgerId = ledgerId;
  }
}

/** Drives a storage and a model of it side by side. Nothing is awaited unless a step says so. */
class Run {
  readonly #simulation;
  readonly #ledgers: ModelLedger[] = [];
  readonly #gone: ModelLedger[] = [];
  readonly #damage: string[] = [];
  readonly #wrong: string[] = [];
  readonly #clock = new ManualClock();
  #disk!: CrashingDisk;
  #index!: IndexLevel;
  #storage!: DiskLedgerStorage;
  #epoch = 0;

  constructor(seed: number) {
    const disk = { unsyncedLossProbability: 0.7, tornWriteProbability: 0.5 };
    this.#simulation = createSimulation({ seed, drain: drainMicrotasks, faults: { disk } });
    for (let i = 0; i < SLOTS; i++) this.#ledgers.push(new ModelLedger(i));
  }

  async open(index: IndexLevel): Promise<void> {
    this.#epoch++;
    this.#index = index;
    this.#disk = new CrashingDisk(this.#simulation.diskOf(NODE), undefined, () => {
      this.#simulation.crash(NODE);
      this.#simulation.restart(NODE);
    });
    this.#storage = await DiskLedgerStorage.open({
      disk: this.#disk,
      clock: this.#clock,
      index,
      settings: { journalPreAllocSizeMB: 0.002, logSizeLimit: 3000, dbStorage_readAheadCacheBatchSize: 5 },
      onDamage: ({ file }) => this.#damage.push(file),
    });
  }

  async step(step: Step): Promise<void> {
    if (step.kind === "add") this.#add(step.slot, step.count, step.size, step.recovery);
    else if (step.kind === "add-again") this.#addAgain(step.slot, step.entryId);
    else if (step.kind === "fence") this.#fence(step.slot);
    else if (step.kind === "delete") this.#delete(step.slot);
    else if (step.kind === "settle") await this.#clock.settle();
    // both are ended by a crash, perhaps
    else if (step.kind === "checkpoint") void this.#storage.checkpoint();
    else if (step.kind === "compact") void this.#storage.compact(0.7);
    else if (step.kind === "crash") await this.#crash(step.index);
    else await this.#reopen();
  }

  async verify(): Promise<void> {
    expect(this.#damage).toEqual([]);
    expect(this.#wrong).toEqual([]);
    for (const ledger of [...this.#ledgers, ...this.#gone]) await this.#verifyLedger(ledger);
  }

  async #reopen(): Promise<void> {
    await this.#clock.settle();
    await this.#storage.checkpoint();
    const index = await copyOfIndex(this.#index);
    await this.#storage.close();
    await this.open(index);
    await this.verify();
  }

  async #crash(index: "kept" | "lost"): Promise<void> {
    this.#disk.crash();
    await this.open(index === "kept" ? await copyOfIndex(this.#index) : await openMemoryIndex());
    await this.verify();
  }

  #add(at: number, count: number, size: number, recovery: boolean): void {
    const ledger = this.#ledgers[at] as ModelLedger;
    for (let i = 0; i < count; i++) this.#addOne(ledger, ledger.nextEntryId++, size, recovery);
  }

  #addAgain(at: number, entryId: number): void {
    const ledger = this.#ledgers[at] as ModelLedger;
    if (entryId < ledger.nextEntryId) this.#addOne(ledger, entryId, 10, true);
  }

  #addOne(ledger: ModelLedger, entryId: number, size: number, recovery: boolean): void {
    // an entry is the same whoever adds it
    const known = ledger.possible.get(entryId) ?? ledger.stored.get(entryId);
    const text = known ?? `${ledger.ledgerId}:${entryId}${"x".repeat(size)}`;
    ledger.possible.set(entryId, text);
    const [epoch, fenced] = [this.#epoch, ledger.fenced];
    this.#storage.add([entryOf(ledger.ledgerId, entryId, text)], recovery, {
      onStored: (codes) => {
        const code = typeof codes === "string" ? codes : codes[0];
        if (epoch !== this.#epoch) return;
        if (code === "Ok") ledger.stored.set(entryId, text);
        const wanted = !recovery && fenced === "yes" ? "LedgerFenced" : "Ok";
        const certain = fenced !== "perhaps" && ledger.deleted === "no";
        if (certain && code !== wanted) this.#wrong.push(`add of ${ledger.ledgerId}:${entryId}: ${code}`);
      },
    });
  }

  #fence(at: number): void {
    const ledger = this.#ledgers[at] as ModelLedger;
    if (ledger.fenced === "no") ledger.fenced = "perhaps";
    const epoch = this.#epoch;
    const done = this.#storage.fence(ledger.ledgerId);
    void done?.then(() => {
      if (epoch === this.#epoch) ledger.fenced = "yes";
    });
  }

  /** The slot goes on with a ledger of another number: numbers are never used again. */
  #delete(at: number): void {
    const ledger = this.#ledgers[at] as ModelLedger;
    this.#ledgers[at] = new ModelLedger(ledger.ledgerId + SLOTS);
    this.#gone.push(ledger);
    ledger.deleted = "perhaps";
    const epoch = this.#epoch;
    const known = ledger.stored.size + ledger.possible.size > 0 || ledger.fenced !== "no";
    const done = this.#storage.delete(ledger.ledgerId);
    if (!known) ledger.deleted = "yes";
    void done?.then(() => {
      if (epoch === this.#epoch) ledger.deleted = "yes";
    });
  }

  async #verifyLedger(ledger: ModelLedger): Promise<void> {
    const { ledgerId, stored, possible } = ledger;
    for (let entryId = 0; entryId <= ledger.nextEntryId; entryId++) {
      const allowed: string[] = [];
      if (ledger.deleted !== "no") allowed.push("NoSuchLedger");
      if (ledger.deleted !== "yes") {
        const certain = stored.get(entryId);
        allowed.push(...(certain === undefined ? ["NoSuchEntry", "NoSuchLedger"] : [certain]));
        const perhaps = possible.get(entryId);
        if (perhaps !== undefined) allowed.push(perhaps);
      }
      expect(allowed, `${ledgerId}:${entryId}`).toContain(await textAt(this.#storage, ledgerId, entryId));
    }
  }
}

const add = { kind: "add", slot: 0, count: 1, size: 0, recovery: false } as const;
const crash = { kind: "crash", index: "kept" } as const;

/** What failed once. */
const FOUND: [number, Step[]][] = [
  // a journal that the first crash left unsynced was read, and not synced before the second took it
  [-283230165, [add, add, { kind: "checkpoint" }, crash, crash]],
];

test("the storage does what a table of entries does, through crashes, restarts, checkpoints and compaction", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), steps, async (seed, sequence) => {
      const run = new Run(seed);
      await run.open(await openMemoryIndex());
      for (const step of sequence) await run.step(step);
      await run.verify();
    }),
    { numRuns: 150, examples: FOUND },
  );
}, 120_000);
