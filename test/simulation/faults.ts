import { TopicName } from "@pulsewire/protocol";
import { DISK_FAULTS, restartFailed } from "./disk-faults.ts";
import { bookiesDown, type Fault, type FaultContext, pick, pickBookie, untilDone } from "./fault-context.ts";
import { sleep } from "./producing.ts";
import { METADATA } from "./simulated-cluster.ts";

const brokerNames = ({ cluster }: FaultContext): string[] => cluster.brokers.map((_, i) => `broker-${i}`);

/** Takes the links between two sides away for a while. */
async function apart(context: FaultContext, a: string, b: string | string[], durationMs: number): Promise<void> {
  const { simulation, random } = context;
  const way = pick(random, ["both", "both", "there", "back"]);
  if (way === "both") simulation.links.partition(a, b);
  else if (way === "there") simulation.links.block(a, b);
  else simulation.links.block(b, a);
  await sleep(simulation.clock, durationMs);
  simulation.links.heal(a, b);
}

async function standingStill(context: FaultContext, node: string, durationMs: number): Promise<void> {
  const { simulation } = context;
  if (simulation.stateOf(node) !== "running") return;
  simulation.pause(node);
  await sleep(simulation.clock, durationMs);
  simulation.resume(node);
}

/** What a broker was asked for is never answered once its process is gone. */
async function unlessCrashed({ simulation, crashes }: FaultContext, work: Promise<unknown>): Promise<void> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  work.then(settle, settle);
  const before = crashes.count;
  while (!settled && crashes.count === before) await sleep(simulation.clock, 200);
  if (settled) await work;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  topicComesAndGoes: async (context, durationMs) => {
    const { simulation, transient } = context;
    const name = await transient.make();
    await sleep(simulation.clock, durationMs);
    await unlessCrashed(context, transient.remove(name));
  },
  zoneLost: async (context, durationMs) => {
    const { cluster, random, zones } = context;
    if (zones === 1) return;
    const zone = random.integer(zones);
    const inside = cluster.bookies.filter((_, i) => i % zones === zone).map(({ id }) => id);
    await bookiesDown(context, inside, durationMs);
  },
  bookieWiped: async (context, durationMs) => {
    const bookie = pickBookie(context);
    if (bookie === undefined || !context.mayHarm || context.harmed !== undefined || context.down.has(bookie)) return;
    context.harmed = bookie;
    await bookiesDown(context, [bookie], durationMs, true);
  },
  connectionsCut: async ({ simulation, random, clients }, durationMs) => {
    const client = pick(random, [clients[0] as string, ...clients]);
    const times = 1 + random.integer(6);
    for (let i = 0; i < times; i++) {
      simulation.network.cut(client);
      await sleep(simulation.clock, durationMs / times);
    }
  },
  connectionsStalled: async ({ simulation, random, clients }) => {
    simulation.network.stall(pick(random, clients));
  },
  clientCutOff: (context, durationMs) =>
    apart(context, pick(context.random, context.clients), brokerNames(context), durationMs),
  bookieCutOff: async (context, durationMs) => {
    const bookie = pickBookie(context);
    if (bookie !== undefined) await apart(context, bookie, brokerNames(context), durationMs);
  },
  bookiePaused: async (context, durationMs) => {
    const bookie = pickBookie(context);
    if (bookie !== undefined) await standingStill(context, bookie, durationMs);
  },
  bookieSlow: async ({ simulation, cluster, random }, durationMs) => {
    const { id } = pick(random, cluster.bookies);
    simulation.links.slow(id, 5 + random.integer(300));
    await sleep(simulation.clock, durationMs);
    simulation.links.slow(id, 0);
  },
  brokerPaused: (context, durationMs) => standingStill(context, pick(context.random, brokerNames(context)), durationMs),
  brokerCrashed: async (context, durationMs) => {
    const { cluster, simulation, random, down } = context;
    const index = random.integer(cluster.brokers.length);
    const broker = cluster.faults.broker(index);
    if (down.has(broker.node)) return;
    down.add(broker.node);
    context.crashes.count++;
    await broker.kill();
    await sleep(simulation.clock, durationMs);
    await untilDone(context, () => cluster.faults.broker(index).restart());
    down.delete(broker.node);
  },
  brokerForgotten: async ({ cluster, random }) => {
    cluster.faults.metadata.expireSession(`broker-${random.integer(cluster.brokers.length)}`);
  },
  brokerZombie: async (context, durationMs) => {
    const node = pick(context.random, brokerNames(context));
    const still = standingStill(context, node, durationMs);
    context.cluster.faults.metadata.expireSession(node);
    await still;
  },
  bookieCrashed: async (context, durationMs) => {
    const bookie = pickBookie(context);
    if (bookie !== undefined) await bookiesDown(context, [bookie], durationMs);
  },
  bookieFull: async (context, durationMs) => {
    const { cluster, simulation, down } = context;
    const bookie = pickBookie(context);
    if (bookie === undefined || down.has(bookie)) return;
    await using _filled = await cluster.faults.bookie(bookie).fill();
    await sleep(simulation.clock, durationMs);
  },
  metadataSlow: async ({ cluster, simulation, random }, durationMs) => {
    using _slow = cluster.faults.metadata.slow(random.integer(300));
    await sleep(simulation.clock, durationMs);
  },
  metadataCutOff: (context, durationMs) =>
    apart(context, pick(context.random, brokerNames(context)), METADATA, durationMs),
  metadataAway: async ({ simulation, cluster }, durationMs) => {
    cluster.metadata.available = false;
    await sleep(simulation.clock, durationMs);
    cluster.metadata.available = true;
  },
  answersLost: async ({ simulation }, durationMs) => {
    simulation.remoteFaults.answerLossProbability = 0.05;
    await sleep(simulation.clock, durationMs);
    simulation.remoteFaults.answerLossProbability = 0;
  },
  topicUnloaded: async (context) => {
    const topic = TopicName.parse(pick(context.random, context.topics));
    await unlessCrashed(context, context.cluster.admin.unloadTopic(topic));
  },
  namespaceUnloaded: async (context) => {
    await unlessCrashed(context, context.cluster.admin.unloadNamespace("public/default"));
  },
};

/** How long a fault lasts at most, in ms: shorter than a session of the metadata store. */
const FAULT_MS_MAX = 12_000;

/** Lets things go wrong until it is stopped; then everything is put right. */
export class FaultInjector {
  readonly #context: FaultContext;
  readonly #faults: Readonly<Record<string, Fault>>;
  readonly #going = new Set<Promise<void>>();
  /** How often each kind of fault was begun. */
  readonly counts: Record<string, number> = {};
  #stopped = false;

  constructor(context: FaultContext) {
    this.#context = context;
    this.#faults = context.disks === undefined ? FAULTS : { ...FAULTS, ...DISK_FAULTS };
  }

  async run(): Promise<void> {
    const { simulation, random, everyMs } = this.#context;
    while (!this.#stopped) {
      await sleep(simulation.clock, random.float() * 2 * everyMs);
      if (!this.#stopped) this.#start(pick(random, Object.keys(this.#faults)));
    }
    await Promise.all(this.#going);
    if (this.#context.disks !== undefined) await restartFailed(this.#context);
  }

  stop(): void {
    this.#stopped = true;
  }

  #start(what: string): void {
    const { simulation, random } = this.#context;
    const durationMs = random.float() < 0.7 ? random.float() * 2_000 : random.float() * FAULT_MS_MAX;
    simulation.trace.note("faults", `${what} for ${durationMs.toFixed(0)} ms`);
    this.counts[what] = (this.counts[what] ?? 0) + 1;
    const fault = (this.#faults[what] as Fault)(this.#context, durationMs).catch((error: unknown) => {
      // an unload during another fault may be refused; a fault that is asked for wrongly would never happen
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
      simulation.trace.note("faults", `${what}: ${String(error)}`);
    });
    const over = fault.then(() => {
      this.#going.delete(over);
      simulation.trace.note("faults", `${what} is over`);
    });
    this.#going.add(over);
  }
}
