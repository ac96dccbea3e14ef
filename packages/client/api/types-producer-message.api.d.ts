import { C as CompressionName } from './types-codec.d.js';
import { M as MessageId } from './types-message-id.d.js';
import { S as Schema } from './types-schema.d.js';
interface EncryptedDataKey {
    readonly value: Uint8Array;
    readonly metadata: Readonly<Record<string, string>>;
}
interface EncryptionContext {
    readonly keys: Readonly<Record<string, EncryptedDataKey>>;
    readonly algorithm: string;
    readonly param: Uint8Array;
    readonly compressionType: CompressionName;
    readonly uncompressedMessageSize: number;
    readonly batchSize: number | undefined;
    readonly isEncrypted: boolean;
}
declare class Message<T = Uint8Array> {
    #private;
    readonly data: Uint8Array;
    get value(): T;
    toString(): string;
    text(): string;
    get messageId(): MessageId;
    get topic(): string;
    get properties(): Readonly<Record<string, string>>;
    get key(): string | undefined;
    get keyBytes(): Uint8Array | undefined;
    get hasBase64EncodedKey(): boolean;
    get orderingKey(): Uint8Array | undefined;
    get eventTime(): number;
    get publishTime(): number;
    get producerName(): string;
    get sequenceId(): number;
    get redeliveryCount(): number;
    get hasNullValue(): boolean;
    get schemaVersion(): Uint8Array | undefined;
    get encryptionContext(): EncryptionContext | undefined;
    get replicatedFrom(): string | undefined;
    get brokerPublishTime(): number | undefined;
    get index(): number | undefined;
}
declare class TransactionId {
    readonly mostSigBits: number;
    readonly leastSigBits: number;
    constructor(mostSigBits: number, leastSigBits: number);
    toString(): string;
}
interface TransactionOptions {
    timeoutMs?: number;
}
type TransactionState = "OPEN" | "COMMITTING" | "ABORTING" | "COMMITTED" | "ABORTED" | "TIMED_OUT" | "ERROR";
declare class Transaction implements AsyncDisposable {
    #private;
    readonly id: TransactionId;
    get state(): TransactionState;
    commit(): Promise<void>;
    abort(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    toString(): string;
}
interface ProducerMessage<T = Uint8Array> {
    value?: T;
    data?: Uint8Array | string | null;
    properties?: Readonly<Record<string, string>>;
    key?: string | Uint8Array;
    orderingKey?: string | Uint8Array;
    eventTime?: number;
    sequenceId?: number;
    deliverAt?: number;
    deliverAfterMs?: number;
    replicationClusters?: readonly string[];
    disableReplication?: boolean;
    transaction?: Transaction;
    schema?: Schema<T, unknown>;
}
export { Message as M, Transaction as a, TransactionId as c };
export type { EncryptedDataKey as E, ProducerMessage as P, TransactionOptions as T, EncryptionContext as b, TransactionState as d };
