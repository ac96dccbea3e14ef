import { M as Message, P as ProducerMessage } from './types-producer-message.d.js';
import { M as MessageId } from './types-message-id.d.js';
interface MessagePlace {
    readonly ledgerId: number;
    readonly entryId: number;
    readonly batchIndex: number;
}
interface Telemetry {
    producer(about: {
        readonly topic: string;
        pending(): Amount;
    }): ProducerTelemetry;
    consumer(about: {
        readonly topic: string;
        readonly subscription: string;
    }): ConsumerTelemetry;
    receiveQueue(about: {
        readonly subscription: string;
        queued(): Amount;
    }): () => void;
    connectionOpened(): void;
    connectionClosed(): void;
    connectionFailed(): void;
    lookup(type: LookupType, transport: "binary" | "http", seconds: number, succeeded: boolean): void;
    memoryUsage(usedBytes: () => number, limitBytes: number): void;
    close(): void;
}
interface Amount {
    readonly messages: number;
    readonly bytes: number;
}
type LookupType = "topic" | "metadata" | "schema" | "list-topics";
interface ProducerTelemetry {
    sending(message: ProducerMessage): {
        readonly message: ProducerMessage;
        readonly sending: SendTelemetry;
    };
    entrySettled(seconds: number, succeeded: boolean): void;
    closed(): void;
}
interface SendTelemetry {
    ended(id: MessageId | undefined, error?: unknown): void;
}
interface ConsumerTelemetry {
    received(messages: number, bytes: number): void;
    taken(message: Message<unknown>): void;
    processing<R>(message: Message<unknown>, run: () => R): R;
    acknowledged(place: MessagePlace, cumulative: boolean): void;
    negativelyAcknowledged(place: MessagePlace): void;
    closed(): void;
}
export type { Amount as A, ConsumerTelemetry as C, LookupType as L, MessagePlace as M, ProducerTelemetry as P, SendTelemetry as S, Telemetry as T };
