/** Pulsar's tenant record (`TenantInfo`), as the admin REST shows it. */
export interface TenantInfo {
  adminRoles: readonly string[];
  allowedClusters: readonly string[];
}

/** `autoTopicCreationOverride`. */
export interface AutoTopicCreation {
  allowAutoTopicCreation: boolean;
  topicType?: "non-partitioned" | "partitioned";
  defaultNumPartitions?: number;
}

export interface RetentionPolicies {
  /** -1 for ever. */
  retentionTimeInMinutes: number;
  /** -1 without limit. */
  retentionSizeInMB: number;
}

export interface PersistencePolicies {
  bookkeeperEnsemble: number;
  bookkeeperWriteQuorum: number;
  bookkeeperAckQuorum: number;
  managedLedgerMaxMarkDeleteRate: number;
}

export interface BacklogQuota {
  /** Bytes; -1 without limit. */
  limitSize: number;
  /** Seconds; -1 without limit. */
  limitTime: number;
  policy: "producer_request_hold" | "producer_exception" | "consumer_backlog_eviction";
}

/** How a new schema must agree with those before it. Pulsar's names. */
export type SchemaCompatibilityStrategy =
  | "UNDEFINED"
  | "ALWAYS_INCOMPATIBLE"
  | "ALWAYS_COMPATIBLE"
  | "BACKWARD"
  | "FORWARD"
  | "FULL"
  | "BACKWARD_TRANSITIVE"
  | "FORWARD_TRANSITIVE"
  | "FULL_TRANSITIVE";

/** What a namespace and a single topic may both set; undefined takes the next level's. */
export interface SharedPolicies {
  deduplicationEnabled?: boolean;
  message_ttl_in_seconds?: number;
  retention_policies?: RetentionPolicies;
  persistence?: PersistencePolicies;
  backlog_quota_map?: Readonly<Record<string, BacklogQuota>>;
  max_unacked_messages_per_consumer?: number;
  max_unacked_messages_per_subscription?: number;
  max_producers_per_topic?: number;
  max_consumers_per_topic?: number;
  max_consumers_per_subscription?: number;
  max_subscriptions_per_topic?: number;
  schema_compatibility_strategy?: SchemaCompatibilityStrategy;
  schema_validation_enforced?: boolean;
  compaction_threshold?: number;
}

/** Pulsar's namespace record (`Policies`), as the admin REST shows it; other fields are kept as they came. */
export interface Policies extends SharedPolicies {
  replication_clusters: readonly string[];
  bundles: { boundaries: readonly string[]; numBundles: number };
  autoTopicCreationOverride?: AutoTopicCreation;
  autoSubscriptionCreationOverride?: { allowAutoSubscriptionCreation: boolean };
  max_topics_per_namespace?: number;
  deleted?: boolean;
  is_allow_auto_update_schema?: boolean;
  [other: string]: unknown;
}

/** Policies of one topic. */
export interface TopicPolicies extends SharedPolicies {
  [other: string]: unknown;
}

/** Equal slices of the hash space, as `boundaries` of a namespace. */
export function bundleBoundaries(count: number): string[] {
  const boundaries: string[] = [];
  for (let i = 0; i < count; i++) boundaries.push(hex32(Math.floor((i * 0x100000000) / count)));
  boundaries.push("0xffffffff");
  return boundaries;
}

/** `0x` and eight digits. */
export function hex32(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}
