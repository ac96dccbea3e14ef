import type { Clock, NodeId, ServerRuntime } from "@pulsewire/runtime";
import type { MemoryMetadata, MetadataStore } from "../../metadata/index.ts";
import type { BrokerNode } from "../broker-node.ts";
import { checkNames } from "../check-names.ts";
import type { BookieNode } from "../storage-nodes.ts";
import { BookieFaults } from "./bookie-faults.ts";
import { BrokerFaults } from "./broker-faults.ts";
import { CommandFaults, type CommandFilter, type HeldCommands, type ServerErrorName } from "./command-faults.ts";
import { checkedNodes } from "./fault-arguments.ts";
import { FaultLinks, type Nodes, undoing } from "./fault-links.ts";
import { gatedMetadata, METADATA_NODE } from "./gated-metadata.ts";
import { gatedRuntime } from "./gated-runtime.ts";
import { MetadataFaults } from "./metadata-faults.ts";
import { NodeGate } from "./node-gate.ts";

export interface ClusterFaultsOptions {
  /** Goes on when nodes do not. */
  clock: Clock;
  runtimeOf: (nodeId: NodeId) => ServerRuntime;
}

/** What faults need of the cluster once it runs. The lists are the cluster's own: a node that starts again takes its place. */
export interface FaultyCluster {
  readonly brokers: BrokerNode[];
  readonly bookies: BookieNode[];
  readonly metadata: MemoryMetadata;
  startBroker(index: number, before: BrokerNode): Promise<BrokerNode>;
  startBookie(before: BookieNode, wipe: boolean): Promise<BookieNode>;
}

/**
 * Makes a cluster fail on purpose: `cluster.faults`. What is undone later is a `Disposable`: call
 * `[Symbol.dispose]()`, or declare it with `using`. Faults work in real time and under simulation alike.
 *
 * Nodes are named as the cluster names them: `broker-0`, `broker-1`, …; bookies by their `host:port` (`127.0.0.1:3181`, …);
 * `metadata`.
 */
export class ClusterFaults {
  /** Drop, delay, reorder or hold single commands between clients and brokers. */
  readonly commands: CommandFaults;
  readonly #options: ClusterFaultsOptions;
  readonly #links = new FaultLinks();
  readonly #gates = new Map<NodeId, NodeGate>();
  readonly #runtimes = new Map<NodeId, ServerRuntime>();
  #cluster: FaultyCluster | undefined;
  #metadata: MetadataFaults | undefined;

  constructor(options: ClusterFaultsOptions) {
    this.#options = options;
    this.commands = new CommandFaults(options.clock);
  }

  /** Faults of one broker. @throws TypeError when there is none of that number. */
  broker(index: number): BrokerFaults {
    const cluster = this.#running;
    if (!Number.isInteger(index) || cluster.brokers[index] === undefined) {
      throw new TypeError(`there is no broker ${String(index)}; there are ${cluster.brokers.length}, from 0 on`);
    }
    return new BrokerFaults({ index, cluster, gateOf: (node) => this.#gateOf(node) });
  }

  /** Faults of one bookie, by its number or its id. @throws TypeError when there is no such bookie. */
  bookie(which: number | string): BookieFaults {
    const cluster = this.#running;
    const found = typeof which === "number" ? cluster.bookies[which] : cluster.bookies.find(({ id }) => id === which);
    if (found === undefined) {
      const ids = cluster.bookies.map(({ id }) => id).join(", ");
      throw new TypeError(`there is no bookie ${String(which)}; there are ${ids}`);
    }
    return new BookieFaults({ id: found.id, cluster, gateOf: (node) => this.#gateOf(node), links: this.#links });
  }

  /** Faults of the metadata store. */
  get metadata(): MetadataFaults {
    const { metadata } = this.#running;
    this.#metadata ??= new MetadataFaults({ metadata, links: this.#links, sessionOf: this.#sessionOf });
    return this.#metadata;
  }

  /**
   * Nothing passes between two nodes, or two sides of several, until it is undone. A node that does not reach `metadata`
   * loses its session after 30 s. @throws TypeError when there is no node of a name, or one is on both sides.
   */
  partition(a: Nodes, b: Nodes): Disposable {
    const known = [...this.#nodes, METADATA_NODE];
    const [left, right] = [checkedNodes(a, known), checkedNodes(b, known)];
    const both = left.find((node) => right.includes(node));
    if (both !== undefined) throw new TypeError(`${both} is on both sides: nothing is cut off from itself`);
    const cut = this.#links.partition(left, right);
    const offline = [...(left.includes(METADATA_NODE) ? right : []), ...(right.includes(METADATA_NODE) ? left : [])];
    const { metadata } = this.#running;
    for (const node of offline) metadata.disconnect(this.#sessionOf(node));
    return undoing(() => {
      cut[Symbol.dispose]();
      for (const node of offline) {
        if (!this.#links.isBlocked(node, METADATA_NODE)) metadata.reconnect(this.#sessionOf(node));
      }
    });
  }

  /**
   * The next send is not stored, and is answered by an error, by its protocol name. Of the topic given, or of any; `count`
   * (default 1) of them. Undone when it happened.
   *
   * The default, `NotAllowedError`, and `ChecksumError` fail that one send; `TopicTerminatedError` and `ProducerFenced` end
   * the producer. At any other, such as `PersistenceError`, clients connect again and send again: the application sees a
   * send that took longer.
   */
  failNextSend(options: { error?: ServerErrorName; message?: string } & CommandFilter = {}): Disposable {
    checkNames("failNextSend", options, ["error", "message", "topic", "count"]);
    const { error = "NotAllowedError", message = "failed on purpose", count = 1, topic } = options;
    return this.commands.failSend(error, message, topic === undefined ? { count } : { count, topic });
  }

  /** The next send is stored, and its receipt waits until it is released. `count` (default 1) of them. */
  holdReceipt(options: CommandFilter = {}): HeldCommands {
    checkNames("holdReceipt", options, ["topic", "count"]);
    const { count = 1, topic } = options;
    return this.commands.hold("SEND_RECEIPT", topic === undefined ? { count } : { count, topic });
  }

  /** The ports of a node's process, or of its next one when that is dead. For the cluster itself. */
  runtimeFor(node: NodeId): ServerRuntime {
    const gate = this.#gates.get(node);
    const runtime = this.#runtimes.get(node);
    if (gate?.dead === false && runtime !== undefined) return runtime;
    const next = new NodeGate(node);
    const gated = gatedRuntime(this.#options.runtimeOf(node), next, this.#links);
    this.#gates.set(node, next);
    this.#runtimes.set(node, gated);
    return gated;
  }

  /** A node's session as its process has it. For the cluster itself. */
  metadataFor(session: MetadataStore, node: NodeId): MetadataStore {
    return gatedMetadata(session, { gate: this.#gateOf(node), links: this.#links, clock: this.#options.clock });
  }

  /** The cluster runs. For the cluster itself. */
  serve(cluster: FaultyCluster): void {
    this.#cluster = cluster;
  }

  get #running(): FaultyCluster {
    if (this.#cluster === undefined) throw new Error("the cluster is starting");
    return this.#cluster;
  }

  #gateOf(node: NodeId): NodeGate {
    const gate = this.#gates.get(node);
    if (gate === undefined) throw this.#noNode(node);
    return gate;
  }

  /** Brokers and bookies. */
  get #nodes(): readonly NodeId[] {
    const { brokers, bookies } = this.#running;
    return [...brokers.map(({ nodeId }) => nodeId), ...bookies.map(({ id }) => id)];
  }

  #noNode(name: unknown): TypeError {
    return new TypeError(`there is no node named ${String(name)}; there are ${this.#nodes.join(", ")}`);
  }

  readonly #sessionOf = (node: NodeId): MetadataStore => {
    const { brokers, bookies } = this.#running;
    const found =
      brokers.find(({ nodeId }) => nodeId === node)?.session ?? bookies.find(({ id }) => id === node)?.metadata;
    if (found === undefined) throw this.#noNode(node);
    return found;
  };
}
