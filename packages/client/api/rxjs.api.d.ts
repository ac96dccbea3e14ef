import { ObservableInput, OperatorFunction, Observable } from 'rxjs';
import { M as Message, P as ProducerMessage } from './types-producer-message.d.js';
import { c as ConsumerOptions, d as Consumer, R as Reader, P as Producer } from './types-reader.d.js';
import { M as MessageId } from './types-message-id.d.js';
import './types-codec.d.js';
import './types-schema.d.js';
import './types-errors.d.js';
declare class Delivery<T = Uint8Array> {
    #private;
    readonly message: Message<T>;
    get isSettled(): boolean;
    acknowledge(): Promise<void>;
    negativeAcknowledge(): void;
    putBack(): void;
    release(): void;
}
interface AcknowledgingOptions<T = Uint8Array> {
    concurrency?: number;
    order?: "none" | "key";
    onError?: (error: unknown, message: Message<T>) => void;
    stopOnError?: boolean;
}
type Work<Out> = ObservableInput<Out> | undefined;
declare function acknowledging<Out, T = Uint8Array>(project: (message: Message<T>, delivery: Delivery<T>) => Work<Out>, options?: AcknowledgingOptions<T>): OperatorFunction<Delivery<T>, Out>;
interface MergeMapByKeyOptions<In> {
    keyOf: (value: In) => unknown;
    concurrency?: number;
}
declare function mergeMapByKey<In, Out>(project: (value: In) => ObservableInput<Out>, options: MergeMapByKeyOptions<In>): OperatorFunction<In, Out>;
interface Subscribing {
    subscribe<T = Uint8Array>(options: ConsumerOptions<T>): Promise<Consumer<T>>;
}
interface MessagesOptions {
    maxInFlight?: number;
}
declare function messages$<T>(source: Consumer<T> | Reader<T>, options?: MessagesOptions): Observable<Delivery<T>>;
declare function messages$<T = Uint8Array>(client: Subscribing, consumer: ConsumerOptions<T>, options?: MessagesOptions): Observable<Delivery<T>>;
interface SendToOptions {
    maxInFlight?: number;
    maxBuffered?: number;
}
type Sendable<T = Uint8Array> = ProducerMessage<T> | Uint8Array | string;
declare function sendTo<T = Uint8Array>(producer: Producer<T>, options?: SendToOptions): OperatorFunction<Sendable<T>, MessageId>;
export { Delivery, acknowledging, mergeMapByKey, messages$, sendTo };
export type { AcknowledgingOptions, MergeMapByKeyOptions, MessagesOptions, SendToOptions, Sendable, Subscribing, Work };
