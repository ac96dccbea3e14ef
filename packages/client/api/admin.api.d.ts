import { C as ClientTlsOptions, a as ClientRuntime } from './types-runtime.d.js';
import { A as Authentication } from './types-authentication.d.js';
import { M as MessageId } from './types-message-id.d.js';
import { P as PulsarError } from './types-errors.d.js';
import './types-codec.d.js';
interface AdminOptions {
    serviceUrl: string;
    authentication?: Authentication;
    tls?: ClientTlsOptions;
    timeoutMs?: number;
    authenticateRedirects?: boolean;
    runtime?: Partial<ClientRuntime>;
}
interface RequestOptions {
    signal?: AbortSignal;
    timeoutMs?: number;
}
type Method = "GET" | "PUT" | "POST" | "DELETE";
type QueryValue = string | number | boolean | undefined;
interface AdminRequest extends RequestOptions {
    readonly query?: Readonly<Record<string, QueryValue>>;
    readonly body?: unknown;
}
interface LeaderBroker {
    readonly brokerId: string;
    readonly serviceUrl: string;
}
declare class Brokers {
    #private;
    list(cluster?: string, options?: RequestOptions): Promise<string[]>;
    leader(options?: RequestOptions): Promise<LeaderBroker>;
    healthCheck(options?: RequestOptions): Promise<void>;
    version(options?: RequestOptions): Promise<string>;
    runtimeConfiguration(options?: RequestOptions): Promise<Record<string, string>>;
    dynamicConfiguration(options?: RequestOptions): Promise<Record<string, string>>;
    updateDynamicConfiguration(name: string, value: string, options?: RequestOptions): Promise<void>;
}
declare class Bookies {
    #private;
    list(options?: RequestOptions): Promise<string[]>;
    racks(options?: RequestOptions): Promise<Record<string, Record<string, unknown>>>;
}
interface TopicOwner {
    readonly brokerUrl: string;
    readonly brokerUrlTls: string;
    readonly httpUrl: string;
}
declare class Lookups {
    #private;
    topic(topic: string, options?: RequestOptions): Promise<TopicOwner>;
    bundle(topic: string, options?: RequestOptions): Promise<string>;
}
interface ClusterData {
    serviceUrl?: string;
    serviceUrlTls?: string;
    brokerServiceUrl?: string;
    brokerServiceUrlTls?: string;
    [field: string]: unknown;
}
declare class Clusters {
    #private;
    list(options?: RequestOptions): Promise<string[]>;
    get(cluster: string, options?: RequestOptions): Promise<ClusterData>;
    create(cluster: string, data: ClusterData, options?: RequestOptions): Promise<void>;
    update(cluster: string, data: ClusterData, options?: RequestOptions): Promise<void>;
    delete(cluster: string, options?: RequestOptions): Promise<void>;
}
interface RetentionPolicies {
    retentionTimeInMinutes: number;
    retentionSizeInMB: number;
}
interface PersistencePolicies {
    bookkeeperEnsemble: number;
    bookkeeperWriteQuorum: number;
    bookkeeperAckQuorum: number;
    managedLedgerMaxMarkDeleteRate?: number;
}
interface DispatchRate {
    dispatchThrottlingRateInMsg: number;
    dispatchThrottlingRateInByte: number;
    ratePeriodInSecond: number;
    relativeToPublishRate?: boolean;
}
interface PublishRate {
    publishThrottlingRateInMsg: number;
    publishThrottlingRateInByte: number;
}
interface SubscribeRate {
    subscribeThrottlingRatePerConsumer: number;
    ratePeriodInSecond: number;
}
interface InactiveTopicPolicies {
    inactiveTopicDeleteMode: "delete_when_no_subscriptions" | "delete_when_subscriptions_caught_up";
    maxInactiveDurationSeconds: number;
    deleteWhileInactive: boolean;
}
interface DelayedDeliveryPolicies {
    active: boolean;
    tickTime: number;
    maxDeliveryDelayInMillis?: number;
}
interface AutoTopicCreation {
    allowAutoTopicCreation: boolean;
    topicType?: "partitioned" | "non-partitioned";
    defaultNumPartitions?: number;
}
interface BacklogQuota {
    limitSize: number;
    limitTime: number;
    policy: "producer_request_hold" | "producer_exception" | "consumer_backlog_eviction";
}
type BacklogQuotaType = "destination_storage" | "message_age";
type SchemaCompatibilityStrategy = "UNDEFINED" | "ALWAYS_INCOMPATIBLE" | "ALWAYS_COMPATIBLE" | "BACKWARD" | "FORWARD" | "FULL" | "BACKWARD_TRANSITIVE" | "FORWARD_TRANSITIVE" | "FULL_TRANSITIVE";
type SubscriptionTypeName = "Exclusive" | "Shared" | "Failover" | "Key_Shared";
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
interface NamespacePolicyValues extends SharedPolicyValues {
    deduplication: boolean;
    maxProducersPerTopic: number;
    maxConsumersPerTopic: number;
    maxTopicsPerNamespace: number;
    maxUnackedMessagesPerConsumer: number;
    maxUnackedMessagesPerSubscription: number;
    subscriptionExpirationTime: number;
    offloadThreshold: number;
    offloadThresholdInSeconds: number;
    offloadDeletionLagMs: number;
    isAllowAutoUpdateSchema: boolean;
    encryptionRequired: boolean;
    autoTopicCreation: AutoTopicCreation;
    autoSubscriptionCreation: {
        allowAutoSubscriptionCreation: boolean;
    };
    subscriptionAuthMode: "None" | "Prefix";
    properties: Readonly<Record<string, string>>;
}
interface TopicPolicyValues extends SharedPolicyValues {
    deduplicationEnabled: boolean;
    maxProducers: number;
    maxConsumers: number;
    maxMessageSize: number;
    maxUnackedMessagesOnConsumer: number;
    maxUnackedMessagesOnSubscription: number;
    autoSubscriptionCreation: {
        allowAutoSubscriptionCreation: boolean;
    };
}
type NamespacePolicy = keyof NamespacePolicyValues;
type TopicPolicy = keyof TopicPolicyValues;
interface NamespaceOptions {
    numBundles?: number;
    replicationClusters?: readonly string[];
}
interface Policies {
    readonly replication_clusters?: readonly string[];
    readonly bundles?: Bundles;
    readonly deduplicationEnabled?: boolean;
    readonly message_ttl_in_seconds?: number;
    readonly retention_policies?: RetentionPolicies;
    readonly persistence?: PersistencePolicies;
    readonly [field: string]: unknown;
}
interface Bundles {
    readonly boundaries: readonly string[];
    readonly numBundles: number;
}
interface TenantInfo {
    adminRoles: readonly string[];
    allowedClusters: readonly string[];
}
interface DeleteOptions extends RequestOptions {
    force?: boolean;
}
declare class Tenants {
    #private;
    list(options?: RequestOptions): Promise<string[]>;
    get(tenant: string, options?: RequestOptions): Promise<TenantInfo>;
    create(tenant: string, info: Partial<TenantInfo>, options?: RequestOptions): Promise<void>;
    update(tenant: string, info: Partial<TenantInfo>, options?: RequestOptions): Promise<void>;
    delete(tenant: string, options?: DeleteOptions): Promise<void>;
}
type AuthAction = "produce" | "consume" | "functions" | "sources" | "sinks" | "packages";
declare class Namespaces {
    #private;
    list(tenant: string, options?: RequestOptions): Promise<string[]>;
    get(namespace: string, options?: RequestOptions): Promise<Policies>;
    create(namespace: string, create?: NamespaceOptions, options?: RequestOptions): Promise<void>;
    delete(namespace: string, options?: DeleteOptions): Promise<void>;
    topics(namespace: string, options?: RequestOptions): Promise<string[]>;
    bundles(namespace: string, options?: RequestOptions): Promise<Bundles>;
    unload(namespace: string, options?: RequestOptions): Promise<void>;
    unloadBundle(namespace: string, bundle: string, options?: RequestOptions): Promise<void>;
    splitBundle(namespace: string, bundle: string, options?: SplitOptions): Promise<void>;
    clearBacklog(namespace: string, subscription?: string, options?: RequestOptions): Promise<void>;
    permissions(namespace: string, options?: RequestOptions): Promise<Record<string, AuthAction[]>>;
    grant(namespace: string, role: string, actions: readonly AuthAction[], options?: RequestOptions): Promise<void>;
    revoke(namespace: string, role: string, options?: RequestOptions): Promise<void>;
    getPolicy<P extends NamespacePolicy>(namespace: string, policy: P, options?: RequestOptions): Promise<NamespacePolicyValues[P] | undefined>;
    setPolicy<P extends NamespacePolicy>(namespace: string, policy: P, value: NamespacePolicyValues[P], options?: RequestOptions): Promise<void>;
    removePolicy(namespace: string, policy: NamespacePolicy, options?: RequestOptions): Promise<void>;
    backlogQuotas(namespace: string, options?: RequestOptions): Promise<Partial<Record<BacklogQuotaType, BacklogQuota>>>;
    setBacklogQuota(namespace: string, quota: BacklogQuota, type?: BacklogQuotaType, options?: RequestOptions): Promise<void>;
    removeBacklogQuota(namespace: string, type?: BacklogQuotaType, options?: RequestOptions): Promise<void>;
}
interface SplitOptions extends RequestOptions {
    unload?: boolean;
}
interface SchemaPayload {
    type: string;
    schema: string;
    properties?: Readonly<Record<string, string>>;
}
interface StoredSchema {
    readonly version: number;
    readonly type: string;
    readonly timestamp: number;
    readonly data: string;
    readonly properties: Readonly<Record<string, string>>;
}
declare class Schemas {
    #private;
    get(topic: string, version?: number, options?: RequestOptions): Promise<StoredSchema>;
    list(topic: string, options?: RequestOptions): Promise<StoredSchema[]>;
    post(topic: string, schema: SchemaPayload, options?: RequestOptions): Promise<number>;
    isCompatible(topic: string, schema: SchemaPayload, options?: RequestOptions): Promise<boolean>;
    delete(topic: string, options?: RequestOptions & {
        force?: boolean;
    }): Promise<void>;
}
interface StoredMessage {
    readonly messageId: MessageId;
    readonly data: Uint8Array;
    readonly properties: Readonly<Record<string, string>>;
    readonly key: string | undefined;
    readonly eventTime: number;
    readonly publishTime: number;
    readonly producerName: string | undefined;
    readonly hasNullValue: boolean;
}
type SubscriptionPosition = "earliest" | "latest" | MessageId;
interface DeleteSubscriptionOptions extends RequestOptions {
    force?: boolean;
}
declare class Subscriptions {
    #private;
    list(topic: string, options?: RequestOptions): Promise<string[]>;
    create(topic: string, subscription: string, position?: SubscriptionPosition, options?: RequestOptions): Promise<void>;
    delete(topic: string, subscription: string, options?: DeleteSubscriptionOptions): Promise<void>;
    skip(topic: string, subscription: string, count: number, options?: RequestOptions): Promise<void>;
    skipAll(topic: string, subscription: string, options?: RequestOptions): Promise<void>;
    resetCursor(topic: string, subscription: string, to: SubscriptionPosition | Date | number, options?: RequestOptions): Promise<void>;
    expireMessages(topic: string, subscription: string, seconds: number, options?: RequestOptions): Promise<void>;
    expireMessagesOfAll(topic: string, seconds: number, options?: RequestOptions): Promise<void>;
    peek(topic: string, subscription: string, nth?: number, options?: RequestOptions): Promise<StoredMessage[]>;
    messagesAt(topic: string, ledgerId: number, entryId: number, options?: RequestOptions): Promise<StoredMessage[]>;
    examine(topic: string, from: "earliest" | "latest", nth?: number, options?: RequestOptions): Promise<StoredMessage[]>;
}
interface PublisherStats {
    readonly producerId: number;
    readonly producerName?: string;
    readonly accessMode?: string;
    readonly address?: string;
    readonly connectedSince?: string;
    readonly clientVersion?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
}
interface ConsumerStats {
    readonly consumerName?: string;
    readonly availablePermits: number;
    readonly unackedMessages: number;
    readonly blockedConsumerOnUnackedMsgs: boolean;
    readonly msgOutCounter: number;
    readonly bytesOutCounter: number;
    readonly address?: string;
    readonly connectedSince?: string;
    readonly clientVersion?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
}
interface SubscriptionStats {
    readonly msgBacklog: number;
    readonly msgBacklogNoDelayed: number;
    readonly msgDelayed: number;
    readonly unackedMessages: number;
    readonly blockedSubscriptionOnUnackedMsgs: boolean;
    readonly msgOutCounter: number;
    readonly bytesOutCounter: number;
    readonly type: string;
    readonly activeConsumerName?: string;
    readonly consumers: readonly ConsumerStats[];
    readonly subscriptionProperties?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
}
interface TopicStats {
    readonly msgRateIn: number;
    readonly msgThroughputIn: number;
    readonly msgRateOut: number;
    readonly msgThroughputOut: number;
    readonly msgInCounter: number;
    readonly bytesInCounter: number;
    readonly msgOutCounter: number;
    readonly bytesOutCounter: number;
    readonly averageMsgSize: number;
    readonly storageSize: number;
    readonly backlogSize: number;
    readonly publishers: readonly PublisherStats[];
    readonly subscriptions: Readonly<Record<string, SubscriptionStats>>;
    readonly deduplicationStatus?: string;
    readonly ownerBroker?: string;
    readonly [field: string]: unknown;
}
interface PartitionedTopicStats extends TopicStats {
    readonly metadata: {
        readonly partitions: number;
    };
    readonly partitions: Readonly<Record<string, TopicStats>>;
}
interface LedgerStats {
    readonly ledgerId: number;
    readonly entries: number;
    readonly size: number;
    readonly offloaded: boolean;
    readonly [field: string]: unknown;
}
interface CursorStats {
    readonly markDeletePosition: string;
    readonly readPosition: string;
    readonly individuallyDeletedMessages: string;
    readonly state: string;
    readonly [field: string]: unknown;
}
interface InternalStats {
    readonly entriesAddedCounter: number;
    readonly numberOfEntries: number;
    readonly totalSize: number;
    readonly currentLedgerEntries: number;
    readonly currentLedgerSize: number;
    readonly lastConfirmedEntry: string;
    readonly state: string;
    readonly ledgers: readonly LedgerStats[];
    readonly cursors: Readonly<Record<string, CursorStats>>;
    readonly [field: string]: unknown;
}
type TopicDomainName = "persistent" | "non-persistent";
interface LongRunningStatus {
    readonly status: "NOT_RUN" | "RUNNING" | "SUCCESS" | "ERROR";
    readonly lastError: string;
}
declare class Topics {
    #private;
    list(namespace: string, domain?: TopicDomainName, options?: RequestOptions): Promise<string[]>;
    listPartitioned(namespace: string, domain?: TopicDomainName, options?: RequestOptions): Promise<string[]>;
    create(topic: string, options?: RequestOptions): Promise<void>;
    createPartitioned(topic: string, partitions: number, options?: RequestOptions): Promise<void>;
    updatePartitions(topic: string, partitions: number, options?: RequestOptions): Promise<void>;
    partitions(topic: string, options?: RequestOptions): Promise<number>;
    delete(topic: string, options?: DeleteOptions): Promise<void>;
    deletePartitioned(topic: string, options?: DeleteOptions): Promise<void>;
    stats(topic: string, options?: RequestOptions): Promise<TopicStats>;
    partitionedStats(topic: string, options?: RequestOptions & {
        perPartition?: boolean;
    }): Promise<PartitionedTopicStats>;
    internalStats(topic: string, options?: RequestOptions): Promise<InternalStats>;
    lastMessageId(topic: string, options?: RequestOptions): Promise<MessageId>;
    messageIdByTime(topic: string, time: Date | number, options?: RequestOptions): Promise<MessageId>;
    unload(topic: string, options?: RequestOptions): Promise<void>;
    terminate(topic: string, options?: RequestOptions): Promise<MessageId>;
    truncate(topic: string, options?: RequestOptions): Promise<void>;
    trim(topic: string, options?: RequestOptions): Promise<void>;
    compact(topic: string, options?: RequestOptions): Promise<void>;
    compactionStatus(topic: string, options?: RequestOptions): Promise<LongRunningStatus>;
    offload(topic: string, before: MessageId, options?: RequestOptions): Promise<void>;
    offloadStatus(topic: string, options?: RequestOptions): Promise<LongRunningStatus>;
    permissions(topic: string, options?: RequestOptions): Promise<Record<string, AuthAction[]>>;
    grant(topic: string, role: string, actions: readonly AuthAction[], options?: RequestOptions): Promise<void>;
    revoke(topic: string, role: string, options?: RequestOptions): Promise<void>;
    getPolicy<P extends TopicPolicy>(topic: string, policy: P, options?: RequestOptions): Promise<TopicPolicyValues[P] | undefined>;
    setPolicy<P extends TopicPolicy>(topic: string, policy: P, value: TopicPolicyValues[P], options?: RequestOptions): Promise<void>;
    removePolicy(topic: string, policy: TopicPolicy, options?: RequestOptions): Promise<void>;
}
declare class CoreAdmin {
    #private;
    readonly clusters: Clusters;
    readonly tenants: Tenants;
    readonly namespaces: Namespaces;
    readonly topics: Topics;
    readonly subscriptions: Subscriptions;
    readonly schemas: Schemas;
    readonly brokers: Brokers;
    readonly bookies: Bookies;
    readonly lookup: Lookups;
    constructor(options: AdminOptions, platform: ClientRuntime);
    request<T = unknown>(method: Method, path: string, request?: AdminRequest): Promise<T>;
}
declare class AdminError extends PulsarError {
    readonly status: number;
    readonly reason: string;
    constructor(status: number, reason: string, request: string);
}
declare class PulsarAdmin extends CoreAdmin {
    constructor(options: AdminOptions);
}
export { AdminError, Bookies, Brokers, Clusters, Lookups, Namespaces, PulsarAdmin, Schemas, Subscriptions, Tenants, Topics };
export type { AdminOptions, AdminRequest, AuthAction, AutoTopicCreation, BacklogQuota, BacklogQuotaType, Bundles, ClusterData, ConsumerStats, CursorStats, DelayedDeliveryPolicies, DeleteOptions, DeleteSubscriptionOptions, DispatchRate, InactiveTopicPolicies, InternalStats, LeaderBroker, LedgerStats, LongRunningStatus, Method, NamespaceOptions, NamespacePolicy, NamespacePolicyValues, PartitionedTopicStats, PersistencePolicies, Policies, PublishRate, PublisherStats, RequestOptions, RetentionPolicies, SchemaCompatibilityStrategy, SchemaPayload, SplitOptions, StoredMessage, StoredSchema, SubscribeRate, SubscriptionPosition, SubscriptionStats, SubscriptionTypeName, TenantInfo, TopicDomainName, TopicOwner, TopicPolicy, TopicPolicyValues, TopicStats };
