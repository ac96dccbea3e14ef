import type { Message } from "../message.ts";
import type { MessageId } from "../message-id.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";

/** One message of a subscription, as far as telling it from others goes. */
export interface MessagePlace {
  readonly ledgerId: number;
  readonly entryId: number;
  /** -1 for a message that came alone, or where all of a batch are meant. */
  readonly batchIndex: number;
}

/** What is told of a client. `openTelemetry()` of `@pulsewire/client/opentelemetry` makes one. Nothing of it may throw. */
export interface Telemetry {
  producer(about: { readonly topic: string; pending(): Amount }): ProducerTelemetry;
  consumer(about: { readonly topic: string; readonly subscription: string }): ConsumerTelemetry;
  /** A consumer has a queue of what it received; the answer ends telling of it. */
  receiveQueue(about: { readonly subscription: string; queued(): Amount }): () => void;
  connectionOpened(): void;
  connectionClosed(): void;
  connectionFailed(): void;
  lookup(type: LookupType, transport: "binary" | "http", seconds: number, succeeded: boolean): void;
  memoryUsage(usedBytes: () => number, limitBytes: number): void;
  /** The client is closed. */
  close(): void;
}

export interface Amount {
  readonly messages: number;
  readonly bytes: number;
}

export type LookupType = "topic" | "metadata" | "schema" | "list-topics";

/** What is told of the producer of one topic or partition. */
export interface ProducerTelemetry {
  /** A message is sent: what to send in its place, and who is told how it ended. */
  sending(message: ProducerMessage): { readonly message: ProducerMessage; readonly sending: SendTelemetry };
  /** An entry was answered after it was made. */
  entrySettled(seconds: number, succeeded: boolean): void;
  closed(): void;
}

export interface SendTelemetry {
  /** `id` where it was stored, else the error. */
  ended(id: MessageId | undefined, error?: unknown): void;
}

/** What is told of the consumer of one topic or partition. */
export interface ConsumerTelemetry {
  received(messages: number, bytes: number): void;
  /** The application has got a message. */
  taken(message: Message<unknown>): void;
  /** Runs what the application does with a message. */
  processing<R>(message: Message<unknown>, run: () => R): R;
  acknowledged(place: MessagePlace, cumulative: boolean): void;
  negativelyAcknowledged(place: MessagePlace): void;
  closed(): void;
}
