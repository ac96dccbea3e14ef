import type { Messenger } from "@pulsewire/runtime";
import { type Bookie, startBookie } from "../bookkeeper/index.ts";
import type { MemoryMetadata, MetadataStore } from "../metadata/index.ts";

/** A bookie and its session. */
export interface BookieNode {
  readonly id: string;
  readonly bookie: Bookie;
  readonly metadata: MetadataStore;
}

/** Starts bookies, named as Pulsar names them (`host:port`), though they are reached inside the process. */
export function startBookies(count: number, messenger: Messenger, metadata: MemoryMetadata): Promise<BookieNode[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const id = `127.0.0.1:${3181 + i}`;
      const session = metadata.session();
      return { id, metadata: session, bookie: await startBookie({ id, messenger, metadata: session }) };
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
