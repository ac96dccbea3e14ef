import { PulsarClient, type PulsarClientOptions } from "@pulsewire/client";
import { PulsarAdmin } from "@pulsewire/client/admin";
import { createMemoryMessenger, createMemoryNetwork, type ServerRuntime, type Timer } from "@pulsewire/runtime";
import { checkNames } from "../cluster/check-names.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { CLUSTER_OPTION_NAMES, type ClusterOptions } from "../cluster/cluster-options.ts";
import { MovableClock } from "./movable-clock.ts";

export interface TestClusterOptions extends Omit<ClusterOptions, "runtime"> {
  /**
   * `virtual`: time can be moved ahead by `time.advance(ms)`; it passes as usual otherwise. Default `real`, where moving
   * it rejects.
   */
  clock?: "real" | "virtual";
  /**
   * `memory`: no port is opened; the cluster is reached by the clients made here, and by what `pulsarHandlers` serves.
   * Default `ports`, on 127.0.0.1, chosen by the system.
   */
  network?: "ports" | "memory";
}

/** Time as a test moves it. */
export interface VirtualTime {
  /** In ms since 1970. */
  now(): number;
  /** Moves time ahead by `ms`; what was to happen meanwhile has happened when it resolves. */
  advance(ms: number): Promise<void>;
}

/** A cluster, clients of it, and its time. Made by `startTestCluster`. */
export class TestCluster implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly time: VirtualTime;
  /** @internal The ports everything here is on. */
  readonly runtime: ServerRuntime;
  readonly #clients = new Set<PulsarClient>();
  readonly #alive: Timer;
  #client: PulsarClient | undefined;
  #admin: PulsarAdmin | undefined;
  #topics = 0;

  /** @internal Use `startTestCluster`. */
  constructor(cluster: Cluster, runtime: ServerRuntime, time: VirtualTime, alive: Timer) {
    this.cluster = cluster;
    this.#alive = alive;
    this.runtime = runtime;
    this.time = time;
  }

  /** `pulsar://host:port`. */
  get serviceUrl(): string {
    return this.cluster.serviceUrl;
  }

  /** `ws://host:port/ws/binary`. */
  get webSocketUrl(): string {
    return this.cluster.webSocketUrl;
  }

  /** `http://host:port`. */
  get adminUrl(): string {
    return this.cluster.adminUrl;
  }

  /** One client, made when first asked for, on the cluster's time. */
  get client(): PulsarClient {
    this.#client ??= this.createClient();
    return this.#client;
  }

  get admin(): PulsarAdmin {
    this.#admin ??= new PulsarAdmin({ serviceUrl: this.adminUrl, runtime: this.runtime });
    return this.#admin;
  }

  /** A further client, on the cluster's time, closed together with the cluster. */
  createClient(options: Partial<PulsarClientOptions> = {}): PulsarClient {
    const client = new PulsarClient({ serviceUrl: this.serviceUrl, runtime: this.runtime, ...options });
    this.#clients.add(client);
    return client;
  }

  /** A topic that no other call has answered: `persistent://public/default/<name>-<number>`. */
  topic(name: string = "topic"): string {
    return `persistent://public/default/${name}-${++this.#topics}`;
  }

  /** Closes the clients made here, then the cluster. Twice is fine. */
  async close(): Promise<void> {
    try {
      await Promise.all([...this.#clients].map((client) => client.close()));
      await this.cluster.close();
    } finally {
      // what fails is told; a process that it kept there would not end to tell it
      this.#alive.cancel();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const REAL_TIME: Pick<VirtualTime, "advance"> = {
  advance: () => Promise.reject(new TypeError('time is real here; start the cluster with clock: "virtual" to move it')),
};

/** Starts a cluster for a test on a platform. Throws a TypeError that names a wrong option and what it takes. */
export async function startTestClusterOn(platform: ServerRuntime, options: TestClusterOptions): Promise<TestCluster> {
  checkNames("startTestCluster", options, ["clock", "network", ...CLUSTER_OPTION_NAMES.filter((n) => n !== "runtime")]);
  const { clock = "real", network = "ports", ...clusterOptions } = options;
  oneOf("clock", clock, ["real", "virtual"]);
  oneOf("network", network, ["ports", "memory"]);
  const movable = clock === "virtual" ? new MovableClock(platform.clock) : undefined;
  const runtime: ServerRuntime = {
    ...platform,
    clock: movable ?? platform.clock,
    messenger: createMemoryMessenger(),
    ...(network === "memory" ? { network: createMemoryNetwork() } : {}),
  };
  const cluster = await startCluster({ ...clusterOptions, runtime });
  // without ports nothing else keeps the process there while a test waits for the cluster
  const alive = platform.clock.setTicker(60_000, () => undefined, { keepAlive: true });
  return new TestCluster(cluster, runtime, movable ?? { now: () => platform.clock.now(), ...REAL_TIME }, alive);
}

function oneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === "string" && allowed.includes(value)) return;
  throw new TypeError(`${option} takes ${allowed.join(" or ")}, not ${JSON.stringify(value)}`);
}
