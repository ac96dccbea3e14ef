import type { Clock } from "@pulsewire/runtime";
import type { Simulation } from "@pulsewire/simulator";
import type { LedgersBefore } from "../../packages/server/src/bookkeeper/bookie/deleted-ledgers.ts";
import { DiskLedgerStorage } from "../../packages/server/src/bookkeeper/bookie/disk-ledger-storage.ts";
import type { IndexLevel } from "../../packages/server/src/bookkeeper/bookie/location-index.ts";
import type { Damage, StorageError } from "../../packages/server/src/bookkeeper/bookie/storage-error.ts";
import { copyOfIndex, openMemoryIndex } from "../../packages/server/src/bookkeeper/bookie/storage-fixture.ts";
import {
  type BookieSettings,
  parseBookieSettings,
} from "../../packages/server/src/bookkeeper/bookie/storage-settings.ts";

/** Small, so that a short run sees checkpoints, files that end, replays, and disks that are found to be full. */
export const BOOKIE_SETTINGS: BookieSettings = parseBookieSettings({
  flushInterval: 700,
  journalMaxSizeMB: 1,
  logSizeLimit: 20_000,
  dbStorage_writeCacheMaxSizeMb: 1,
  minorCompactionInterval: 3,
  majorCompactionInterval: 0,
  diskCheckInterval: 500,
});

/** A process that did not get as far as to serve closes its index. */
async function leftOf(index: IndexLevel): Promise<IndexLevel> {
  if (index.status !== "open") await index.open();
  return copyOfIndex(index);
}

export interface BookieDiskOptions {
  /** Of the bookie, and of its node. */
  id: string;
  simulation: Simulation;
  onDamage: (damage: Damage) => void;
  onError: (error: unknown) => void;
}

export interface BookieDiskOpening {
  /** Of the process that opens it. */
  clock: Clock;
  /** Whether the index survived; without it, it is made anew from the entry logs. */
  index: "kept" | "lost";
  ledgersBefore?: () => Promise<LedgersBefore>;
  /** Told once when the journal failed. */
  onFailed?: (error: StorageError) => void;
}

/** The simulated disk of one bookie, which its processes open one after the other: each ends by a crash of its node. */
export class BookieDisk {
  readonly #options: BookieDiskOptions;
  #index: IndexLevel | undefined;
  #failed = false;

  constructor(options: BookieDiskOptions) {
    this.#options = options;
  }

  /** The journal of the process that has it failed: only a restart helps. */
  get failed(): boolean {
    return this.#failed;
  }

  /** What the last process left, for the next one. A start that fails takes the index along. */
  async open({ clock, index, ledgersBefore, onFailed }: BookieDiskOpening): Promise<DiskLedgerStorage> {
    const { id, simulation, onDamage, onError } = this.#options;
    const before = index === "kept" ? this.#index : undefined;
    this.#index = undefined;
    const level = before === undefined ? await openMemoryIndex() : await leftOf(before);
    this.#failed = false;
    const storage = await DiskLedgerStorage.open({
      disk: simulation.diskOf(id),
      clock,
      index: level,
      settings: BOOKIE_SETTINGS,
      ...(ledgersBefore === undefined ? {} : { ledgersBefore }),
      onDamage,
      onFailed: (error) => {
        this.#failed = true;
        onFailed?.(error);
      },
      onError,
    });
    this.#index = level;
    return storage;
  }

  /** The next process finds nothing. */
  wipe(): void {
    this.#options.simulation.diskOf(this.#options.id).wipe();
    this.#index = undefined;
  }

  /** The next process makes the index anew. */
  loseIndex(): void {
    this.#index = undefined;
  }
}
