import { M as MessageId } from './types-message-id.d.js';
import { a as Transaction, M as Message, P as ProducerMessage } from './types-producer-message.d.js';
import { P as PulsarError } from './types-errors.d.js';
import { S as Schema } from './types-schema.d.js';
interface ConsumerStats {
    readonly messagesReceived: number;
    readonly bytesReceived: number;
    readonly acknowledged: number;
    readonly negativelyAcknowledged: number;
    readonly queuedMessages: number;
    readonly messagesPerSecond: number;
    readonly bytesPerSecond: number;
}
interface AcknowledgeOptions {
    transaction?: Transaction;
}
interface BatchReceivePolicy {
    maxNumMessages?: number;
    maxNumBytes?: number;
    timeoutMs?: number;
}
interface ConsumerInterceptor {
    onArrival?(consumer: Consumer<unknown>, message: Message<unknown>): void;
    beforeConsume?(consumer: Consumer<unknown>, message: Message<unknown>): Message<unknown> | undefined;
    onAcknowledge?(consumer: Consumer<unknown>, messageId: MessageId, error: PulsarError | undefined): void;
    onAcknowledgeCumulative?(consumer: Consumer<unknown>, messageId: MessageId, error: PulsarError | undefined): void;
    onNegativeAcksSend?(consumer: Consumer<unknown>, messageIds: readonly MessageId[]): void;
    onAckTimeoutSend?(consumer: Consumer<unknown>, messageIds: readonly MessageId[]): void;
    onPartitionsChange?(topic: string, partitions: number): void;
    close?(): void;
}
type SubscriptionType = "Exclusive" | "Shared" | "Failover" | "Key_Shared";
type KeySharedPolicy = {
    mode: "AutoSplit";
    allowOutOfOrderDelivery?: boolean;
} | {
    mode: "Sticky";
    ranges: readonly (readonly [first: number, last: number])[];
    allowOutOfOrderDelivery?: boolean;
};
interface EncryptionKeyInfo {
    readonly key: string | Uint8Array;
    readonly metadata?: Readonly<Record<string, string>>;
}
interface CryptoKeyReader {
    getPublicKey?(keyName: string, metadata: Readonly<Record<string, string>>): EncryptionKeyInfo | Promise<EncryptionKeyInfo>;
    getPrivateKey?(keyName: string, metadata: Readonly<Record<string, string>>): EncryptionKeyInfo | Promise<EncryptionKeyInfo>;
}
interface FixedKeys {
    publicKeys?: Readonly<Record<string, string | Uint8Array>>;
    privateKeys?: Readonly<Record<string, string | Uint8Array>>;
}
declare function fixedKeys(keys: FixedKeys): CryptoKeyReader;
type ConsumerCryptoFailureAction = "FAIL" | "DISCARD" | "CONSUME";
interface ConsumerPayloadOptions {
    maxPendingChunkedMessage?: number;
    autoAckOldestChunkedMessageOnQueueFull?: boolean;
    expireTimeOfIncompleteChunkedMessageMs?: number;
    cryptoKeyReader?: CryptoKeyReader;
    cryptoFailureAction?: ConsumerCryptoFailureAction;
}
type RedeliveryBackoff = (redeliveryCount: number) => number;
interface MultiplierBackoffOptions {
    minDelayMs?: number;
    maxDelayMs?: number;
    multiplier?: number;
}
declare function multiplierRedeliveryBackoff(options?: MultiplierBackoffOptions): RedeliveryBackoff;
interface ProducerStats {
    readonly messagesSent: number;
    readonly bytesSent: number;
    readonly sendsFailed: number;
    readonly pendingMessages: number;
    readonly messagesPerSecond: number;
    readonly bytesPerSecond: number;
    readonly latencyMs: {
        readonly p50: number;
        readonly p75: number;
        readonly p95: number;
        readonly p99: number;
        readonly p999: number;
        readonly max: number;
    };
}
declare class Producer<T = Uint8Array> implements AsyncDisposable {
    #private;
    readonly topic: string;
    get producerName(): string;
    get lastSequenceId(): number;
    get isConnected(): boolean;
    stats(): ProducerStats;
    get numberOfPartitions(): number;
    send(message: ProducerMessage<T> | Uint8Array | string): Promise<MessageId>;
    flush(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
interface ReconsumeOptions {
    delayMs?: number;
    properties?: Readonly<Record<string, string>>;
}
type SubscriptionTopicsMode = "PersistentOnly" | "NonPersistentOnly" | "AllTopics";
type SubscriptionMode = "Durable" | "NonDurable";
type InitialPosition = "Latest" | "Earliest";
interface DeadLetterPolicy {
    maxRedeliverCount: number;
    deadLetterTopic?: string;
    retryLetterTopic?: string;
    initialSubscriptionName?: string;
}
type MessageListener<T = Uint8Array> = (message: Message<T>, consumer: Consumer<T>) => unknown;
interface ConsumerEventListener {
    becameActive(consumer: Consumer, partition: number): void;
    becameInactive(consumer: Consumer, partition: number): void;
}
interface ConsumerOptions<T = Uint8Array> extends ConsumerPayloadOptions {
    topic?: string;
    topics?: readonly string[];
    topicsPattern?: RegExp | string;
    subscriptionTopicsMode?: SubscriptionTopicsMode;
    patternAutoDiscoveryPeriodMs?: number;
    subscription: string;
    type?: SubscriptionType;
    subscriptionMode?: SubscriptionMode;
    initialPosition?: InitialPosition;
    consumerName?: string;
    receiverQueueSize?: number;
    autoScaledReceiverQueueSizeEnabled?: boolean;
    maxTotalReceiverQueueSizeAcrossPartitions?: number;
    acknowledgmentGroupTimeMs?: number;
    maxAcknowledgmentGroupSize?: number;
    ackReceiptEnabled?: boolean;
    batchIndexAckEnabled?: boolean;
    ackTimeoutMs?: number;
    ackTimeoutRedeliveryBackoff?: RedeliveryBackoff;
    negativeAckRedeliveryDelayMs?: number;
    negativeAckRedeliveryBackoff?: RedeliveryBackoff;
    deadLetterPolicy?: DeadLetterPolicy;
    retryEnable?: boolean;
    keySharedPolicy?: KeySharedPolicy;
    priorityLevel?: number;
    properties?: Readonly<Record<string, string>>;
    subscriptionProperties?: Readonly<Record<string, string>>;
    readCompacted?: boolean;
    replicateSubscriptionState?: boolean;
    startPaused?: boolean;
    batchReceivePolicy?: BatchReceivePolicy;
    messageListener?: MessageListener<T>;
    schema?: Schema<never, T>;
    onActiveConsumerChange?: (topic: string, active: boolean) => void;
    consumerEventListener?: ConsumerEventListener;
    interceptors?: readonly ConsumerInterceptor[];
    onReachedEndOfTopic?: (topic: string) => void;
    autoUpdatePartitionsIntervalMs?: number;
}
interface ReceiveOptions {
    timeoutMs?: number;
    signal?: AbortSignal;
}
type SeekPosition = MessageId | Date | number;
type SeekFunction = (topic: string) => SeekPosition | undefined;
declare class Consumer<T = Uint8Array> implements AsyncDisposable, AsyncIterable<Message<T>> {
    #private;
    readonly subscription: string;
    get topics(): readonly string[];
    get isConnected(): boolean;
    get isActive(): boolean;
    stats(): ConsumerStats;
    get queuedMessages(): number;
    get hasReachedEndOfTopic(): boolean;
    receive(options?: number | ReceiveOptions): Promise<Message<T>>;
    batchReceive(policy?: BatchReceivePolicy): Promise<Message<T>[]>;
    [Symbol.asyncIterator](): AsyncGenerator<Message<T>, void, undefined>;
    acknowledge(message: Message<unknown> | MessageId | readonly (Message<unknown> | MessageId)[], options?: AcknowledgeOptions): Promise<void>;
    acknowledgeCumulative(message: Message<unknown> | MessageId, options?: AcknowledgeOptions): Promise<void>;
    negativeAcknowledge(message: Message<unknown> | MessageId): void;
    reconsumeLater(message: Message<unknown>, options?: ReconsumeOptions): Promise<void>;
    reconsumeLaterCumulative(message: Message<unknown>, options?: ReconsumeOptions): Promise<void>;
    redeliverUnacknowledgedMessages(): void;
    pause(): void;
    resume(): void;
    seek(position: SeekPosition | SeekFunction, options?: {
        inclusive?: boolean;
    }): Promise<void>;
    getLastMessageIds(): Promise<MessageId[]>;
    getLastMessageId(): Promise<MessageId>;
    hasMessageAvailable(): Promise<boolean>;
    unsubscribe(options?: {
        force?: boolean;
    }): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
declare class Reader<T = Uint8Array> implements AsyncDisposable, AsyncIterable<Message<T>> {
    #private;
    readonly topic: string;
    get isConnected(): boolean;
    get hasReachedEndOfTopic(): boolean;
    readNext(options?: number | ReceiveOptions): Promise<Message<T>>;
    hasMessageAvailable(): Promise<boolean>;
    seek(position: SeekPosition | SeekFunction, options?: {
        inclusive?: boolean;
    }): Promise<void>;
    getLastMessageIds(): Promise<MessageId[]>;
    [Symbol.asyncIterator](): AsyncGenerator<Message<T>, void, undefined>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
export { Producer as P, Reader as R, Consumer as d, fixedKeys as q, multiplierRedeliveryBackoff as r };
export type { AcknowledgeOptions as A, BatchReceivePolicy as B, CryptoKeyReader as C, DeadLetterPolicy as D, EncryptionKeyInfo as E, FixedKeys as F, InitialPosition as I, KeySharedPolicy as K, MessageListener as M, SeekFunction as S, ConsumerPayloadOptions as a, ConsumerInterceptor as b, ConsumerOptions as c, ConsumerCryptoFailureAction as e, ConsumerEventListener as f, ConsumerStats as g, MultiplierBackoffOptions as h, ProducerStats as i, ReceiveOptions as j, ReconsumeOptions as k, RedeliveryBackoff as l, SeekPosition as m, SubscriptionMode as n, SubscriptionTopicsMode as o, SubscriptionType as p };
