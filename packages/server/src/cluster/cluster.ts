import type { Codec, ServerRuntime } from "@pulsewire/runtime";
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
  type StartedBookies,
  startBookies,
  stopBookies,
  type UnstartedBookie,
} from "./storage-nodes.ts";
import { putInZones } from "./zones.ts";

export { StorageError, type StorageErrorCode } from "../bookkeeper/index.ts";
export { ManagedLedgerError } from "../managed-ledger/index.ts";

/** What everything in a cluster stands on. */
interface Base extends BookiesOptions {
  codec: Codec;
  /** The cluster's own session, beside those of its nodes. */
  session: MetadataStore;
  resources: Resources;
  directory: BrokerDirectory;
  faults: ClusterFaults;
}

interface Parts {
  brokers: BrokerNode[];
  bookies: BookieNode[];
  unstarted: readonly UnstartedBookie[];
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

  /** Bookies of the data directory that were not started, since what they keep cannot be read. */
  get unstartedBookies(): readonly UnstartedBookie[] {
    return this.#parts.unstarted;
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
  const base = await openBase(given, options.runtime ?? (await nodeRuntime()));
  const parts = partsOf(base, await startStorage(base));
  await startBrokers(base, parts);
  const { brokers, bookies, metadata, faults } = parts;
  faults.serve({
    brokers,
    bookies,
    metadata,
    startBroker: (index, before) => startBroker(base, parts.http, index, before),
    startBookie: (before, wipe) => restartBookie(base, before, wipe),
  });
  return new Cluster(parts);
}

async function openBase(given: ResolvedOptions, runtime: ServerRuntime): Promise<Base> {
  const { clock, codec } = runtime;
  const faults = new ClusterFaults({ clock, runtimeOf: (nodeId) => runtime.forNode?.(nodeId) ?? runtime });
  const metadataFor: ResolvedOptions["metadataFor"] = (session, nodeId) =>
    faults.metadataFor(given.metadataFor(session, nodeId), nodeId);
  const options: ResolvedOptions = { ...given, metadataFor };
  const folder = await openFolder(options, runtime);
  const metadata = folder?.metadata ?? createMemoryMetadata({ clock });
  const session = metadata.session();
  return {
    options,
    clock,
    codec,
    runtimeOf: (nodeId) => faults.runtimeFor(nodeId),
    folder,
    metadata,
    session,
    statistics: new MetadataStatistics(),
    recovered: new RecoveryStatistics(),
    resources: new Resources(session, clock),
    directory: new BrokerDirectory(),
    faults,
  };
}

/** The bookies, and what metadata has to say before a broker starts. Nothing is left open where that fails. */
async function startStorage(base: Base): Promise<StartedBookies> {
  const { options, resources, session, folder } = base;
  const starting = [
    startBookies(base),
    bootstrapResources(resources, options.clusterName, options.settings.defaultNumberOfNamespaceBundles),
    putInZones(session, bookiePlaces(base).map(bookieNodeId), options.zones),
  ] as const;
  try {
    const [bookies] = await Promise.all(starting);
    return bookies;
  } catch (error) {
    const [nodes] = await Promise.allSettled(starting);
    if (nodes.status === "fulfilled") await stopBookies(nodes.value.nodes);
    await session.close();
    await folder?.close();
    throw error;
  }
}

/** Everything but the brokers, which are yet to start. */
function partsOf(base: Base, { nodes: bookies, unstarted }: StartedBookies): Parts {
  const { options, clock, codec, session, metadata, folder, resources, directory, statistics, faults } = base;
  const { clusterName, settings, storage } = options;
  const admin = new ClusterAdmin({
    clusterName,
    settings,
    resources,
    clock,
    codec,
    directory,
    bookies: () => [...bookies, ...unstarted].map(({ id }) => id).sort(),
    bookieRacks: new BookieRackTable(session),
    regionAware: storage.client.bookkeeperClientRegionawarePolicyEnabled,
  });
  const recovery = new ClusterRecovery({
    clock,
    session,
    bookies,
    statistics: base.recovered,
    copies: storage.recovery.autoRecoveryDaemonEnabled,
  });
  const http = new ClusterHttp({
    clock,
    admin,
    directory,
    bookies,
    unstarted,
    statistics,
    recovery,
    fallback: options.http,
  });
  return { brokers: [], bookies, unstarted, metadata, session, folder, admin, faults, recovery, http };
}

/** Where one fails, everything is closed. */
async function startBrokers(base: Base, parts: Parts): Promise<void> {
  try {
    const starting = Array.from({ length: base.options.brokers }, (_, index) => startBroker(base, parts.http, index));
    for (const result of await Promise.allSettled(starting)) {
      if (result.status === "fulfilled") parts.brokers.push(result.value);
    }
    await Promise.all(starting);
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

function startBroker(base: Base, http: ClusterHttp, index: number, before?: BrokerNode): Promise<BrokerNode> {
  const { runtimeOf, metadata, statistics, directory, options, faults } = base;
  return startBrokerNode({
    index,
    runtime: runtimeOf(brokerNodeId(index)),
    metadata,
    statistics,
    directory,
    options,
    http: http.handle,
    faults,
    ...(before === undefined ? {} : { ports: before.listeners.ports }),
  });
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
  // one that fails to close leaves nothing open behind it
  const closed = await Promise.allSettled(brokers.map((node) => node.close()));
  await stopBookies(bookies);
  await session.close();
  await folder?.close();
  for (const result of closed) if (result.status === "rejected") throw result.reason;
}
