import type { ServerRuntime } from "@pulsewire/runtime";
import { createBookKeeperClient } from "../bookkeeper/index.ts";
import { Broker } from "../broker/broker.ts";
import type { BrokerDirectory } from "../broker/broker-directory.ts";
import { createSubscription } from "../broker/subscription/index.ts";
import { createManagedLedgerFactory } from "../managed-ledger/index.ts";
import type { MemoryMetadata, MetadataStatistics, MetadataStore } from "../metadata/index.ts";
import { BrokerListeners, type ListenerPorts } from "./broker-listeners.ts";
import type { HttpHandler, ResolvedOptions } from "./cluster-options.ts";
import type { ClusterFaults } from "./faults/index.ts";
import { NodeSession } from "./node-session.ts";

export interface BrokerNodeOptions {
  index: number;
  /** The node's own. */
  runtime: ServerRuntime;
  metadata: MemoryMetadata;
  statistics: MetadataStatistics;
  directory: BrokerDirectory;
  options: ResolvedOptions;
  http: HttpHandler;
  faults: ClusterFaults;
  /** Those of its last process. Default: it is the first. */
  ports?: ListenerPorts;
}

/** What a broker is called among the nodes of its cluster. */
export function brokerNodeId(index: number): string {
  return `broker-${index}`;
}

/** One broker with its session and its listeners. */
export interface BrokerNode {
  readonly nodeId: string;
  readonly broker: Broker;
  /** The one it has now. */
  readonly session: MetadataStore;
  readonly listeners: BrokerListeners;
  /** The broker first, so that it can say goodbye to its clients. */
  close(): Promise<void>;
  /** Its process ends at once, nothing is handed over. Answers the node as it is after that: with nothing left to close. */
  abandon(): BrokerNode;
}

/** Listens first, since a broker's name and URLs are made of its ports, then starts the broker behind. */
export async function startBrokerNode(node: BrokerNodeOptions): Promise<BrokerNode> {
  const { index, runtime, options, http, ports } = node;
  const nodeId = brokerNodeId(index);
  const listeners = await BrokerListeners.open({ network: runtime.network, options, first: index === 0, http, ports });
  try {
    const session = new NodeSession({ ...node, nodeId, clock: runtime.clock });
    const broker = await startBroker(node, session.metadata, listeners);
    listeners.serve(broker);
    return brokerNode(nodeId, broker, session, listeners);
  } catch (error) {
    await listeners.close();
    throw error;
  }
}

function brokerNode(nodeId: string, broker: Broker, session: NodeSession, listeners: BrokerListeners): BrokerNode {
  const node: BrokerNode = {
    nodeId,
    broker,
    get session() {
      return session.current;
    },
    listeners,
    close: async () => {
      await broker.close();
      await listeners.close();
    },
    abandon: () => {
      broker.abandon();
      const gone: BrokerNode = {
        ...node,
        session: session.current,
        close: async () => undefined,
        abandon: () => gone,
      };
      return gone;
    },
  };
  return node;
}

function startBroker(node: BrokerNodeOptions, metadata: MetadataStore, { urls }: BrokerListeners): Promise<Broker> {
  const { index, runtime, directory, options } = node;
  const { clock, random, messenger } = runtime;
  const nodeId = brokerNodeId(index);
  const common = { clock, random: random.fork(nodeId), messenger, metadata, nodeId };
  const bookkeeper = createBookKeeperClient({ ...common, settings: options.storage.client });
  return Broker.start({
    clusterName: options.clusterName,
    urls,
    settings: options.settings,
    clock,
    metadata,
    ledgers: createManagedLedgerFactory({
      clock,
      bookkeeper,
      metadata,
      cacheBytesMax: options.settings.managedLedgerCacheSizeMB * 1024 * 1024,
    }),
    createSubscription,
    directory,
    authenticator: options.authenticator,
    interceptor: node.faults.commands,
    onError: options.onError,
  });
}
