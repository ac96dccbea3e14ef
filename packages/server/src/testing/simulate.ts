import { type Logger, PulsarClient, type PulsarClientOptions } from "@pulsewire/client";
import type { Clock, Random } from "@pulsewire/runtime";
import { createSimulation, type Simulation, type SimulationOptions } from "@pulsewire/simulator";
import { checkNames } from "../cluster/check-names.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { CLUSTER_OPTION_NAMES, type ClusterOptions } from "../cluster/cluster-options.ts";
import { MetadataError, type MetadataStore } from "../metadata/index.ts";
import { drainMicrotasks } from "./platform.ts";

export interface SimulateOptions {
  /** What goes wrong by chance. Default: nothing is delayed, lost or broken. */
  faults?: SimulationOptions["faults"];
  cluster?: Omit<ClusterOptions, "runtime" | "metadataFor" | "storageFor" | "dataDir">;
  /** How much virtual time the test may take, in ms. Default 300,000. */
  limitMs?: number;
  /** Told of every line of the trace. Default: nobody. */
  onLine?: (line: string) => void;
}

/** What a simulated test has. */
export interface SimulatedWorld {
  readonly cluster: Cluster;
  /** The network, the nodes and their faults: partitions, cuts, pauses, skewed clocks. */
  readonly simulation: Simulation;
  /** Virtual time. */
  readonly clock: Clock;
  /** The same numbers for the same seed. */
  readonly random: Random;
  /** A client at a node of its own, closed when the test ends. Default name: `client-1`, `client-2`, … */
  client(node?: string, options?: Partial<PulsarClientOptions>): PulsarClient;
  /** Lets virtual time pass. */
  sleep(ms: number): Promise<void>;
}

/** What a simulated run came to. */
export interface SimulatedRun<T> {
  readonly result: T;
  /** Over everything that happened: equal for equal seeds. */
  readonly hash: string;
  readonly simulatedMs: number;
}

/**
 * Runs a test, a cluster and its clients in virtual time, all decided by one seed: the same seed gives the same run.
 * Awaiting lets time pass, so that a test is written as any other; only what is not made here (`setTimeout`, a database)
 * has no place in it. An error tells the seed and what happened last.
 *
 * @example
 * await simulate(42, async ({ client }) => {
 *   const producer = await client().createProducer({ topic: "orders" });
 *   await producer.send("hello");
 * }, { faults: { network: { delayMsMin: 1, delayMsMax: 20 } } });
 */
export async function simulate<T>(
  seed: number,
  test: (world: SimulatedWorld) => Promise<T>,
  options: SimulateOptions = {},
): Promise<SimulatedRun<T>> {
  if (!Number.isSafeInteger(seed)) throw new TypeError(`simulate takes a seed, a whole number, not ${String(seed)}`);
  checkNames("simulate", options, ["faults", "cluster", "limitMs", "onLine"]);
  if (typeof test !== "function") throw new TypeError(`simulate takes a test, a function, not ${typeof test}`);
  const { faults = {}, cluster: clusterOptions = {}, limitMs, onLine } = options;
  checkNames("simulate: cluster", clusterOptions, CLUSTER_NAMES);
  if (limitMs !== undefined && !(typeof limitMs === "number" && limitMs >= 0)) {
    throw new TypeError(`limitMs takes a number from 0 on, not ${String(limitMs)}`);
  }
  const simulation = createSimulation({
    seed,
    drain: drainMicrotasks,
    faults,
    trace: onLine === undefined ? {} : { onLine },
  });
  const world = new World(simulation);
  try {
    await world.open(clusterOptions);
    const result = await simulation.finish(test(world), limitMs);
    await world.close();
    return { result, hash: simulation.trace.hash, simulatedMs: simulation.elapsedMs };
  } catch (error) {
    throw withSeed(seed, simulation, error);
  }
}

/** Of a cluster, less what the simulation gives. */
const CLUSTER_NAMES: readonly string[] = CLUSTER_OPTION_NAMES.filter(
  (name) => !["runtime", "metadataFor", "storageFor", "dataDir"].includes(name),
);

const LINES_TOLD = 10;

/** The same error, which tells how to have it again. */
function withSeed(seed: number, simulation: Simulation, error: unknown): unknown {
  if (!(error instanceof Error) || error.message.includes(`seed ${seed}`)) return error;
  const last = simulation.trace.lines.slice(-LINES_TOLD).join("\n  ");
  error.message += `\nwith seed ${seed}, after ${simulation.elapsedMs.toFixed(0)} ms; the last that happened:\n  ${last}`;
  return error;
}

class World implements SimulatedWorld {
  readonly simulation: Simulation;
  readonly clock: Clock;
  readonly random: Random;
  readonly #clients: PulsarClient[] = [];
  #cluster: Cluster | undefined;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    this.clock = simulation.runtimeFor("test").clock;
    this.random = simulation.random.fork("test");
  }

  get cluster(): Cluster {
    if (this.#cluster === undefined) throw new TypeError("the cluster is not there yet");
    return this.#cluster;
  }

  async open(options: NonNullable<SimulateOptions["cluster"]>): Promise<void> {
    const runtime = this.simulation.runtimeFor("cluster");
    const metadataFor = metadataLink(this.simulation);
    this.#cluster = await this.simulation.finish(startCluster({ ...options, runtime, metadataFor }));
  }

  // not methods: a test takes what it needs of its world apart
  readonly client: SimulatedWorld["client"] = (node = `client-${this.#clients.length + 1}`, options = {}) => {
    const client = new PulsarClient({
      serviceUrl: this.cluster.serviceUrl,
      runtime: this.simulation.runtimeFor(node),
      logger: loggerOf(this.simulation, node),
      ...options,
    });
    this.#clients.push(client);
    return client;
  };

  readonly sleep: SimulatedWorld["sleep"] = (ms) => new Promise((resolve) => void this.clock.setTimer(ms, resolve));

  async close(): Promise<void> {
    await this.simulation.finish(Promise.all(this.#clients.map((client) => client.close())));
    await this.simulation.finish(this.cluster.close());
  }
}

/** Has what a client logs written to the trace. */
function loggerOf(simulation: Simulation, node: string): Logger {
  const note = (message: string): void => simulation.trace.note(node, `# ${message}`);
  return { debug: note, info: note, warn: note, error: note };
}

/** The metadata session of a node behind a link that the simulation may slow and break. */
function metadataLink(simulation: Simulation): (session: MetadataStore, node: string) => MetadataStore {
  return (session, caller) =>
    simulation.remote(session, {
      caller,
      service: "metadata",
      calls: ["get", "exists", "put", "delete", "children", "nextSequence"],
      watches: ["watch", "onSessionExpired"],
      unavailable: (detail) => new MetadataError("Unavailable", detail),
    });
}
