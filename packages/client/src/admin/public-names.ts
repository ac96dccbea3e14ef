export { AdminError } from "./admin-error.ts";
export type { AdminRequest, Method, RequestOptions } from "./admin-http.ts";
export type { AdminOptions } from "./admin-options.ts";
export type { Bookies, Brokers, LeaderBroker, Lookups, TopicOwner } from "./brokers.ts";
export type { ClusterData, Clusters } from "./clusters.ts";
export type { AuthAction, Namespaces, SplitOptions } from "./namespaces.ts";
export type {
  AutoTopicCreation,
  BacklogQuota,
  BacklogQuotaType,
  Bundles,
  DelayedDeliveryPolicies,
  DispatchRate,
  InactiveTopicPolicies,
  NamespaceOptions,
  NamespacePolicy,
  NamespacePolicyValues,
  PersistencePolicies,
  Policies,
  PublishRate,
  RetentionPolicies,
  SchemaCompatibilityStrategy,
  SubscribeRate,
  SubscriptionTypeName,
  TopicPolicy,
  TopicPolicyValues,
} from "./policies.ts";
export type { SchemaPayload, Schemas, StoredSchema } from "./schemas.ts";
export type {
  ConsumerStats,
  CursorStats,
  InternalStats,
  LedgerStats,
  PartitionedTopicStats,
  PublisherStats,
  SubscriptionStats,
  TopicStats,
} from "./stats.ts";
export type { StoredMessage } from "./stored-message.ts";
export type { DeleteSubscriptionOptions, SubscriptionPosition, Subscriptions } from "./subscriptions.ts";
export type { DeleteOptions, TenantInfo, Tenants } from "./tenants.ts";
export type { LongRunningStatus, TopicDomainName, Topics } from "./topics.ts";
