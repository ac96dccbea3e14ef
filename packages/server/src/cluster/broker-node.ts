import type { ServerRuntime } from "@pulsewire/runtime";
import { createBookKeeperClient } from "../bookkeeper/index.ts";
import { Broker } from "../broker/broker.ts";
import type { BrokerDirectory } from "../broker/broker-directory.ts";
import { createSubscription } from "../broker/subscription/index.ts";
import { createManagedLedgerFactory } from "../managed-ledger/index.ts";
import type { MemoryMetadata, MetadataStatistics, MetadataStore } from "../metadata/index.ts";
import { BrokerListeners } from "./broker-listeners.ts";
import type { HttpHandler, ResolvedOptions } from "./cluster-options.ts";
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
}

/** What a broker is called among the nodes of its cluster. */
export function brokerNodeId(index: number): string {
  return `broker-${index}`;
}

/** One broker with its session and its listeners. */
export interface BrokerNode {
  readonly broker: Broker;
  /** The one it has now. */
  readonly session: MetadataStore;
  readonly listeners: BrokerListeners;
  /** The broker first, so that it can say goodbye to its clients. */
  close(): Promise<void>;
}

/** Listens first, since a broker's name and URLs are made of its ports, then starts the broker behind. */
export async function startBrokerNode(node: BrokerNodeOptions): Promise<BrokerNode> {
  const { index, runtime, options, http } = node;
  const nodeId = brokerNodeId(index);
  const listeners = await BrokerListeners.open({ network: runtime.network, options, first: index === 0, http });
  try {
    const session = new NodeSession({ ...node, nodeId, clock: runtime.clock });
    const broker = await startBroker(node, session.metadata, listeners);
    listeners.serve(broker);
    return {
      broker,
      get session() {
        return session.current;
      },
      listeners,
      close: async () => {
        await broker.close();
        await listeners.close();
      },
    };
  } catch (error) {
    await listeners.close();
    throw error;
  }
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
    onError: options.onError,
  });
}
