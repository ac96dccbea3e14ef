import type { DiskFaults } from "@pulsewire/simulator";
import { bookiesDown, type Fault, type FaultContext, pick, pickBookie } from "./fault-context.ts";
import { sleep } from "./producing.ts";

/** How long an operation of a disk takes at most: so long after a fault of one its journal may still fail. */
const OPERATION_MS_MAX = 1_000;

/** As whoever watches the processes would: a bookie whose journal failed is started again. */
export async function restartFailed(context: FaultContext): Promise<void> {
  const { simulation, disks } = context;
  await sleep(simulation.clock, OPERATION_MS_MAX);
  for (let failed = disks?.failed ?? []; failed.length > 0; failed = disks?.failed ?? []) {
    await bookiesDown(context, failed, 10);
    // one that stands still, or is down already, has its turn
    await sleep(simulation.clock, 200);
  }
}

function failing(what: keyof DiskFaults): Fault {
  return async (context, durationMs) => {
    const { simulation, cluster, random, disks } = context;
    if (disks === undefined) return;
    const { id } = pick(random, cluster.bookies);
    disks.faultsOf(id)[what] = 0.2;
    await sleep(simulation.clock, durationMs);
    disks.calm(id, what);
    await restartFailed(context);
  };
}

/** What goes wrong with the disks of bookies, besides what crashes take from them. */
export const DISK_FAULTS: Readonly<Record<string, Fault>> = {
  powerCut: async (context, durationMs) => {
    const { simulation, cluster, random, disks } = context;
    const ids = cluster.bookies.map(({ id }) => id);
    // the longer a sync takes, the more there is that is lost
    for (const id of ids) if (disks !== undefined) disks.faultsOf(id).syncMsMax = 400;
    await sleep(simulation.clock, random.float() * 800);
    for (const id of ids) disks?.calm(id, "syncMsMax");
    await bookiesDown(context, ids, durationMs / 4);
  },
  diskSlow: async ({ simulation, cluster, random, disks }, durationMs) => {
    if (disks === undefined) return;
    const { id } = pick(random, cluster.bookies);
    disks.faultsOf(id).syncMsMax = 500;
    await sleep(simulation.clock, durationMs);
    disks.calm(id, "syncMsMax");
  },
  diskFull: async (context, durationMs) => {
    const { simulation, cluster, random, disks } = context;
    if (disks === undefined) return;
    const { id } = pick(random, cluster.bookies);
    const { usedBytes } = await simulation.diskOf(id).usage();
    disks.faultsOf(id).sizeBytesMax = usedBytes + random.integer(20_000);
    await sleep(simulation.clock, durationMs);
    disks.calm(id, "sizeBytesMax");
    await restartFailed(context);
  },
  diskSyncFails: failing("syncErrorProbability"),
  diskWriteFails: failing("writeErrorProbability"),
  diskReadFails: failing("readErrorProbability"),
  bitsFlip: async (context) => {
    const { simulation, random, disks, mayHarm } = context;
    const bookie = context.harmed ?? pickBookie(context);
    if (disks === undefined || bookie === undefined || !mayHarm) return;
    const disk = simulation.diskOf(bookie);
    const logs = [...disk.files].filter(([path, bytes]) => path.startsWith("entry-logs/") && bytes > 0);
    if (logs.length === 0) return;
    context.harmed = bookie;
    const [path, bytes] = pick(random, logs);
    disk.corrupt(path, random.integer(8 * bytes));
  },
};
