import { Observable, type Subscriber } from "rxjs";
import { checkOptions, describe, wholeNumber } from "../check-options.ts";
import type { Consumer } from "../consuming/consumer.ts";
import type { ConsumerOptions } from "../consuming/consumer-options.ts";
import type { Reader } from "../consuming/reader.ts";
import type { ReceiveOptions } from "../consuming/receive-queue.ts";
import { AlreadyClosedError, InvalidConfigurationError } from "../errors.ts";
import type { Message } from "../message.ts";
import { Delivery, type DeliverySource, type Received } from "./delivery.ts";

/** What can subscribe: a `PulsarClient`. */
export interface Subscribing {
  subscribe<T = Uint8Array>(options: ConsumerOptions<T>): Promise<Consumer<T>>;
}

export interface MessagesOptions {
  /** Deliveries that may be emitted and not settled. Default 1000. */
  maxInFlight?: number;
}

const IN_FLIGHT_MAX = 1000;

/** What messages are taken from. */
interface Source<T> {
  receive(options: ReceiveOptions): Promise<Message<T>>;
  acknowledge(message: Message<T>): Promise<void>;
  negativeAcknowledge(message: Message<T>): void;
  generationOf(message: Message<T>): number;
  putBack(received: readonly Received<T>[]): void;
  close(): Promise<void>;
}

/**
 * The messages of a consumer or a reader as an observable. It completes when the consumer is closed, and errors with
 * what `receive` rejects with. Unsubscribing leaves the consumer open: whoever opened it closes it. What was emitted by
 * then and is not settled is the subscriber's: `acknowledging` gives back what it has not begun with, another operator
 * that buffers leaves it unacknowledged. Two subscribers share the consumer's messages, each gets its own.
 *
 * @example
 * messages$(consumer).pipe(acknowledging((message) => handle(message), { concurrency: 10 })).subscribe();
 */
export function messages$<T>(source: Consumer<T> | Reader<T>, options?: MessagesOptions): Observable<Delivery<T>>;
/**
 * The same with a consumer of its own, opened for each subscriber and closed when that unsubscribes, or when the
 * observable ends. It errors with what `client.subscribe` rejects with.
 */
export function messages$<T = Uint8Array>(
  client: Subscribing,
  consumer: ConsumerOptions<T>,
  options?: MessagesOptions,
): Observable<Delivery<T>>;
export function messages$<T>(
  source: Consumer<T> | Reader<T> | Subscribing,
  second?: ConsumerOptions<T> | MessagesOptions,
  third?: MessagesOptions,
): Observable<Delivery<T>> {
  if (typeof source !== "object" || source === null) throw notASource(source);
  if ("subscribe" in source) {
    const maxInFlight = inFlightOf(third);
    const open = async (): Promise<Source<T>> => source.subscribe(second as ConsumerOptions<T>);
    return new Observable((subscriber) => run(open, true, maxInFlight, subscriber));
  }
  const given = sourceOf(source);
  const maxInFlight = inFlightOf(second as MessagesOptions | undefined);
  return new Observable((subscriber) => run(() => Promise.resolve(given), false, maxInFlight, subscriber));
}

function inFlightOf(options: MessagesOptions | undefined): number {
  checkOptions("messages$", options, { maxInFlight: true });
  return wholeNumber("maxInFlight", options?.maxInFlight, IN_FLIGHT_MAX, 1);
}

function sourceOf<T>(source: Consumer<T> | Reader<T>): Source<T> {
  if ("receive" in source) return source;
  if (!("readNext" in source)) throw notASource(source);
  return {
    receive: (options) => source.readNext(options),
    acknowledge: () => Promise.resolve(),
    negativeAcknowledge: () => undefined,
    generationOf: (message) => source.consumer.generationOf(message),
    putBack: (received) => source.consumer.putBack(received),
    close: () => source.close(),
  };
}

function notASource(source: unknown): InvalidConfigurationError {
  return new InvalidConfigurationError(
    `messages$ takes a consumer, a reader, or a client and a consumer's options, not ${describe(source)}`,
  );
}

function run<T>(
  open: () => Promise<Source<T>>,
  owned: boolean,
  maxInFlight: number,
  to: Subscriber<Delivery<T>>,
): () => void {
  const abort = new AbortController();
  const pump = new Pump(to, maxInFlight, abort.signal);
  const running = async (): Promise<void> => {
    let source: Source<T>;
    try {
      source = await open();
    } catch (error) {
      to.error(error);
      return;
    }
    const end = await pump.run(source);
    // the consumer is closed before anybody hears of the end, so that a repeat finds its place free
    if (owned) await source.close();
    if (end.kind === "failed") to.error(end.error);
    else to.complete();
  };
  running().catch((error: unknown) => to.error(error));
  return () => abort.abort();
}

type End = { kind: "ended" } | { kind: "failed"; error: unknown };

/** Takes one message after the other while there is room, and emits it. */
class Pump<T> {
  readonly #to: Subscriber<Delivery<T>>;
  readonly #maxInFlight: number;
  readonly #signal: AbortSignal;
  #inFlight = 0;
  #onRoom: (() => void) | undefined;

  constructor(to: Subscriber<Delivery<T>>, maxInFlight: number, signal: AbortSignal) {
    this.#to = to;
    this.#maxInFlight = maxInFlight;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  async run(source: Source<T>): Promise<End> {
    const signal = this.#signal;
    const deliverySource: DeliverySource<T> = {
      acknowledge: (message) => source.acknowledge(message),
      negativeAcknowledge: (message) => source.negativeAcknowledge(message),
      putBack: (received) => source.putBack(received),
      settled: () => {
        this.#inFlight--;
        this.#wake();
      },
    };
    try {
      while (!signal.aborted) {
        if (this.#inFlight >= this.#maxInFlight) {
          await this.#room();
          continue;
        }
        const message = await source.receive({ signal });
        const received = { message, generation: source.generationOf(message) };
        if (signal.aborted) {
          // it was on its way when the subscriber left: whoever receives next gets it
          source.putBack([received]);
          break;
        }
        this.#inFlight++;
        this.#to.next(new Delivery(received, deliverySource));
      }
      return { kind: "ended" };
    } catch (error) {
      if (signal.aborted || error instanceof AlreadyClosedError) return { kind: "ended" };
      return { kind: "failed", error };
    }
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  #wake(): void {
    this.#onRoom?.();
    this.#onRoom = undefined;
  }
}
