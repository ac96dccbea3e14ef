import { ObservableInput, OperatorFunction, Observable } from 'rxjs';
import { M as Message, P as ProducerMessage } from './types-producer-message.d.js';
import { c as ConsumerOptions, d as Consumer, R as Reader, P as Producer } from './types-reader.d.js';
import { M as MessageId } from './types-message-id.d.js';
import './types-codec.d.js';
import './types-errors.d.js';
import './types-schema.d.js';
declare class Delivery {
    #private;
    readonly message: Message;
    get isSettled(): boolean;
    acknowledge(): Promise<void>;
    negativeAcknowledge(): void;
    release(): void;
}
interface AcknowledgingOptions {
    concurrency?: number;
    order?: "none" | "key";
    onError?: (error: unknown, message: Message) => void;
    stopOnError?: boolean;
}
type Work<Out> = ObservableInput<Out> | undefined;
declare function acknowledging<Out>(project: (message: Message, delivery: Delivery) => Work<Out>, options?: AcknowledgingOptions): OperatorFunction<Delivery, Out>;
interface MergeMapByKeyOptions<In> {
    keyOf: (value: In) => unknown;
    concurrency?: number;
}
declare function mergeMapByKey<In, Out>(project: (value: In) => ObservableInput<Out>, options: MergeMapByKeyOptions<In>): OperatorFunction<In, Out>;
interface Subscribing {
    subscribe(options: ConsumerOptions): Promise<Consumer>;
}
interface MessagesOptions {
    maxInFlight?: number;
}
declare function messages$(source: Consumer | Reader, options?: MessagesOptions): Observable<Delivery>;
declare function messages$(client: Subscribing, consumer: ConsumerOptions, options?: MessagesOptions): Observable<Delivery>;
interface SendToOptions {
    maxInFlight?: number;
    maxBuffered?: number;
}
type Sendable = ProducerMessage | Uint8Array | string;
declare function sendTo(producer: Producer, options?: SendToOptions): OperatorFunction<Sendable, MessageId>;
export { Delivery, acknowledging, mergeMapByKey, messages$, sendTo };
export type { AcknowledgingOptions, MergeMapByKeyOptions, MessagesOptions, SendToOptions, Sendable, Subscribing, Work };
