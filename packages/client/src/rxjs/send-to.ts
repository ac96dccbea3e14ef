import { Observable, type OperatorFunction, type Subscriber, type Subscription } from "rxjs";
import { checkOptions, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError } from "../errors.ts";
import type { MessageId } from "../message-id.ts";
import type { Producer } from "../producing/producer.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";

export interface SendToOptions {
  /**
   * Sends without a receipt. Default 1000. Never more than the producer's `maxPendingMessages`, whatever is given: it
   * would refuse them.
   */
  maxInFlight?: number;
  /** Messages that wait for their turn; one more is an error with code `ProducerQueueIsFull`. Default 100,000. */
  maxBuffered?: number;
}

/** What `producer.send` takes. */
export type Sendable<T = Uint8Array> = ProducerMessage<T> | Uint8Array | string;

/**
 * Sends each value and emits its id once the broker has stored it; messages to one partition are sent and stored in
 * order. At most `maxInFlight` are on their way, the others wait; so they do while other sends have filled the producer
 * or the client's memory. Errors with the first send that rejects, and sends no
 * more then. Unsubscribing takes back what waits, not what is on its way. The producer stays open.
 *
 * @example
 * readings$.pipe(map((r) => ({ data: JSON.stringify(r), key: r.sensor })), sendTo(producer)).subscribe();
 */
export function sendTo<T = Uint8Array>(
  producer: Producer<T>,
  options: SendToOptions = {},
): OperatorFunction<Sendable<T>, MessageId> {
  if (typeof producer?.send !== "function") throw new InvalidConfigurationError("sendTo takes a producer");
  checkOptions("sendTo", options, { maxInFlight: true, maxBuffered: true });
  const asked = wholeNumber("maxInFlight", options.maxInFlight, 1000, 1);
  const maxInFlight = Math.min(asked, producer.maxPendingMessages ?? asked);
  const maxBuffered = wholeNumber("maxBuffered", options.maxBuffered, 100_000);
  return (source) =>
    new Observable((subscriber) => new Sending(producer, maxInFlight, maxBuffered, subscriber).start(source));
}

class Sending<T> {
  readonly #producer: Producer<T>;
  readonly #maxInFlight: number;
  readonly #maxBuffered: number;
  readonly #to: Subscriber<MessageId>;
  #waiting: Sendable<T>[] = [];
  /** Where in `waiting` the next one is; what is before it was sent. */
  #next = 0;
  #inFlight = 0;
  #completed = false;
  /** Somebody else has filled the producer: it tells when there is room again. */
  #blocked = false;

  constructor(producer: Producer<T>, maxInFlight: number, maxBuffered: number, to: Subscriber<MessageId>) {
    this.#producer = producer;
    this.#maxInFlight = maxInFlight;
    this.#maxBuffered = maxBuffered;
    this.#to = to;
  }

  start(source: Observable<Sendable<T>>): Subscription {
    return source.subscribe({
      next: (message) => this.#push(message),
      error: (error: unknown) => this.#to.error(error),
      complete: () => {
        this.#completed = true;
        this.#completeIfDone();
      },
    });
  }

  #push(message: Sendable<T>): void {
    if (this.#next === this.#waiting.length && this.#hasRoom()) {
      this.#send(message);
      return;
    }
    if (this.#waiting.length - this.#next >= this.#maxBuffered) {
      const detail = `${this.#maxBuffered} messages wait to be sent to ${this.#producer.topic}; slow the source down`;
      this.#to.error(new PulsarError("ProducerQueueIsFull", detail, { retryable: true }));
      return;
    }
    this.#waiting.push(message);
  }

  #send(message: Sendable<T>): void {
    this.#inFlight++;
    this.#producer.send(message).then(this.#onStored, this.#onFailed);
  }

  readonly #onStored = (id: MessageId): void => {
    this.#inFlight--;
    this.#to.next(id);
    if (this.#to.closed) return;
    this.#sendWaiting();
    this.#completeIfDone();
  };

  #sendWaiting(): void {
    while (this.#next < this.#waiting.length && !this.#to.closed && this.#hasRoom()) this.#send(this.#take());
  }

  /** Whether one more may be sent now. Where the producer is full, waiting goes on once it is not. */
  #hasRoom(): boolean {
    if (this.#blocked || this.#inFlight >= this.#maxInFlight) return false;
    const room = this.#producer.whenRoom?.();
    if (room === undefined) return true;
    this.#blocked = true;
    void room.then(() => {
      this.#blocked = false;
      this.#sendWaiting();
    });
    return false;
  }

  readonly #onFailed = (error: unknown): void => {
    this.#inFlight--;
    this.#to.error(error);
  };

  #take(): Sendable<T> {
    const message = this.#waiting[this.#next++] as Sendable<T>;
    if (this.#next > 1024 && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return message;
  }

  #completeIfDone(): void {
    if (this.#completed && this.#inFlight === 0 && this.#next === this.#waiting.length) this.#to.complete();
  }
}
