import type { Clock } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { Namespaces } from "./namespaces.ts";
import { PartitionedTopics } from "./partitioned-topics.ts";
import { bundleBoundaries, type Policies } from "./policies.ts";
import { ResourceError } from "./resource-error.ts";
import { Schemas } from "./schemas.ts";
import { Tenants } from "./tenants.ts";
import { TopicEpochs } from "./topic-epochs.ts";
import { TopicList } from "./topic-list.ts";
import { TopicPoliciesStore } from "./topic-policies.ts";

/** Everything the metadata store knows of tenants, namespaces and topics, by kind. */
export class Resources {
  readonly tenants: Tenants;
  readonly namespaces: Namespaces;
  readonly partitionedTopics: PartitionedTopics;
  readonly topics: TopicList;
  readonly topicPolicies: TopicPoliciesStore;
  readonly topicEpochs: TopicEpochs;
  readonly schemas: Schemas;

  constructor(store: MetadataStore, clock: Clock) {
    this.tenants = new Tenants(store);
    this.namespaces = new Namespaces(store);
    this.partitionedTopics = new PartitionedTopics(store);
    this.topics = new TopicList(store);
    this.topicPolicies = new TopicPoliciesStore(store);
    this.topicEpochs = new TopicEpochs(store);
    this.schemas = new Schemas(store, clock);
  }
}

/** Policies of a namespace that was just created. */
export function newPolicies(cluster: string, bundles: number): Policies {
  return {
    replication_clusters: [cluster],
    bundles: { boundaries: bundleBoundaries(bundles), numBundles: bundles },
  };
}

/**
 * What a cluster has from the start: tenants `public` and `pulsar`, namespaces `public/default` and `pulsar/system`.
 * What is there already stays as it is.
 */
export async function bootstrapResources(resources: Resources, cluster: string, bundles: number): Promise<void> {
  const info = { adminRoles: [], allowedClusters: [cluster] };
  await Promise.all(["public", "pulsar"].map((tenant) => unlessThere(resources.tenants.create(tenant, info))));
  await Promise.all(
    ["public/default", "pulsar/system"].map((namespace) =>
      unlessThere(resources.namespaces.create(namespace, newPolicies(cluster, bundles))),
    ),
  );
}

async function unlessThere(creation: Promise<void>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof ResourceError) || error.code !== "AlreadyExists") throw error;
  }
}
