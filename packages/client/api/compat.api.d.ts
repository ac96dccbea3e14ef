import { Buffer } from 'node:buffer';
import { a as ClientRuntime } from './types-runtime.d.js';
import './types-codec.d.js';
declare abstract class Authenticating {
}
declare class AuthenticationTls extends Authenticating {
    #private;
    constructor(params: {
        certificatePath: string;
        privateKeyPath: string;
    });
}
declare class AuthenticationToken extends Authenticating {
    #private;
    constructor(params: {
        token: string | (() => string) | (() => Promise<string>);
    });
}
declare class AuthenticationBasic extends Authenticating {
    #private;
    constructor(params: {
        username: string;
        password: string;
    });
}
interface Oauth2Params {
    type: string;
    issuer_url: string;
    client_id?: string;
    client_secret?: string;
    private_key?: string;
    audience?: string;
    scope?: string;
}
declare class AuthenticationOauth2 extends Authenticating {
    #private;
    constructor(params: Oauth2Params);
}
interface AthenzConfig {
    tenantDomain: string;
    tenantService: string;
    providerDomain: string;
    privateKey: string;
    ztsUrl: string;
    keyId?: string;
    principalHeader?: string;
    roleHeader?: string;
    caCert?: string;
    tokenExpirationTime?: string;
}
interface AthenzX509Config {
    providerDomain: string;
    privateKey: string;
    x509CertChain: string;
    ztsUrl: string;
    roleHeader?: string;
    caCert?: string;
}
declare class AuthenticationAthenz extends Authenticating {
    constructor(_params: string | AthenzConfig | AthenzX509Config);
}
declare class MessageId {
    #private;
    static earliest(): MessageId;
    static latest(): MessageId;
    static deserialize(data: Buffer): MessageId;
    serialize(): Buffer;
    toString(): string;
}
interface EncryptionKey {
    key: string;
    value: Buffer;
    metadata: {
        [key: string]: string;
    };
}
interface EncryptionContext {
    keys: EncryptionKey[];
    param: Buffer;
    algorithm: string;
    compressionType: CompressionType;
    uncompressedMessageSize: number;
    batchSize: number;
    isDecryptionFailed: boolean;
}
declare class Message {
    #private;
    getTopicName(): string;
    getProperties(): {
        [key: string]: string;
    };
    getData(): Buffer;
    getMessageId(): MessageId;
    getPublishTimestamp(): number;
    getEventTimestamp(): number;
    getRedeliveryCount(): number;
    getPartitionKey(): string;
    getOrderingKey(): string;
    getProducerName(): string;
    isReplicated(): boolean;
    getReplicatedFrom(): string;
    getEncryptionContext(): EncryptionContext | null;
}
declare class Consumer {
    #private;
    receive(timeout?: number): Promise<Message>;
    batchReceive(): Promise<Message[]>;
    acknowledge(message: Message): Promise<null>;
    acknowledgeId(messageId: MessageId): Promise<null>;
    negativeAcknowledge(message: Message): void;
    negativeAcknowledgeId(messageId: MessageId): void;
    acknowledgeCumulative(message: Message): Promise<null>;
    acknowledgeCumulativeId(messageId: MessageId): Promise<null>;
    seek(messageId: MessageId): Promise<null>;
    seekTimestamp(timestamp: number): Promise<null>;
    isConnected(): boolean;
    close(): Promise<null>;
    unsubscribe(): Promise<null>;
}
interface EncryptionKeyInfo {
    key: Buffer;
    metadata: {
        [key: string]: string;
    };
}
declare class CryptoKeyReader {
    getPublicKey(keyName: string, _metadata: {
        [key: string]: string;
    }): EncryptionKeyInfo;
    getPrivateKey(keyName: string, _metadata: {
        [key: string]: string;
    }): EncryptionKeyInfo;
}
declare const LogLevel: {
    readonly DEBUG: 0;
    readonly INFO: 1;
    readonly WARN: 2;
    readonly ERROR: 3;
    toString(level?: number): string;
};
type LogLevel = 0 | 1 | 2 | 3;
type LogHandler = (level: LogLevel, file: string, line: number, message: string) => void;
declare class Reader {
    #private;
    private constructor();
    readNext(timeout?: number): Promise<Message>;
    hasNext(): boolean;
    isConnected(): boolean;
    seek(messageId: MessageId): Promise<null>;
    seekTimestamp(timestamp: number): Promise<null>;
    close(): Promise<null>;
}
type SchemaType = "None" | "String" | "Json" | "Protobuf" | "Avro" | "Boolean" | "Int8" | "Int16" | "Int32" | "Int64" | "Float32" | "Float64" | "KeyValue" | "ProtobufNative" | "Bytes" | "AutoConsume" | "AutoPublish";
interface SchemaInfo {
    schemaType: SchemaType;
    name?: string;
    schema?: string;
    properties?: Record<string, string>;
}
type Authentication = AuthenticationTls | AuthenticationAthenz | AuthenticationToken | AuthenticationOauth2 | AuthenticationBasic;
type ClientConfig = ClientConfigBase & ({
    serviceUrl: string;
    serviceUrlProvider?: never;
} | {
    serviceUrl?: never;
    serviceUrlProvider: AutoClusterFailoverConfig;
});
interface ClientConfigBase {
    authentication?: Authentication | undefined;
    operationTimeoutSeconds?: number | undefined;
    ioThreads?: number | undefined;
    messageListenerThreads?: number | undefined;
    concurrentLookupRequest?: number | undefined;
    tlsTrustCertsFilePath?: string | undefined;
    tlsCertificateFilePath?: string | undefined;
    tlsPrivateKeyFilePath?: string | undefined;
    tlsValidateHostname?: boolean | undefined;
    tlsAllowInsecureConnection?: boolean | undefined;
    statsIntervalInSeconds?: number | undefined;
    listenerName?: string | undefined;
    log?: LogHandler | undefined;
    logLevel?: LogLevel | undefined;
    connectionTimeoutMs?: number | undefined;
}
type ServiceInfo = string | {
    serviceUrl: string;
    authentication?: Authentication | undefined;
    tlsTrustCertsFilePath?: string | undefined;
};
interface AutoClusterFailoverConfig {
    primary: ServiceInfo;
    secondary: ServiceInfo[];
    checkIntervalMs?: number | undefined;
    failoverThreshold?: number | undefined;
    switchBackThreshold?: number | undefined;
}
interface TopicMetadata {
    numPartitions: number;
}
type MessageRouter = (message: Message, topicMetadata: TopicMetadata) => number;
interface ProducerConfig {
    topic: string;
    producerName?: string | undefined;
    sendTimeoutMs?: number | undefined;
    initialSequenceId?: number | undefined;
    maxPendingMessages?: number | undefined;
    maxPendingMessagesAcrossPartitions?: number | undefined;
    blockIfQueueFull?: boolean | undefined;
    messageRoutingMode?: MessageRoutingMode | undefined;
    hashingScheme?: HashingScheme | undefined;
    compressionType?: CompressionType | undefined;
    batchingEnabled?: boolean | undefined;
    batchingMaxPublishDelayMs?: number | undefined;
    batchingMaxMessages?: number | undefined;
    properties?: {
        [key: string]: string;
    } | undefined;
    publicKeyPath?: string | undefined;
    encryptionKey?: string | undefined;
    encryptionKeys?: string[] | undefined;
    cryptoKeyReader?: CryptoKeyReader | undefined;
    cryptoFailureAction?: ProducerCryptoFailureAction | undefined;
    chunkingEnabled?: boolean | undefined;
    schema?: SchemaInfo | undefined;
    accessMode?: ProducerAccessMode | undefined;
    batchingType?: ProducerBatchType | undefined;
    messageRouter?: MessageRouter | undefined;
    batchingMaxAllowedSizeInBytes?: number | undefined;
}
interface ProducerMessage {
    data: Buffer;
    properties?: {
        [key: string]: string;
    };
    eventTimestamp?: number;
    sequenceId?: number;
    partitionKey?: string;
    orderingKey?: string;
    replicationClusters?: string[];
    deliverAfter?: number;
    deliverAt?: number;
    disableReplication?: boolean;
}
interface ConsumerConfig {
    topic?: string | undefined;
    topics?: string[] | undefined;
    topicsPattern?: string | undefined;
    subscription: string;
    subscriptionType?: SubscriptionType | undefined;
    subscriptionInitialPosition?: InitialPosition | undefined;
    ackTimeoutMs?: number | undefined;
    nAckRedeliverTimeoutMs?: number | undefined;
    receiverQueueSize?: number | undefined;
    receiverQueueSizeAcrossPartitions?: number | undefined;
    consumerName?: string | undefined;
    properties?: {
        [key: string]: string;
    } | undefined;
    listener?: ((message: Message, consumer: Consumer) => void) | undefined;
    readCompacted?: boolean | undefined;
    privateKeyPath?: string | undefined;
    cryptoKeyReader?: CryptoKeyReader | undefined;
    cryptoFailureAction?: ConsumerCryptoFailureAction | undefined;
    maxPendingChunkedMessage?: number | undefined;
    autoAckOldestChunkedMessageOnQueueFull?: number | undefined;
    schema?: SchemaInfo | undefined;
    batchIndexAckEnabled?: boolean | undefined;
    regexSubscriptionMode?: RegexSubscriptionMode | undefined;
    deadLetterPolicy?: DeadLetterPolicy | undefined;
    batchReceivePolicy?: ConsumerBatchReceivePolicy | undefined;
    keySharedPolicy?: KeySharedPolicy | undefined;
    replicateSubscriptionState?: boolean | undefined;
}
interface ReaderConfig {
    topic: string;
    startMessageId: MessageId;
    receiverQueueSize?: number | undefined;
    readerName?: string | undefined;
    subscriptionRolePrefix?: string | undefined;
    readCompacted?: boolean | undefined;
    listener?: ((message: Message, reader: Reader) => void) | undefined;
    privateKeyPath?: string | undefined;
    cryptoFailureAction?: ConsumerCryptoFailureAction | undefined;
}
interface DeadLetterPolicy {
    deadLetterTopic: string;
    maxRedeliverCount?: number;
    initialSubscriptionName?: string;
}
interface ConsumerBatchReceivePolicy {
    maxNumMessages?: number;
    maxNumBytes?: number;
    timeoutMs?: number;
}
interface ConsumerKeyShareStickyRange {
    start: number;
    end: number;
}
type ConsumerKeyShareStickyRanges = ConsumerKeyShareStickyRange[];
interface KeySharedPolicy {
    keyShareMode?: ConsumerKeyShareMode;
    allowOutOfOrderDelivery?: boolean;
    stickyRanges?: ConsumerKeyShareStickyRanges;
}
type MessageRoutingMode = "UseSinglePartition" | "RoundRobinDistribution" | "CustomPartition";
type HashingScheme = "Murmur3_32Hash" | "BoostHash" | "JavaStringHash";
type CompressionType = "None" | "Zlib" | "LZ4" | "ZSTD" | "SNAPPY";
type ProducerBatchType = "DefaultBatching" | "KeyBasedBatching";
type ProducerCryptoFailureAction = "FAIL" | "SEND";
type ProducerAccessMode = "Shared" | "Exclusive" | "WaitForExclusive" | "ExclusiveWithFencing";
type SubscriptionType = "Exclusive" | "Shared" | "KeyShared" | "Failover";
type InitialPosition = "Latest" | "Earliest";
type ConsumerCryptoFailureAction = "FAIL" | "DISCARD" | "CONSUME";
type ConsumerKeyShareMode = "AutoSplit" | "Sticky";
type RegexSubscriptionMode = "PersistentOnly" | "NonPersistentOnly" | "AllTopics";
declare class Producer {
    #private;
    send(message: ProducerMessage): Promise<MessageId>;
    flush(): Promise<null>;
    close(): Promise<null>;
    getProducerName(): string;
    getTopic(): string;
    isConnected(): boolean;
}
declare class CompatClient {
    #private;
    static setLogHandler(logHandler: LogHandler | null): void;
    constructor(config: ClientConfig, runtime: ClientRuntime);
    createProducer(config: ProducerConfig): Promise<Producer>;
    subscribe(config: ConsumerConfig): Promise<Consumer>;
    createReader(config: ReaderConfig): Promise<Reader>;
    getPartitionsForTopic(topic: string): Promise<string[]>;
    close(): Promise<null>;
}
declare class Client extends CompatClient {
    constructor(config: ClientConfig);
}
interface CreateSchemaInfoFromRootOptions {
    root: unknown;
    rootMessageTypeName: string;
    rootFileDescriptorName: string;
    schemaType?: "ProtobufNative";
    syntax?: "proto3" | "proto2" | string;
    name?: string;
    properties?: Record<string, string>;
}
declare function createSchemaInfoFromRoot(options: CreateSchemaInfoFromRootOptions): SchemaInfo;
type protobufNativeSchema_d_CreateSchemaInfoFromRootOptions = CreateSchemaInfoFromRootOptions;
declare const protobufNativeSchema_d_createSchemaInfoFromRoot: typeof createSchemaInfoFromRoot;
declare namespace protobufNativeSchema_d {
  export { protobufNativeSchema_d_createSchemaInfoFromRoot as createSchemaInfoFromRoot };
  export type { protobufNativeSchema_d_CreateSchemaInfoFromRootOptions as CreateSchemaInfoFromRootOptions };
}
type names_d_AthenzConfig = AthenzConfig;
type names_d_AthenzX509Config = AthenzX509Config;
type names_d_AuthenticationAthenz = AuthenticationAthenz;
declare const names_d_AuthenticationAthenz: typeof AuthenticationAthenz;
type names_d_AuthenticationBasic = AuthenticationBasic;
declare const names_d_AuthenticationBasic: typeof AuthenticationBasic;
type names_d_AuthenticationOauth2 = AuthenticationOauth2;
declare const names_d_AuthenticationOauth2: typeof AuthenticationOauth2;
type names_d_AuthenticationTls = AuthenticationTls;
declare const names_d_AuthenticationTls: typeof AuthenticationTls;
type names_d_AuthenticationToken = AuthenticationToken;
declare const names_d_AuthenticationToken: typeof AuthenticationToken;
type names_d_AutoClusterFailoverConfig = AutoClusterFailoverConfig;
type names_d_Client = Client;
declare const names_d_Client: typeof Client;
type names_d_ClientConfig = ClientConfig;
type names_d_ClientConfigBase = ClientConfigBase;
type names_d_CompressionType = CompressionType;
type names_d_Consumer = Consumer;
declare const names_d_Consumer: typeof Consumer;
type names_d_ConsumerBatchReceivePolicy = ConsumerBatchReceivePolicy;
type names_d_ConsumerConfig = ConsumerConfig;
type names_d_ConsumerCryptoFailureAction = ConsumerCryptoFailureAction;
type names_d_ConsumerKeyShareMode = ConsumerKeyShareMode;
type names_d_ConsumerKeyShareStickyRange = ConsumerKeyShareStickyRange;
type names_d_ConsumerKeyShareStickyRanges = ConsumerKeyShareStickyRanges;
type names_d_CryptoKeyReader = CryptoKeyReader;
declare const names_d_CryptoKeyReader: typeof CryptoKeyReader;
type names_d_DeadLetterPolicy = DeadLetterPolicy;
type names_d_EncryptionContext = EncryptionContext;
type names_d_EncryptionKey = EncryptionKey;
type names_d_EncryptionKeyInfo = EncryptionKeyInfo;
type names_d_HashingScheme = HashingScheme;
type names_d_InitialPosition = InitialPosition;
type names_d_KeySharedPolicy = KeySharedPolicy;
type names_d_LogHandler = LogHandler;
declare const names_d_LogLevel: typeof LogLevel;
type names_d_LogLevel = LogLevel;
type names_d_Message = Message;
declare const names_d_Message: typeof Message;
type names_d_MessageId = MessageId;
declare const names_d_MessageId: typeof MessageId;
type names_d_MessageRouter = MessageRouter;
type names_d_MessageRoutingMode = MessageRoutingMode;
type names_d_Oauth2Params = Oauth2Params;
type names_d_Producer = Producer;
declare const names_d_Producer: typeof Producer;
type names_d_ProducerAccessMode = ProducerAccessMode;
type names_d_ProducerBatchType = ProducerBatchType;
type names_d_ProducerConfig = ProducerConfig;
type names_d_ProducerCryptoFailureAction = ProducerCryptoFailureAction;
type names_d_ProducerMessage = ProducerMessage;
type names_d_Reader = Reader;
declare const names_d_Reader: typeof Reader;
type names_d_ReaderConfig = ReaderConfig;
type names_d_RegexSubscriptionMode = RegexSubscriptionMode;
type names_d_SchemaInfo = SchemaInfo;
type names_d_SchemaType = SchemaType;
type names_d_ServiceInfo = ServiceInfo;
type names_d_SubscriptionType = SubscriptionType;
type names_d_TopicMetadata = TopicMetadata;
declare namespace names_d {
  export { names_d_LogLevel as LogLevel, names_d_AuthenticationAthenz as AuthenticationAthenz, names_d_AuthenticationBasic as AuthenticationBasic, names_d_AuthenticationOauth2 as AuthenticationOauth2, names_d_AuthenticationTls as AuthenticationTls, names_d_AuthenticationToken as AuthenticationToken, names_d_Client as Client, names_d_Consumer as Consumer, names_d_CryptoKeyReader as CryptoKeyReader, names_d_Message as Message, names_d_MessageId as MessageId, names_d_Producer as Producer, protobufNativeSchema_d as ProtobufNativeSchema, names_d_Reader as Reader };
  export type { names_d_AthenzConfig as AthenzConfig, names_d_AthenzX509Config as AthenzX509Config, names_d_AutoClusterFailoverConfig as AutoClusterFailoverConfig, names_d_ClientConfig as ClientConfig, names_d_ClientConfigBase as ClientConfigBase, names_d_CompressionType as CompressionType, names_d_ConsumerBatchReceivePolicy as ConsumerBatchReceivePolicy, names_d_ConsumerConfig as ConsumerConfig, names_d_ConsumerCryptoFailureAction as ConsumerCryptoFailureAction, names_d_ConsumerKeyShareMode as ConsumerKeyShareMode, names_d_ConsumerKeyShareStickyRange as ConsumerKeyShareStickyRange, names_d_ConsumerKeyShareStickyRanges as ConsumerKeyShareStickyRanges, names_d_DeadLetterPolicy as DeadLetterPolicy, names_d_EncryptionContext as EncryptionContext, names_d_EncryptionKey as EncryptionKey, names_d_EncryptionKeyInfo as EncryptionKeyInfo, names_d_HashingScheme as HashingScheme, names_d_InitialPosition as InitialPosition, names_d_KeySharedPolicy as KeySharedPolicy, names_d_LogHandler as LogHandler, names_d_MessageRouter as MessageRouter, names_d_MessageRoutingMode as MessageRoutingMode, names_d_Oauth2Params as Oauth2Params, names_d_ProducerAccessMode as ProducerAccessMode, names_d_ProducerBatchType as ProducerBatchType, names_d_ProducerConfig as ProducerConfig, names_d_ProducerCryptoFailureAction as ProducerCryptoFailureAction, names_d_ProducerMessage as ProducerMessage, names_d_ReaderConfig as ReaderConfig, names_d_RegexSubscriptionMode as RegexSubscriptionMode, names_d_SchemaInfo as SchemaInfo, names_d_SchemaType as SchemaType, names_d_ServiceInfo as ServiceInfo, names_d_SubscriptionType as SubscriptionType, names_d_TopicMetadata as TopicMetadata };
}
export { AuthenticationAthenz, AuthenticationBasic, AuthenticationOauth2, AuthenticationTls, AuthenticationToken, Client, Consumer, CryptoKeyReader, LogLevel, Message, MessageId, Producer, protobufNativeSchema_d as ProtobufNativeSchema, Reader, names_d as default };
export type { AthenzConfig, AthenzX509Config, AutoClusterFailoverConfig, ClientConfig, ClientConfigBase, CompressionType, ConsumerBatchReceivePolicy, ConsumerConfig, ConsumerCryptoFailureAction, ConsumerKeyShareMode, ConsumerKeyShareStickyRange, ConsumerKeyShareStickyRanges, DeadLetterPolicy, EncryptionContext, EncryptionKey, EncryptionKeyInfo, HashingScheme, InitialPosition, KeySharedPolicy, LogHandler, MessageRouter, MessageRoutingMode, Oauth2Params, ProducerAccessMode, ProducerBatchType, ProducerConfig, ProducerCryptoFailureAction, ProducerMessage, ReaderConfig, RegexSubscriptionMode, SchemaInfo, SchemaType, ServiceInfo, SubscriptionType, TopicMetadata };
