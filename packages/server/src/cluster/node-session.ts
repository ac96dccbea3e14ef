import type { Clock } from "@pulsewire/runtime";
import { type MemoryMetadata, type MetadataStore, MeteredMetadata, RenewingMetadata } from "../metadata/index.ts";
import type { MetadataStatistics } from "../metadata/metadata-statistics.ts";
import type { ResolvedOptions } from "./cluster-options.ts";

export interface NodeSessionOptions {
  nodeId: string;
  /** The node's own. */
  clock: Clock;
  metadata: MemoryMetadata;
  statistics: MetadataStatistics;
  options: Pick<ResolvedOptions, "metadataFor">;
}

/** A node's way to the metadata store, over as many sessions as it takes. */
export class NodeSession {
  /** What the node uses. */
  readonly metadata: RenewingMetadata;
  #current: MetadataStore;

  constructor({ nodeId, clock, metadata, statistics, options }: NodeSessionOptions) {
    const over = (session: MetadataStore): MetadataStore =>
      new MeteredMetadata(options.metadataFor(session, nodeId), clock, statistics);
    let first: MetadataStore | undefined = metadata.session({ clock });
    this.#current = first;
    this.metadata = new RenewingMetadata(() => {
      this.#current = first ?? metadata.session({ clock });
      first = undefined;
      return over(this.#current);
    });
  }

  /** The session as the store knows it now: for faults. */
  get current(): MetadataStore {
    return this.#current;
  }
}
