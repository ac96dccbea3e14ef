import { defer, finalize, from, mergeMap, Observable, type ObservableInput, type OperatorFunction, tap } from "rxjs";
import { checkOptions, describe, oneOf, optionalFunction, trueOrFalse, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import type { Message } from "../message.ts";
import { Delivery } from "./delivery.ts";
import { mergeMapByKey } from "./merge-map-by-key.ts";

export interface AcknowledgingOptions<T = Uint8Array> {
  /** Messages worked on at the same time. Default 1: one after the other, in order. */
  concurrency?: number;
  /**
   * `key` works on the messages of one key (the ordering key where there is one) one after the other, and on different
   * keys beside each other; `none` looks at no key. Default `none`.
   */
  order?: "none" | "key";
  /**
   * Told of each message that failed, after its negative acknowledgement, and of acknowledgements that the broker
   * refused. Default: nobody is; the message comes again, and behind the dead-letter policy's limit goes there.
   */
  onError?: (error: unknown, message: Message<T>) => void;
  /** End with the first message that fails, after its negative acknowledgement. Default false. */
  stopOnError?: boolean;
}

const OPTIONS: Readonly<Record<keyof AcknowledgingOptions, true>> = {
  concurrency: true,
  order: true,
  onError: true,
  stopOnError: true,
};

/** What is done with a message: a promise, an observable, or nothing to wait for. */
export type Work<Out> = ObservableInput<Out> | undefined;

/**
 * Works on each delivery and acknowledges it once `project` is through: its promise resolved, its observable complete.
 * Where it throws, rejects, errors or gives anything else, the delivery is negatively acknowledged instead and the stream goes on. Emits what
 * `project` does: a promise's value once its message is acknowledged, an observable's values as they come.
 *
 * When its subscriber leaves, or the stream ends with an error, what was not begun goes back to the consumer and is
 * received next, in order; so does a message whose observable was cut off. A promise goes on, and its message is
 * acknowledged.
 *
 * @example
 * messages$(consumer).pipe(acknowledging((message) => store(message.text()), { concurrency: 8, order: "key" }));
 */
export function acknowledging<Out, T = Uint8Array>(
  project: (message: Message<T>, delivery: Delivery<T>) => Work<Out>,
  options: AcknowledgingOptions<T> = {},
): OperatorFunction<Delivery<T>, Out> {
  if (typeof project !== "function") throw new InvalidConfigurationError("acknowledging takes a function");
  checkOptions("acknowledging", options, OPTIONS);
  const concurrency = wholeNumber("concurrency", options.concurrency, 1, 1);
  const onError = optionalFunction("onError", options.onError);
  const stopOnError = trueOrFalse("stopOnError", options.stopOnError, false);
  const failed: Failed<T> = (error, message) => {
    onError?.(error, message);
    if (stopOnError) throw error;
  };
  const byKey = oneOf("order", options.order, ["none", "key"] as const, "none") === "key";
  return (source) =>
    defer(() => {
      /** What nobody has begun with, and what goes back when it is cut off, in the order it came. */
      const returnable = new Set<Delivery<T>>();
      const work = (delivery: Delivery<T>): Observable<Out> => workOn(delivery, project, failed, returnable);
      return source.pipe(
        tap((delivery) => returnable.add(delivery)),
        byKey ? mergeMapByKey(work, { keyOf: keyOfDelivery, concurrency }) : mergeMap(work, concurrency),
        finalize(() => Delivery.putBack(returnable)),
      );
    });
}

function keyOfDelivery({ message }: Delivery<unknown>): string | undefined {
  return keyOf(message);
}

/** Told of a failure; throws where the stream shall end with it. */
type Failed<T> = (error: unknown, message: Message<T>) => void;

function keyOf({ orderingKey, key }: Pick<Message, "orderingKey" | "key">): string | undefined {
  return orderingKey === undefined ? key : `ordering ${Array.from(orderingKey).join()}`;
}

function workOn<Out, T>(
  delivery: Delivery<T>,
  project: (message: Message<T>, delivery: Delivery<T>) => Work<Out>,
  failed: Failed<T>,
  returnable: Set<Delivery<T>>,
): Observable<Out> {
  const { message } = delivery;
  return new Observable((subscriber) => {
    /** The stream goes on, unless whoever is told of the failure says otherwise. */
    const fail = (error: unknown): void => {
      returnable.delete(delivery);
      try {
        if (!delivery.isSettled) delivery.negativeAcknowledge();
        failed(error, message);
        subscriber.complete();
      } catch (last) {
        subscriber.error(last);
      }
    };
    /** `done` tells of the end; the message is acknowledged first, so that whoever hears of it may leave. */
    const succeed = (done: () => void): void => {
      returnable.delete(delivery);
      // a project that has settled its delivery itself has said all there is to say
      if (delivery.isSettled) done();
      else delivery.acknowledge().then(done, fail);
    };
    const complete = (): void => subscriber.complete();
    let result: Work<Out>;
    try {
      result = project(message, delivery);
    } catch (error) {
      fail(error);
      return undefined;
    }
    if (result === undefined) {
      succeed(complete);
      return undefined;
    }
    if (isPromise(result)) {
      returnable.delete(delivery);
      const emit = (out: Out) => () => {
        subscriber.next(out);
        subscriber.complete();
      };
      result.then((out) => succeed(emit(out)), fail);
      return undefined;
    }
    const next = (out: Out): void => subscriber.next(out);
    const values = observableOf(result);
    if (values === undefined) {
      const given = describe(result);
      fail(
        new InvalidConfigurationError(
          `acknowledging takes a function that gives a promise or an observable, not ${given}`,
        ),
      );
      return undefined;
    }
    return values.subscribe({ next, error: fail, complete: () => succeed(complete) });
  });
}

function isPromise<Out>(work: ObservableInput<Out>): work is PromiseLike<Out> {
  return (
    typeof work === "object" && work !== null && "then" in work && typeof (work as PromiseLike<Out>).then === "function"
  );
}

/** Undefined for what is neither an observable nor can be made one: a plain value, or a text, whose letters nobody means. */
function observableOf<Out>(work: ObservableInput<Out>): Observable<Out> | undefined {
  if (typeof work !== "object" || work === null) return undefined;
  try {
    return from(work);
  } catch {
    return undefined;
  }
}
