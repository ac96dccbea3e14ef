/** What a setting takes. */
type Spec =
  | { kind: "integer"; min: number; max: number }
  | { kind: "boolean" }
  | { kind: "choice"; of: readonly string[] };

/** Settings of a broker, by Pulsar's own configuration names. */
export interface BrokerSettings {
  /** Largest message, in bytes. Default 5 MiB. */
  maxMessageSize: number;
  /** Seconds between pings; a connection that misses one is closed. Default 30. */
  keepAliveIntervalSeconds: number;
  /** Publishes of one connection under way before it is read no further. Default 1000. */
  maxPendingPublishRequestsPerConnection: number;
  /** Lookups and partition look-ups under way in a broker. Default 50,000. */
  maxConcurrentLookupRequest: number;
  /** Topics loading at once in a broker. Default 5000. */
  maxConcurrentTopicLoadRequest: number;
  /** Seconds until a topic load that does not end fails. Default 60. */
  topicLoadTimeoutSeconds: number;
  /** Default true. */
  allowAutoTopicCreation: boolean;
  /** Default non-partitioned. */
  allowAutoTopicCreationType: "non-partitioned" | "partitioned";
  /** Default true. */
  allowAutoSubscriptionCreation: boolean;
  /** Partitions of an auto-created partitioned topic. Default 1. */
  defaultNumPartitions: number;
  /** 0 without limit, the default. */
  maxNumPartitionsPerPartitionedTopic: number;
  /** Bundles of a new namespace. Default 4. */
  defaultNumberOfNamespaceBundles: number;
  /** Default false. */
  brokerDeduplicationEnabled: boolean;
  /** Entries between two snapshots. Default 1000. */
  brokerDeduplicationEntriesInterval: number;
  /** Seconds between two snapshots. Default 120. */
  brokerDeduplicationSnapshotIntervalSeconds: number;
  /** Producers remembered for each topic. Default 10,000. */
  brokerDeduplicationMaxNumberOfProducers: number;
  /** Default 50,000; 0 without limit. */
  maxUnackedMessagesPerConsumer: number;
  /** Default 200,000; 0 without limit. */
  maxUnackedMessagesPerSubscription: number;
  /** Default 1000 ms. */
  activeConsumerFailoverDelayTimeMillis: number;
  /** Default 1000 ms. */
  delayedDeliveryTickTimeMillis: number;
  /** Seconds between two looks at the counters that rates are made of. Default 60. */
  statsUpdateFrequencyInSecs: number;
  /** 0 without limit, the default. */
  maxProducersPerTopic: number;
  /** 0 without limit, the default. */
  maxConsumersPerTopic: number;
  /** 0 without limit, the default. */
  maxConsumersPerSubscription: number;
  /** 0 without limit, the default. */
  maxSubscriptionsPerTopic: number;
  /** 0 without limit, the default. */
  maxTopicsPerNamespace: number;
  /** Longer patterns are not matched by the broker. Default 50. */
  subscriptionPatternMaxLength: number;
  /** Producers and consumers of one connection, each. Default 10,000. */
  maxProducersAndConsumersPerConnection: number;
  /** Connections of one broker. 0 without limit. Default 50,000. */
  brokerMaxConnections: number;
  /** Default FULL. */
  schemaCompatibilityStrategy: "FULL" | "BACKWARD" | "FORWARD" | "ALWAYS_COMPATIBLE" | "ALWAYS_INCOMPATIBLE";
  /** Producers without a schema are refused on topics with one. Default false. */
  isSchemaValidationEnforced: boolean;
  /** How long a client has to answer when it is asked for credentials. Default 60. */
  authenticationRefreshCheckSeconds: number;
  /** Namespaces may be deleted with what is in them. Default false. */
  forceDeleteNamespaceAllowed: boolean;
  /** Tenants may be deleted with what is in them. Default false. */
  forceDeleteTenantAllowed: boolean;
  /** Default 3. */
  managedLedgerDefaultEnsembleSize: number;
  /** Default 3. */
  managedLedgerDefaultWriteQuorum: number;
  /** Default 2. */
  managedLedgerDefaultAckQuorum: number;
  /** Recent entries that all topics of a broker share in memory, in MB. Default 64. */
  managedLedgerCacheSizeMB: number;
  /** Default 50,000. */
  managedLedgerMaxEntriesPerLedger: number;
  /** Default 2048. */
  managedLedgerMaxSizePerLedgerMbytes: number;
  /** Default 10. */
  managedLedgerMinLedgerRolloverTimeMinutes: number;
  /** Default 240. */
  managedLedgerMaxLedgerRolloverTimeMinutes: number;
  /** Default 10,000. */
  managedLedgerMaxUnackedRangesToPersist: number;
  /** How often in a second a cursor is stored, at most; 0 without limit. Default 1. */
  managedLedgerDefaultMarkDeleteRateLimit: number;
  /** Records of one cursor ledger, at most. Default 50,000. */
  managedLedgerCursorMaxEntriesPerLedger: number;
  /** Seconds until a cursor goes on in a new ledger. Default 14,400. */
  managedLedgerCursorRolloverTimeInSeconds: number;
  /** Seconds between two looks at what retention lets go. Default 120. */
  retentionCheckIntervalInSeconds: number;
  /** Minutes between two looks at messages past their time to live. Default 5. */
  messageExpiryCheckIntervalInMinutes: number;
  /** Time to live of messages where no policy sets one; 0 for ever, the default. */
  ttlDurationDefaultInSeconds: number;
  /** Default 0; -1 for ever. */
  defaultRetentionTimeInMinutes: number;
  /** Default 0; -1 without limit. */
  defaultRetentionSizeInMB: number;
}

const INT_MAX = 2 ** 31 - 1;
const count: Spec = { kind: "integer", min: 0, max: INT_MAX };
const positive: Spec = { kind: "integer", min: 1, max: INT_MAX };
const orForever: Spec = { kind: "integer", min: -1, max: INT_MAX };
const flag: Spec = { kind: "boolean" };

const SETTINGS: { readonly [K in keyof BrokerSettings]: readonly [spec: Spec, byDefault: BrokerSettings[K]] } = {
  maxMessageSize: [{ kind: "integer", min: 1024, max: 2 ** 30 }, 5 * 1024 * 1024],
  keepAliveIntervalSeconds: [positive, 30],
  maxPendingPublishRequestsPerConnection: [positive, 1000],
  maxConcurrentLookupRequest: [positive, 50_000],
  maxConcurrentTopicLoadRequest: [positive, 5000],
  topicLoadTimeoutSeconds: [positive, 60],
  allowAutoTopicCreation: [flag, true],
  allowAutoTopicCreationType: [{ kind: "choice", of: ["non-partitioned", "partitioned"] }, "non-partitioned"],
  allowAutoSubscriptionCreation: [flag, true],
  defaultNumPartitions: [positive, 1],
  maxNumPartitionsPerPartitionedTopic: [count, 0],
  defaultNumberOfNamespaceBundles: [{ kind: "integer", min: 1, max: 4096 }, 4],
  brokerDeduplicationEnabled: [flag, false],
  brokerDeduplicationEntriesInterval: [positive, 1000],
  brokerDeduplicationSnapshotIntervalSeconds: [positive, 120],
  brokerDeduplicationMaxNumberOfProducers: [positive, 10_000],
  maxUnackedMessagesPerConsumer: [count, 50_000],
  maxUnackedMessagesPerSubscription: [count, 200_000],
  activeConsumerFailoverDelayTimeMillis: [count, 1000],
  delayedDeliveryTickTimeMillis: [positive, 1000],
  statsUpdateFrequencyInSecs: [positive, 60],
  maxProducersPerTopic: [count, 0],
  maxConsumersPerTopic: [count, 0],
  maxConsumersPerSubscription: [count, 0],
  maxSubscriptionsPerTopic: [count, 0],
  maxTopicsPerNamespace: [count, 0],
  subscriptionPatternMaxLength: [count, 50],
  maxProducersAndConsumersPerConnection: [positive, 10_000],
  brokerMaxConnections: [count, 50_000],
  schemaCompatibilityStrategy: [
    { kind: "choice", of: ["FULL", "BACKWARD", "FORWARD", "ALWAYS_COMPATIBLE", "ALWAYS_INCOMPATIBLE"] },
    "FULL",
  ],
  isSchemaValidationEnforced: [flag, false],
  authenticationRefreshCheckSeconds: [positive, 60],
  forceDeleteNamespaceAllowed: [flag, false],
  forceDeleteTenantAllowed: [flag, false],
  managedLedgerDefaultEnsembleSize: [positive, 3],
  managedLedgerDefaultWriteQuorum: [positive, 3],
  managedLedgerDefaultAckQuorum: [positive, 2],
  managedLedgerCacheSizeMB: [count, 64],
  managedLedgerMaxEntriesPerLedger: [positive, 50_000],
  managedLedgerMaxSizePerLedgerMbytes: [positive, 2048],
  managedLedgerMinLedgerRolloverTimeMinutes: [count, 10],
  managedLedgerMaxLedgerRolloverTimeMinutes: [positive, 240],
  managedLedgerMaxUnackedRangesToPersist: [positive, 10_000],
  managedLedgerDefaultMarkDeleteRateLimit: [count, 1],
  managedLedgerCursorMaxEntriesPerLedger: [positive, 50_000],
  managedLedgerCursorRolloverTimeInSeconds: [positive, 14_400],
  retentionCheckIntervalInSeconds: [positive, 120],
  messageExpiryCheckIntervalInMinutes: [positive, 5],
  ttlDurationDefaultInSeconds: [count, 0],
  defaultRetentionTimeInMinutes: [orForever, 0],
  defaultRetentionSizeInMB: [orForever, 0],
};

/** The names of all settings, sorted. */
export function settingNames(): (keyof BrokerSettings)[] {
  return (Object.keys(SETTINGS) as (keyof BrokerSettings)[]).sort();
}

/**
 * Settings from what a user gave, texts as on a command line included; the rest by default.
 * @throws TypeError that names the setting and what it takes.
 */
export function parseSettings(given: Readonly<Record<string, unknown>> = {}): BrokerSettings {
  const settings: Record<string, unknown> = {};
  for (const [name, [, byDefault]] of Object.entries(SETTINGS)) settings[name] = byDefault;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(SETTINGS, name)) throw new TypeError(`settings.${name}: there is no such setting`);
    settings[name] = parseValue(name, SETTINGS[name as keyof BrokerSettings][0], value);
  }
  return settings as unknown as BrokerSettings;
}

function parseValue(name: string, spec: Spec, value: unknown): unknown {
  switch (spec.kind) {
    case "boolean": {
      if (value === true || value === "true") return true;
      if (value === false || value === "false") return false;
      throw new TypeError(`settings.${name} takes true or false, not ${show(value)}`);
    }
    case "choice": {
      if (typeof value === "string" && spec.of.includes(value)) return value;
      throw new TypeError(`settings.${name} takes one of ${spec.of.join(", ")}, not ${show(value)}`);
    }
    case "integer": {
      const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
      const { min, max } = spec;
      if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) return number;
      throw new TypeError(`settings.${name} takes an integer from ${min} to ${max}, not ${show(value)}`);
    }
  }
}

function show(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
