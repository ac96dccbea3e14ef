import type { Random } from "@pulsewire/runtime";
import { sleep } from "../producing.ts";
import { METADATA } from "../simulated-cluster.ts";
import type { DiskBookie } from "./disk-bookies.ts";
import { ORPHAN_GRACE_MS, type StorageWorld } from "./storage-world.ts";

/** Something that goes wrong for a while: resolves when it is over. */
type Fault = (world: StorageWorld, random: Random, durationMs: number) => Promise<void>;

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}

function running(world: StorageWorld, random: Random): DiskBookie | undefined {
  const up = world.bookies.filter(
    ({ id, bookie }) => bookie !== undefined && world.simulation.stateOf(id) === "running",
  );
  return up.length === 0 ? undefined : pick(random, up);
}

/** A start that fails, for want of metadata or by its disk, is tried again, as whoever watches the process would. */
async function restart({ simulation }: StorageWorld, random: Random, bookie: DiskBookie): Promise<void> {
  for (;;) {
    const index = random.float() < 0.3 ? "lost" : "kept";
    try {
      await bookie.restart(index);
      simulation.trace.note(bookie.id, `is back, its index ${index}`);
      return;
    } catch (error) {
      simulation.trace.note(bookie.id, `does not start: ${String(error)}`);
      bookie.crash();
      await sleep(simulation.clock, 500);
    }
  }
}

async function crashed(
  world: StorageWorld,
  random: Random,
  bookies: readonly DiskBookie[],
  durationMs: number,
): Promise<void> {
  const hit = bookies.filter(({ id, bookie }) => bookie !== undefined && world.simulation.stateOf(id) !== "crashed");
  for (const bookie of hit) bookie.crash();
  await sleep(world.simulation.clock, durationMs);
  await Promise.all(hit.map((bookie) => restart(world, random, bookie)));
}

async function apart(world: StorageWorld, random: Random, a: string, b: string, durationMs: number): Promise<void> {
  const { links, clock } = world.simulation;
  const way = pick(random, ["both", "there", "back"]);
  if (way !== "back") links.block(a, b);
  if (way !== "there") links.block(b, a);
  await sleep(clock, durationMs);
  links.heal(a, b);
}

async function standingStill({ simulation }: StorageWorld, node: string, durationMs: number): Promise<void> {
  if (simulation.stateOf(node) !== "running") return;
  simulation.pause(node);
  await sleep(simulation.clock, durationMs);
  if (simulation.stateOf(node) === "paused") simulation.resume(node);
}

function takeOver(world: StorageWorld, random: Random, not?: string): void {
  const others = world.ownerNames.filter((name) => name !== not && world.simulation.stateOf(name) === "running");
  if (others.length > 0) world.takeOver(pick(random, others), pick(random, world.plan.logs));
}

const FAULTS: Readonly<Record<string, Fault>> = {
  ownerChanged: async (world, random) => takeOver(world, random),
  ownersRace: async (world, random) => {
    const log = pick(random, world.plan.logs);
    for (const node of world.ownerNames) if (world.simulation.stateOf(node) === "running") world.takeOver(node, log);
  },
  ownerPaused: async (world, random, durationMs) => {
    const node = pick(random, world.ownerNames);
    const still = standingStill(world, node, durationMs);
    takeOver(world, random, node);
    await still;
  },
  ownerCrashed: async (world, random, durationMs) => {
    const node = pick(random, world.ownerNames);
    if (world.simulation.stateOf(node) === "crashed") return;
    world.crashOwner(node);
    for (const log of world.plan.logs) {
      const others = world.ownerNames.filter((name) => world.simulation.stateOf(name) === "running");
      if (others.length > 0) world.takeOver(pick(random, others), log);
    }
    await sleep(world.simulation.clock, durationMs);
    world.simulation.restart(node);
  },
  listsLate: async (world, random, durationMs) => {
    const node = pick(random, world.ownerNames);
    world.listsLateMs.set(node, ORPHAN_GRACE_MS / 2 + random.integer(2 * ORPHAN_GRACE_MS));
    if (world.simulation.stateOf(node) === "running") world.takeOver(node, pick(random, world.plan.logs));
    await sleep(world.simulation.clock, ORPHAN_GRACE_MS + durationMs);
    world.listsLateMs.delete(node);
  },
  ownerCutOff: async (world, random, durationMs) => {
    const node = pick(random, world.ownerNames);
    await apart(world, random, node, pick(random, world.bookies).id, durationMs);
  },
  cutOffAndTakenOver: async (world, random, durationMs) => {
    const [node, bookie] = [pick(random, world.ownerNames), pick(random, world.bookies).id];
    const over = apart(world, random, node, bookie, durationMs);
    await sleep(world.simulation.clock, random.float() * 200);
    takeOver(world, random);
    await over;
  },
  bookieCrashed: async (world, random, durationMs) => {
    const bookie = running(world, random);
    if (bookie !== undefined) await crashed(world, random, [bookie], durationMs);
  },
  powerCut: (world, random, durationMs) => crashed(world, random, world.bookies, durationMs / 4),
  crashInTakeover: async (world, random) => {
    const { simulation, bookies } = world;
    const zombie = pick(random, world.ownerNames);
    const before = bookies.map(({ id }) => simulation.diskOf(id).faults.syncMsMax);
    for (const { id } of bookies) simulation.diskOf(id).faults.syncMsMax = 400;
    const still = standingStill(world, zombie, 1_500);
    takeOver(world, random, zombie);
    await sleep(simulation.clock, random.float() * 800);
    for (const [i, { id }] of bookies.entries()) simulation.diskOf(id).faults.syncMsMax = before[i] as number;
    await crashed(world, random, bookies, 300);
    await still;
  },
  bookiePaused: async (world, random, durationMs) => {
    const bookie = running(world, random);
    if (bookie !== undefined) await standingStill(world, bookie.id, durationMs);
  },
  bookieSlow: async ({ simulation, bookies }, random, durationMs) => {
    const { id } = pick(random, bookies);
    simulation.links.slow(id, 5 + random.integer(300));
    await sleep(simulation.clock, durationMs);
    simulation.links.slow(id, 0);
  },
  diskSlow: async ({ simulation, bookies }, random, durationMs) => {
    const { faults } = simulation.diskOf(pick(random, bookies).id);
    const before = faults.syncMsMax;
    faults.syncMsMax = 500;
    await sleep(simulation.clock, durationMs);
    faults.syncMsMax = before;
  },
  diskFull: async (world, random, durationMs) => {
    const bookie = pick(random, world.bookies);
    const disk = world.simulation.diskOf(bookie.id);
    disk.faults.sizeBytesMax = (await disk.usage()).usedBytes + random.integer(2_000);
    await sleep(world.simulation.clock, durationMs);
    disk.faults.sizeBytesMax = 0;
    if (bookie.failed && bookie.bookie !== undefined) await crashed(world, random, [bookie], 10);
  },
  diskFails: async (world, random, durationMs) => {
    const bookie = pick(random, world.bookies);
    const { faults } = world.simulation.diskOf(bookie.id);
    const what = pick(random, ["syncErrorProbability", "writeErrorProbability", "readErrorProbability"] as const);
    faults[what] = 0.2;
    await sleep(world.simulation.clock, durationMs);
    faults[what] = 0;
    if (bookie.failed && bookie.bookie !== undefined) await crashed(world, random, [bookie], 10);
  },
  bitsFlip: async (world, random) => {
    const { rotting } = world.plan;
    if (rotting === undefined) return;
    const disk = world.simulation.diskOf(`bookie-${rotting}`);
    const logs = [...disk.files].filter(([path, bytes]) => path.startsWith("entry-logs/") && bytes > 0);
    if (logs.length === 0) return;
    const [path, bytes] = pick(random, logs);
    disk.corrupt(path, random.integer(8 * bytes));
  },
  metadataCutOff: async (world, random, durationMs) => {
    await apart(world, random, pick(random, world.ownerNames), METADATA, durationMs);
  },
  metadataAway: async ({ simulation, metadata }, _random, durationMs) => {
    metadata.available = false;
    await sleep(simulation.clock, durationMs);
    metadata.available = true;
  },
  answersLost: async ({ simulation }, _random, durationMs) => {
    simulation.remoteFaults.answerLossProbability = 0.2;
    await sleep(simulation.clock, durationMs);
    simulation.remoteFaults.answerLossProbability = 0;
  },
};

/** How long a fault lasts at most, in ms: shorter than a session of the metadata store. */
const FAULT_MS_MAX = 8_000;

/** Lets things go wrong until it is stopped. */
export class StorageFaults {
  readonly #world: StorageWorld;
  readonly #random: Random;
  readonly #going = new Set<Promise<void>>();
  /** How often each kind of fault was begun. */
  readonly counts: Record<string, number> = {};
  #stopped = false;

  constructor(world: StorageWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async run(): Promise<void> {
    const { simulation, plan } = this.#world;
    while (!this.#stopped) {
      await sleep(simulation.clock, this.#random.float() * 2 * plan.faultEveryMs);
      if (!this.#stopped) this.#start(pick(this.#random, Object.keys(FAULTS)));
    }
    await Promise.all(this.#going);
    // one that failed while it started is nobody's so far
    const failed = this.#world.bookies.filter((bookie) => bookie.failed);
    await crashed(this.#world, this.#random, failed, 10);
  }

  stop(): void {
    this.#stopped = true;
  }

  #start(what: string): void {
    const { simulation } = this.#world;
    const random = this.#random;
    const durationMs = random.float() < 0.7 ? random.float() * 1_500 : random.float() * FAULT_MS_MAX;
    simulation.trace.note("faults", `${what} for ${durationMs.toFixed(0)} ms`);
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    const over = (FAULTS[what] as Fault)(this.#world, random, durationMs).then(() => {
      this.#going.delete(over);
      simulation.trace.note("faults", `${what} is over`);
    });
    this.#going.add(over);
  }
}
