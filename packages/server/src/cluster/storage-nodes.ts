import type { ServerRuntime } from "@pulsewire/runtime";
import { type Bookie, startBookie } from "../bookkeeper/index.ts";
import type { MemoryMetadata, MetadataStore } from "../metadata/index.ts";
import type { ResolvedOptions } from "./cluster-options.ts";

/** A bookie and its session. */
export interface BookieNode {
  readonly id: string;
  readonly bookie: Bookie;
  readonly metadata: MetadataStore;
}

export interface BookiesOptions {
  options: ResolvedOptions;
  runtimeOf: (nodeId: string) => ServerRuntime;
  metadata: MemoryMetadata;
}

/** Starts bookies, named as Pulsar names them (`host:port`), though they are reached inside the process. */
export function startBookies({ options, runtimeOf, metadata }: BookiesOptions): Promise<BookieNode[]> {
  return Promise.all(
    Array.from({ length: options.bookies }, async (_, i) => {
      const id = `127.0.0.1:${3181 + i}`;
      const { clock, messenger } = runtimeOf(id);
      const session = metadata.session({ clock });
      const bookie = await startBookie({ id, messenger, metadata: options.metadataFor(session, id) });
      return { id, metadata: session, bookie };
    }),
  );
}

export async function stopBookies(nodes: readonly BookieNode[]): Promise<void> {
  await Promise.all(
    nodes.map(async ({ bookie, metadata }) => {
      await bookie.stop();
      await metadata.close();
    }),
  );
}
