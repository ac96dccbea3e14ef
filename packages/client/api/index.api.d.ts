import { a as ClientRuntime, C as ClientTlsOptions } from './types-runtime.d.js';
import { A as Authentication } from './types-authentication.d.js';
export { C as ClientCertificate, b as basicAuthentication, t as tokenAuthentication } from './types-authentication.d.js';
import { T as Telemetry } from './types-telemetry.d.js';
export { A as Amount, C as ConsumerTelemetry, L as LookupType, M as MessagePlace, P as ProducerTelemetry, S as SendTelemetry } from './types-telemetry.d.js';
import { P as Producer, C as CryptoKeyReader, a as ConsumerPayloadOptions, R as Reader, b as ConsumerInterceptor, c as ConsumerOptions, d as Consumer } from './types-reader.d.js';
export { A as AcknowledgeOptions, B as BatchReceivePolicy, e as ConsumerCryptoFailureAction, f as ConsumerEventListener, g as ConsumerStats, D as DeadLetterPolicy, E as EncryptionKeyInfo, F as FixedKeys, I as InitialPosition, K as KeySharedPolicy, M as MessageListener, h as MultiplierBackoffOptions, i as ProducerStats, j as ReceiveOptions, k as ReconsumeOptions, l as RedeliveryBackoff, S as SeekFunction, m as SeekPosition, n as SubscriptionMode, o as SubscriptionTopicsMode, p as SubscriptionType, q as fixedKeys, r as multiplierRedeliveryBackoff } from './types-reader.d.js';
import { P as ProducerMessage, M as Message, T as TransactionOptions, a as Transaction } from './types-producer-message.d.js';
export { E as EncryptedDataKey, b as EncryptionContext, c as TransactionId, d as TransactionState } from './types-producer-message.d.js';
import { M as MessageId } from './types-message-id.d.js';
export { C as ChunkPlace, a as MessageIdFields } from './types-message-id.d.js';
import { S as Schema } from './types-schema.d.js';
export { a as SchemaInfo, b as SchemaReader, c as SchemaTypeName } from './types-schema.d.js';
import { P as PulsarError } from './types-errors.d.js';
export { A as AlreadyClosedError, C as ClientErrorCode, a as ConnectionError, I as InvalidConfigurationError, b as PulsarErrorCode, S as SchemaError, c as ServerErrorName, d as ServerResponseError, T as TimeoutError } from './types-errors.d.js';
import { C as CompressionName } from './types-codec.d.js';
export { G as GenericRecord, S as SchemaFormat, a as autoConsumeSchema, b as autoProduceSchema } from './types-auto-schemas.d.js';
interface Logger {
    debug(text: string): void;
    info(text: string): void;
    warn(text: string): void;
    error(text: string): void;
}
interface ServiceChoice {
    readonly serviceUrl: string;
    readonly authentication?: Authentication | undefined;
}
interface ServiceUrlControl {
    readonly runtime: ClientRuntime;
    readonly logger: Logger;
    probe(choice: ServiceChoice): Promise<boolean>;
    switchTo(choice: ServiceChoice): void;
}
interface ServiceUrlProvider {
    readonly initial: ServiceChoice;
    start(control: ServiceUrlControl): void;
    close(): void;
}
interface PulsarClientOptions {
    serviceUrl?: string;
    serviceUrlProvider?: ServiceUrlProvider;
    authentication?: Authentication;
    operationTimeoutMs?: number;
    connectionTimeoutMs?: number;
    keepAliveIntervalMs?: number;
    connectionsPerBroker?: number;
    maxLookupRedirects?: number;
    authenticateRedirects?: boolean;
    proxyServiceUrl?: string;
    memoryLimitBytes?: number;
    listenerName?: string;
    tls?: ClientTlsOptions;
    runtime?: ClientRuntime;
    logger?: Logger;
    telemetry?: Telemetry;
}
interface ProducerInterceptor {
    eligible?(message: ProducerMessage<unknown>): boolean;
    beforeSend?(producer: Producer<unknown>, message: ProducerMessage<unknown>): ProducerMessage<unknown> | undefined;
    onSendAcknowledgement?(producer: Producer<unknown>, message: ProducerMessage<unknown>, messageId: MessageId | undefined, error: PulsarError | undefined): void;
    onPartitionsChange?(topic: string, partitions: number): void;
    close?(): void;
}
type ProducerCryptoFailureAction = "FAIL" | "SEND";
interface ProducerPayloadOptions {
    compressionType?: CompressionName;
    chunkingEnabled?: boolean;
    chunkMaxMessageSize?: number;
    encryptionKeys?: readonly string[];
    cryptoKeyReader?: CryptoKeyReader;
    cryptoFailureAction?: ProducerCryptoFailureAction;
}
type ProducerAccessModeName = "Shared" | "Exclusive" | "WaitForExclusive" | "ExclusiveWithFencing";
type MessageRoutingMode = "RoundRobinPartition" | "SinglePartition" | "CustomPartition";
type HashingScheme = "JavaStringHash" | "Murmur3_32Hash";
type MessageRouter = (message: ProducerMessage, partitions: number) => number;
interface ProducerOptions<T = Uint8Array> extends ProducerPayloadOptions {
    topic: string;
    producerName?: string;
    properties?: Readonly<Record<string, string>>;
    sendTimeoutMs?: number;
    maxPendingMessages?: number;
    maxPendingMessagesAcrossPartitions?: number;
    blockIfQueueFull?: boolean;
    batchingEnabled?: boolean;
    batchingMaxMessages?: number;
    batchingMaxBytes?: number;
    batchingMaxPublishDelayMs?: number;
    batchingType?: "Default" | "KeyBased";
    messageRoutingMode?: MessageRoutingMode;
    messageRouter?: MessageRouter;
    hashingScheme?: HashingScheme;
    accessMode?: ProducerAccessModeName;
    initialSequenceId?: number;
    initialSubscriptionName?: string;
    autoUpdatePartitions?: boolean;
    interceptors?: readonly ProducerInterceptor[];
    autoUpdatePartitionsIntervalMs?: number;
    lazyStartPartitionedProducers?: boolean;
    schema?: Schema<T, unknown>;
}
interface ReaderSettings<T = Uint8Array> extends ConsumerPayloadOptions {
    topic: string;
    startMessageId?: MessageId;
    startMessageFromRollbackDurationMs?: number;
    startMessageIdInclusive?: boolean;
    readerListener?: (message: Message<T>, reader: Reader<T>) => unknown;
    keyHashRanges?: readonly (readonly [first: number, last: number])[];
    readerName?: string;
    subscriptionRolePrefix?: string;
    receiverQueueSize?: number;
    readCompacted?: boolean;
    autoUpdatePartitionsIntervalMs?: number;
    interceptors?: readonly ConsumerInterceptor[];
    onReachedEndOfTopic?: (topic: string) => void;
    schema?: Schema<never, T>;
}
type ReaderStart = {
    startMessageId: MessageId;
} | {
    startMessageFromRollbackDurationMs: number;
};
type ReaderOptions<T = Uint8Array> = ReaderSettings<T> & ReaderStart;
type TableViewListener<T> = (key: string, value: T | undefined) => void;
declare class TableView<T = Uint8Array> implements AsyncDisposable, Iterable<[string, T]> {
    #private;
    readonly topic: string;
    get size(): number;
    get isConnected(): boolean;
    get(key: string): T | undefined;
    has(key: string): boolean;
    keys(): IterableIterator<string>;
    values(): IterableIterator<T>;
    entries(): IterableIterator<[string, T]>;
    [Symbol.iterator](): IterableIterator<[string, T]>;
    forEach(action: (key: string, value: T) => void): void;
    listen(listener: TableViewListener<T>): () => void;
    forEachAndListen(listener: TableViewListener<T>): () => void;
    refresh(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
interface TableViewOptions<T = Uint8Array> extends ConsumerPayloadOptions {
    topic: string;
    schema?: Schema<never, T>;
    subscriptionRolePrefix?: string;
    receiverQueueSize?: number;
    readCompacted?: boolean;
    autoUpdatePartitionsIntervalMs?: number;
}
declare class CoreClient implements AsyncDisposable {
    #private;
    constructor(options: PulsarClientOptions, runtime: ClientRuntime);
    get pendingBytes(): number;
    createProducer<T = Uint8Array>(options: ProducerOptions<T>): Promise<Producer<T>>;
    subscribe<T = Uint8Array>(options: ConsumerOptions<T>): Promise<Consumer<T>>;
    createReader<T = Uint8Array>(options: ReaderOptions<T>): Promise<Reader<T>>;
    createTableView<T = Uint8Array>(options: TableViewOptions<T>): Promise<TableView<T>>;
    getPartitionsForTopic(topic: string): Promise<string[]>;
    newTransaction(options?: TransactionOptions): Promise<Transaction>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
declare function tokenFileAuthentication(path: string): Authentication;
interface TlsAuthenticationOptions {
    certificate?: string;
    privateKey?: string;
    certificatePath?: string;
    privateKeyPath?: string;
}
declare function tlsAuthentication(options: TlsAuthenticationOptions): Authentication;
interface OAuth2ClientCredentials {
    client_id: string;
    client_secret: string;
    [name: string]: unknown;
}
interface OAuth2Options {
    issuerUrl: string;
    credentials: OAuth2ClientCredentials | string;
    audience?: string;
    scope?: string;
    tls?: ClientTlsOptions;
    timeoutMs?: number;
}
declare function oauth2Authentication(options: OAuth2Options): Authentication;
interface AutoClusterFailoverOptions {
    primary: string;
    secondaries: readonly string[];
    failoverDelayMs?: number;
    switchBackDelayMs?: number;
    checkIntervalMs?: number;
    primaryAuthentication?: Authentication;
    secondaryAuthentication?: Readonly<Record<string, Authentication>>;
}
declare function autoClusterFailover(options: AutoClusterFailoverOptions): ServiceUrlProvider;
interface ControlledClusterFailoverOptions {
    defaultServiceUrl: string;
    urlProvider: string;
    headers?: Readonly<Record<string, string>>;
    checkIntervalMs?: number;
    tls?: ClientTlsOptions;
}
declare function controlledClusterFailover(options: ControlledClusterFailoverOptions): ServiceUrlProvider;
interface StandardValidator<Input = unknown, Output = Input> {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: string;
        readonly types?: {
            readonly input: Input;
            readonly output: Output;
        } | undefined;
        validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>;
        readonly jsonSchema?: {
            input(options: {
                target: string;
            }): Record<string, unknown>;
        } | undefined;
    };
}
type StandardResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly StandardIssue[];
};
interface StandardIssue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | {
        readonly key: PropertyKey;
    })[] | undefined;
}
interface JsonSchemaOptions {
    definition?: object | false;
    name?: string;
    validateReceived?: boolean;
    parse?: (text: string) => unknown;
}
declare function jsonSchema<Input, Output>(validator: StandardValidator<Input, Output>, options?: JsonSchemaOptions): Schema<Input, Output>;
interface KeyValue<K, V> {
    key: K | null;
    value: V | null;
}
interface KeyValueOptions {
    encoding?: "INLINE" | "SEPARATED";
}
declare function keyValueSchema<K, V, KR = K, VR = V>(key: Schema<K, KR>, value: Schema<V, VR>, options?: KeyValueOptions): Schema<KeyValue<K, V>, KeyValue<KR, VR>>;
declare function bytesSchema(): Schema<Uint8Array>;
declare function stringSchema(): Schema<string>;
declare function booleanSchema(): Schema<boolean>;
declare function int8Schema(): Schema<number>;
declare function int16Schema(): Schema<number>;
declare function int32Schema(): Schema<number>;
declare function int64Schema(): Schema<bigint>;
declare function floatSchema(): Schema<number>;
declare function doubleSchema(): Schema<number>;
declare function dateSchema(): Schema<Date>;
declare function timeSchema(): Schema<Date>;
declare function timestampSchema(): Schema<Date>;
declare function localDateSchema(): Schema<string>;
declare function localTimeSchema(): Schema<string>;
declare function localDateTimeSchema(): Schema<string>;
declare function instantSchema(): Schema<string>;
declare class PulsarClient extends CoreClient {
    constructor(options: PulsarClientOptions);
}
declare function createClient(options: PulsarClientOptions): PulsarClient;
export { Authentication, ClientRuntime, ClientTlsOptions, CompressionName, Consumer, ConsumerInterceptor, ConsumerOptions, CryptoKeyReader, Message, MessageId, Producer, ProducerMessage, PulsarClient, PulsarError, Reader, Schema, TableView, Telemetry, Transaction, TransactionOptions, autoClusterFailover, booleanSchema, bytesSchema, controlledClusterFailover, createClient, dateSchema, doubleSchema, floatSchema, instantSchema, int16Schema, int32Schema, int64Schema, int8Schema, jsonSchema, keyValueSchema, localDateSchema, localDateTimeSchema, localTimeSchema, oauth2Authentication, stringSchema, timeSchema, timestampSchema, tlsAuthentication, tokenFileAuthentication };
export type { AutoClusterFailoverOptions, ControlledClusterFailoverOptions, HashingScheme, JsonSchemaOptions, KeyValue, KeyValueOptions, Logger, MessageRouter, MessageRoutingMode, OAuth2ClientCredentials, OAuth2Options, ProducerAccessModeName, ProducerCryptoFailureAction, ProducerInterceptor, ProducerOptions, PulsarClientOptions, ReaderOptions, ReaderSettings, ReaderStart, ServiceChoice, ServiceUrlControl, ServiceUrlProvider, StandardValidator, TableViewListener, TableViewOptions, TlsAuthenticationOptions };
