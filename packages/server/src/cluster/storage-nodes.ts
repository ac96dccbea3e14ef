import type { ServerRuntime } from "@pulsewire/runtime";
import { type Bookie, startBookie } from "../bookkeeper/index.ts";
import type { MemoryMetadata, MetadataStore } from "../metadata/index.ts";
import type { ResolvedOptions } from "./cluster-options.ts";
import type { DataFolder } from "./data-folder.ts";

/** A bookie and its session. */
export interface BookieNode {
  readonly id: string;
  readonly bookie: Bookie;
  readonly metadata: MetadataStore;
  /** Watches its disk, where it has one. */
  readonly monitor: Disposable | undefined;
}

export interface BookiesOptions {
  options: ResolvedOptions;
  runtimeOf: (nodeId: string) => ServerRuntime;
  metadata: MemoryMetadata;
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

async function startNode({ options, runtimeOf, metadata, folder }: BookiesOptions, index: number): Promise<BookieNode> {
  const id = bookieNodeIds(options.bookies)[index] as string;
  const { clock, messenger } = runtimeOf(id);
  const own = await folder?.openBookie({ index, bookieId: id, clock });
  const session = metadata.session({ clock });
  const common = { id, messenger, metadata: options.metadataFor(session, id) };
  const bookie = await startBookie(own === undefined ? common : { ...common, storage: own.storage });
  return { id, metadata: session, bookie, monitor: own?.watch(bookie) };
}

export async function stopBookies(nodes: readonly BookieNode[]): Promise<void> {
  await Promise.all(
    nodes.map(async ({ bookie, metadata, monitor }) => {
      monitor?.[Symbol.dispose]();
      await bookie.stop();
      await metadata.close();
    }),
  );
}
