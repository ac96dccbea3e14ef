import {
  from,
  Observable,
  type ObservableInput,
  type OperatorFunction,
  type Subscriber,
  type Subscription,
} from "rxjs";
import { checkOptions, optionalFunction, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";

export interface MergeMapByKeyOptions<In> {
  /** What is worked on one after the other. `undefined` is no key: such values wait for nobody. */
  keyOf: (value: In) => unknown;
  /** Values worked on at the same time, over all keys. Default 16. */
  concurrency?: number;
}

const CONCURRENCY = 16;

/**
 * `mergeMap` that keeps the order of each key: a value is worked on once all earlier values of its key are done, while
 * those of other keys run beside it. What waits is kept in memory; behind `messages$` that is at most its `maxInFlight`.
 */
export function mergeMapByKey<In, Out>(
  project: (value: In) => ObservableInput<Out>,
  options: MergeMapByKeyOptions<In>,
): OperatorFunction<In, Out> {
  if (typeof project !== "function") throw new InvalidConfigurationError("mergeMapByKey takes a function");
  checkOptions("mergeMapByKey", options, { keyOf: true, concurrency: true });
  const keyOf = optionalFunction("keyOf", options?.keyOf);
  if (keyOf === undefined) throw new InvalidConfigurationError("mergeMapByKey takes keyOf, a function");
  const concurrency = wholeNumber("concurrency", options.concurrency, CONCURRENCY, 1);
  return (source) =>
    new Observable((subscriber) => {
      const work = new KeyedWork(project, keyOf, concurrency, subscriber);
      const subscription = source.subscribe({
        next: (value) => work.push(value),
        error: (error: unknown) => subscriber.error(error),
        complete: () => work.sourceCompleted(),
      });
      return () => {
        subscription.unsubscribe();
        work.stop();
      };
    });
}

/** The values of one key that wait, and whether one of them is being worked on. */
interface Lane<In> {
  readonly key: unknown;
  readonly waiting: In[];
}

class KeyedWork<In, Out> {
  readonly #project: (value: In) => ObservableInput<Out>;
  readonly #keyOf: (value: In) => unknown;
  readonly #concurrency: number;
  readonly #to: Subscriber<Out>;
  /** One for each key that has work; a key without any is forgotten. */
  readonly #lanes = new Map<unknown, Lane<In>>();
  /** Lanes whose next value may start. */
  #ready: Lane<In>[] = [];
  readonly #running = new Set<Subscription>();
  #active = 0;
  #completed = false;
  #starting = false;

  constructor(
    project: (value: In) => ObservableInput<Out>,
    keyOf: (value: In) => unknown,
    concurrency: number,
    to: Subscriber<Out>,
  ) {
    this.#project = project;
    this.#keyOf = keyOf;
    this.#concurrency = concurrency;
    this.#to = to;
  }

  push(value: In): void {
    let key: unknown;
    try {
      key = this.#keyOf(value);
    } catch (error) {
      this.#to.error(error);
      return;
    }
    const lane = key === undefined ? undefined : this.#lanes.get(key);
    if (lane !== undefined) {
      lane.waiting.push(value);
      return;
    }
    const made: Lane<In> = { key, waiting: [value] };
    if (key !== undefined) this.#lanes.set(key, made);
    this.#ready.push(made);
    this.#start();
  }

  sourceCompleted(): void {
    this.#completed = true;
    this.#completeIfDone();
  }

  stop(): void {
    this.#lanes.clear();
    this.#ready = [];
    for (const subscription of this.#running) subscription.unsubscribe();
    this.#running.clear();
  }

  /** Work that is done at once must not recurse into here: a long queue of it would overflow the stack. */
  #start(): void {
    if (this.#starting) return;
    this.#starting = true;
    while (this.#active < this.#concurrency && !this.#to.closed) {
      const lane = this.#ready.shift();
      if (lane === undefined) break;
      this.#work(lane);
    }
    this.#starting = false;
    this.#completeIfDone();
  }

  #work(lane: Lane<In>): void {
    const value = lane.waiting.shift() as In;
    let result: Observable<Out>;
    try {
      result = from(this.#project(value));
    } catch (error) {
      this.#to.error(error);
      return;
    }
    this.#active++;
    let subscription: Subscription | undefined;
    let done = false;
    const complete = (): void => {
      done = true;
      if (subscription !== undefined) this.#running.delete(subscription);
      this.#active--;
      if (lane.waiting.length > 0) this.#ready.push(lane);
      else this.#lanes.delete(lane.key);
      this.#start();
    };
    subscription = result.subscribe({
      next: (out) => this.#to.next(out),
      error: (error: unknown) => this.#to.error(error),
      complete,
    });
    if (!done) this.#running.add(subscription);
  }

  #completeIfDone(): void {
    if (this.#completed && this.#active === 0 && this.#ready.length === 0) this.#to.complete();
  }
}
