import type { CommandGetTopicsOfNamespace, CommandGetTopicsOfNamespaceResponse } from "@pulsewire/protocol";
import type { Connection } from "../connection/connection.ts";
import type { Target } from "../connection/open-connection.ts";
import type { SchemaInfo } from "../schema/schema-info.ts";

/** What is asked of a cluster as a whole, before it is known which broker has a topic. */
export interface Lookup {
  /**
   * Where the owner of a topic is reached, following redirects. `startUrl` replaces the service URL, as for a topic
   * that was migrated to another cluster.
   */
  findBroker(topic: string, startUrl?: string): Promise<Target>;
  /** Where a broker that another one named is reached, without a lookup. */
  assignedBroker(url: string): Promise<Target>;
  /** The number of partitions of a topic; 0 for one without. Rejects with TopicNotFound where it may not be created. */
  partitionCount(topic: string, autoCreate: boolean): Promise<number>;
  /** A schema of the topic by its version, or its latest one; undefined where there is none. */
  getSchema(topic: string, version: Uint8Array | undefined): Promise<SchemaInfo | undefined>;
  /** A connection to whichever broker answers at the service URL. Rejects with Unsupported where that takes no frames. */
  serviceConnection(): Promise<Connection>;
  /** The topics of a namespace; of a partitioned topic its partitions. */
  topicsOfNamespace(
    query: Omit<CommandGetTopicsOfNamespace, "requestId">,
  ): Promise<CommandGetTopicsOfNamespaceResponse>;
}
