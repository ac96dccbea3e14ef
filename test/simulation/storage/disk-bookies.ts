import type { Simulation } from "@pulsewire/simulator";
import { type Bookie, startBookie } from "../../../packages/server/src/bookkeeper/index.ts";
import type { MemoryMetadata } from "../../../packages/server/src/metadata/index.ts";
import { BookieDisk } from "../bookie-disk.ts";
import { metadataLink } from "../simulated-cluster.ts";

/** Between two looks of a bookie for ledgers that were deleted, in ms. */
const GC_MS = 1_500;

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
  readonly #disk: BookieDisk;
  #bookie: Bookie | undefined;

  constructor(options: DiskBookieOptions) {
    this.id = options.id;
    this.#options = options;
    const { id, simulation, onDamage, onError } = options;
    this.#disk = new BookieDisk({
      id,
      simulation,
      onDamage: ({ file, fromOffset, toOffset, detail }) =>
        onDamage(`${id}: ${file} ${fromOffset}-${toOffset}: ${detail}`),
      onError,
    });
  }

  /** Undefined while it is down. */
  get bookie(): Bookie | undefined {
    return this.#bookie;
  }

  /** Its journal failed: only a restart helps. */
  get failed(): boolean {
    return this.#disk.failed;
  }

  /** @param index Whether the index survived; without it, it is made anew. */
  async start(index: "kept" | "lost" = "kept"): Promise<void> {
    const { id, simulation, metadata, onError } = this.#options;
    const { clock, messenger } = simulation.runtimeFor(id);
    const storage = await this.#disk.open({ clock, index });
    const session = metadataLink(simulation)(metadata.session({ clock }), id);
    try {
      this.#bookie = await startBookie({
        id,
        messenger,
        metadata: session,
        storage,
        clock,
        gcWaitTimeMs: GC_MS,
        onError,
      });
    } catch (error) {
      this.#disk.loseIndex();
      throw error;
    }
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
