import {
  type Clock,
  type Codec,
  createSeededRandom,
  type NodeId,
  type Random,
  type ServerRuntime,
} from "@pulsewire/runtime";
import { checkOptions } from "./check-options.ts";
import {
  type ClockFaults,
  type DiskFaults,
  type MessengerFaults,
  type NetworkFaults,
  NO_REMOTE_FAULTS,
  type RemoteFaults,
} from "./faults.ts";
import type { Links } from "./links.ts";
import { type RemoteOptions, remoteOf } from "./remote.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import { simulatedCodec } from "./simulated-codec.ts";
import { SimulatedDisk } from "./simulated-disk.ts";
import { SimulatedHosts } from "./simulated-hosts.ts";
import { SimulatedMessenger } from "./simulated-messenger.ts";
import { SimulatedNetwork } from "./simulated-network.ts";
import { SimulationError } from "./simulation-error.ts";
import { Timeline } from "./timeline.ts";
import type { Trace, TraceOptions } from "./trace.ts";
import { World } from "./world.ts";

/** How long `until` and `finish` wait by default, in ms of virtual time. */
const LIMIT_MS_DEFAULT = 300_000;

/** Trace lines told with a run that did not get where it was to. */
const LINES_IN_ERROR = 20;

export interface SimulationOptions {
  /** Decides everything: the same seed gives the same run. */
  seed: number;
  /**
   * Waits until everything that can run without time passing has run. In Node: `drainMicrotasks` of
   * `@pulsewire/runtime/node`.
   */
  drain: () => Promise<void>;
  /** Faults from the start. Default: none; each device's `faults` can be changed later too. */
  faults?: {
    messenger?: Partial<MessengerFaults>;
    network?: Partial<NetworkFaults>;
    disk?: Partial<DiskFaults>;
    clock?: Partial<ClockFaults>;
    remote?: Partial<RemoteFaults>;
  };
  /** What clocks start at, in ms since 1970. Default 1,700,000,000,000. */
  startMs?: number;
  trace?: TraceOptions;
  /** Things that may happen without time passing, before the run fails as a `Livelock`. Default 1,000,000. */
  eventsAtOnceMax?: number;
  /** Default: none and LZ4. One given must answer at once. */
  codec?: Codec;
}

/** A runtime with what a simulated node has besides. */
export interface SimulatedRuntime extends ServerRuntime {
  readonly network: SimulatedNetwork;
  readonly disk: SimulatedDisk;
}

/**
 * Nodes, the network between them and their disks under one seed and virtual time. Made by `createSimulation`.
 *
 * @example
 * const simulation = createSimulation({ seed: 1, drain: drainMicrotasks });
 * const cluster = await simulation.finish(startCluster({ runtime: simulation.runtimeFor("cluster") }));
 */
export class Simulation {
  readonly seed: number;
  /** Nobody's in particular: it stands still for no pause. */
  readonly clock: Clock;
  /** For the test itself; each device has a stream of its own. */
  readonly random: Random;
  readonly trace: Trace;
  /** Which nodes reach which, and how slowly. */
  readonly links: Links;
  /** Connections: cut, stall or refuse them. */
  readonly network: SimulatedHosts;
  /** Datagrams between nodes. */
  readonly messenger: SimulatedMessenger;
  /** Of services that `remote` puts behind a link. May be changed at any time. */
  readonly remoteFaults: RemoteFaults;
  readonly #world: World;
  readonly #options: SimulationOptions;
  readonly #startMs: number;
  readonly #nodes = new Map<NodeId, { runtime: SimulatedRuntime; incarnation: number }>();
  readonly #disks = new Map<NodeId, SimulatedDisk>();

  constructor(options: SimulationOptions) {
    checkOptions(options);
    const { seed, drain, faults = {}, startMs = 1_700_000_000_000, trace = {}, eventsAtOnceMax = 1_000_000 } = options;
    this.seed = seed;
    this.#options = options;
    this.#startMs = startMs;
    const root = createSeededRandom(seed);
    this.#world = new World(root.fork("world"), new Timeline(drain, eventsAtOnceMax), trace);
    this.random = root.fork("test");
    this.clock = new SimulatedClock(this.#timeline, startMs);
    this.trace = this.#world.trace;
    this.links = this.#world.links;
    this.network = new SimulatedHosts(this.#world, faults.network);
    this.messenger = new SimulatedMessenger(this.#world, faults.messenger);
    this.remoteFaults = Object.seal({ ...NO_REMOTE_FAULTS, ...faults.remote });
  }

  /** Virtual time since the start, in ms. */
  get elapsedMs(): number {
    return this.#timeline.elapsedMs;
  }

  /** Things that happened since the start: timers that went off, messages and bytes that arrived. */
  get events(): number {
    return this.#timeline.events;
  }

  /** The ports of a node, by its name. A cluster asks for those of its brokers and bookies itself. */
  runtimeFor(name: NodeId): SimulatedRuntime {
    const node = this.#world.node(name);
    const known = this.#nodes.get(name);
    if (known !== undefined && known.incarnation === node.incarnation) return known.runtime;
    if (known === undefined) this.#skew(name);
    const runtime: SimulatedRuntime = {
      clock: new SimulatedClock(this.#timeline, this.#startMs, node),
      random: this.#world.random.fork(`node/${name}/${node.incarnation}`),
      network: new SimulatedNetwork(this.network, name),
      messenger: this.messenger,
      codec: this.#options.codec ?? simulatedCodec,
      disk: this.diskOf(name),
      forNode: (other) => this.runtimeFor(other),
    };
    this.#nodes.set(name, { runtime, incarnation: node.incarnation });
    return runtime;
  }

  /** The disk of a node, by its name; it outlives crashes. */
  diskOf(name: NodeId): SimulatedDisk {
    let disk = this.#disks.get(name);
    if (disk === undefined) {
      disk = new SimulatedDisk(this.#world, this.#world.node(name), this.#options.faults?.disk);
      this.#disks.set(name, disk);
    }
    return disk;
  }

  /** A service apart from the nodes (a metadata store) as a node has it: calls take time, get lost, and wait. */
  remote<T extends object>(target: T, options: RemoteOptions<T>): T {
    return remoteOf(this.#world, this.remoteFaults, target, options);
  }

  /** The node stands still: its timers and what it is sent wait, and it does not know. */
  pause(name: NodeId): void {
    this.trace.note(name, "paused");
    this.#world.node(name).pause();
  }

  resume(name: NodeId): void {
    this.trace.note(name, "resumed");
    this.#world.node(name).resume();
  }

  /**
   * The node ends at once: its timers never go off, its disk keeps what the faults leave. Its connections are reset, or,
   * `silent` (default false), the others are not told. What it was made of must be let go; `restart` makes room anew.
   */
  crash(name: NodeId, options: { silent?: boolean } = {}): void {
    this.trace.note(name, "crashed");
    this.#world.node(name).crash();
    this.network.crashed(name, options.silent ?? false);
    this.#disks.get(name)?.crashed();
  }

  /** A node that crashed can run again: `runtimeFor` gives ports for the next process there. */
  restart(name: NodeId): void {
    this.trace.note(name, "restarted");
    this.#world.node(name).restart();
  }

  stateOf(name: NodeId): "running" | "paused" | "crashed" {
    return this.#world.node(name).state;
  }

  /** Sets how far a node's wall clock is ahead, in ms. */
  skew(name: NodeId, skewMs: number): void {
    this.#world.node(name).skewMs = skewMs;
  }

  /** Lets so much virtual time pass, in ms. */
  async run(durationMs: number): Promise<void> {
    this.#checkIdle();
    await this.#timeline.run(this.elapsedMs + durationMs, () => false);
  }

  /** Lets time pass until a condition holds. Rejects with a SimulationError after `limitMs` (default 300,000). */
  async until(condition: () => boolean, limitMs: number = LIMIT_MS_DEFAULT): Promise<void> {
    this.#checkIdle();
    const end = await this.#timeline.run(this.elapsedMs + limitMs, condition);
    if (end === "done" || condition()) return;
    throw this.#gotNowhere(end, limitMs);
  }

  /** Lets time pass until a promise settles, and answers as it does. Rejects as `until`. */
  async finish<T>(promise: Promise<T>, limitMs: number = LIMIT_MS_DEFAULT): Promise<T> {
    let settled = false;
    const settle = (): void => {
      settled = true;
    };
    promise.then(settle, settle);
    await this.until(() => settled, limitMs);
    return promise;
  }

  get #timeline(): Timeline {
    return this.#world.timeline;
  }

  #skew(name: NodeId): void {
    const skewMsMax = this.#options.faults?.clock?.skewMsMax ?? 0;
    if (skewMsMax <= 0) return;
    this.skew(name, Math.round((2 * this.#world.random.fork(`clock/${name}`).float() - 1) * skewMsMax));
  }

  #checkIdle(): void {
    if (this.#timeline.running)
      throw new SimulationError("WrongState", "time is passing already; await the run before");
  }

  #gotNowhere(end: "time" | "idle" | "done", limitMs: number): SimulationError {
    const lines = this.trace.lines.slice(-LINES_IN_ERROR).join("\n");
    const what = end === "idle" ? "nothing is left that could happen" : `not reached within ${limitMs} ms`;
    const detail = `seed ${this.seed}, at ${this.elapsedMs.toFixed(3)} ms: ${what}\n${lines}`;
    return new SimulationError(end === "idle" ? "Stuck" : "TimeLimit", detail);
  }
}

/** Virtual time, nodes, network and disks from one seed. @throws TypeError that names an option that is none, or wrong. */
export function createSimulation(options: SimulationOptions): Simulation {
  return new Simulation(options);
}
