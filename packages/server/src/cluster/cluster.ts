import type { ServerRuntime } from "@pulsewire/runtime";
import { RecoveryStatistics } from "../bookkeeper/index.ts";
import type { Broker } from "../broker/broker.ts";
import { BrokerDirectory } from "../broker/broker-directory.ts";
import { bootstrapResources, Resources } from "../broker/resources/resources.ts";
import {
  createMemoryMetadata,
  type MemoryMetadata,
  MetadataStatistics,
  type MetadataStore,
} from "../metadata/index.ts";
import { BookieRackTable } from "./bookie-rack-table.ts";
import type { BrokerListeners } from "./broker-listeners.ts";
import { type BrokerNode, brokerNodeId, startBrokerNode } from "./broker-node.ts";
import { ClusterAdmin } from "./cluster-admin.ts";
import { ClusterHttp } from "./cluster-http.ts";
import { type ClusterOptions, type ResolvedOptions, resolveOptions } from "./cluster-options.ts";
import { ClusterRecovery } from "./cluster-recovery.ts";
import type { DataFolder } from "./data-folder.ts";
import { ClusterFaults } from "./faults/index.ts";
import {
  type BookieNode,
  type BookiesOptions,
  bookieNodeId,
  bookiePlaces,
  restartBookie,
  startBookies,
  stopBookies,
} from "./storage-nodes.ts";
import { putInZones } from "./zones.ts";

export { StorageError, type StorageErrorCode } from "../bookkeeper/index.ts";

interface Parts {
  brokers: readonly BrokerNode[];
  bookies: readonly BookieNode[];
  metadata: MemoryMetadata;
  /** The cluster's own session, beside those of its nodes. */
  session: MetadataStore;
  /** What the cluster keeps its data in; undefined for memory. */
  folder: DataFolder | undefined;
  admin: ClusterAdmin;
  faults: ClusterFaults;
  recovery: ClusterRecovery;
  http: ClusterHttp;
}

/** A running cluster. */
export class Cluster implements AsyncDisposable {
  readonly #parts: Parts;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `pulsar://host:port` of the first broker. */
  get serviceUrl(): string {
    return this.#first.urls.serviceUrl;
  }

  /** `pulsar+ssl://host:port` of the first broker, with TLS. */
  get serviceUrlTls(): string | undefined {
    return this.#first.urls.serviceUrlTls;
  }

  /** `ws://host:port/ws/binary` of the first broker. */
  get webSocketUrl(): string {
    return this.#first.webSocketUrl;
  }

  /** `wss://host:port/ws/binary` of the first broker, with TLS. */
  get webSocketUrlTls(): string | undefined {
    return this.#first.webSocketUrlTls;
  }

  /** `http://host:port` of the first broker. */
  get adminUrl(): string {
    return this.#first.urls.webServiceUrl;
  }

  /** `https://host:port` of the first broker, with TLS. */
  get adminUrlTls(): string | undefined {
    return this.#first.urls.webServiceUrlTls;
  }

  get brokers(): readonly Broker[] {
    return this.#parts.brokers.map((node) => node.broker);
  }

  get bookies(): readonly BookieNode[] {
    return this.#parts.bookies;
  }

  /** The metadata store, for faults: sessions expire, the store is away. */
  get metadata(): MemoryMetadata {
    return this.#parts.metadata;
  }

  /** Makes it fail on purpose: brokers, bookies, the links between them, the metadata store, single commands. */
  get faults(): ClusterFaults {
    return this.#parts.faults;
  }

  /** The metadata session of one of its brokers. */
  sessionOf(broker: Broker): MetadataStore {
    const node = this.#parts.brokers.find((n) => n.broker === broker);
    if (node === undefined) throw new TypeError(`${broker.urls.brokerId} is no broker of this cluster`);
    return node.session;
  }

  /** Copies that were lost and are made again, and bookies that leave. */
  get recovery(): ClusterRecovery {
    return this.#parts.recovery;
  }

  /** The cluster as the admin REST sees it. */
  get admin(): ClusterAdmin {
    return this.#parts.admin;
  }

  /** Ends in order: brokers let their topics go, then bookies stop. Again: the same promise. */
  close(): Promise<void> {
    this.#closing ??= closeParts(this.#parts);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #first(): BrokerListeners {
    return (this.#parts.brokers[0] as BrokerNode).listeners;
  }
}

/**
 * Starts a whole Pulsar cluster in this process and answers once it can be used.
 *
 * @example
 * await using cluster = await startCluster();
 * console.log(cluster.serviceUrl);
 *
 * @throws TypeError that names a wrong option and what it takes.
 * @throws NetworkError `AddressInUse`, with the port, when a port is taken.
 * @throws StorageError when `dataDir` is in use, of something else, or cannot be read.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const given = resolveOptions(options);
  const runtime = options.runtime ?? (await nodeRuntime());
  const { clock, codec } = runtime;
  const faults = new ClusterFaults({ clock, runtimeOf: (nodeId) => runtime.forNode?.(nodeId) ?? runtime });
  const runtimeOf = (nodeId: string): ServerRuntime => faults.runtimeFor(nodeId);
  const metadataFor: ResolvedOptions["metadataFor"] = (session, nodeId) =>
    faults.metadataFor(given.metadataFor(session, nodeId), nodeId);
  const resolved: ResolvedOptions = { ...given, metadataFor };
  const { clusterName, settings } = resolved;
  const folder = await openFolder(resolved, runtime);
  const metadata = folder?.metadata ?? createMemoryMetadata({ clock });
  const session = metadata.session();
  const statistics = new MetadataStatistics();
  const recovered = new RecoveryStatistics();
  const resources = new Resources(session, clock);
  const directory = new BrokerDirectory();
  const storage: BookiesOptions = { options: resolved, clock, runtimeOf, metadata, statistics, recovered, folder };
  const starting = [
    startBookies(storage),
    bootstrapResources(resources, clusterName, settings.defaultNumberOfNamespaceBundles),
    putInZones(session, bookiePlaces(storage).map(bookieNodeId), resolved.zones),
  ] as const;
  const [bookies] = await Promise.all(starting).catch(async (error: unknown) => {
    const [nodes] = await Promise.allSettled(starting);
    if (nodes.status === "fulfilled") await stopBookies(nodes.value);
    await session.close();
    await folder?.close();
    throw error;
  });
  const admin = new ClusterAdmin({
    clusterName,
    settings,
    resources,
    clock,
    codec,
    directory,
    bookies: () => bookies.map((node) => node.id),
    bookieRacks: new BookieRackTable(session),
    regionAware: resolved.storage.client.bookkeeperClientRegionawarePolicyEnabled,
  });
  const recovery = new ClusterRecovery({
    clock,
    session,
    bookies,
    statistics: recovered,
    copies: resolved.storage.recovery.autoRecoveryDaemonEnabled,
  });
  const http = new ClusterHttp({ clock, admin, directory, bookies, statistics, recovery, fallback: resolved.http });
  const brokers: BrokerNode[] = [];
  const parts: Parts = { brokers, bookies, metadata, session, folder, admin, faults, recovery, http };
  const startBroker = (index: number, before?: BrokerNode): Promise<BrokerNode> =>
    startBrokerNode({
      index,
      runtime: runtimeOf(brokerNodeId(index)),
      metadata,
      statistics,
      directory,
      options: resolved,
      http: http.handle,
      faults,
      ...(before === undefined ? {} : { ports: before.listeners.ports }),
    });
  try {
    const starting = Array.from({ length: resolved.brokers }, (_, index) => startBroker(index));
    for (const result of await Promise.allSettled(starting)) {
      if (result.status === "fulfilled") brokers.push(result.value);
    }
    await Promise.all(starting);
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
  const startBookie = (before: BookieNode, wipe: boolean): Promise<BookieNode> => restartBookie(storage, before, wipe);
  faults.serve({ brokers, bookies, metadata, startBroker, startBookie });
  return new Cluster(parts);
}

/** Loaded only where no other runtime is given, so that a cluster can also run in a page. */
async function nodeRuntime(): Promise<ServerRuntime> {
  const { createNodeRuntime } = await import("@pulsewire/runtime/node");
  return createNodeRuntime();
}

/** The folder and what it needs are loaded only where there is one. */
async function openFolder(options: ResolvedOptions, { clock, random }: ServerRuntime): Promise<DataFolder | undefined> {
  const { dataDir: path, clusterName, bookies, storage, onError = () => undefined } = options;
  if (path === undefined) return undefined;
  const { DataFolder } = await import("./data-folder.ts");
  return DataFolder.open({ path, clusterName, bookies, settings: storage.bookie, clock, random, onError });
}

async function closeParts({ brokers, bookies, session, recovery, http, folder }: Parts): Promise<void> {
  recovery[Symbol.dispose]();
  http[Symbol.dispose]();
  await Promise.all(brokers.map((node) => node.close()));
  await stopBookies(bookies);
  await session.close();
  await folder?.close();
}
