import type { Random } from "@pulsewire/runtime";
import type { ClusterOptions } from "@pulsewire/server";
import type { DiskFaults, Simulation } from "@pulsewire/simulator";
import { DiskUsageMonitor } from "../../packages/server/src/bookkeeper/bookie/disk-usage-monitor.ts";
import { BOOKIE_SETTINGS, BookieDisk } from "./bookie-disk.ts";

type StorageFor = NonNullable<ClusterOptions["storageFor"]>;

/** That a crash takes the index along, which is then made anew. */
const INDEX_LOST_PROBABILITY = 0.3;

/** The simulated disks of a cluster's bookies: each process of a bookie opens what the one before it left there. */
export class ClusterDisks {
  /** Parts of files that could not be read: with the bookie's name, one line each. */
  readonly damage: { bookie: string; what: string }[] = [];
  readonly #simulation: Simulation;
  readonly #random: Random;
  readonly #disks = new Map<string, BookieDisk>();
  readonly #calm: Partial<DiskFaults>;

  /** @param calm What is wrong with disks while nothing else is: how long they take, and what crashes take from them. */
  constructor(simulation: Simulation, random: Random, calm: Partial<DiskFaults>) {
    this.#simulation = simulation;
    this.#random = random;
    this.#calm = calm;
  }

  /** The cluster's option. */
  readonly storageFor: StorageFor = async (id, { clock, ledgersBefore, wipe }) => {
    const disk = this.#diskOf(id);
    if (wipe) disk.wipe();
    let monitor: DiskUsageMonitor | undefined;
    const damagesBefore = this.damage.length;
    const index = this.#random.float() < INDEX_LOST_PROBABILITY ? "lost" : "kept";
    const onFailed = (): void => monitor?.storageFailed();
    const storage = await disk.open({ clock, index, ledgersBefore, onFailed });
    const damage = this.damage.slice(damagesBefore).filter(({ bookie }) => bookie === id);
    return {
      storage,
      damagedFiles: damage.map(({ what }) => what),
      watch: (bookie) => {
        const settings = BOOKIE_SETTINGS;
        const onError = this.#noting(id);
        monitor = new DiskUsageMonitor({ clock, disk: this.#simulation.diskOf(id), bookie, settings, onError });
        if (disk.failed) monitor.storageFailed();
        else monitor.check();
        return monitor;
      },
    };
  };

  /** The node of a bookie whose process was killed ends: nothing that it had under way happens any more. */
  crash(id: string): void {
    this.#simulation.crash(id);
  }

  /** Makes room for the bookie's next process. */
  restart(id: string): void {
    if (this.#simulation.stateOf(id) === "crashed") this.#simulation.restart(id);
  }

  /** Bookies whose journal failed: only a restart helps. */
  get failed(): string[] {
    return [...this.#disks].filter(([, disk]) => disk.failed).map(([id]) => id);
  }

  /** What may be changed for a while of a bookie's disk. */
  faultsOf(id: string): DiskFaults {
    return this.#simulation.diskOf(id).faults;
  }

  /** So much of a fault of a disk is over. */
  calm(id: string, what: keyof DiskFaults): void {
    this.faultsOf(id)[what] = this.#calm[what] ?? 0;
  }

  /** Faults that happened at crashes, by kind. */
  get losses(): Record<string, number> {
    const all = [...this.#disks.keys()].map((id) => this.#simulation.diskOf(id).losses);
    const sum = (what: "files" | "torn" | "names"): number => all.reduce((so, losses) => so + losses[what], 0);
    return { unsyncedBytesLost: sum("files"), writeTorn: sum("torn"), unsyncedNameLost: sum("names") };
  }

  #diskOf(id: string): BookieDisk {
    let disk = this.#disks.get(id);
    if (disk === undefined) {
      disk = new BookieDisk({
        id,
        simulation: this.#simulation,
        onDamage: ({ file, fromOffset, toOffset, detail }) => {
          this.damage.push({ bookie: id, what: `${id}: ${file} ${fromOffset}-${toOffset}: ${detail}` });
          this.#simulation.trace.note(id, `damage: ${file} ${fromOffset}-${toOffset}: ${detail}`);
        },
        onError: this.#noting(id),
      });
      this.#disks.set(id, disk);
    }
    return disk;
  }

  #noting(id: string): (error: unknown) => void {
    return (error) => this.#simulation.trace.note(id, `housekeeping: ${String(error)}`);
  }
}
