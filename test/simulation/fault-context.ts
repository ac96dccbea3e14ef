import type { Random } from "@pulsewire/runtime";
import type { Cluster } from "@pulsewire/server";
import type { Simulation } from "@pulsewire/simulator";
import type { ClusterDisks } from "./cluster-disks.ts";
import { sleep } from "./producing.ts";
import type { TransientTopics } from "./transient-topics.ts";

export interface FaultContext {
  simulation: Simulation;
  cluster: Cluster;
  random: Random;
  clients: readonly string[];
  topics: readonly string[];
  /** Nodes whose process is gone and will be started again. */
  down: Set<string>;
  /** Of brokers, until now. */
  crashes: { count: number };
  /** Topics that come and go. */
  transient: TransientTopics;
  /** How many zones bookies are dealt out to. */
  zones: number;
  /** Whether one bookie may lose what it confirmed: every entry that counts has another copy. */
  mayHarm: boolean;
  /** The one bookie that lost something: what a second one loses before it was copied again is lost. */
  harmed: string | undefined;
  /** The disks of bookies; undefined where they keep entries in memory. */
  disks: ClusterDisks | undefined;
  /** Between two faults, on average, in ms. */
  everyMs: number;
}

/** Something that goes wrong for a while: resolves when it is over. */
export type Fault = (context: FaultContext, durationMs: number) => Promise<void>;

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}

/** A bookie that no other fault has in its hands. */
export function pickBookie({ cluster, random, simulation }: FaultContext): string | undefined {
  const running = cluster.bookies.map(({ id }) => id).filter((id) => simulation.stateOf(id) === "running");
  return running.length === 0 ? undefined : pick(random, running);
}

/** A process that does not start, for want of metadata or by its disk, is started again. */
export async function untilDone({ simulation }: FaultContext, start: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await start();
      return;
    } catch (error) {
      simulation.trace.note("faults", `does not start: ${String(error)}`);
      await sleep(simulation.clock, 500);
    }
  }
}

/** Bookies' processes end, and are started again after a while. */
export async function bookiesDown(
  context: FaultContext,
  bookies: readonly string[],
  durationMs: number,
  wipe = false,
): Promise<void> {
  const { cluster, simulation, down, disks } = context;
  const hit = bookies.filter((id) => !down.has(id) && simulation.stateOf(id) === "running");
  for (const id of hit) {
    down.add(id);
    cluster.faults.bookie(id).kill();
    disks?.crash(id);
  }
  await sleep(simulation.clock, durationMs);
  for (const id of hit) {
    await untilDone(context, () => startedAgain(context, id, wipe));
    down.delete(id);
  }
}

async function startedAgain({ cluster, disks }: FaultContext, id: string, wipe: boolean): Promise<void> {
  disks?.restart(id);
  try {
    await cluster.faults.bookie(id).restart({ wipe });
  } catch (error) {
    disks?.crash(id);
    throw error;
  }
}
