import { AbstractLevel } from 'abstract-level';
interface Timer {
    cancel(): void;
}
interface TimerOptions {
    keepAlive?: boolean;
    recurring?: boolean;
}
interface Clock {
    now(): number;
    monotonicMs(): number;
    setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer;
    setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer;
    soon(callback: () => void): void;
}
interface DataKey {
    encrypt(iv: Uint8Array, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
    decrypt(iv: Uint8Array, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
interface Encryption {
    dataKey(key: Uint8Array): DataKey;
    wrap(publicKeyPem: string | Uint8Array, dataKey: Uint8Array): Uint8Array | Promise<Uint8Array>;
    unwrap(privateKeyPem: string | Uint8Array, wrapped: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
type CompressionName = "NONE" | "LZ4" | "ZLIB" | "ZSTD" | "SNAPPY";
interface Codec {
    readonly compressions: ReadonlySet<CompressionName>;
    readonly encryption?: Encryption | undefined;
    compress(type: CompressionName, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
    decompress(type: CompressionName, bytes: Uint8Array, uncompressedSize: number): Uint8Array | Promise<Uint8Array>;
}
interface DiskFile {
    readonly sizeBytes: number;
    append(bytes: Uint8Array, roomBytes?: number): Promise<void>;
    appendDurably(bytes: Uint8Array, roomBytes?: number): Promise<void>;
    read(offset: number, length: number): Promise<Uint8Array>;
    sync(): Promise<void>;
    truncate(sizeBytes: number): Promise<void>;
    close(): Promise<void>;
}
interface Disk {
    open(path: string): Promise<DiskFile>;
    rename(from: string, to: string): Promise<void>;
    remove(path: string): Promise<void>;
    list(path: string): Promise<string[]>;
    syncFolder(path: string): Promise<void>;
    usage(): Promise<{
        usedBytes: number;
        totalBytes: number;
    }>;
}
interface Random {
    float(): number;
    integer(below: number): number;
    bytes(length: number): Uint8Array;
    fork(name: string): Random;
}
type Transport = "tcp" | "tls" | "websocket" | "memory";
interface ClientTlsOptions {
    ca?: string;
    cert?: string;
    key?: string;
    allowInsecure?: boolean;
    verifyHostname?: boolean;
    serverName?: string;
}
interface ServerTlsOptions {
    cert: string;
    key: string;
    ca?: string;
    requireClientCertificate?: boolean;
}
type Address = {
    transport: "tcp";
    host: string;
    port: number;
} | {
    transport: "tls";
    host: string;
    port: number;
    tls?: ClientTlsOptions;
} | {
    transport: "websocket";
    url: string;
    headers?: Readonly<Record<string, string>>;
    tls?: ClientTlsOptions;
} | {
    transport: "memory";
    name: string;
};
interface ChannelSink {
    onData(chunk: Uint8Array): void;
    onDrain(): void;
    onClose(error?: Error): void;
}
interface Channel {
    readonly transport: Transport;
    readonly remoteAddress: string;
    readonly localAddress: string;
    readonly peerCertificate: Uint8Array | undefined;
    setSink(sink: ChannelSink): void;
    write(head: Uint8Array, body?: Uint8Array): boolean;
    readonly queuedBytes: number;
    pause(): void;
    resume(): void;
    close(): void;
    destroy(error?: Error): void;
}
interface ConnectOptions {
    timeoutMs?: number;
    signal?: AbortSignal;
}
interface Listener {
    readonly host: string;
    readonly port: number;
    close(): Promise<void>;
}
interface ListenOptions {
    host: string;
    port: number;
    tls?: ServerTlsOptions;
}
interface HttpHandlers {
    fetch(request: Request, remoteAddress: string): Promise<Response>;
    upgrade?(url: URL, headers: Headers): WebSocketAcceptor | undefined;
}
interface WebSocketAcceptor {
    messageBytesMax: number;
    accept(channel: Channel): void;
}
interface FetchOptions {
    timeoutMs?: number;
    answerBytesMax?: number;
    tls?: ClientTlsOptions;
}
interface Network {
    fetch(request: Request, options?: FetchOptions): Promise<Response>;
    connect(address: Address, options?: ConnectOptions): Promise<Channel>;
    listen(options: ListenOptions, onChannel: (channel: Channel) => void): Promise<Listener>;
    listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener>;
}
type NodeId = string;
interface Messenger {
    attach(node: NodeId, receive: (from: NodeId, message: unknown) => void): Disposable;
    send(from: NodeId, to: NodeId, message: unknown): void;
}
interface ClientRuntime {
    readonly clock: Clock;
    readonly random: Random;
    readonly network: Network;
    readonly codec: Codec;
    readTextFile?(path: string): Promise<string>;
}
interface ServerRuntime extends ClientRuntime {
    readonly messenger: Messenger;
    readonly disk?: Disk;
    forNode?(node: NodeId): ServerRuntime;
}
interface MetadataStat {
    version: number;
    createdMs: number;
    modifiedMs: number;
    ephemeral: boolean;
}
interface MetadataValue {
    value: Uint8Array;
    stat: MetadataStat;
}
interface PutOptions {
    expectedVersion?: number;
    ephemeral?: boolean;
    sequential?: boolean;
}
type MetadataErrorCode = "BadVersion" | "NotFound" | "SessionExpired" | "Unavailable" | "Corrupt";
declare class MetadataError extends Error {
    readonly code: MetadataErrorCode;
    constructor(code: MetadataErrorCode, detail: string, options?: ErrorOptions);
}
interface MetadataEvent {
    type: "created" | "modified" | "deleted" | "childrenChanged";
    key: string;
}
interface MetadataStore {
    readonly sessionId: number;
    get(key: string): Promise<MetadataValue | undefined>;
    exists(key: string): Promise<boolean>;
    put(key: string, value: Uint8Array, options?: PutOptions): Promise<{
        key: string;
        stat: MetadataStat;
    }>;
    delete(key: string, expectedVersion?: number): Promise<void>;
    children(key: string): Promise<string[]>;
    nextSequence(key: string): Promise<number>;
    watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable;
    onSessionExpired(listener: () => void): Disposable;
    close(): Promise<void>;
}
interface LedgerEntry {
    readonly ledgerId: number;
    readonly entryId: number;
    readonly lac: number;
    readonly lengthBytes: number;
    readonly crc32c: number;
    readonly payload: Uint8Array;
}
type ResultCode = "Ok" | "NoSuchLedger" | "NoSuchEntry"
 | "LedgerFenced"
 | "ReadOnly"
 | "StorageFailed"
 | "Timeout"
 | "BookieUnavailable";
interface AddResponse {
    readonly type: "added";
    readonly requestId: number;
    readonly codes: ResultCode | readonly ResultCode[];
}
interface ReadResponse {
    readonly type: "entries";
    readonly requestId: number;
    readonly code: ResultCode;
    readonly entries: readonly (LedgerEntry | undefined)[];
}
interface ReadLacResponse {
    readonly type: "lac";
    readonly requestId: number;
    readonly code: ResultCode;
    readonly fenced: boolean;
    readonly lac: number;
}
interface DeleteLedgerResponse {
    readonly type: "deleted";
    readonly requestId: number;
    readonly code: ResultCode;
}
interface DoubtResponse {
    readonly type: "doubt";
    readonly requestId: number;
    readonly code: ResultCode;
    readonly doubt: string | undefined;
}
type BookieResponse = AddResponse | ReadResponse | ReadLacResponse | DeleteLedgerResponse | DoubtResponse;
interface AddListener {
    onStored(codes: ResultCode | readonly ResultCode[]): void;
}
interface StorageFigures {
    readonly journalSyncs: number;
    readonly journalBytes: number;
    readonly journalQueue: number;
    readonly writeCacheBytes: number;
    readonly readCacheBytes: number;
    readonly throttledAdds: number;
}
interface LedgerStorage {
    readonly heldBytes: number;
    readonly ledgerCount: number;
    readonly figures?: StorageFigures;
    ledgerIds(): Iterable<number>;
    readonly losses: number;
    isDoubtful(ledgerId: number): boolean;
    doubtfulIds(): Iterable<number>;
    add(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void;
    read(ledgerId: number, entryId: number): LedgerEntry | ResultCode | Promise<LedgerEntry | ResultCode>;
    lastAddConfirmed(ledgerId: number): number | ResultCode | Promise<number | ResultCode>;
    fence(ledgerId: number): void | Promise<void>;
    endDoubt(ledgerId: number, fenced: boolean): void | Promise<void>;
    mayBeForgotten(ledgerId: number): boolean;
    delete(ledgerId: number): void | Promise<void>;
    close(): void | Promise<void>;
}
interface BookieOptions {
    id: NodeId;
    messenger: Messenger;
    metadata: MetadataStore;
    storage?: LedgerStorage;
    clock?: Clock;
    gcWaitTimeMs?: number;
    onError?: (error: unknown) => void;
}
interface BookieStats {
    addedEntries: number;
    addedBytes: number;
    readEntries: number;
    readBytes: number;
    refusedEntries: number;
}
declare class Bookie implements AsyncDisposable {
    #private;
    readonly id: NodeId;
    readonly storage: LedgerStorage;
    readonly stats: BookieStats;
    constructor(options: BookieOptions);
    get readOnly(): boolean;
    start(): Promise<void>;
    setReadOnly(readOnly: boolean): Promise<void>;
    stop(): Promise<void>;
    kill(): void;
    collectGarbage(): Promise<number>;
    [Symbol.asyncDispose](): Promise<void>;
    answer(to: NodeId, response: BookieResponse): void;
}
interface LedgersBefore {
    readonly ids: readonly number[];
    readonly lastId: number;
}
type StorageErrorCode =
"InUse"
 | "Foreign"
 | "Unreadable"
 | "Corrupt"
 | "Failed"
 | "Closed";
declare class StorageError extends Error {
    readonly code: StorageErrorCode;
    constructor(code: StorageErrorCode, detail: string, options?: ErrorOptions);
}
interface Damage {
    readonly file: string;
    readonly fromOffset: number;
    readonly toOffset: number;
    readonly ledgerId: number | undefined;
    readonly detail: string;
    readonly whole?: true;
}
interface BookieSettings {
    journalSyncData: boolean;
    journalMaxGroupWaitMSec: number;
    journalBufferedWritesThreshold: number;
    journalFlushWhenQueueEmpty: boolean;
    journalPreAllocSizeMB: number;
    journalMaxSizeMB: number;
    dbStorage_writeCacheMaxSizeMb: number;
    dbStorage_readAheadCacheMaxSizeMb: number;
    dbStorage_readAheadCacheBatchSize: number;
    dbStorage_maxThrottleTimeMs: number;
    flushInterval: number;
    logSizeLimit: number;
    minorCompactionThreshold: number;
    minorCompactionInterval: number;
    majorCompactionThreshold: number;
    majorCompactionInterval: number;
    gcWaitTime: number;
    diskUsageThreshold: number;
    diskUsageLwmThreshold: number;
    diskCheckInterval: number;
}
type Rack = string;
interface BookieRackInfo {
    rack?: Rack;
    hostname?: string;
}
type BookieRackGroups = Record<string, Record<NodeId, BookieRackInfo>>;
interface BookKeeperClientSettings {
    bookkeeperClientRackawarePolicyEnabled: boolean;
    bookkeeperClientRegionawarePolicyEnabled: boolean;
    bookkeeperClientMinNumRacksPerWriteQuorum: number;
    bookkeeperClientEnforceMinNumRacksPerWriteQuorum: boolean;
    bookkeeperClientTimeoutInSeconds: number;
    bookkeeperClientSpeculativeReadTimeoutInMillis: number;
    bookkeeperClientSpeculativeWriteTimeoutInMillis: number;
    addEntryQuorumTimeoutSec: number;
    bookkeeperClientHealthCheckEnabled: boolean;
    bookkeeperClientHealthCheckQuarantineTimeInSeconds: number;
}
interface QuorumSizes {
    ensembleSize: number;
    writeQuorum: number;
    ackQuorum: number;
}
interface LedgerFragment {
    firstEntryId: number;
    bookies: readonly NodeId[];
}
type LedgerState$1 = "OPEN" | "IN_RECOVERY" | "CLOSED";
interface LedgerMetadata extends QuorumSizes {
    readonly state: LedgerState$1;
    readonly createdMs: number;
    readonly lastEntryId: number | undefined;
    readonly lengthBytes: number;
    readonly fragments: readonly LedgerFragment[];
    readonly properties: Readonly<Record<string, string>>;
}
interface VersionedLedgerMetadata {
    readonly ledgerId: number;
    readonly metadata: LedgerMetadata;
    readonly version: number;
}
declare class LedgerMetadataStore {
    #private;
    constructor(store: MetadataStore);
    nextLedgerId(): Promise<number>;
    create(ledgerId: number, metadata: LedgerMetadata): Promise<VersionedLedgerMetadata>;
    read(ledgerId: number): Promise<VersionedLedgerMetadata>;
    exists(ledgerId: number): Promise<boolean>;
    update(before: VersionedLedgerMetadata, next: LedgerMetadata): Promise<VersionedLedgerMetadata | undefined>;
    delete(ledgerId: number, version?: number): Promise<boolean>;
    list(): Promise<number[]>;
}
interface AutoRecoverySettings {
    autoRecoveryDaemonEnabled: boolean;
    lostBookieRecoveryDelay: number;
    auditorPeriodicBookieCheckInterval: number;
    auditorPeriodicCheckInterval: number;
    openLedgerRereplicationGracePeriod: number;
    rereplicationEntryBatchSize: number;
    replicationRateByBytes: number;
    rwRereplicateBackoffMs: number;
    orphanLedgerCheckInterval: number;
    orphanLedgerGracePeriod: number;
}
declare class RecoveryStatistics {
    auditor_NUM_UNDER_REPLICATED_LEDGERS: number;
    auditor_AUDIT_BOOKIES_TIME_count: number;
    auditor_NUM_LEDGERS_CHECKED: number;
    auditor_CHECK_ALL_LEDGERS_TIME_count: number;
    auditor_NUM_BOOKIE_AUDITS_DELAYED: number;
    replication_worker_REREPLICATE_OP_count: number;
    replication_worker_NUM_FULL_OR_PARTIAL_LEDGERS_REPLICATED: number;
    replication_worker_NUM_ENTRIES_READ: number;
    replication_worker_NUM_BYTES_READ: number;
    replication_worker_NUM_ENTRIES_WRITTEN: number;
    replication_worker_NUM_BYTES_WRITTEN: number;
    replication_worker_NUM_ENTRIES_UNABLE_TO_READ_FOR_REPLICATION: number;
    replication_worker_NUM_DEFER_LEDGER_LOCK_RELEASE_OF_FAILED_LEDGER: number;
    auditor_CHECK_ORPHAN_LEDGERS_TIME_count: number;
    auditor_NUM_ORPHAN_LEDGERS_FOUND: number;
    auditor_NUM_ORPHAN_LEDGERS_DELETED: number;
    auditor_NUM_STALE_UNDER_REPLICATION_MARKS_CLEARED: number;
}
interface UnderReplicatedLedger {
    readonly ledgerId: number;
    readonly missingReplicas: readonly NodeId[];
    readonly leavingReplicas: readonly NodeId[];
    readonly version: number;
}
declare class UnderReplication {
    #private;
    constructor(metadata: MetadataStore);
    mark(ledgerId: number, missing: Iterable<NodeId>, leaving?: Iterable<NodeId>): Promise<boolean>;
    read(ledgerId: number): Promise<UnderReplicatedLedger | undefined>;
    list(): Promise<number[]>;
    locked(): Promise<Set<number>>;
    clear({ ledgerId, version }: UnderReplicatedLedger): Promise<boolean>;
    lock(ledgerId: number): Promise<boolean>;
    unlock(ledgerId: number): Promise<void>;
    enabled(): Promise<boolean>;
    setEnabled(enabled: boolean): Promise<void>;
    onWork(listener: () => void): Disposable;
}
interface AuditorOptions {
    clock: Clock;
    metadata: MetadataStore;
    ledgers: LedgerMetadataStore;
    marks: UnderReplication;
    settings: AutoRecoverySettings;
    statistics: RecoveryStatistics;
    registered(): Promise<ReadonlySet<NodeId>>;
    lacking(ledgerId: number, metadata: LedgerMetadata): Promise<NodeId[]>;
    self: NodeId;
    onError(error: unknown): void;
}
declare class Auditor implements Disposable {
    #private;
    constructor(options: AuditorOptions);
    get elected(): boolean;
    stand(): void;
    audit(): Promise<void>;
    checkAllLedgers(): Promise<void>;
    [Symbol.dispose](): void;
}
interface LedgerLists {
    listed(): Promise<ReadonlySet<number>>;
    lookUp(ledgerId: number, properties: LedgerMetadata["properties"]): Promise<"listed" | "orphan" | "not ours">;
}
interface OrphansFound {
    readonly waiting: number;
    readonly deleted: number;
}
interface AutoRecoveryOptions {
    clock: Clock;
    random: Random;
    messenger: Messenger;
    metadata: MetadataStore;
    nodeId: NodeId;
    client?: Partial<BookKeeperClientSettings>;
    settings: AutoRecoverySettings;
    statistics: RecoveryStatistics;
    lists?: LedgerLists;
    onError?: ((error: unknown) => void) | undefined;
}
declare class AutoRecovery implements AsyncDisposable {
    #private;
    readonly auditor: Auditor;
    constructor(options: AutoRecoveryOptions);
    collectOrphans(): Promise<OrphansFound | undefined>;
    start(): void;
    [Symbol.asyncDispose](): Promise<void>;
}
interface Bits64 {
    low: number;
    high: number;
}
type Int64 = number | bigint;
type RepeatedKeys<T> = {
    [K in keyof T]-?: NonNullable<T[K]> extends readonly unknown[] ? K : never;
}[keyof T];
type Decoded<T> = Omit<T, RepeatedKeys<T>> & {
    [K in RepeatedKeys<T>]-?: NonNullable<T[K]>;
};
declare const CompressionType: {
    readonly NONE: 0;
    readonly LZ4: 1;
    readonly ZLIB: 2;
    readonly ZSTD: 3;
    readonly SNAPPY: 4;
};
type CompressionType = (typeof CompressionType)[keyof typeof CompressionType];
declare const ProducerAccessMode: {
    readonly Shared: 0;
    readonly Exclusive: 1;
    readonly WaitForExclusive: 2;
    readonly ExclusiveWithFencing: 3;
};
type ProducerAccessMode = (typeof ProducerAccessMode)[keyof typeof ProducerAccessMode];
declare const ServerError: {
    readonly UnknownError: 0;
    readonly MetadataError: 1;
    readonly PersistenceError: 2;
    readonly AuthenticationError: 3;
    readonly AuthorizationError: 4;
    readonly ConsumerBusy: 5;
    readonly ServiceNotReady: 6;
    readonly ProducerBlockedQuotaExceededError: 7;
    readonly ProducerBlockedQuotaExceededException: 8;
    readonly ChecksumError: 9;
    readonly UnsupportedVersionError: 10;
    readonly TopicNotFound: 11;
    readonly SubscriptionNotFound: 12;
    readonly ConsumerNotFound: 13;
    readonly TooManyRequests: 14;
    readonly TopicTerminatedError: 15;
    readonly ProducerBusy: 16;
    readonly InvalidTopicName: 17;
    readonly IncompatibleSchema: 18;
    readonly ConsumerAssignError: 19;
    readonly TransactionCoordinatorNotFound: 20;
    readonly InvalidTxnStatus: 21;
    readonly NotAllowedError: 22;
    readonly TransactionConflict: 23;
    readonly TransactionNotFound: 24;
    readonly ProducerFenced: 25;
};
type ServerError = (typeof ServerError)[keyof typeof ServerError];
declare const AuthMethod: {
    readonly AuthMethodNone: 0;
    readonly AuthMethodYcaV1: 1;
    readonly AuthMethodAthens: 2;
};
type AuthMethod = (typeof AuthMethod)[keyof typeof AuthMethod];
declare const KeySharedMode: {
    readonly AUTO_SPLIT: 0;
    readonly STICKY: 1;
};
type KeySharedMode = (typeof KeySharedMode)[keyof typeof KeySharedMode];
declare const TxnAction: {
    readonly COMMIT: 0;
    readonly ABORT: 1;
};
type TxnAction = (typeof TxnAction)[keyof typeof TxnAction];
declare const SchemaType: {
    readonly None: 0;
    readonly String: 1;
    readonly Json: 2;
    readonly Protobuf: 3;
    readonly Avro: 4;
    readonly Bool: 5;
    readonly Int8: 6;
    readonly Int16: 7;
    readonly Int32: 8;
    readonly Int64: 9;
    readonly Float: 10;
    readonly Double: 11;
    readonly Date: 12;
    readonly Time: 13;
    readonly Timestamp: 14;
    readonly KeyValue: 15;
    readonly Instant: 16;
    readonly LocalDate: 17;
    readonly LocalTime: 18;
    readonly LocalDateTime: 19;
    readonly ProtobufNative: 20;
    readonly AutoConsume: 21;
    readonly External: 22;
};
type SchemaType = (typeof SchemaType)[keyof typeof SchemaType];
interface Schema {
    name: string;
    schemaData: Uint8Array;
    type: SchemaType;
    properties?: readonly KeyValue[] | undefined;
}
interface MessageIdData {
    ledgerId: number;
    entryId: number;
    partition?: number | undefined;
    batchIndex?: number | undefined;
    ackSet?: readonly Bits64[] | undefined;
    batchSize?: number | undefined;
    firstChunkMessageId?: MessageIdData | undefined;
}
interface KeyValue {
    key: string;
    value: string;
}
interface KeyLongValue {
    key: string;
    value: number;
}
interface IntRange {
    start: number;
    end: number;
}
interface EncryptionKeys {
    key: string;
    value: Uint8Array;
    metadata?: readonly KeyValue[] | undefined;
}
interface MessageMetadata {
    producerName: string;
    sequenceId: Int64;
    publishTime: number;
    properties?: readonly KeyValue[] | undefined;
    replicatedFrom?: string | undefined;
    partitionKey?: string | undefined;
    replicateTo?: readonly string[] | undefined;
    compression?: CompressionType | undefined;
    uncompressedSize?: number | undefined;
    numMessagesInBatch?: number | undefined;
    eventTime?: number | undefined;
    encryptionKeys?: readonly EncryptionKeys[] | undefined;
    encryptionAlgo?: string | undefined;
    encryptionParam?: Uint8Array | undefined;
    schemaVersion?: Uint8Array | undefined;
    partitionKeyB64Encoded?: boolean | undefined;
    orderingKey?: Uint8Array | undefined;
    deliverAtTime?: number | undefined;
    markerType?: number | undefined;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    highestSequenceId?: Int64 | undefined;
    nullValue?: boolean | undefined;
    uuid?: string | undefined;
    numChunksFromMsg?: number | undefined;
    totalChunkMsgSize?: number | undefined;
    chunkId?: number | undefined;
    nullPartitionKey?: boolean | undefined;
    compactedBatchIndexes?: readonly number[] | undefined;
    schemaId?: Uint8Array | undefined;
    entryHashMin?: number | undefined;
    entryHashMax?: number | undefined;
}
interface FeatureFlags {
    supportsAuthRefresh?: boolean | undefined;
    supportsBrokerEntryMetadata?: boolean | undefined;
    supportsPartialProducer?: boolean | undefined;
    supportsTopicWatchers?: boolean | undefined;
    supportsGetPartitionedMetadataWithoutAutoCreation?: boolean | undefined;
    supportsReplDedupByLidAndEid?: boolean | undefined;
    supportsTopicWatcherReconcile?: boolean | undefined;
    supportsScalableTopics?: boolean | undefined;
    supportsTcMetadataDiscovery?: boolean | undefined;
}
interface AuthData {
    authMethodName?: string | undefined;
    authData?: Uint8Array | undefined;
}
interface CommandConnect {
    clientVersion: string;
    authMethod?: AuthMethod | undefined;
    authData?: Uint8Array | undefined;
    protocolVersion?: number | undefined;
    authMethodName?: string | undefined;
    proxyToBrokerUrl?: string | undefined;
    originalPrincipal?: string | undefined;
    originalAuthData?: string | undefined;
    originalAuthMethod?: string | undefined;
    featureFlags?: FeatureFlags | undefined;
    proxyVersion?: string | undefined;
}
interface CommandConnected {
    serverVersion: string;
    protocolVersion?: number | undefined;
    maxMessageSize?: number | undefined;
    featureFlags?: FeatureFlags | undefined;
}
interface CommandAuthChallenge {
    serverVersion?: string | undefined;
    challenge?: AuthData | undefined;
    protocolVersion?: number | undefined;
}
interface CommandAuthResponse {
    clientVersion?: string | undefined;
    response?: AuthData | undefined;
    protocolVersion?: number | undefined;
}
interface CommandPing {
}
interface CommandPong {
}
interface CommandPartitionedTopicMetadata {
    topic: string;
    requestId: Int64;
    originalPrincipal?: string | undefined;
    originalAuthData?: string | undefined;
    originalAuthMethod?: string | undefined;
    metadataAutoCreationEnabled?: boolean | undefined;
}
declare const CommandPartitionedTopicMetadataResponseLookupType: {
    readonly Success: 0;
    readonly Failed: 1;
};
type CommandPartitionedTopicMetadataResponseLookupType = (typeof CommandPartitionedTopicMetadataResponseLookupType)[keyof typeof CommandPartitionedTopicMetadataResponseLookupType];
interface CommandPartitionedTopicMetadataResponse {
    partitions?: number | undefined;
    requestId: Int64;
    response?: CommandPartitionedTopicMetadataResponseLookupType | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandLookupTopic {
    topic: string;
    requestId: Int64;
    authoritative?: boolean | undefined;
    originalPrincipal?: string | undefined;
    originalAuthData?: string | undefined;
    originalAuthMethod?: string | undefined;
    advertisedListenerName?: string | undefined;
    properties?: readonly KeyValue[] | undefined;
}
declare const CommandLookupTopicResponseLookupType: {
    readonly Redirect: 0;
    readonly Connect: 1;
    readonly Failed: 2;
};
type CommandLookupTopicResponseLookupType = (typeof CommandLookupTopicResponseLookupType)[keyof typeof CommandLookupTopicResponseLookupType];
interface CommandLookupTopicResponse {
    brokerServiceUrl?: string | undefined;
    brokerServiceUrlTls?: string | undefined;
    response?: CommandLookupTopicResponseLookupType | undefined;
    requestId: Int64;
    authoritative?: boolean | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
    proxyThroughServiceUrl?: boolean | undefined;
}
declare const CommandGetTopicsOfNamespaceMode: {
    readonly PERSISTENT: 0;
    readonly NON_PERSISTENT: 1;
    readonly ALL: 2;
};
type CommandGetTopicsOfNamespaceMode = (typeof CommandGetTopicsOfNamespaceMode)[keyof typeof CommandGetTopicsOfNamespaceMode];
interface CommandGetTopicsOfNamespace {
    requestId: Int64;
    namespace: string;
    mode?: CommandGetTopicsOfNamespaceMode | undefined;
    topicsPattern?: string | undefined;
    topicsHash?: string | undefined;
    properties?: readonly KeyValue[] | undefined;
}
interface CommandGetTopicsOfNamespaceResponse {
    requestId: Int64;
    topics?: readonly string[] | undefined;
    filtered?: boolean | undefined;
    topicsHash?: string | undefined;
    changed?: boolean | undefined;
}
interface CommandWatchTopicList {
    requestId: Int64;
    watcherId: Int64;
    namespace: string;
    topicsPattern: string;
    topicsHash?: string | undefined;
}
interface CommandWatchTopicListSuccess {
    requestId: Int64;
    watcherId: Int64;
    topic?: readonly string[] | undefined;
    topicsHash: string;
}
interface CommandWatchTopicUpdate {
    watcherId: Int64;
    newTopics?: readonly string[] | undefined;
    deletedTopics?: readonly string[] | undefined;
    topicsHash: string;
}
interface CommandWatchTopicListClose {
    requestId: Int64;
    watcherId: Int64;
}
declare const CommandTopicMigratedResourceType: {
    readonly Producer: 0;
    readonly Consumer: 1;
};
type CommandTopicMigratedResourceType = (typeof CommandTopicMigratedResourceType)[keyof typeof CommandTopicMigratedResourceType];
interface CommandTopicMigrated {
    resourceId: number;
    resourceType: CommandTopicMigratedResourceType;
    brokerServiceUrl?: string | undefined;
    brokerServiceUrlTls?: string | undefined;
}
interface CommandProducer {
    topic: string;
    producerId: number;
    requestId: Int64;
    producerName?: string | undefined;
    encrypted?: boolean | undefined;
    metadata?: readonly KeyValue[] | undefined;
    schema?: Schema | undefined;
    epoch?: number | undefined;
    userProvidedProducerName?: boolean | undefined;
    producerAccessMode?: ProducerAccessMode | undefined;
    topicEpoch?: number | undefined;
    txnEnabled?: boolean | undefined;
    initialSubscriptionName?: string | undefined;
}
interface CommandProducerSuccess {
    requestId: Int64;
    producerName: string;
    lastSequenceId?: Int64 | undefined;
    schemaVersion?: Uint8Array | undefined;
    topicEpoch?: number | undefined;
    producerReady?: boolean | undefined;
}
interface CommandSend {
    producerId: number;
    sequenceId: Int64;
    numMessages?: number | undefined;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    highestSequenceId?: Int64 | undefined;
    isChunk?: boolean | undefined;
    marker?: boolean | undefined;
    messageId?: MessageIdData | undefined;
}
interface CommandSendReceipt {
    producerId: number;
    sequenceId: Int64;
    messageId?: MessageIdData | undefined;
    highestSequenceId?: Int64 | undefined;
}
interface CommandSendError {
    producerId: number;
    sequenceId: Int64;
    error: ServerError;
    message: string;
}
interface CommandCloseProducer {
    producerId: number;
    requestId: Int64;
    assignedBrokerServiceUrl?: string | undefined;
    assignedBrokerServiceUrlTls?: string | undefined;
}
interface KeySharedMeta {
    keySharedMode: KeySharedMode;
    hashRanges?: readonly IntRange[] | undefined;
    allowOutOfOrderDelivery?: boolean | undefined;
    entryBucketDispatch?: boolean | undefined;
}
declare const CommandSubscribeSubType: {
    readonly Exclusive: 0;
    readonly Shared: 1;
    readonly Failover: 2;
    readonly Key_Shared: 3;
};
type CommandSubscribeSubType = (typeof CommandSubscribeSubType)[keyof typeof CommandSubscribeSubType];
declare const CommandSubscribeInitialPosition: {
    readonly Latest: 0;
    readonly Earliest: 1;
};
type CommandSubscribeInitialPosition = (typeof CommandSubscribeInitialPosition)[keyof typeof CommandSubscribeInitialPosition];
interface CommandSubscribe {
    topic: string;
    subscription: string;
    subType: CommandSubscribeSubType;
    consumerId: number;
    requestId: Int64;
    consumerName?: string | undefined;
    priorityLevel?: number | undefined;
    durable?: boolean | undefined;
    startMessageId?: MessageIdData | undefined;
    metadata?: readonly KeyValue[] | undefined;
    readCompacted?: boolean | undefined;
    schema?: Schema | undefined;
    initialPosition?: CommandSubscribeInitialPosition | undefined;
    replicateSubscriptionState?: boolean | undefined;
    forceTopicCreation?: boolean | undefined;
    startMessageRollbackDurationSec?: number | undefined;
    keySharedMeta?: KeySharedMeta | undefined;
    subscriptionProperties?: readonly KeyValue[] | undefined;
    consumerEpoch?: number | undefined;
}
interface CommandFlow {
    consumerId: number;
    messagePermits: number;
}
interface CommandMessage {
    consumerId: number;
    messageId: MessageIdData;
    redeliveryCount?: number | undefined;
    ackSet?: readonly Bits64[] | undefined;
    consumerEpoch?: number | undefined;
}
declare const CommandAckAckType: {
    readonly Individual: 0;
    readonly Cumulative: 1;
};
type CommandAckAckType = (typeof CommandAckAckType)[keyof typeof CommandAckAckType];
declare const CommandAckValidationError: {
    readonly UncompressedSizeCorruption: 0;
    readonly DecompressionError: 1;
    readonly ChecksumMismatch: 2;
    readonly BatchDeSerializeError: 3;
    readonly DecryptionError: 4;
};
type CommandAckValidationError = (typeof CommandAckValidationError)[keyof typeof CommandAckValidationError];
interface CommandAck {
    consumerId: number;
    ackType: CommandAckAckType;
    messageId?: readonly MessageIdData[] | undefined;
    validationError?: CommandAckValidationError | undefined;
    properties?: readonly KeyLongValue[] | undefined;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    requestId?: Int64 | undefined;
}
interface CommandAckResponse {
    consumerId: number;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
    requestId?: Int64 | undefined;
}
interface CommandRedeliverUnacknowledgedMessages {
    consumerId: number;
    messageIds?: readonly MessageIdData[] | undefined;
    consumerEpoch?: number | undefined;
}
interface CommandActiveConsumerChange {
    consumerId: number;
    isActive?: boolean | undefined;
}
interface CommandSeek {
    consumerId: number;
    requestId: Int64;
    messageId?: MessageIdData | undefined;
    messagePublishTime?: number | undefined;
}
interface CommandReachedEndOfTopic {
    consumerId: number;
}
interface CommandUnsubscribe {
    consumerId: number;
    requestId: Int64;
    force?: boolean | undefined;
}
interface CommandCloseConsumer {
    consumerId: number;
    requestId: Int64;
    assignedBrokerServiceUrl?: string | undefined;
    assignedBrokerServiceUrlTls?: string | undefined;
}
interface CommandConsumerStats {
    requestId: Int64;
    consumerId: number;
}
interface CommandConsumerStatsResponse {
    requestId: Int64;
    errorCode?: ServerError | undefined;
    errorMessage?: string | undefined;
    msgRateOut?: number | undefined;
    msgThroughputOut?: number | undefined;
    msgRateRedeliver?: number | undefined;
    consumerName?: string | undefined;
    availablePermits?: number | undefined;
    unackedMessages?: number | undefined;
    blockedConsumerOnUnackedMsgs?: boolean | undefined;
    address?: string | undefined;
    connectedSince?: string | undefined;
    type?: string | undefined;
    msgRateExpired?: number | undefined;
    msgBacklog?: number | undefined;
    messageAckRate?: number | undefined;
}
interface CommandGetLastMessageId {
    consumerId: number;
    requestId: Int64;
}
interface CommandGetLastMessageIdResponse {
    lastMessageId: MessageIdData;
    requestId: Int64;
    consumerMarkDeletePosition?: MessageIdData | undefined;
}
interface CommandSuccess {
    requestId: Int64;
    schema?: Schema | undefined;
}
interface CommandError {
    requestId: Int64;
    error: ServerError;
    message: string;
}
interface CommandGetSchema {
    requestId: Int64;
    topic: string;
    schemaVersion?: Uint8Array | undefined;
}
interface CommandGetSchemaResponse {
    requestId: Int64;
    errorCode?: ServerError | undefined;
    errorMessage?: string | undefined;
    schema?: Schema | undefined;
    schemaVersion?: Uint8Array | undefined;
}
interface CommandGetOrCreateSchema {
    requestId: Int64;
    topic: string;
    schema: Schema;
    producerName?: string | undefined;
}
interface CommandGetOrCreateSchemaResponse {
    requestId: Int64;
    errorCode?: ServerError | undefined;
    errorMessage?: string | undefined;
    schemaVersion?: Uint8Array | undefined;
}
interface CommandTcClientConnectRequest {
    requestId: Int64;
    tcId: number;
    scalable?: boolean | undefined;
}
interface CommandTcClientConnectResponse {
    requestId: Int64;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandNewTxn {
    requestId: Int64;
    txnTtlMillis?: number | undefined;
    tcId?: number | undefined;
    scalable?: boolean | undefined;
}
interface CommandNewTxnResponse {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandAddPartitionToTxn {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    partitions?: readonly string[] | undefined;
    scalable?: boolean | undefined;
}
interface CommandAddPartitionToTxnResponse {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface Subscription$1 {
    topic: string;
    subscription: string;
}
interface CommandAddSubscriptionToTxn {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    subscription?: readonly Subscription$1[] | undefined;
    scalable?: boolean | undefined;
}
interface CommandAddSubscriptionToTxnResponse {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandEndTxn {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    txnAction?: TxnAction | undefined;
    scalable?: boolean | undefined;
}
interface CommandEndTxnResponse {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandEndTxnOnPartition {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    topic?: string | undefined;
    txnAction?: TxnAction | undefined;
    txnidLeastBitsOfLowWatermark?: number | undefined;
}
interface CommandEndTxnOnPartitionResponse {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandEndTxnOnSubscription {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    subscription?: Subscription$1 | undefined;
    txnAction?: TxnAction | undefined;
    txnidLeastBitsOfLowWatermark?: number | undefined;
}
interface CommandEndTxnOnSubscriptionResponse {
    requestId: Int64;
    txnidLeastBits?: number | undefined;
    txnidMostBits?: number | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface TcAssignment {
    tcId: number;
    brokerServiceUrl?: string | undefined;
    brokerServiceUrlTls?: string | undefined;
}
interface TcAssignmentsSnapshot {
    parallelism: number;
    assignments?: readonly TcAssignment[] | undefined;
}
interface CommandWatchTcAssignments {
    watchId: Int64;
}
interface CommandWatchTcAssignmentsUpdate {
    watchId: Int64;
    snapshot?: TcAssignmentsSnapshot | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandWatchTcAssignmentsClose {
    watchId: Int64;
}
declare const SegmentState: {
    readonly ACTIVE: 0;
    readonly SEALED: 1;
};
type SegmentState = (typeof SegmentState)[keyof typeof SegmentState];
declare const ScalableConsumerType: {
    readonly STREAM: 0;
    readonly CHECKPOINT: 1;
};
type ScalableConsumerType = (typeof ScalableConsumerType)[keyof typeof ScalableConsumerType];
interface SegmentInfoProto {
    segmentId: number;
    hashStart: number;
    hashEnd: number;
    state: SegmentState;
    parentIds?: readonly number[] | undefined;
    childIds?: readonly number[] | undefined;
    createdAtEpoch: number;
    sealedAtEpoch?: number | undefined;
    createdAtMs: number;
    sealedAtMs?: number | undefined;
    legacyTopicName?: string | undefined;
    entryBucketSplits?: readonly number[] | undefined;
}
interface SegmentBrokerAddress {
    segmentId: number;
    brokerUrl: string;
    brokerUrlTls?: string | undefined;
}
interface ScalableTopicDAG {
    epoch: number;
    segments?: readonly SegmentInfoProto[] | undefined;
    segmentBrokers?: readonly SegmentBrokerAddress[] | undefined;
    controllerBrokerUrl?: string | undefined;
    controllerBrokerUrlTls?: string | undefined;
}
interface ScalableAssignedSegment {
    segmentId: number;
    hashStart: number;
    hashEnd: number;
    segmentTopic: string;
    bucketRanges?: readonly IntRange[] | undefined;
}
interface ScalableConsumerAssignment {
    layoutEpoch: number;
    segments?: readonly ScalableAssignedSegment[] | undefined;
}
interface ScalableTopicsSnapshot {
    topics?: readonly string[] | undefined;
}
interface ScalableTopicsDiff {
    added?: readonly string[] | undefined;
    removed?: readonly string[] | undefined;
}
interface CommandScalableTopicLookup {
    sessionId: Int64;
    topic: string;
    createIfMissing?: boolean | undefined;
}
interface CommandScalableTopicUpdate {
    sessionId: Int64;
    dag?: ScalableTopicDAG | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
    resolvedTopicName?: string | undefined;
}
interface CommandScalableTopicClose {
    sessionId: Int64;
}
interface CommandScalableTopicSubscribe {
    requestId: Int64;
    topic: string;
    subscription: string;
    consumerName: string;
    consumerId: number;
    consumerType: ScalableConsumerType;
}
interface CommandScalableTopicSubscribeResponse {
    requestId: Int64;
    error?: ServerError | undefined;
    message?: string | undefined;
    assignment?: ScalableConsumerAssignment | undefined;
}
interface CommandScalableTopicAssignmentUpdate {
    consumerId: number;
    assignment: ScalableConsumerAssignment;
}
interface CommandScalableTopicUnsubscribe {
    requestId: Int64;
    consumerId: number;
}
interface CommandWatchScalableTopics {
    watchId: Int64;
    namespace: string;
    propertyFilters?: readonly KeyValue[] | undefined;
    currentHash?: string | undefined;
}
interface CommandWatchScalableTopicsUpdate {
    watchId: Int64;
    snapshot?: ScalableTopicsSnapshot | undefined;
    diff?: ScalableTopicsDiff | undefined;
    error?: ServerError | undefined;
    message?: string | undefined;
}
interface CommandWatchScalableTopicsClose {
    watchId: Int64;
}
declare const CommandType: {
    readonly CONNECT: 2;
    readonly CONNECTED: 3;
    readonly SUBSCRIBE: 4;
    readonly PRODUCER: 5;
    readonly SEND: 6;
    readonly SEND_RECEIPT: 7;
    readonly SEND_ERROR: 8;
    readonly MESSAGE: 9;
    readonly ACK: 10;
    readonly FLOW: 11;
    readonly UNSUBSCRIBE: 12;
    readonly SUCCESS: 13;
    readonly ERROR: 14;
    readonly CLOSE_PRODUCER: 15;
    readonly CLOSE_CONSUMER: 16;
    readonly PRODUCER_SUCCESS: 17;
    readonly PING: 18;
    readonly PONG: 19;
    readonly REDELIVER_UNACKNOWLEDGED_MESSAGES: 20;
    readonly PARTITIONED_METADATA: 21;
    readonly PARTITIONED_METADATA_RESPONSE: 22;
    readonly LOOKUP: 23;
    readonly LOOKUP_RESPONSE: 24;
    readonly CONSUMER_STATS: 25;
    readonly CONSUMER_STATS_RESPONSE: 26;
    readonly REACHED_END_OF_TOPIC: 27;
    readonly SEEK: 28;
    readonly GET_LAST_MESSAGE_ID: 29;
    readonly GET_LAST_MESSAGE_ID_RESPONSE: 30;
    readonly ACTIVE_CONSUMER_CHANGE: 31;
    readonly GET_TOPICS_OF_NAMESPACE: 32;
    readonly GET_TOPICS_OF_NAMESPACE_RESPONSE: 33;
    readonly GET_SCHEMA: 34;
    readonly GET_SCHEMA_RESPONSE: 35;
    readonly AUTH_CHALLENGE: 36;
    readonly AUTH_RESPONSE: 37;
    readonly ACK_RESPONSE: 38;
    readonly GET_OR_CREATE_SCHEMA: 39;
    readonly GET_OR_CREATE_SCHEMA_RESPONSE: 40;
    readonly NEW_TXN: 50;
    readonly NEW_TXN_RESPONSE: 51;
    readonly ADD_PARTITION_TO_TXN: 52;
    readonly ADD_PARTITION_TO_TXN_RESPONSE: 53;
    readonly ADD_SUBSCRIPTION_TO_TXN: 54;
    readonly ADD_SUBSCRIPTION_TO_TXN_RESPONSE: 55;
    readonly END_TXN: 56;
    readonly END_TXN_RESPONSE: 57;
    readonly END_TXN_ON_PARTITION: 58;
    readonly END_TXN_ON_PARTITION_RESPONSE: 59;
    readonly END_TXN_ON_SUBSCRIPTION: 60;
    readonly END_TXN_ON_SUBSCRIPTION_RESPONSE: 61;
    readonly TC_CLIENT_CONNECT_REQUEST: 62;
    readonly TC_CLIENT_CONNECT_RESPONSE: 63;
    readonly WATCH_TOPIC_LIST: 64;
    readonly WATCH_TOPIC_LIST_SUCCESS: 65;
    readonly WATCH_TOPIC_UPDATE: 66;
    readonly WATCH_TOPIC_LIST_CLOSE: 67;
    readonly TOPIC_MIGRATED: 68;
    readonly SCALABLE_TOPIC_LOOKUP: 70;
    readonly SCALABLE_TOPIC_UPDATE: 71;
    readonly SCALABLE_TOPIC_CLOSE: 72;
    readonly SCALABLE_TOPIC_SUBSCRIBE: 73;
    readonly SCALABLE_TOPIC_SUBSCRIBE_RESPONSE: 74;
    readonly SCALABLE_TOPIC_ASSIGNMENT_UPDATE: 75;
    readonly WATCH_SCALABLE_TOPICS: 76;
    readonly WATCH_SCALABLE_TOPICS_UPDATE: 77;
    readonly WATCH_SCALABLE_TOPICS_CLOSE: 78;
    readonly WATCH_TC_ASSIGNMENTS: 79;
    readonly WATCH_TC_ASSIGNMENTS_UPDATE: 80;
    readonly WATCH_TC_ASSIGNMENTS_CLOSE: 81;
    readonly SCALABLE_TOPIC_UNSUBSCRIBE: 82;
};
type CommandType = (typeof CommandType)[keyof typeof CommandType];
type Command = {
    type: 2;
    body: CommandConnect;
} | {
    type: 3;
    body: CommandConnected;
} | {
    type: 4;
    body: CommandSubscribe;
} | {
    type: 5;
    body: CommandProducer;
} | {
    type: 6;
    body: CommandSend;
} | {
    type: 7;
    body: CommandSendReceipt;
} | {
    type: 8;
    body: CommandSendError;
} | {
    type: 9;
    body: CommandMessage;
} | {
    type: 10;
    body: CommandAck;
} | {
    type: 11;
    body: CommandFlow;
} | {
    type: 12;
    body: CommandUnsubscribe;
} | {
    type: 13;
    body: CommandSuccess;
} | {
    type: 14;
    body: CommandError;
} | {
    type: 15;
    body: CommandCloseProducer;
} | {
    type: 16;
    body: CommandCloseConsumer;
} | {
    type: 17;
    body: CommandProducerSuccess;
} | {
    type: 18;
    body: CommandPing;
} | {
    type: 19;
    body: CommandPong;
} | {
    type: 20;
    body: CommandRedeliverUnacknowledgedMessages;
} | {
    type: 21;
    body: CommandPartitionedTopicMetadata;
} | {
    type: 22;
    body: CommandPartitionedTopicMetadataResponse;
} | {
    type: 23;
    body: CommandLookupTopic;
} | {
    type: 24;
    body: CommandLookupTopicResponse;
} | {
    type: 25;
    body: CommandConsumerStats;
} | {
    type: 26;
    body: CommandConsumerStatsResponse;
} | {
    type: 27;
    body: CommandReachedEndOfTopic;
} | {
    type: 28;
    body: CommandSeek;
} | {
    type: 29;
    body: CommandGetLastMessageId;
} | {
    type: 30;
    body: CommandGetLastMessageIdResponse;
} | {
    type: 31;
    body: CommandActiveConsumerChange;
} | {
    type: 32;
    body: CommandGetTopicsOfNamespace;
} | {
    type: 33;
    body: CommandGetTopicsOfNamespaceResponse;
} | {
    type: 34;
    body: CommandGetSchema;
} | {
    type: 35;
    body: CommandGetSchemaResponse;
} | {
    type: 36;
    body: CommandAuthChallenge;
} | {
    type: 37;
    body: CommandAuthResponse;
} | {
    type: 38;
    body: CommandAckResponse;
} | {
    type: 39;
    body: CommandGetOrCreateSchema;
} | {
    type: 40;
    body: CommandGetOrCreateSchemaResponse;
} | {
    type: 50;
    body: CommandNewTxn;
} | {
    type: 51;
    body: CommandNewTxnResponse;
} | {
    type: 52;
    body: CommandAddPartitionToTxn;
} | {
    type: 53;
    body: CommandAddPartitionToTxnResponse;
} | {
    type: 54;
    body: CommandAddSubscriptionToTxn;
} | {
    type: 55;
    body: CommandAddSubscriptionToTxnResponse;
} | {
    type: 56;
    body: CommandEndTxn;
} | {
    type: 57;
    body: CommandEndTxnResponse;
} | {
    type: 58;
    body: CommandEndTxnOnPartition;
} | {
    type: 59;
    body: CommandEndTxnOnPartitionResponse;
} | {
    type: 60;
    body: CommandEndTxnOnSubscription;
} | {
    type: 61;
    body: CommandEndTxnOnSubscriptionResponse;
} | {
    type: 62;
    body: CommandTcClientConnectRequest;
} | {
    type: 63;
    body: CommandTcClientConnectResponse;
} | {
    type: 64;
    body: CommandWatchTopicList;
} | {
    type: 65;
    body: CommandWatchTopicListSuccess;
} | {
    type: 66;
    body: CommandWatchTopicUpdate;
} | {
    type: 67;
    body: CommandWatchTopicListClose;
} | {
    type: 68;
    body: CommandTopicMigrated;
} | {
    type: 70;
    body: CommandScalableTopicLookup;
} | {
    type: 71;
    body: CommandScalableTopicUpdate;
} | {
    type: 72;
    body: CommandScalableTopicClose;
} | {
    type: 73;
    body: CommandScalableTopicSubscribe;
} | {
    type: 74;
    body: CommandScalableTopicSubscribeResponse;
} | {
    type: 75;
    body: CommandScalableTopicAssignmentUpdate;
} | {
    type: 76;
    body: CommandWatchScalableTopics;
} | {
    type: 77;
    body: CommandWatchScalableTopicsUpdate;
} | {
    type: 78;
    body: CommandWatchScalableTopicsClose;
} | {
    type: 79;
    body: CommandWatchTcAssignments;
} | {
    type: 80;
    body: CommandWatchTcAssignmentsUpdate;
} | {
    type: 81;
    body: CommandWatchTcAssignmentsClose;
} | {
    type: 82;
    body: CommandScalableTopicUnsubscribe;
};
interface CommandBodies {
    2: CommandConnect;
    3: CommandConnected;
    4: CommandSubscribe;
    5: CommandProducer;
    6: CommandSend;
    7: CommandSendReceipt;
    8: CommandSendError;
    9: CommandMessage;
    10: CommandAck;
    11: CommandFlow;
    12: CommandUnsubscribe;
    13: CommandSuccess;
    14: CommandError;
    15: CommandCloseProducer;
    16: CommandCloseConsumer;
    17: CommandProducerSuccess;
    18: CommandPing;
    19: CommandPong;
    20: CommandRedeliverUnacknowledgedMessages;
    21: CommandPartitionedTopicMetadata;
    22: CommandPartitionedTopicMetadataResponse;
    23: CommandLookupTopic;
    24: CommandLookupTopicResponse;
    25: CommandConsumerStats;
    26: CommandConsumerStatsResponse;
    27: CommandReachedEndOfTopic;
    28: CommandSeek;
    29: CommandGetLastMessageId;
    30: CommandGetLastMessageIdResponse;
    31: CommandActiveConsumerChange;
    32: CommandGetTopicsOfNamespace;
    33: CommandGetTopicsOfNamespaceResponse;
    34: CommandGetSchema;
    35: CommandGetSchemaResponse;
    36: CommandAuthChallenge;
    37: CommandAuthResponse;
    38: CommandAckResponse;
    39: CommandGetOrCreateSchema;
    40: CommandGetOrCreateSchemaResponse;
    50: CommandNewTxn;
    51: CommandNewTxnResponse;
    52: CommandAddPartitionToTxn;
    53: CommandAddPartitionToTxnResponse;
    54: CommandAddSubscriptionToTxn;
    55: CommandAddSubscriptionToTxnResponse;
    56: CommandEndTxn;
    57: CommandEndTxnResponse;
    58: CommandEndTxnOnPartition;
    59: CommandEndTxnOnPartitionResponse;
    60: CommandEndTxnOnSubscription;
    61: CommandEndTxnOnSubscriptionResponse;
    62: CommandTcClientConnectRequest;
    63: CommandTcClientConnectResponse;
    64: CommandWatchTopicList;
    65: CommandWatchTopicListSuccess;
    66: CommandWatchTopicUpdate;
    67: CommandWatchTopicListClose;
    68: CommandTopicMigrated;
    70: CommandScalableTopicLookup;
    71: CommandScalableTopicUpdate;
    72: CommandScalableTopicClose;
    73: CommandScalableTopicSubscribe;
    74: CommandScalableTopicSubscribeResponse;
    75: CommandScalableTopicAssignmentUpdate;
    76: CommandWatchScalableTopics;
    77: CommandWatchScalableTopicsUpdate;
    78: CommandWatchScalableTopicsClose;
    79: CommandWatchTcAssignments;
    80: CommandWatchTcAssignmentsUpdate;
    81: CommandWatchTcAssignmentsClose;
    82: CommandScalableTopicUnsubscribe;
}
interface FrameSink {
    onFrame(command: Command, entry: Uint8Array | undefined): void;
}
type TopicDomain = "persistent" | "non-persistent";
declare class TopicName {
    #private;
    readonly domain: TopicDomain;
    readonly tenant: string;
    readonly cluster: string | undefined;
    readonly namespacePortion: string;
    readonly localName: string;
    readonly partitionIndex: number;
    private constructor();
    static parse(text: string): TopicName;
    get persistent(): boolean;
    get namespace(): string;
    get partitionedTopicName(): string;
    partition(index: number): string;
    toString(): string;
}
interface Position {
    readonly ledgerId: number;
    readonly entryId: number;
}
declare class Entry implements Position {
    #private;
    readonly ledgerId: number;
    readonly entryId: number;
    readonly data: Uint8Array;
    constructor(ledgerId: number, entryId: number, data: Uint8Array);
    get metadata(): Decoded<MessageMetadata>;
    get messageCount(): number;
}
type ManagedLedgerErrorCode =
"Fenced" | "Terminated" | "Closed" | "MetadataUnavailable" | "NotEnoughBookies" | "BadVersion" | "CursorNotFound" | "InvalidPosition"
 | "ReadFailed" | "StorageFailed";
declare class ManagedLedgerError extends Error {
    readonly code: ManagedLedgerErrorCode;
    constructor(code: ManagedLedgerErrorCode, detail: string, options?: ErrorOptions);
}
interface AppendListener {
    onAppended(position: Position): void;
    onAppendFailed(error: ManagedLedgerError): void;
}
type InitialPosition = "earliest" | "latest";
interface OpenCursorOptions {
    initialPosition?: InitialPosition;
    properties?: Readonly<Record<string, string>>;
}
interface LedgerInfo {
    ledgerId: number;
    entries: number;
    sizeBytes: number;
    closedAtMs: number | undefined;
}
interface ManagedLedger {
    readonly name: string;
    readonly lastConfirmed: Position;
    readonly firstPosition: Position;
    readonly terminatedAt: Position | undefined;
    readonly entryCount: number;
    readonly sizeBytes: number;
    readonly writeQuorum: number;
    readonly backlogBytes: number;
    readonly entriesAdded: number;
    readonly cursors: ReadonlyMap<string, ManagedCursor>;
    readonly ledgers: readonly LedgerInfo[];
    append(data: Uint8Array, listener: AppendListener): void;
    openCursor(name: string, options?: OpenCursorOptions): Promise<ManagedCursor>;
    newNonDurableCursor(name: string, start: Position): ManagedCursor;
    deleteCursor(name: string): Promise<void>;
    readEntry(position: Position): Promise<Entry | undefined>;
    findNewestMatching(matches: (entry: Entry) => boolean): Promise<Position | undefined>;
    nextPosition(position: Position): Position;
    previousPosition(position: Position): Position;
    countEntries(from: Position, to: Position): number;
    positionAfter(from: Position, count: number): Position;
    terminate(): Promise<Position>;
    rollover(): Promise<void>;
    trim(): Promise<void>;
    truncate(): Promise<void>;
    close(): Promise<void>;
    delete(): Promise<void>;
    configure(options: ManagedLedgerOptions): void;
    onAdvance(listener: () => void): Disposable;
    onFenced(listener: () => void): Disposable;
}
type AckSet = readonly Bits64[];
interface PositionRange {
    lowerExclusive: Position;
    upperInclusive: Position;
}
interface ManagedCursor {
    readonly name: string;
    readonly durable: boolean;
    readonly ledger: ManagedLedger;
    readonly markDeleted: Position;
    readonly readPosition: Position;
    readonly properties: Readonly<Record<string, string>>;
    readonly backlogEntries: number;
    readonly deletedRanges: readonly PositionRange[];
    readonly lastActiveMs: number;
    hasMoreEntries(): boolean;
    read(maxEntries: number, maxBytes: number): Entry[] | Promise<Entry[]>;
    readAt(positions: readonly Position[]): Entry[] | Promise<Entry[]>;
    acknowledgeCumulative(position: Position, ackSet?: AckSet): void;
    acknowledge(position: Position, ackSet?: AckSet, batchSize?: number): AcknowledgeOutcome;
    isAcknowledged(position: Position): boolean;
    ackSetOf(position: Position): AckSet | undefined;
    rewind(): void;
    reset(position: Position): Promise<void>;
    skip(count: number): void;
    clearBacklog(): void;
    setProperties(properties: Readonly<Record<string, string>>): Promise<void>;
    flush(): Promise<void>;
    close(): Promise<void>;
}
interface AcknowledgeOutcome {
    completed: boolean;
    messages: number;
}
interface EntryCacheInfo {
    readonly usedBytes: number;
    readonly stats: {
        readonly hits: number;
        readonly misses: number;
        readonly evictedBytes: number;
    };
}
interface ManagedLedgerFactory {
    readonly cache: EntryCacheInfo;
    open(name: string, options?: ManagedLedgerOptions): Promise<ManagedLedger>;
    exists(name: string): Promise<boolean>;
    delete(name: string): Promise<void>;
    close(): Promise<void>;
}
interface ManagedLedgerOptions {
    ensembleSize?: number;
    writeQuorum?: number;
    ackQuorum?: number;
    maxEntriesPerLedger?: number;
    maxSizePerLedgerBytes?: number;
    minRolloverMs?: number;
    maxRolloverMs?: number;
    retentionMs?: number;
    retentionBytes?: number;
    maxRangesToPersist?: number;
    cursorPersistIntervalMs?: number;
    cursorMaxEntriesPerLedger?: number;
    cursorRolloverMs?: number;
}
declare class BrokerDirectory {
    #private;
    get all(): readonly Broker[];
    add(broker: Broker): void;
    remove(broker: Broker): void;
    find(address: string): Broker | undefined;
}
interface BrokerSettings {
    maxMessageSize: number;
    keepAliveIntervalSeconds: number;
    maxPendingPublishRequestsPerConnection: number;
    maxConcurrentLookupRequest: number;
    maxConcurrentTopicLoadRequest: number;
    topicLoadTimeoutSeconds: number;
    allowAutoTopicCreation: boolean;
    allowAutoTopicCreationType: "non-partitioned" | "partitioned";
    allowAutoSubscriptionCreation: boolean;
    defaultNumPartitions: number;
    maxNumPartitionsPerPartitionedTopic: number;
    defaultNumberOfNamespaceBundles: number;
    brokerDeduplicationEnabled: boolean;
    brokerDeduplicationEntriesInterval: number;
    brokerDeduplicationSnapshotIntervalSeconds: number;
    brokerDeduplicationMaxNumberOfProducers: number;
    maxUnackedMessagesPerConsumer: number;
    maxUnackedMessagesPerSubscription: number;
    activeConsumerFailoverDelayTimeMillis: number;
    delayedDeliveryTickTimeMillis: number;
    statsUpdateFrequencyInSecs: number;
    maxProducersPerTopic: number;
    maxConsumersPerTopic: number;
    maxConsumersPerSubscription: number;
    maxSubscriptionsPerTopic: number;
    maxTopicsPerNamespace: number;
    subscriptionPatternMaxLength: number;
    maxProducersAndConsumersPerConnection: number;
    brokerMaxConnections: number;
    schemaCompatibilityStrategy: "FULL" | "BACKWARD" | "FORWARD" | "ALWAYS_COMPATIBLE" | "ALWAYS_INCOMPATIBLE";
    isSchemaValidationEnforced: boolean;
    authenticationRefreshCheckSeconds: number;
    forceDeleteNamespaceAllowed: boolean;
    forceDeleteTenantAllowed: boolean;
    managedLedgerDefaultEnsembleSize: number;
    managedLedgerDefaultWriteQuorum: number;
    managedLedgerDefaultAckQuorum: number;
    managedLedgerCacheSizeMB: number;
    managedLedgerMaxEntriesPerLedger: number;
    managedLedgerMaxSizePerLedgerMbytes: number;
    managedLedgerMinLedgerRolloverTimeMinutes: number;
    managedLedgerMaxLedgerRolloverTimeMinutes: number;
    managedLedgerMaxUnackedRangesToPersist: number;
    managedLedgerDefaultMarkDeleteRateLimit: number;
    managedLedgerCursorMaxEntriesPerLedger: number;
    managedLedgerCursorRolloverTimeInSeconds: number;
    retentionCheckIntervalInSeconds: number;
    messageExpiryCheckIntervalInMinutes: number;
    ttlDurationDefaultInSeconds: number;
    defaultRetentionTimeInMinutes: number;
    defaultRetentionSizeInMB: number;
}
declare function settingNames(): (keyof BrokerSettings)[];
type SubscriptionType = CommandSubscribe["subType"];
interface Delivery {
    entry: Entry;
    redeliveryCount: number;
    ackSet: AckSet | undefined;
}
interface ConsumerSession {
    readonly remoteAddress: string;
    readonly clientVersion: string;
    readonly writable: boolean;
    deliver(consumerId: number, deliveries: readonly Delivery[], consumerEpoch: number | undefined): void;
    activeConsumerChanged(consumerId: number, active: boolean): void;
    checkAlive(): Promise<boolean>;
    reachedEndOfTopic(consumerId: number): void;
    closeConsumer(consumerId: number): void;
}
interface ConsumerOptions {
    consumerId: number;
    consumerName: string;
    type: SubscriptionType;
    priorityLevel: number;
    metadata: Readonly<Record<string, string>>;
    readCompacted: boolean;
    keySharedMeta: KeySharedMeta | undefined;
    startMessageId: MessageIdData | undefined;
    schema: Schema | undefined;
    consumerEpoch: number | undefined;
    session: ConsumerSession;
}
interface AckRequest {
    position: Position;
    ackSet: AckSet | undefined;
}
interface ConsumerStats {
    consumerName: string;
    availablePermits: number;
    unackedMessages: number;
    blockedOnUnackedMessages: boolean;
    msgOutCounter: number;
    bytesOutCounter: number;
    messageAckCounter: number;
    redeliveredCounter: number;
    connectedSinceMs: number;
    address: string;
    clientVersion: string;
    metadata: Readonly<Record<string, string>>;
    keyHashRanges: readonly string[] | undefined;
}
interface BrokerConsumer {
    readonly options: ConsumerOptions;
    readonly subscription: Subscription;
    flow(messages: number): void;
    acknowledge(acks: readonly AckRequest[]): void;
    acknowledgeCumulative(ack: AckRequest): void;
    flushAcknowledgements(): Promise<void>;
    redeliver(positions: readonly Position[] | undefined, consumerEpoch: number | undefined): void;
    onWritable(): void;
    close(): void;
    stats(): ConsumerStats;
}
interface SubscriptionStats {
    name: string;
    type: SubscriptionType | undefined;
    msgBacklog: number;
    backlogEntries: number;
    unackedMessages: number;
    msgOutCounter: number;
    bytesOutCounter: number;
    redeliveredCounter: number;
    blockedOnUnackedMessages: boolean;
    msgDelayed: number;
    activeConsumerName: string | undefined;
    durable: boolean;
    readFailures: number;
    properties: Readonly<Record<string, string>>;
    consumers: readonly ConsumerStats[];
    lastConsumedTimestamp: number;
    lastAckedTimestamp: number;
}
interface Subscription {
    readonly name: string;
    readonly cursor: ManagedCursor;
    readonly consumers: readonly BrokerConsumer[];
    readonly type: SubscriptionType | undefined;
    addConsumer(options: ConsumerOptions): BrokerConsumer;
    notify(): void;
    topicTerminated(): void;
    seek(position: Position): Promise<void>;
    disconnectConsumers(): void;
    skip(count: number): void;
    clearBacklog(): void;
    expireBefore(timestampMs: number): Promise<void>;
    stats(): SubscriptionStats;
    close(): Promise<void>;
}
interface SubscriptionContext {
    clock: Clock;
    ledger: ManagedLedger;
    topicName: string;
    maxUnackedMessagesPerConsumer: number;
    maxUnackedMessagesPerSubscription: number;
    failoverDelayMs: number;
    onError?: (error: unknown) => void;
}
type ConsumerHandle = Omit<BrokerConsumer, "subscription">;
interface ProducerRequest {
    producerId: number;
    producerName: string;
    userProvidedName: boolean;
    epoch: number;
    accessMode: number;
    topicEpoch: number | undefined;
    metadata: Readonly<Record<string, string>>;
    schema: Schema | undefined;
    initialSubscriptionName: string | undefined;
    session: ProducerSession;
}
interface ProducerGrant {
    producer: TopicProducer;
    lastSequenceId: Int64;
    schemaVersion: Uint8Array;
    ready: Promise<void> | undefined;
}
interface SubscribeRequest {
    command: CommandSubscribe;
    consumerName: string;
    session: ConsumerSession;
}
type SeekTarget = {
    kind: "id";
    messageId: MessageIdData;
}
 | {
    kind: "time";
    publishTimeMs: number;
};
interface LastMessageId {
    position: Position;
    batchIndex: number;
    markDeleted: Position | undefined;
}
interface ProducerStats {
    producerId: number;
    producerName: string;
    accessMode: number;
    address: string;
    clientVersion: string;
    connectedSinceMs: number;
    metadata: Readonly<Record<string, string>>;
    msgInCounter: number;
    bytesInCounter: number;
    chunkedMessageCounter: number;
}
interface TopicStats {
    name: string;
    persistent: boolean;
    msgInCounter: number;
    bytesInCounter: number;
    publishers: readonly ProducerStats[];
    subscriptions: ReadonlyMap<string, SubscriptionStats>;
    msgOutCounter: number;
    bytesOutCounter: number;
    storageSize: number;
    storedBytes: number;
    backlogSize: number;
    topicEpoch: number | undefined;
    deduplicationStatus: "Enabled" | "Disabled";
    createdMs: number;
}
interface CloseTopicOptions {
    assignedBroker?: {
        serviceUrl: string;
        serviceUrlTls: string | undefined;
    };
}
interface Topic {
    readonly name: TopicName;
    readonly producers: ReadonlyMap<string, TopicProducer>;
    addProducer(request: ProducerRequest): Promise<ProducerGrant>;
    publish(producer: TopicProducer, sequenceId: Int64, highestSequenceId: Int64, metadata: Decoded<MessageMetadata>, entry: Uint8Array): void;
    removeProducer(producer: TopicProducer): void;
    subscribe(request: SubscribeRequest): Promise<ConsumerHandle>;
    unsubscribe(subscription: string, consumer: ConsumerHandle | undefined, force: boolean): Promise<void>;
    removeConsumer(subscription: string, consumer: ConsumerHandle): void;
    seek(subscription: string, target: SeekTarget): Promise<void>;
    lastMessageId(subscription: string): Promise<LastMessageId>;
    subscriptionStats(subscription: string): SubscriptionStats | undefined;
    takeSnapshot(): void;
    checkRetention(): void;
    checkMessageExpiry(): void;
    policiesChanged(): Promise<void>;
    stats(): TopicStats;
    close(options?: CloseTopicOptions): Promise<void>;
    delete(force: boolean): Promise<void>;
}
interface ProducerSession {
    readonly remoteAddress: string;
    readonly clientVersion: string;
    readonly open: boolean;
    published(producer: TopicProducer, sequenceId: Int64, highestSequenceId: Int64, ledgerId: number, entryId: number): void;
    publishFailed(producer: TopicProducer, sequenceId: Int64, code: ServerError, message: string): void;
    publishDropped(producer: TopicProducer): void;
    closeProducer(producer: TopicProducer, assigned?: {
        serviceUrl: string;
        serviceUrlTls: string | undefined;
    }): void;
    checkAlive(): Promise<boolean>;
}
interface TopicProducerOptions {
    topic: Topic;
    producerId: number;
    name: string;
    userProvidedName: boolean;
    epoch: number;
    accessMode: number;
    metadata: Readonly<Record<string, string>>;
    session: ProducerSession;
    connectedSinceMs: number;
}
declare class TopicProducer {
    readonly topic: Topic;
    readonly producerId: number;
    readonly name: string;
    readonly userProvidedName: boolean;
    readonly epoch: number;
    readonly accessMode: number;
    readonly metadata: Readonly<Record<string, string>>;
    readonly session: ProducerSession;
    readonly connectedSinceMs: number;
    attached: boolean;
    topicEpoch: number | undefined;
    msgInCounter: number;
    bytesInCounter: number;
    chunkedMessageCounter: number;
    constructor(options: TopicProducerOptions);
    succeeds(other: TopicProducer): boolean;
}
interface BrokerUrls {
    readonly brokerId: string;
    readonly serviceUrl: string;
    readonly serviceUrlTls: string | undefined;
    readonly webServiceUrl: string;
    readonly webServiceUrlTls: string | undefined;
}
declare class BrokerRegistry {
    #private;
    constructor(store: MetadataStore);
    register(urls: BrokerUrls): Promise<void>;
    unregister(urls: BrokerUrls): Promise<void>;
    list(): Promise<string[]>;
    get(brokerId: string): Promise<BrokerUrls | undefined>;
}
interface Bundle {
    readonly namespace: string;
    readonly range: string;
    readonly name: string;
}
interface BundleOwner extends BrokerUrls {
    readonly disabled: boolean;
}
declare class BundleOwnership {
    #private;
    constructor(store: MetadataStore, urls: BrokerUrls, clock: Clock);
    get owned(): ReadonlyMap<string, Bundle>;
    owns(bundle: Bundle): boolean;
    ownerOf(bundle: Bundle): Promise<BundleOwner | undefined>;
    acquire(bundle: Bundle): Promise<BundleOwner>;
    disable(bundle: Bundle): Promise<void>;
    release(bundle: Bundle): Promise<void>;
    forgetAll(): void;
    close(): void;
}
interface TenantInfo {
    adminRoles: readonly string[];
    allowedClusters: readonly string[];
}
interface AutoTopicCreation {
    allowAutoTopicCreation: boolean;
    topicType?: "non-partitioned" | "partitioned";
    defaultNumPartitions?: number;
}
interface RetentionPolicies {
    retentionTimeInMinutes: number;
    retentionSizeInMB: number;
}
interface PersistencePolicies {
    bookkeeperEnsemble: number;
    bookkeeperWriteQuorum: number;
    bookkeeperAckQuorum: number;
    managedLedgerMaxMarkDeleteRate: number;
}
interface BacklogQuota {
    limitSize: number;
    limitTime: number;
    policy: "producer_request_hold" | "producer_exception" | "consumer_backlog_eviction";
}
type SchemaCompatibilityStrategy = "UNDEFINED" | "ALWAYS_INCOMPATIBLE" | "ALWAYS_COMPATIBLE" | "BACKWARD" | "FORWARD" | "FULL" | "BACKWARD_TRANSITIVE" | "FORWARD_TRANSITIVE" | "FULL_TRANSITIVE";
interface SharedPolicies {
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
interface Policies extends SharedPolicies {
    replication_clusters: readonly string[];
    bundles: {
        boundaries: readonly string[];
        numBundles: number;
    };
    autoTopicCreationOverride?: AutoTopicCreation;
    autoSubscriptionCreationOverride?: {
        allowAutoSubscriptionCreation: boolean;
    };
    max_topics_per_namespace?: number;
    deleted?: boolean;
    is_allow_auto_update_schema?: boolean;
    [other: string]: unknown;
}
interface TopicPolicies extends SharedPolicies {
    [other: string]: unknown;
}
declare class Namespaces {
    #private;
    constructor(store: MetadataStore);
    list(tenant: string): Promise<string[]>;
    get(namespace: string): Promise<Policies | undefined>;
    exists(namespace: string): Promise<boolean>;
    create(namespace: string, policies: Policies): Promise<void>;
    update(namespace: string, change: (policies: Policies) => Policies): Promise<Policies>;
    delete(namespace: string): Promise<void>;
    watch(listener: (namespace: string) => void): Disposable;
}
declare class NamespaceBundles implements Disposable {
    #private;
    constructor(namespaces: Namespaces);
    bundleOf(topic: TopicName): Promise<Bundle>;
    bundlesOf(namespace: string): Promise<Bundle[]>;
    forgetAll(): void;
    [Symbol.dispose](): void;
}
type LookupAnswer =
{
    kind: "connect";
    broker: BrokerUrls;
}
 | {
    kind: "redirect";
    broker: BrokerUrls;
    authoritative: boolean;
};
interface TopicLookupOptions {
    urls: BrokerUrls;
    bundles: NamespaceBundles;
    ownership: BundleOwnership;
    registry: BrokerRegistry;
}
declare class TopicLookup {
    #private;
    constructor(options: TopicLookupOptions);
    lookup(topic: TopicName, authoritative?: boolean): Promise<LookupAnswer>;
}
interface EffectivePolicies {
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
    markDeleteRate: number;
}
declare class PartitionedTopics {
    #private;
    constructor(store: MetadataStore);
    partitions(topic: TopicName): Promise<number>;
    properties(topic: TopicName): Promise<Readonly<Record<string, string>>>;
    list(namespace: string, domain?: TopicDomain): Promise<string[]>;
    create(topic: TopicName, partitions: number, properties?: Readonly<Record<string, string>>): Promise<void>;
    grow(topic: TopicName, partitions: number): Promise<void>;
    setProperties(topic: TopicName, properties: Readonly<Record<string, string>>): Promise<void>;
    delete(topic: TopicName): Promise<void>;
}
interface SchemaInfo {
    type: number;
    data: Uint8Array;
    properties: Readonly<Record<string, string>>;
}
interface SchemaVersion extends SchemaInfo {
    version: number;
    timestampMs: number;
    deleted: boolean;
}
declare class Schemas {
    #private;
    constructor(store: MetadataStore, clock: Clock);
    versions(topic: TopicName): Promise<SchemaVersion[]>;
    get(topic: TopicName, version?: number): Promise<SchemaVersion | undefined>;
    add(topic: TopicName, schema: SchemaInfo, strategy: SchemaCompatibilityStrategy): Promise<number>;
    check(topic: TopicName, schema: SchemaInfo, strategy: SchemaCompatibilityStrategy): Promise<void>;
    delete(topic: TopicName): Promise<number | undefined>;
    purge(topic: TopicName): Promise<void>;
}
declare class Tenants {
    #private;
    constructor(store: MetadataStore);
    list(): Promise<string[]>;
    get(tenant: string): Promise<TenantInfo | undefined>;
    exists(tenant: string): Promise<boolean>;
    create(tenant: string, info: TenantInfo): Promise<void>;
    update(tenant: string, info: TenantInfo): Promise<void>;
    delete(tenant: string): Promise<void>;
}
declare class TopicEpochs {
    #private;
    constructor(store: MetadataStore);
    get(topic: TopicName): Promise<number | undefined>;
    set(topic: TopicName, epoch: number): Promise<void>;
    delete(topic: TopicName): Promise<void>;
}
interface TopicListEvent {
    type: "created" | "deleted";
    topic: string;
}
declare class TopicList {
    #private;
    constructor(store: MetadataStore);
    list(namespace: string): Promise<string[]>;
    exists(topic: TopicName): Promise<boolean>;
    watch(namespace: string, listener: (event: TopicListEvent) => void): Disposable;
}
declare class TopicPoliciesStore {
    #private;
    constructor(store: MetadataStore);
    get(topic: TopicName): Promise<TopicPolicies | undefined>;
    update(topic: TopicName, change: (policies: TopicPolicies) => TopicPolicies): Promise<TopicPolicies>;
    delete(topic: TopicName): Promise<void>;
    watch(topic: TopicName, listener: () => void): Disposable;
}
declare class Resources {
    readonly tenants: Tenants;
    readonly namespaces: Namespaces;
    readonly partitionedTopics: PartitionedTopics;
    readonly topics: TopicList;
    readonly topicPolicies: TopicPoliciesStore;
    readonly topicEpochs: TopicEpochs;
    readonly schemas: Schemas;
    constructor(store: MetadataStore, clock: Clock);
}
declare class ProducerNames {
    #private;
    constructor(store: MetadataStore, cluster: string);
    next(): Promise<string>;
}
type SubscriptionFactory = (context: SubscriptionContext, name: string, cursor: ManagedCursor) => Subscription;
interface TopicContext {
    readonly settings: BrokerSettings;
    readonly clock: Clock;
    readonly resources: Resources;
    readonly producerNames: ProducerNames;
    readonly createSubscription: SubscriptionFactory;
    policiesOf(topic: Topic["name"]): Promise<EffectivePolicies>;
    onFenced(topic: Topic): void;
    onError(error: unknown): void;
}
type TopicCreation = "never" | "by-policy" | "always";
interface TopicsOptions {
    context: TopicContext;
    ledgers: ManagedLedgerFactory;
    checkOwnership(topic: TopicName): Promise<void>;
}
declare class Topics {
    #private;
    constructor(options: TopicsOptions);
    get loaded(): ReadonlyMap<string, Topic>;
    get(name: string): Topic | undefined;
    load(name: TopicName, creation: TopicCreation): Promise<Topic>;
    exists(name: TopicName): Promise<boolean>;
    unload(name: string, options?: CloseTopicOptions): Promise<void>;
    fenced(topic: Topic): Promise<void>;
    delete(name: TopicName, force: boolean): Promise<void>;
    unloadAll(matches?: (name: TopicName) => boolean, options?: CloseTopicOptions): Promise<void>;
}
interface CommandInterceptor {
    readonly active: boolean;
    incoming(connection: BrokerConnection, command: Command, serve: () => void): boolean;
    outgoing(connection: BrokerConnection, command: Command, send: () => void): boolean;
}
declare class RequestLimit {
    #private;
    constructor(max: number);
    get underWay(): number;
    run<T>(work: () => Promise<T>): Promise<T>;
}
interface Authentication {
    role: string;
    expiresAtMs?: number;
}
type AuthenticationOutcome = string | Authentication | {
    challenge: Uint8Array;
};
interface Authenticator {
    authenticate(method: string, data: Uint8Array, connection: BrokerConnection): Promise<AuthenticationOutcome>;
}
interface BrokerContext {
    readonly urls: BrokerUrls;
    readonly settings: BrokerSettings;
    readonly clock: Clock;
    readonly resources: Resources;
    readonly lookup: TopicLookup;
    readonly topics: Topics;
    readonly lookups: RequestLimit;
    readonly connections: Set<BrokerConnection>;
    readonly authenticator: Authenticator | undefined;
    readonly interceptor: CommandInterceptor | undefined;
    readonly throughServiceUrl: boolean;
    policiesOf(topic: Topic["name"]): Promise<EffectivePolicies>;
    topicsOf(namespace: string, mode: CommandGetTopicsOfNamespaceMode): Promise<string[]>;
    peer(address: string): BrokerContext | undefined;
}
interface Credentials {
    method: string;
    data: Uint8Array;
}
declare class AuthenticationRound {
    #private;
    constructor(connection: BrokerConnection, authenticator: Authenticator, clock: Clock, answerTimeoutMs: number);
    judge({ method, data }: Credentials): Promise<string | undefined>;
    stop(): void;
}
type CommandHandler<T extends keyof CommandBodies> = (connection: BrokerConnection, body: CommandBodies[T], entry: Uint8Array | undefined) => void | Promise<void>;
type CommandTable = {
    readonly [T in keyof CommandBodies]?: CommandHandler<T>;
};
interface ConnectedConsumer {
    readonly topic: Topic;
    readonly subscription: string;
    readonly consumer: ConsumerHandle;
}
declare class ConnectionSession implements ProducerSession, ConsumerSession {
    #private;
    constructor(connection: BrokerConnection, channel: Channel);
    get remoteAddress(): string;
    get clientVersion(): string;
    get open(): boolean;
    get writable(): boolean;
    published(producer: TopicProducer, sequenceId: Int64, highest: Int64, ledgerId: number, entryId: number): void;
    publishFailed(producer: TopicProducer, sequenceId: Int64, error: ServerError, message: string): void;
    publishDropped(_producer: TopicProducer): void;
    closeProducer(producer: TopicProducer, assigned?: {
        serviceUrl: string;
        serviceUrlTls: string | undefined;
    }): void;
    checkAlive(): Promise<boolean>;
    deliver(consumerId: number, deliveries: readonly Delivery[], consumerEpoch: number | undefined): void;
    activeConsumerChanged(consumerId: number, isActive: boolean): void;
    reachedEndOfTopic(consumerId: number): void;
    closeConsumer(consumerId: number): void;
}
interface ClientInfo {
    protocolVersion: number;
    clientVersion: string;
    features: FeatureFlags;
    role: string | undefined;
}
type ConnectionState = {
    kind: "awaiting-connect";
}
 | {
    kind: "connecting";
    connect: CommandConnect;
} | ({
    kind: "connected";
} & ClientInfo) | {
    kind: "closed";
};
interface KeepAliveEvents {
    sendPing(): void;
    onSilence(reason: string): void;
}
declare class KeepAlive {
    #private;
    constructor(clock: Clock, periodMs: number, events: KeepAliveEvents);
    connected(): void;
    onPong(): void;
    check(): Promise<boolean>;
    stop(): void;
}
declare class PublishGate {
    #private;
    constructor(channel: Channel, max: number);
    get pending(): number;
    begin(): void;
    end(): void;
}
type Slot<T> = {
    kind: "opening";
    id: number;
    closedBy: "client" | "broker" | undefined;
} | OpenSlot<T>;
interface OpenSlot<T> {
    kind: "open";
    id: number;
    value: T;
}
type OpeningSlot = Extract<Slot<never>, {
    kind: "opening";
}>;
declare class SlotTable<T> {
    #private;
    constructor(what: string, max: number);
    get size(): number;
    get(id: number): T | undefined;
    open(): Generator<T>;
    reserve(id: number): OpeningSlot;
    complete(opening: OpeningSlot, value: T): boolean;
    release(opening: OpeningSlot): void;
    remove(id: number): T | undefined;
    removeByBroker(id: number, nowMs: number): T | undefined;
    wasClosedByBroker(id: number): boolean;
    clear(): T[];
}
interface TopicListWatcherOptions {
    connection: BrokerConnection;
    watcherId: Int64;
    namespace: string;
    matches(topic: string): boolean;
}
declare class TopicListWatcher implements Disposable {
    #private;
    constructor(options: TopicListWatcherOptions);
    start(): Promise<string[]>;
    get topics(): string[];
    [Symbol.dispose](): void;
}
interface BrokerConnectionOptions {
    channel: Channel;
    broker: BrokerContext;
    commands: CommandTable;
    proxy?: boolean;
}
declare class BrokerConnection implements ChannelSink, FrameSink {
    #private;
    readonly channel: Channel;
    readonly proxy: boolean;
    readonly session: ConnectionSession;
    readonly producers: SlotTable<TopicProducer>;
    readonly consumers: SlotTable<ConnectedConsumer>;
    readonly watchers: Map<Int64, TopicListWatcher>;
    readonly publishGate: PublishGate;
    readonly keepAlive: KeepAlive;
    constructor(options: BrokerConnectionOptions);
    static accept(options: BrokerConnectionOptions): BrokerConnection;
    get broker(): BrokerContext;
    get state(): ConnectionState;
    get client(): ClientInfo | undefined;
    get writable(): boolean;
    connecting(connect: CommandConnect): void;
    get authentication(): AuthenticationRound | undefined;
    connected(info: ClientInfo): void;
    routeTo(broker: BrokerContext): void;
    send(command: Command): void;
    sendEntry(command: Command, entry: Uint8Array): void;
    write(head: Uint8Array, body?: Uint8Array): void;
    answerError(requestId: Int64, error: unknown): void;
    answerSuccess(requestId: Int64): void;
    close(): void;
    fail(reason: string): void;
    onData(chunk: Uint8Array): void;
    onDrain(): void;
    onClose(): void;
    onFrame(command: Command, entry: Uint8Array | undefined): void;
}
interface BrokerOptions {
    clusterName: string;
    urls: BrokerUrls;
    settings: BrokerSettings;
    clock: Clock;
    metadata: MetadataStore;
    ledgers: ManagedLedgerFactory;
    createSubscription: SubscriptionFactory;
    directory: BrokerDirectory;
    authenticator?: Authenticator | undefined;
    interceptor?: CommandInterceptor | undefined;
    onError?: ((error: unknown) => void) | undefined;
}
declare class Broker implements BrokerContext, AsyncDisposable {
    #private;
    readonly urls: BrokerUrls;
    readonly settings: BrokerSettings;
    readonly clock: Clock;
    readonly resources: Resources;
    readonly bundles: NamespaceBundles;
    readonly ownership: BundleOwnership;
    readonly lookup: TopicLookup;
    readonly topics: Topics;
    readonly lookups: RequestLimit;
    readonly connections: Set<BrokerConnection>;
    readonly authenticator: Authenticator | undefined;
    readonly interceptor: CommandInterceptor | undefined;
    private constructor();
    static start(options: BrokerOptions): Promise<Broker>;
    get entryCache(): EntryCacheInfo;
    get throughServiceUrl(): boolean;
    accept(channel: Channel, proxy?: boolean): void;
    peer(address: string): BrokerContext | undefined;
    lookupTopic(topic: TopicName, authoritative?: boolean): Promise<LookupAnswer>;
    policiesOf(topic: TopicName): Promise<EffectivePolicies>;
    topicsOf(namespace: string, mode: CommandGetTopicsOfNamespaceMode): Promise<string[]>;
    unloadBundle(bundle: Bundle): Promise<void>;
    close(): Promise<void>;
    abandon(): void;
    [Symbol.asyncDispose](): Promise<void>;
}
interface SessionOptions {
    clock?: Clock;
}
interface MemoryMetadata {
    session(options?: SessionOptions): MetadataStore;
    expire(session: MetadataStore): void;
    disconnect(session: MetadataStore): void;
    reconnect(session: MetadataStore): void;
    available: boolean;
}
type MetadataOperation = "get" | "put" | "del";
interface LatencyHistogram {
    readonly counts: number[];
    count: number;
    sumMs: number;
}
declare class MetadataStatistics {
    readonly latencies: ReadonlyMap<string, LatencyHistogram>;
    putBytes: number;
    sessionsExpired: number;
    constructor();
    observe(type: MetadataOperation, succeeded: boolean, tookMs: number): void;
}
declare class RenewingMetadata implements MetadataStore {
    #private;
    constructor(open: () => MetadataStore);
    get sessionId(): number;
    get(key: string): Promise<MetadataValue | undefined>;
    exists(key: string): Promise<boolean>;
    put(key: string, value: Uint8Array, options?: PutOptions): Promise<{
        key: string;
        stat: MetadataStat;
    }>;
    delete(key: string, expectedVersion?: number): Promise<void>;
    children(key: string): Promise<string[]>;
    nextSequence(key: string): Promise<number>;
    watch(prefix: string, listener: (event: MetadataEvent) => void): Disposable;
    onSessionExpired(listener: () => void): Disposable;
    onSessionRenewed(listener: () => void): Disposable;
    close(): Promise<void>;
}
interface EntryLog {
    readonly logId: number;
    readonly file: DiskFile;
    lengthBytes: number;
    mapOffset: number | undefined;
    readonly ledgers: Map<number, number>;
}
interface EntryLogSnapshot {
    readonly logId: number;
    readonly lengthBytes: number;
    readonly mapOffset?: number;
    readonly ledgers?: readonly (readonly [ledgerId: number, bytes: number])[];
}
interface JournalMark {
    readonly fileId: number;
    readonly offset: number;
}
interface LedgerState {
    readonly ledgerId: number;
    fenced: "no" | "pending" | "durable";
    limbo: boolean;
    empty: boolean;
    lac: number;
    bytes: number;
}
type LedgerSnapshot = readonly [ledgerId: number, flags: number, lac: number, bytes: number];
declare class LedgerTable {
    #private;
    damaged: boolean;
    doubtsFrom: number;
    get size(): number;
    ids(): Iterable<number>;
    get bytes(): number;
    get(ledgerId: number): LedgerState | undefined;
    admit(entry: LedgerEntry, recovery: boolean): ResultCode;
    added(entry: LedgerEntry, growthBytes: number, recovery: boolean): void;
    fence(ledgerId: number): LedgerState;
    isDeleted(ledgerId: number): boolean;
    mayBeForgotten(ledgerId: number): boolean;
    delete(ledgerId: number): void;
    get losses(): number;
    damage(ledgerId: number | undefined): void;
    isDoubtful(ledgerId: number): boolean;
    doubtfulIds(): Iterable<number>;
    limitDamage({ ids, lastId }: LedgersBefore): void;
    endDoubt(ledgerId: number): void;
    snapshot(): LedgerSnapshot[];
    restore(snapshot: readonly LedgerSnapshot[]): void;
}
interface Checkpoint {
    readonly sequence: number;
    readonly mark: JournalMark;
    readonly logs: readonly EntryLogSnapshot[];
    readonly ledgers: readonly LedgerSnapshot[];
    readonly damaged: boolean;
    readonly doubtsFrom?: number;
}
type OnLost = (damage: Damage, ledgerIds: Iterable<number> | undefined) => void;
interface Run {
    readonly ledgerId: number;
    readonly firstEntryId: number;
    readonly count: number;
    readonly logId: number;
    readonly offset: number;
    readonly lengthBytes: number;
}
declare class EntryLogs {
    #private;
    constructor(disk: Disk, settings: BookieSettings);
    static open(disk: Disk, settings: BookieSettings, snapshots: readonly EntryLogSnapshot[], isLiving: (ledgerId: number) => boolean, onLost: OnLost): Promise<EntryLogs>;
    get size(): number;
    all(): Iterable<EntryLog>;
    isCurrent(log: EntryLog): boolean;
    write(entries: Iterable<LedgerEntry>): Promise<Run[]>;
    snapshot(): EntryLogSnapshot[];
    forgetLedgers(ledgerIds: Iterable<number>): void;
    takeDead(): EntryLog[];
    remove(logs: readonly EntryLog[]): Promise<void>;
    read(run: Run): Promise<{
        entries: (LedgerEntry | undefined)[];
        bytes: number;
    } | undefined>;
    scan(onDamage: (damage: Damage) => void): AsyncGenerator<Run[]>;
    close(): Promise<void>;
}
type IndexLevel = AbstractLevel<string | Uint8Array, Uint8Array, Uint8Array>;
declare class LocationIndex {
    #private;
    constructor(level: IndexLevel);
    sequence(): Promise<number>;
    find(ledgerId: number, entryId: number): AsyncGenerator<Run>;
    runsOf(ledgerId: number): AsyncGenerator<Run>;
    isSound(): Promise<boolean>;
    write(added: readonly Run[], removed: readonly Run[], sequence: number): Promise<void>;
    deleteLedgers(ledgerIds: Iterable<number>): Promise<void>;
    clear(): Promise<void>;
    close(): Promise<void>;
}
interface CheckpointedJournal {
    cut(): Promise<JournalMark>;
    trim(mark: JournalMark): Promise<void>;
}
interface CheckpointerOptions {
    disk: Disk;
    table: LedgerTable;
    logs: EntryLogs;
    index: LocationIndex;
    journal: CheckpointedJournal;
    last: Checkpoint;
    cacheBytesMax: number;
}
declare class Checkpointer {
    #private;
    constructor(options: CheckpointerOptions);
    attach(journal: CheckpointedJournal): void;
    get cachedBytes(): number;
    get due(): boolean;
    get full(): boolean;
    put(entry: LedgerEntry): number;
    cached(ledgerId: number, entryId: number): LedgerEntry | undefined;
    deleteLedger(ledgerId: number): void;
    isDeleted(ledgerId: number): boolean;
    checkpoint(): Promise<void>;
    compact(threshold: number): Promise<void>;
    close(): Promise<void>;
}
interface EntryReaderOptions {
    table: LedgerTable;
    checkpointer: Checkpointer;
    logs: EntryLogs;
    index: LocationIndex;
    cacheBytesMax: number;
}
declare class EntryReader {
    #private;
    constructor(options: EntryReaderOptions);
    read(ledgerId: number, entryId: number): LedgerEntry | ResultCode | Promise<LedgerEntry | ResultCode>;
    get cachedBytes(): number;
    deleteLedger(ledgerId: number): void;
}
declare const RecordKind: {
    readonly Entry: 1;
    readonly Fence: 2;
    readonly DeleteLedger: 3;
    readonly Group: 4;
    readonly LedgerMap: 5;
    readonly EndOfDoubt: 6;
    readonly RecoveredEntry: 7;
};
type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];
interface JournalWaiter {
    onDurable(): void;
    onFailed(error: unknown): void;
}
interface JournalOptions {
    disk: Disk;
    clock: Clock;
    settings: BookieSettings;
    fileId: number;
    onFailed: (error: StorageError) => void;
}
declare class Journal {
    #private;
    constructor(options: JournalOptions, file: DiskFile);
    static create(options: JournalOptions): Promise<Journal>;
    get syncs(): number;
    get writtenBytes(): number;
    get waiting(): number;
    get position(): JournalMark;
    appendEntry(entry: LedgerEntry, recovery: boolean): void;
    appendRecord(kind: RecordKind, ledgerId: number): void;
    wait(waiter: JournalWaiter): void;
    cut(): Promise<JournalMark>;
    trim(mark: JournalMark): Promise<void>;
    close(): Promise<void>;
}
interface DiskLedgerStorageOptions {
    disk: Disk;
    clock: Clock;
    index: IndexLevel;
    settings?: Partial<BookieSettings>;
    ledgersBefore?: () => Promise<LedgersBefore>;
    onDamage?: (damage: Damage) => void;
    onFailed?: (error: StorageError) => void;
    onError?: (error: unknown) => void;
}
declare class DiskLedgerStorage implements LedgerStorage {
    #private;
    constructor(parts: StorageParts);
    static open(options: DiskLedgerStorageOptions): Promise<DiskLedgerStorage>;
    get heldBytes(): number;
    get ledgerCount(): number;
    ledgerIds(): Iterable<number>;
    get losses(): number;
    isDoubtful(ledgerId: number): boolean;
    mayBeForgotten(ledgerId: number): boolean;
    doubtfulIds(): Iterable<number>;
    get figures(): StorageFigures;
    add(entries: readonly LedgerEntry[], recovery: boolean, listener: AddListener): void;
    read(ledgerId: number, entryId: number): LedgerEntry | ResultCode | Promise<LedgerEntry | ResultCode>;
    lastAddConfirmed(ledgerId: number): number | ResultCode;
    fence(ledgerId: number): void | Promise<void>;
    endDoubt(ledgerId: number, fenced: boolean): void | Promise<void>;
    delete(ledgerId: number): void | Promise<void>;
    checkpoint(): Promise<void>;
    compact(threshold: number): Promise<void>;
    close(): Promise<void>;
}
interface StorageParts {
    clock: Clock;
    settings: BookieSettings;
    table: LedgerTable;
    journal: Journal;
    checkpointer: Checkpointer;
    reader: EntryReader;
    onError: (error: unknown) => void;
}
interface DiskMetadata extends MemoryMetadata {
    close(): Promise<void>;
}
interface DataFolderOptions {
    path: string;
    clusterName: string;
    bookies: number;
    settings: BookieSettings;
    clock: Clock;
    random: Random;
    onError: (error: unknown) => void;
}
interface BookieFolder {
    readonly storage: DiskLedgerStorage;
    readonly damagedFiles: readonly string[];
    watch(bookie: Bookie): Disposable;
    empty(): Promise<void>;
    wipe(ledgersBefore: () => Promise<LedgersBefore>): Promise<BookieFolder>;
}
interface BookieFolderOptions {
    index: number;
    bookieId: string;
    clock: Clock;
    ledgersBefore?: () => Promise<LedgersBefore>;
}
declare class DataFolder {
    #private;
    readonly metadata: DiskMetadata;
    readonly places: readonly number[];
    constructor(options: DataFolderOptions, places: readonly number[], metadata: DiskMetadata, instanceId: string);
    static open(options: DataFolderOptions): Promise<DataFolder>;
    openBookie(bookie: BookieFolderOptions): Promise<BookieFolder>;
    close(): Promise<void>;
}
interface StorageSettings {
    bookie: BookieSettings;
    client: BookKeeperClientSettings;
    recovery: AutoRecoverySettings;
}
interface HttpContext {
    readonly broker: Broker;
    readonly remoteAddress: string;
}
type HttpHandler = (request: Request, context: HttpContext) => Promise<Response>;
type BookieStorage = Pick<BookieFolder, "storage" | "damagedFiles" | "watch">;
interface BookieOpening {
    clock: Clock;
    ledgersBefore: () => Promise<LedgersBefore>;
    wipe: boolean;
}
interface ClusterOptions {
    runtime?: ServerRuntime;
    clusterName?: string;
    brokers?: number;
    bookies?: number;
    zones?: number;
    ensembleSize?: number;
    writeQuorum?: number;
    ackQuorum?: number;
    host?: string;
    advertisedAddress?: string;
    port?: number;
    httpPort?: number;
    tls?: ServerTlsOptions;
    tlsPort?: number;
    httpsPort?: number;
    dataDir?: string;
    settings?: Readonly<Record<string, unknown>>;
    authenticator?: Authenticator;
    http?: HttpHandler;
    onError?: (error: unknown) => void;
    metadataFor?: (session: MetadataStore, nodeId: string) => MetadataStore;
    storageFor?: (bookieId: string, opening: BookieOpening) => Promise<BookieStorage>;
}
interface ResolvedOptions {
    clusterName: string;
    brokers: number;
    bookies: number;
    zones: number;
    host: string;
    advertisedAddress: string;
    port: number;
    httpPort: number;
    tlsPort: number;
    httpsPort: number;
    tls: ServerTlsOptions | undefined;
    settings: BrokerSettings;
    storage: StorageSettings;
    dataDir: string | undefined;
    authenticator: Authenticator | undefined;
    http: HttpHandler | undefined;
    onError: ((error: unknown) => void) | undefined;
    metadataFor: (session: MetadataStore, nodeId: string) => MetadataStore;
    storageFor: ((bookieId: string, opening: BookieOpening) => Promise<BookieStorage>) | undefined;
}
interface BrokerListenersOptions {
    network: Network;
    options: ResolvedOptions;
    first: boolean;
    ports?: ListenerPorts | undefined;
    http: HttpHandler;
}
type Name = "binary" | "binaryTls" | "web" | "webTls";
type ListenerPorts = ReadonlyMap<Name, number>;
declare class BrokerListeners {
    #private;
    private constructor();
    static open(options: BrokerListenersOptions): Promise<BrokerListeners>;
    serve(broker: Broker): void;
    get urls(): BrokerUrls;
    get webSocketUrl(): string;
    get webSocketUrlTls(): string | undefined;
    get ports(): ListenerPorts;
    close(): Promise<void>;
}
interface NodeSessionOptions {
    nodeId: string;
    clock: Clock;
    metadata: MemoryMetadata;
    statistics: MetadataStatistics;
    options: Pick<ResolvedOptions, "metadataFor">;
}
declare class NodeSession {
    #private;
    readonly metadata: RenewingMetadata;
    constructor({ nodeId, clock, metadata, statistics, options }: NodeSessionOptions);
    get current(): MetadataStore;
}
interface BookieNode {
    readonly id: string;
    readonly bookie: Bookie;
    readonly metadata: MetadataStore;
    readonly session: NodeSession;
    readonly monitor: Disposable | undefined;
    readonly folder: BookieFolder | undefined;
    readonly recovery: AutoRecovery | undefined;
}
interface UnstartedBookie {
    readonly id: string;
    readonly error: StorageError;
}
declare class NodeGate {
    #private;
    readonly node: NodeId;
    fills: number;
    constructor(node: NodeId);
    get open(): boolean;
    get dead(): boolean;
    pass(happens: () => void): void;
    passed(): Promise<void>;
    get died(): Promise<void>;
    pause(): void;
    resume(): void;
    kill(): void;
    holds(held: Disposable): void;
    released(held: Disposable): void;
}
interface BrokerFaultsOptions {
    index: number;
    cluster: FaultyCluster;
    gateOf: (node: NodeId) => NodeGate;
}
declare class BrokerFaults {
    #private;
    constructor(options: BrokerFaultsOptions);
    get node(): NodeId;
    kill(...nothing: readonly []): Promise<void>;
    restart(...nothing: readonly []): Promise<void>;
    pause(...nothing: readonly []): Disposable;
    disconnectClients(...nothing: readonly []): number;
}
type CommandName = keyof typeof CommandType;
type ServerErrorName = keyof typeof ServerError;
interface CommandFilter {
    topic?: string;
    count?: number;
}
interface HeldCommands extends Disposable {
    readonly held: number;
    arrived(count?: number): Promise<void>;
    release(): void;
}
declare class CommandFaults implements CommandInterceptor {
    #private;
    constructor(clock: Clock);
    get active(): boolean;
    incoming(connection: BrokerConnection, command: Command, serve: () => void): boolean;
    outgoing(connection: BrokerConnection, command: Command, send: () => void): boolean;
    drop(name: CommandName, filter?: CommandFilter): Disposable;
    delay(name: CommandName, delayMs: number, filter?: CommandFilter): Disposable;
    reorder(name: CommandName, count: number, filter?: Omit<CommandFilter, "count">): Disposable;
    hold(name: CommandName, filter?: CommandFilter): HeldCommands;
    failSend(error: ServerErrorName, message: string, filter: CommandFilter): Disposable;
}
type Nodes = NodeId | readonly NodeId[];
declare class FaultLinks {
    #private;
    get clear(): boolean;
    isBlocked(from: NodeId, to: NodeId): boolean;
    extraDelayMs(from: NodeId, to: NodeId): number;
    partition(a: Nodes, b: Nodes): Disposable;
    slow(node: NodeId, delayMs: number): Disposable;
}
interface MetadataFaultsOptions {
    metadata: MemoryMetadata;
    links: FaultLinks;
    sessionOf: (node: NodeId) => MetadataStore;
}
declare class MetadataFaults {
    #private;
    constructor(options: MetadataFaultsOptions);
    slow(delayMs: number): Disposable;
    unavailable(...nothing: readonly []): Disposable;
    expireSession(node: NodeId): void;
}
interface ClusterFaultsOptions {
    clock: Clock;
    runtimeOf: (nodeId: NodeId) => ServerRuntime;
}
interface FaultyCluster {
    readonly brokers: BrokerNode[];
    readonly bookies: BookieNode[];
    readonly metadata: MemoryMetadata;
    startBroker(index: number, before: BrokerNode): Promise<BrokerNode>;
    startBookie(before: BookieNode, wipe: boolean): Promise<BookieNode>;
}
declare class ClusterFaults {
    #private;
    readonly commands: CommandFaults;
    constructor(options: ClusterFaultsOptions);
    broker(index: number): BrokerFaults;
    bookie(which: number | string): BookieFaults;
    get metadata(): MetadataFaults;
    partition(a: Nodes, b: Nodes): Disposable;
    failNextSend(options?: {
        error?: ServerErrorName;
        message?: string;
    } & CommandFilter): Disposable;
    holdReceipt(options?: CommandFilter): HeldCommands;
    runtimeFor(node: NodeId): ServerRuntime;
    metadataFor(session: MetadataStore, node: NodeId): MetadataStore;
    serve(cluster: FaultyCluster): void;
}
interface BookieFaultsOptions {
    id: NodeId;
    cluster: FaultyCluster;
    gateOf: (node: NodeId) => NodeGate;
    links: FaultLinks;
}
declare class BookieFaults {
    #private;
    constructor(options: BookieFaultsOptions);
    get node(): NodeId;
    kill(...nothing: readonly []): void;
    restart(options?: {
        wipe?: boolean;
    }): Promise<void>;
    pause(...nothing: readonly []): Disposable;
    slow(delayMs: number): Disposable;
    fill(...nothing: readonly []): Promise<AsyncDisposable>;
    corrupt(ledgerId: number, entryId: number): Promise<boolean>;
}
interface BrokerNode {
    readonly nodeId: string;
    readonly broker: Broker;
    readonly session: MetadataStore;
    readonly listeners: BrokerListeners;
    close(): Promise<void>;
    abandon(): BrokerNode;
}
interface BrokerAddress {
    brokerId: string;
    serviceUrl: string;
    serviceUrlTls: string | undefined;
    webServiceUrl: string;
}
type SubscriptionStart = "earliest" | "latest" | Position;
interface AdminTopic extends Topic {
    readonly ledger: ManagedLedger;
    readonly subscriptions: ReadonlyMap<string, Subscription>;
    createSubscription(name: string, start: SubscriptionStart, properties?: Readonly<Record<string, string>>): Promise<void>;
    terminate(): Promise<Position>;
}
interface AdminContext {
    readonly clusterName: string;
    readonly settings: BrokerSettings;
    readonly resources: Resources;
    readonly clock: Clock;
    readonly codec: Codec;
    readonly brokers: readonly BrokerAddress[];
    readonly bookies: readonly string[];
    readonly bookieRacks: {
        all(): Promise<BookieRackGroups>;
        update(change: (groups: BookieRackGroups) => BookieRackGroups): Promise<void>;
    };
    readonly regionAware: boolean;
    lookup(topic: TopicName): Promise<BrokerAddress>;
    bundleOf(topic: TopicName): Promise<string>;
    topic(name: TopicName, create: boolean): Promise<AdminTopic | undefined>;
    deleteTopic(name: TopicName, force: boolean): Promise<void>;
    unloadTopic(name: TopicName): Promise<void>;
    unloadBundle(namespace: string, bundle: string): Promise<void>;
    unloadNamespace(namespace: string): Promise<void>;
}
interface ClusterAdminOptions {
    clusterName: string;
    settings: BrokerSettings;
    resources: Resources;
    clock: Clock;
    codec: Codec;
    directory: BrokerDirectory;
    bookies: () => readonly string[];
    bookieRacks: AdminContext["bookieRacks"];
    regionAware: boolean;
}
declare class ClusterAdmin implements AdminContext {
    #private;
    readonly clusterName: string;
    readonly settings: BrokerSettings;
    readonly resources: Resources;
    readonly clock: Clock;
    readonly codec: Codec;
    readonly bookieRacks: AdminContext["bookieRacks"];
    readonly regionAware: boolean;
    constructor(options: ClusterAdminOptions);
    get bookies(): readonly string[];
    get brokers(): readonly BrokerAddress[];
    lookup(topic: TopicName): Promise<BrokerAddress>;
    bundleOf(topic: TopicName): Promise<string>;
    topic(name: TopicName, create: boolean): Promise<AdminTopic | undefined>;
    deleteTopic(name: TopicName, force: boolean): Promise<void>;
    unloadTopic(name: TopicName): Promise<void>;
    unloadBundle(namespace: string, range: string): Promise<void>;
    unloadNamespace(namespace: string): Promise<void>;
    ownerOf(topic: TopicName): Promise<Broker>;
}
interface ClusterRecoveryOptions {
    clock: Clock;
    session: MetadataStore;
    bookies: BookieNode[];
    statistics: RecoveryStatistics;
    copies: boolean;
}
interface RecoveryProgress {
    enabled: boolean;
    auditor: string | undefined;
    underReplicated: readonly (UnderReplicatedLedger & {
        replicating: boolean;
    })[];
}
interface DecommissionOptions {
    timeoutMs?: number;
}
declare class ClusterRecovery implements Disposable {
    #private;
    readonly statistics: RecoveryStatistics;
    constructor(options: ClusterRecoveryOptions);
    progress(): Promise<RecoveryProgress>;
    setEnabled(enabled: boolean): Promise<void>;
    audit(): Promise<boolean>;
    checkAllLedgers(): Promise<boolean>;
    collectOrphans(): Promise<OrphansFound | undefined>;
    decommission(bookieId: string, options?: DecommissionOptions): Promise<void>;
    [Symbol.dispose](): void;
}
interface ClusterHttpOptions {
    clock: Clock;
    admin: ClusterAdmin;
    directory: BrokerDirectory;
    bookies: readonly BookieNode[];
    unstarted: readonly UnstartedBookie[];
    statistics: MetadataStatistics;
    recovery: ClusterRecovery;
    fallback: HttpHandler | undefined;
}
declare class ClusterHttp implements Disposable {
    #private;
    constructor(options: ClusterHttpOptions);
    readonly handle: HttpHandler;
    [Symbol.dispose](): void;
}
interface Parts {
    brokers: BrokerNode[];
    bookies: BookieNode[];
    unstarted: readonly UnstartedBookie[];
    metadata: MemoryMetadata;
    session: MetadataStore;
    folder: DataFolder | undefined;
    admin: ClusterAdmin;
    faults: ClusterFaults;
    recovery: ClusterRecovery;
    http: ClusterHttp;
}
declare class Cluster implements AsyncDisposable {
    #private;
    constructor(parts: Parts);
    get serviceUrl(): string;
    get serviceUrlTls(): string | undefined;
    get webSocketUrl(): string;
    get webSocketUrlTls(): string | undefined;
    get adminUrl(): string;
    get adminUrlTls(): string | undefined;
    get brokers(): readonly Broker[];
    get bookies(): readonly BookieNode[];
    get unstartedBookies(): readonly UnstartedBookie[];
    get metadata(): MemoryMetadata;
    get faults(): ClusterFaults;
    sessionOf(broker: Broker): MetadataStore;
    get recovery(): ClusterRecovery;
    get admin(): ClusterAdmin;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
declare function startCluster(options?: ClusterOptions): Promise<Cluster>;
export { BookieFaults as B, Cluster as C, MetadataError as M, ServerError as S, Broker as c, BrokerFaults as d, ClusterFaults as g, ClusterRecovery as i, CommandFaults as j, MetadataFaults as o, StorageError as r, settingNames as t, startCluster as u };
export type { Authentication as A, DecommissionOptions as D, ChannelSink as E, HttpHandlers as F, Messenger as G, HeldCommands as H, Network as I, Address as J, ConnectOptions as K, LookupAnswer as L, Nodes as N, OrphansFound as O, ListenOptions as P, Listener as Q, RecoveryProgress as R, Transport as T, Codec as U, Clock as V, ServerRuntime as W, ClientRuntime as X, AuthenticationOutcome as a, Authenticator as b, BrokerSettings as e, BrokerUrls as f, ClusterOptions as h, CommandFilter as k, CommandName as l, HttpContext as m, HttpHandler as n, MetadataStore as p, ServerErrorName as q, StorageErrorCode as s, NodeId as v, Random as w, Disk as x, DiskFile as y, Channel as z };
