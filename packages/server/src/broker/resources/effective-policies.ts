import type { BrokerSettings } from "../broker-settings.ts";
import type {
  AutoTopicCreation,
  Policies,
  RetentionPolicies,
  SchemaCompatibilityStrategy,
  SharedPolicies,
  TopicPolicies,
} from "./policies.ts";

/** What holds for one topic: its own policies before its namespace's before the broker's settings. */
export interface EffectivePolicies {
  deduplicationEnabled: boolean;
  retention: RetentionPolicies;
  ensembleSize: number;
  writeQuorum: number;
  ackQuorum: number;
  maxUnackedMessagesPerConsumer: number;
  maxUnackedMessagesPerSubscription: number;
  maxProducers: number;
  maxConsumers: number;
  maxConsumersPerSubscription: number;
  maxSubscriptions: number;
  maxTopicsPerNamespace: number;
  autoTopicCreation: Required<AutoTopicCreation>;
  autoSubscriptionCreation: boolean;
  schemaCompatibility: SchemaCompatibilityStrategy;
  schemaValidationEnforced: boolean;
  autoUpdateSchema: boolean;
  messageTtlSeconds: number;
  /** How often in a second a cursor is stored, at most; 0 without limit. */
  markDeleteRate: number;
}

export function effectivePolicies(
  settings: BrokerSettings,
  namespace: Policies | undefined,
  topic: TopicPolicies | undefined,
): EffectivePolicies {
  const own: SharedPolicies = topic ?? {};
  const shared: SharedPolicies = namespace ?? {};
  const first = <K extends keyof SharedPolicies>(key: K): SharedPolicies[K] => own[key] ?? shared[key];
  const persistence = first("persistence");
  const strategy = first("schema_compatibility_strategy");
  return {
    deduplicationEnabled: first("deduplicationEnabled") ?? settings.brokerDeduplicationEnabled,
    retention: first("retention_policies") ?? {
      retentionTimeInMinutes: settings.defaultRetentionTimeInMinutes,
      retentionSizeInMB: settings.defaultRetentionSizeInMB,
    },
    ensembleSize: persistence?.bookkeeperEnsemble || settings.managedLedgerDefaultEnsembleSize,
    writeQuorum: persistence?.bookkeeperWriteQuorum || settings.managedLedgerDefaultWriteQuorum,
    ackQuorum: persistence?.bookkeeperAckQuorum || settings.managedLedgerDefaultAckQuorum,
    maxUnackedMessagesPerConsumer: first("max_unacked_messages_per_consumer") ?? settings.maxUnackedMessagesPerConsumer,
    maxUnackedMessagesPerSubscription:
      first("max_unacked_messages_per_subscription") ?? settings.maxUnackedMessagesPerSubscription,
    maxProducers: first("max_producers_per_topic") ?? settings.maxProducersPerTopic,
    maxConsumers: first("max_consumers_per_topic") ?? settings.maxConsumersPerTopic,
    maxConsumersPerSubscription: first("max_consumers_per_subscription") ?? settings.maxConsumersPerSubscription,
    maxSubscriptions: first("max_subscriptions_per_topic") ?? settings.maxSubscriptionsPerTopic,
    maxTopicsPerNamespace: namespace?.max_topics_per_namespace ?? settings.maxTopicsPerNamespace,
    autoTopicCreation: autoTopicCreation(settings, namespace?.autoTopicCreationOverride),
    autoSubscriptionCreation:
      namespace?.autoSubscriptionCreationOverride?.allowAutoSubscriptionCreation ??
      settings.allowAutoSubscriptionCreation,
    schemaCompatibility:
      strategy === undefined || strategy === "UNDEFINED" ? settings.schemaCompatibilityStrategy : strategy,
    schemaValidationEnforced: first("schema_validation_enforced") ?? settings.isSchemaValidationEnforced,
    autoUpdateSchema: namespace?.is_allow_auto_update_schema ?? true,
    messageTtlSeconds: first("message_ttl_in_seconds") ?? settings.ttlDurationDefaultInSeconds,
    markDeleteRate: persistence?.managedLedgerMaxMarkDeleteRate || settings.managedLedgerDefaultMarkDeleteRateLimit,
  };
}

function autoTopicCreation(
  settings: BrokerSettings,
  override: AutoTopicCreation | undefined,
): Required<AutoTopicCreation> {
  return {
    allowAutoTopicCreation: override?.allowAutoTopicCreation ?? settings.allowAutoTopicCreation,
    topicType: override?.topicType ?? settings.allowAutoTopicCreationType,
    defaultNumPartitions: override?.defaultNumPartitions ?? settings.defaultNumPartitions,
  };
}
