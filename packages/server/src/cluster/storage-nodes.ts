import type { Clock, ServerRuntime } from "@pulsewire/runtime";
import {
  AutoRecovery,
  type Bookie,
  type LedgerStorage,
  MemoryLedgerStorage,
  type RecoveryStatistics,
  startBookie,
} from "../bookkeeper/index.ts";
import type { MemoryMetadata, MetadataStatistics, MetadataStore } from "../metadata/index.ts";
import type { ResolvedOptions } from "./cluster-options.ts";
import type { DataFolder } from "./data-folder.ts";
import { NodeSession } from "./node-session.ts";

/** A bookie and its session. */
export interface BookieNode {
  readonly id: string;
  readonly bookie: Bookie;
  /** The session it has now. */
  readonly metadata: MetadataStore;
  /** What it uses, over as many sessions as it takes. */
  readonly session: NodeSession;
  /** Watches its disk, where it has one. */
  readonly monitor: Disposable | undefined;
  /** What it does for copies that others lost; undefined where that is switched off. */
  readonly recovery: AutoRecovery | undefined;
}

export interface BookiesOptions {
  options: ResolvedOptions;
  /** One that goes on when a node does not. */
  clock: Clock;
  runtimeOf: (nodeId: string) => ServerRuntime;
  metadata: MemoryMetadata;
  statistics: MetadataStatistics;
  recovered: RecoveryStatistics;
  /** Where bookies keep their entries. Default: in memory. */
  folder: DataFolder | undefined;
}

/** Starts bookies, named as Pulsar names them (`host:port`), though they are reached inside the process. */
export async function startBookies(bookies: BookiesOptions): Promise<BookieNode[]> {
  const starting = bookieNodeIds(bookies.options.bookies).map((id, index) => startNode(bookies, id, index));
  const results = await Promise.allSettled(starting);
  const nodes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (nodes.length < results.length) await stopBookies(nodes);
  await Promise.all(starting);
  return nodes;
}

const FIRST_PORT = 3181;

/** What bookies are called among the nodes of their cluster. */
export function bookieNodeIds(bookies: number): string[] {
  return Array.from({ length: bookies }, (_, index) => `127.0.0.1:${FIRST_PORT + index}`);
}

/** Starts the next process of a bookie whose last one is gone; with the storage of that, or an empty one. */
export async function restartBookie(bookies: BookiesOptions, before: BookieNode, wipe: boolean): Promise<BookieNode> {
  // nobody else lets go of what the last process stored
  if (wipe) await before.bookie.storage.close();
  return startNode(bookies, before.id, 0, wipe ? new MemoryLedgerStorage() : before.bookie.storage);
}

async function startNode(
  bookies: BookiesOptions,
  id: string,
  index: number,
  kept?: LedgerStorage,
): Promise<BookieNode> {
  const { options, runtimeOf, folder, clock: clusterClock } = bookies;
  const { clock, messenger } = runtimeOf(id);
  // what is stored is the disk's: it outlives the process, and so its clock
  const own = kept === undefined ? await folder?.openBookie({ index, bookieId: id, clock: clusterClock }) : undefined;
  const session = new NodeSession({ ...bookies, nodeId: id, clock });
  const { onError = () => undefined } = options;
  const gcWaitTimeMs = options.storage.bookie.gcWaitTime;
  const common = { id, messenger, metadata: session.metadata, clock, gcWaitTimeMs, onError };
  const storage = kept ?? own?.storage;
  const bookie = await startBookie(storage === undefined ? common : { ...common, storage });
  return {
    id,
    session,
    bookie,
    monitor: own?.watch(bookie),
    recovery: startRecovery(bookies, id, session),
    get metadata() {
      return session.current;
    },
  };
}

function startRecovery(
  { options, runtimeOf, recovered }: BookiesOptions,
  nodeId: string,
  session: NodeSession,
): AutoRecovery | undefined {
  const { client, recovery: settings } = options.storage;
  if (!settings.autoRecoveryDaemonEnabled) return undefined;
  const { clock, random, messenger } = runtimeOf(nodeId);
  const { onError } = options;
  const recovery = new AutoRecovery({
    clock,
    random,
    messenger,
    metadata: session.metadata,
    nodeId,
    client,
    settings,
    statistics: recovered,
    onError,
  });
  recovery.start();
  return recovery;
}

export async function stopBookies(nodes: readonly BookieNode[]): Promise<void> {
  await Promise.all(nodes.map(({ recovery }) => recovery?.[Symbol.asyncDispose]()));
  await Promise.all(
    nodes.map(async ({ bookie, session, monitor }) => {
      monitor?.[Symbol.dispose]();
      await bookie.stop();
      await session.metadata.close();
    }),
  );
}
