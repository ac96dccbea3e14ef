/** How long and how much is kept of what every subscription has acknowledged. -1 is without limit. */
export interface RetentionPolicies {
  retentionTimeInMinutes: number;
  retentionSizeInMB: number;
}

export interface PersistencePolicies {
  bookkeeperEnsemble: number;
  bookkeeperWriteQuorum: number;
  bookkeeperAckQuorum: number;
  managedLedgerMaxMarkDeleteRate?: number;
}

export interface DispatchRate {
  /** Messages a period; -1 is without limit. */
  dispatchThrottlingRateInMsg: number;
  /** Bytes a period; -1 is without limit. */
  dispatchThrottlingRateInByte: number;
  ratePeriodInSecond: number;
  relativeToPublishRate?: boolean;
}

export interface PublishRate {
  publishThrottlingRateInMsg: number;
  publishThrottlingRateInByte: number;
}

export interface SubscribeRate {
  subscribeThrottlingRatePerConsumer: number;
  ratePeriodInSecond: number;
}

export interface InactiveTopicPolicies {
  inactiveTopicDeleteMode: "delete_when_no_subscriptions" | "delete_when_subscriptions_caught_up";
  maxInactiveDurationSeconds: number;
  deleteWhileInactive: boolean;
}

export interface DelayedDeliveryPolicies {
  active: boolean;
  tickTime: number;
  maxDeliveryDelayInMillis?: number;
}

export interface AutoTopicCreation {
  allowAutoTopicCreation: boolean;
  topicType?: "partitioned" | "non-partitioned";
  defaultNumPartitions?: number;
}

export interface BacklogQuota {
  /** Bytes; -1 is without limit. */
  limitSize: number;
  /** Seconds; -1 is without limit. */
  limitTime: number;
  policy: "producer_request_hold" | "producer_exception" | "consumer_backlog_eviction";
}

export type BacklogQuotaType = "destination_storage" | "message_age";

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

export type SubscriptionTypeName = "Exclusive" | "Shared" | "Failover" | "Key_Shared";

/** Policies that a namespace and a topic may both have, by the names of their paths. */
interface SharedPolicyValues {
  messageTTL: number;
  retention: RetentionPolicies;
  persistence: PersistencePolicies;
  maxConsumersPerSubscription: number;
  maxSubscriptionsPerTopic: number;
  dispatchRate: DispatchRate;
  subscriptionDispatchRate: DispatchRate;
  replicatorDispatchRate: DispatchRate;
  publishRate: PublishRate;
  subscribeRate: SubscribeRate;
  inactiveTopicPolicies: InactiveTopicPolicies;
  delayedDelivery: DelayedDeliveryPolicies;
  deduplicationSnapshotInterval: number;
  compactionThreshold: number;
  schemaCompatibilityStrategy: SchemaCompatibilityStrategy;
  schemaValidationEnforced: boolean;
  offloadPolicies: Readonly<Record<string, unknown>>;
  replication: readonly string[];
  subscriptionTypesEnabled: readonly SubscriptionTypeName[];
}

/** Policies of a namespace, by the names of their paths. */
export interface NamespacePolicyValues extends SharedPolicyValues {
  deduplication: boolean;
  maxProducersPerTopic: number;
  maxConsumersPerTopic: number;
  maxTopicsPerNamespace: number;
  maxUnackedMessagesPerConsumer: number;
  maxUnackedMessagesPerSubscription: number;
  /** In minutes. */
  subscriptionExpirationTime: number;
  offloadThreshold: number;
  offloadThresholdInSeconds: number;
  offloadDeletionLagMs: number;
  isAllowAutoUpdateSchema: boolean;
  encryptionRequired: boolean;
  autoTopicCreation: AutoTopicCreation;
  autoSubscriptionCreation: { allowAutoSubscriptionCreation: boolean };
  subscriptionAuthMode: "None" | "Prefix";
  properties: Readonly<Record<string, string>>;
}

/** Policies of a topic, by the names of their paths. */
export interface TopicPolicyValues extends SharedPolicyValues {
  deduplicationEnabled: boolean;
  maxProducers: number;
  maxConsumers: number;
  maxMessageSize: number;
  maxUnackedMessagesOnConsumer: number;
  maxUnackedMessagesOnSubscription: number;
  autoSubscriptionCreation: { allowAutoSubscriptionCreation: boolean };
}

export type NamespacePolicy = keyof NamespacePolicyValues;
export type TopicPolicy = keyof TopicPolicyValues;

/** Those of a namespace that are set by PUT; the others are by POST. */
export const PUT_OF_NAMESPACE: ReadonlySet<string> = new Set<NamespacePolicy>([
  "compactionThreshold",
  "offloadThreshold",
  "offloadThresholdInSeconds",
  "offloadDeletionLagMs",
  "schemaCompatibilityStrategy",
  "properties",
]);

/** Those of a topic that are set by PUT; the others are by POST. */
export const PUT_OF_TOPIC: ReadonlySet<string> = new Set<TopicPolicy>(["schemaCompatibilityStrategy"]);

/** Those of a topic whose value goes into the query, under the policy's name; those of the others are the body. */
export const QUERY_OF_TOPIC: ReadonlySet<string> = new Set<TopicPolicy>(["messageTTL"]);

/** Where one is removed by another path than it is set by. */
export const REMOVAL_PATHS: Readonly<Partial<Record<NamespacePolicy, string>>> = {
  offloadPolicies: "removeOffloadPolicies",
};

/** What a namespace is created with. */
export interface NamespaceOptions {
  /** Bundles to begin with. Default: the cluster's. */
  numBundles?: number;
  /** Default: the tenant's. */
  replicationClusters?: readonly string[];
}

/** A namespace's record. Fields by Pulsar's names; those a version has beside these are there too. */
export interface Policies {
  readonly replication_clusters?: readonly string[];
  readonly bundles?: Bundles;
  readonly deduplicationEnabled?: boolean;
  readonly message_ttl_in_seconds?: number;
  readonly retention_policies?: RetentionPolicies;
  readonly persistence?: PersistencePolicies;
  readonly [field: string]: unknown;
}

export interface Bundles {
  readonly boundaries: readonly string[];
  readonly numBundles: number;
}
