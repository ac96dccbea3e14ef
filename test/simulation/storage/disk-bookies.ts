import type { Simulation } from "@pulsewire/simulator";
import { MemoryLevel } from "memory-level";
import { DiskLedgerStorage } from "../../../packages/server/src/bookkeeper/bookie/disk-ledger-storage.ts";
import type { IndexLevel } from "../../../packages/server/src/bookkeeper/bookie/location-index.ts";
import type { BookieSettings } from "../../../packages/server/src/bookkeeper/bookie/storage-settings.ts";
import { type Bookie, startBookie } from "../../../packages/server/src/bookkeeper/index.ts";
import type { MemoryMetadata } from "../../../packages/server/src/metadata/index.ts";
import { metadataLink } from "../simulated-cluster.ts";

/** Small, so that a short run sees checkpoints, files that end, and replays. */
const SETTINGS: Partial<BookieSettings> = {
  flushInterval: 700,
  journalMaxSizeMB: 1,
  logSizeLimit: 20_000,
  dbStorage_writeCacheMaxSizeMb: 1,
  minorCompactionInterval: 3,
  majorCompactionInterval: 0,
};

/** Between two looks of a bookie for ledgers that were deleted, in ms. */
const GC_MS = 1_500;

async function openIndex(): Promise<IndexLevel> {
  const level = new MemoryLevel<Uint8Array, Uint8Array>({
    keyEncoding: "view",
    valueEncoding: "view",
    storeEncoding: "view",
  });
  await level.open();
  return level;
}

/** What the database has after a crash: what was written in batches that were synced, which is all of it. */
async function copyOf(index: IndexLevel): Promise<IndexLevel> {
  const copy = await openIndex();
  for await (const [key, value] of index.iterator()) await copy.put(key, value);
  return copy;
}

export interface DiskBookieOptions {
  id: string;
  simulation: Simulation;
  metadata: MemoryMetadata;
  onDamage: (what: string) => void;
  onError: (error: unknown) => void;
}

/** A bookie on a simulated disk, which crashes and comes back with what that kept. */
export class DiskBookie {
  readonly id: string;
  readonly #options: DiskBookieOptions;
  #index: IndexLevel | undefined;
  #bookie: Bookie | undefined;
  #failed = false;

  constructor(options: DiskBookieOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /** Undefined while it is down. */
  get bookie(): Bookie | undefined {
    return this.#bookie;
  }

  /** Its journal failed: only a restart helps. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @param index Whether the index survived; without it, it is made anew. */
  async start(index: "kept" | "lost" = "kept"): Promise<void> {
    const { id, simulation, metadata, onDamage, onError } = this.#options;
    const { clock, messenger, disk } = simulation.runtimeFor(id);
    const before = index === "kept" ? this.#index : undefined;
    // a start that fails takes its index along
    this.#index = undefined;
    const level = before === undefined ? await openIndex() : await copyOf(before);
    this.#failed = false;
    const storage = await DiskLedgerStorage.open({
      disk,
      clock,
      index: level,
      settings: SETTINGS,
      onDamage: ({ file, fromOffset, toOffset, detail }) =>
        onDamage(`${id}: ${file} ${fromOffset}-${toOffset}: ${detail}`),
      onFailed: () => {
        this.#failed = true;
      },
      onError,
    });
    const session = metadataLink(simulation)(metadata.session({ clock }), id);
    this.#bookie = await startBookie({
      id,
      messenger,
      metadata: session,
      storage,
      clock,
      gcWaitTimeMs: GC_MS,
      onError,
    });
    this.#index = level;
  }

  /** Ends at once. */
  crash(): void {
    this.#bookie = undefined;
    this.#options.simulation.crash(this.id);
  }

  async restart(index: "kept" | "lost" = "kept"): Promise<void> {
    const { simulation } = this.#options;
    simulation.restart(this.id);
    await this.start(index);
  }
}
