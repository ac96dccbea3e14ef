import { TopicName } from "@pulsewire/protocol";
import type { Random } from "@pulsewire/runtime";
import type { Cluster } from "@pulsewire/server";
import type { Simulation } from "@pulsewire/simulator";
import type { History } from "./history.ts";
import { sleep } from "./producing.ts";
import { METADATA } from "./simulated-cluster.ts";

export interface FaultContext {
  simulation: Simulation;
  cluster: Cluster;
  random: Random;
  history: History;
  clients: readonly string[];
  topics: readonly string[];
  /** Between two faults, on average, in ms. */
  everyMs: number;
}

/** Something that goes wrong for a while: resolves when it is over. */
type Fault = (context: FaultContext, durationMs: number) => Promise<void>;

const brokerNames = ({ cluster }: FaultContext): string[] => cluster.brokers.map((_, i) => `broker-${i}`);

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}

/** A bookie that no other fault has in its hands. */
function pickBookie({ cluster, random, simulation }: FaultContext): string | undefined {
  const running = cluster.bookies.map(({ id }) => id).filter((id) => simulation.stateOf(id) === "running");
  return running.length === 0 ? undefined : pick(random, running);
}

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

const FAULTS: Readonly<Record<string, Fault>> = {
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
  topicUnloaded: async ({ cluster, random, topics }) => {
    await cluster.admin.unloadTopic(TopicName.parse(pick(random, topics)));
  },
  namespaceUnloaded: async ({ cluster }) => {
    await cluster.admin.unloadNamespace("public/default");
  },
};

/** Faults that cannot keep acknowledgements from storage. */
const HARMLESS: ReadonlySet<string> = new Set(["connectionsCut", "connectionsStalled", "clientCutOff"]);

/** How long a fault lasts at most, in ms: shorter than a session of the metadata store. */
const FAULT_MS_MAX = 12_000;

/** Lets things go wrong until it is stopped; then everything is put right. */
export class FaultInjector {
  readonly #context: FaultContext;
  readonly #going = new Set<Promise<void>>();
  #stopped = false;

  constructor(context: FaultContext) {
    this.#context = context;
  }

  async run(): Promise<void> {
    const { simulation, random, everyMs } = this.#context;
    while (!this.#stopped) {
      await sleep(simulation.clock, random.float() * 2 * everyMs);
      if (!this.#stopped) this.#start(pick(random, Object.keys(FAULTS)));
    }
    await Promise.all(this.#going);
  }

  stop(): void {
    this.#stopped = true;
  }

  #start(what: string): void {
    const { simulation, random, history } = this.#context;
    const durationMs = random.float() < 0.7 ? random.float() * 2_000 : random.float() * FAULT_MS_MAX;
    simulation.trace.note("faults", `${what} for ${durationMs.toFixed(0)} ms`);
    const fault = (FAULTS[what] as Fault)(this.#context, durationMs).catch((error: unknown) => {
      // an unload during another fault may be refused
      simulation.trace.note("faults", `${what}: ${String(error)}`);
    });
    const fromMs = simulation.elapsedMs;
    const over = fault.then(() => {
      this.#going.delete(over);
      simulation.trace.note("faults", `${what} is over`);
      if (!HARMLESS.has(what)) history.troubles.push({ what, fromMs, toMs: simulation.elapsedMs });
    });
    this.#going.add(over);
  }
}
