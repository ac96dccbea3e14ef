import { type Deferred, deferred, Ring } from "@pulsewire/runtime";
import { PulsarError } from "../errors.ts";
import type { MessageId } from "../message-id.ts";
import type { Amount } from "../observability/telemetry.ts";
import type { MemoryLimit, MemoryWaiter } from "./memory-limit.ts";
import type { ProducerMessage } from "./producer-message.ts";

/** A send that waits for room, or a flush that waits for those before it. */
type Waiting =
  | { kind: "send"; message: ProducerMessage; payload: Uint8Array; id: Deferred<MessageId> }
  | { kind: "flush"; admitted: () => void };

type Refusal = "ProducerQueueIsFull" | "MemoryBufferIsFull";

export interface SendAdmissionOptions {
  readonly topic: string;
  readonly memoryLimit: MemoryLimit;
  readonly maxPendingMessages: number;
  /** Whether a send without room waits, or rejects. */
  readonly blockIfQueueFull: boolean;
  /** Takes a message that has its place. */
  accept(message: ProducerMessage, payload: Uint8Array): Promise<MessageId>;
}

/**
 * Lets messages in while the limits of pending messages and of memory have room. Those that wait get in one after the
 * other, in the order they came, and nobody overtakes them.
 */
export class SendAdmission implements MemoryWaiter {
  readonly #options: SendAdmissionOptions;
  readonly #waiting = new Ring<Waiting>();
  /** Told when there may be room: they have nothing in the queue yet. */
  #roomAwaited: (() => void)[] = [];
  #pendingMessages = 0;
  #pendingBytes = 0;

  constructor(options: SendAdmissionOptions) {
    this.#options = options;
  }

  /** What was let in and not released. */
  get pending(): Amount {
    return { messages: this.#pendingMessages, bytes: this.#pendingBytes };
  }

  /** Rejects with code `ProducerQueueIsFull` or `MemoryBufferIsFull` where it must not wait. */
  admit(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    if (this.#waiting.length > 0) return this.#wait(message, payload);
    const refusal = this.#reserve(payload.length);
    if (refusal === undefined) return this.#options.accept(message, payload);
    if (this.#options.blockIfQueueFull) return this.#wait(message, payload);
    return Promise.reject(this.#refusalError(refusal));
  }

  /** Gives back what messages had reserved. */
  release(messages: number, bytes: number): void {
    this.#pendingMessages -= messages;
    this.#pendingBytes -= bytes;
    this.#options.memoryLimit.release(bytes);
    if (this.#waiting.length > 0) this.#admitWaiting();
    if (this.#roomAwaited.length > 0) this.#tellOfRoom();
  }

  onMemoryFreed(): void {
    this.#admitWaiting();
    this.#tellOfRoom();
  }

  /** Resolves when a send may have room; undefined where none has to be waited for: it has room, or waits by itself. */
  whenRoom(): Promise<void> | undefined {
    const { blockIfQueueFull, memoryLimit } = this.#options;
    if (blockIfQueueFull || !this.#full) return undefined;
    memoryLimit.notify(this);
    return new Promise<void>((resolve) => this.#roomAwaited.push(resolve));
  }

  /** Resolves when all that wait now have got in; undefined where nobody waits. */
  whenAdmitted(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined;
    return new Promise<void>((admitted) => this.#waiting.push({ kind: "flush", admitted }));
  }

  /** Nobody gets in any more. Answers how to tell those that wait, to be called when what came before them is told. */
  end(error: PulsarError): () => void {
    this.#options.memoryLimit.forget(this);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#tellOfRoom();
    return () => {
      for (const w of waiting) {
        if (w.kind === "send") w.id.reject(error);
        else w.admitted();
      }
    };
  }

  get #full(): boolean {
    return this.#pendingMessages >= this.#options.maxPendingMessages || this.#options.memoryLimit.isFull;
  }

  #tellOfRoom(): void {
    for (const tell of this.#roomAwaited.splice(0)) tell();
  }

  #reserve(bytes: number): Refusal | undefined {
    if (this.#pendingMessages >= this.#options.maxPendingMessages) return "ProducerQueueIsFull";
    if (!this.#options.memoryLimit.tryReserve(bytes)) return "MemoryBufferIsFull";
    this.#pendingMessages++;
    this.#pendingBytes += bytes;
    return undefined;
  }

  #wait(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    const id = deferred<MessageId>();
    this.#waiting.push({ kind: "send", message, payload, id });
    this.#options.memoryLimit.notify(this);
    return id.promise;
  }

  #admitWaiting(): void {
    for (;;) {
      const next = this.#waiting.at(0);
      if (next === undefined) return;
      if (next.kind === "flush") {
        this.#waiting.shift();
        next.admitted();
        continue;
      }
      if (this.#reserve(next.payload.length) !== undefined) {
        this.#options.memoryLimit.notify(this);
        return;
      }
      this.#waiting.shift();
      this.#options.accept(next.message, next.payload).then(next.id.resolve, next.id.reject);
    }
  }

  #refusalError(refusal: Refusal): PulsarError {
    const { maxPendingMessages, topic } = this.#options;
    const detail =
      refusal === "ProducerQueueIsFull"
        ? `${maxPendingMessages} messages to ${topic} wait for their receipts; await sends, or set blockIfQueueFull`
        : `the client's memoryLimitBytes is used up by messages without a receipt; await sends, or set blockIfQueueFull`;
    return new PulsarError(refusal, detail, { retryable: true });
  }
}
