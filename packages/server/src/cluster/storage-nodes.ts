import type { ServerRuntime } from "@pulsewire/runtime";
import { type Bookie, startBookie } from "../bookkeeper/index.ts";
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
}

export interface BookiesOptions {
  options: ResolvedOptions;
  runtimeOf: (nodeId: string) => ServerRuntime;
  metadata: MemoryMetadata;
  statistics: MetadataStatistics;
  /** Where bookies keep their entries. Default: in memory. */
  folder: DataFolder | undefined;
}

/** Starts bookies, named as Pulsar names them (`host:port`), though they are reached inside the process. */
export async function startBookies(bookies: BookiesOptions): Promise<BookieNode[]> {
  const starting = Array.from({ length: bookies.options.bookies }, (_, index) => startNode(bookies, index));
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

async function startNode(bookies: BookiesOptions, index: number): Promise<BookieNode> {
  const { options, runtimeOf, folder } = bookies;
  const id = bookieNodeIds(options.bookies)[index] as string;
  const { clock, messenger } = runtimeOf(id);
  const own = await folder?.openBookie({ index, bookieId: id, clock });
  const session = new NodeSession({ ...bookies, nodeId: id, clock });
  const { onError = () => undefined } = options;
  const common = { id, messenger, metadata: session.metadata, clock, onError };
  const bookie = await startBookie(own === undefined ? common : { ...common, storage: own.storage });
  return {
    id,
    session,
    bookie,
    monitor: own?.watch(bookie),
    get metadata() {
      return session.current;
    },
  };
}

export async function stopBookies(nodes: readonly BookieNode[]): Promise<void> {
  await Promise.all(
    nodes.map(async ({ bookie, session, monitor }) => {
      monitor?.[Symbol.dispose]();
      await bookie.stop();
      await session.metadata.close();
    }),
  );
}
