import { type Clock, type Deferred, deferred, Ring, type Timer } from "@pulsewire/runtime";
import { describe, suggestion } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError, TimeoutError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { ResolvedBatchPolicy } from "./batch-receive-policy.ts";

export interface ReceiveOptions {
  /** Reject with code `Timeout` after so long, in ms. Default: wait forever. */
  timeoutMs?: number;
  /** Reject with code `Aborted` when it is aborted. */
  signal?: AbortSignal;
}

const RECEIVE_OPTIONS: Readonly<Record<keyof ReceiveOptions, true>> = { timeoutMs: true, signal: true };

interface Waiter {
  readonly answer: Deferred<Message>;
  settled: boolean;
}

interface BatchWaiter {
  readonly answer: Deferred<Message[]>;
  readonly policy: ResolvedBatchPolicy;
  timer: Timer | undefined;
}

export interface ReceiveQueueOptions {
  readonly clock: Clock;
  /** What `batchReceive` may wait for at most, since no more is fetched. */
  capacity(): number;
  /** A message leaves the queue for the application. Answers what the application gets. */
  taken(message: Message): Message;
  /** More receives wait than before. */
  demand(): void;
}

/** How many waiters that gave up may be kept before they are looked for. */
const SETTLED_MAX = 32;

/** Messages that came, and receives that wait: one of the two is always empty. */
export class ReceiveQueue {
  readonly #options: ReceiveQueueOptions;
  #messages = new Ring<Message>();
  #bytes = 0;
  /** Those that gave up stay in it until they are in the majority. */
  #waiters = new Ring<Waiter>();
  readonly #batchWaiters: BatchWaiter[] = [];
  #waiting = 0;
  #ended: PulsarError | undefined;

  constructor(options: ReceiveQueueOptions) {
    this.#options = options;
  }

  /** Messages in the queue. */
  get length(): number {
    return this.#messages.length;
  }

  /** Payload bytes in the queue. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Receives that wait. */
  get waiting(): number {
    return this.#waiting + this.#batchWaiters.length;
  }

  /** Receives kept in memory: those that wait, and some that gave up. */
  get kept(): number {
    return this.#waiters.length;
  }

  push(messages: readonly Message[]): void {
    if (this.#ended !== undefined) return;
    for (const message of messages) {
      const waiter = this.#nextWaiter();
      if (waiter === undefined) {
        this.#messages.push(message);
        this.#bytes += message.data.length;
      } else {
        waiter.answer.resolve(this.#options.taken(message));
      }
    }
    if (this.#batchWaiters.length > 0) this.#serveBatches();
  }

  /** Puts messages, in order, where they were: before those that came later. */
  putBack(messages: readonly Message[]): void {
    if (this.waiting > 0) {
      this.push(messages);
      return;
    }
    if (this.#ended !== undefined) return;
    const queued = this.#messages;
    const merged = new Ring<Message>();
    for (const message of messages) {
      for (let next = queued.at(0); next !== undefined && precedes(next, message); next = queued.at(0)) {
        merged.push(next);
        queued.shift();
      }
      merged.push(message);
      this.#bytes += message.data.length;
    }
    for (const message of queued) merged.push(message);
    this.#messages = merged;
  }

  /** The next message, if there is one. */
  take(): Message | undefined {
    const message = this.#messages.shift();
    if (message === undefined) return undefined;
    this.#bytes -= message.data.length;
    return this.#options.taken(message);
  }

  receive(options: ReceiveOptions): Promise<Message> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const refusal = refusalOf(options);
    if (refusal !== undefined) return Promise.reject(refusal);
    const { timeoutMs, signal } = options;
    if (signal?.aborted === true) return Promise.reject(aborted(signal));
    const message = this.take();
    if (message !== undefined) return Promise.resolve(message);
    const waiter: Waiter = { answer: deferred<Message>(), settled: false };
    this.#waiters.push(waiter);
    this.#waiting++;
    this.#options.demand();
    if (timeoutMs === undefined && signal === undefined) return waiter.answer.promise;
    return this.#bounded(waiter, timeoutMs, signal);
  }

  batchReceive(policy: ResolvedBatchPolicy): Promise<Message[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const waiter: BatchWaiter = { answer: deferred<Message[]>(), policy, timer: undefined };
    this.#batchWaiters.push(waiter);
    if (policy.timeoutMs > 0) {
      waiter.timer = this.#options.clock.setTimer(policy.timeoutMs, () => this.#serveBatch(waiter));
    }
    this.#serveBatches();
    if (this.#batchWaiters.includes(waiter)) this.#options.demand();
    return waiter.answer.promise;
  }

  /** Takes messages out without giving them to anybody; answers how many. */
  discard(picked: (message: Message) => boolean): number {
    if (this.#messages.length === 0) return 0;
    const kept = new Ring<Message>();
    this.#bytes = 0;
    for (const message of this.#messages) {
      if (picked(message)) continue;
      kept.push(message);
      this.#bytes += message.data.length;
    }
    const discarded = this.#messages.length - kept.length;
    this.#messages = kept;
    return discarded;
  }

  /** Forgets the messages and rejects the receives, now and later. */
  end(error: PulsarError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#messages.clear();
    this.#bytes = 0;
    for (let waiter = this.#nextWaiter(); waiter !== undefined; waiter = this.#nextWaiter())
      waiter.answer.reject(error);
    for (const waiter of this.#batchWaiters.splice(0)) {
      waiter.timer?.cancel();
      waiter.answer.reject(error);
    }
  }

  #nextWaiter(): Waiter | undefined {
    for (;;) {
      const waiter = this.#waiters.shift();
      if (waiter === undefined) return undefined;
      if (waiter.settled) continue;
      this.#settle(waiter);
      return waiter;
    }
  }

  #settle(waiter: Waiter): void {
    waiter.settled = true;
    this.#waiting--;
  }

  /** A receive that is tried again and again on a quiet topic must not leave a waiter behind each time. */
  #forgetSettled(): void {
    if (this.#waiters.length <= 2 * this.#waiting + SETTLED_MAX) return;
    const kept = new Ring<Waiter>();
    for (const waiter of this.#waiters) if (!waiter.settled) kept.push(waiter);
    this.#waiters = kept;
  }

  #bounded(waiter: Waiter, timeoutMs: number | undefined, signal: AbortSignal | undefined): Promise<Message> {
    const give = (error: PulsarError): void => {
      if (waiter.settled) return;
      this.#settle(waiter);
      this.#forgetSettled();
      waiter.answer.reject(error);
    };
    const onAbort = (): void => give(aborted(signal as AbortSignal));
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer =
      timeoutMs === undefined
        ? undefined
        : this.#options.clock.setTimer(timeoutMs, () => give(new TimeoutError(`no message within ${timeoutMs} ms`)));
    return waiter.answer.promise.finally(() => {
      timer?.cancel();
      signal?.removeEventListener("abort", onAbort);
    });
  }

  #serveBatches(): void {
    for (;;) {
      const waiter = this.#batchWaiters[0];
      if (waiter === undefined) return;
      const { maxNumMessages, maxNumBytes } = waiter.policy;
      const enough = Math.min(maxNumMessages, Math.max(1, this.#options.capacity()));
      if (this.#messages.length < enough && this.#bytes < maxNumBytes) return;
      this.#serveBatch(waiter);
    }
  }

  #serveBatch(waiter: BatchWaiter): void {
    const at = this.#batchWaiters.indexOf(waiter);
    if (at < 0) return;
    this.#batchWaiters.splice(at, 1);
    waiter.timer?.cancel();
    const { maxNumMessages, maxNumBytes } = waiter.policy;
    const batch: Message[] = [];
    let bytes = 0;
    while (batch.length < maxNumMessages) {
      const next = this.#messages.at(0);
      // one message is always given, however large
      if (next === undefined || (batch.length > 0 && bytes + next.data.length > maxNumBytes)) break;
      bytes += next.data.length;
      batch.push(this.take() as Message);
    }
    waiter.answer.resolve(batch);
  }
}

/** Whether a message of the same topic comes first. */
function precedes(a: Message, b: Message): boolean {
  return a.entry.owner === b.entry.owner && a.messageId.compareTo(b.messageId) < 0;
}

/** Why a receive cannot be bounded like that. */
function refusalOf(options: ReceiveOptions): PulsarError | undefined {
  if (typeof options !== "object" || options === null) {
    return new InvalidConfigurationError(
      `receive takes { timeoutMs, signal } or a number of ms, not ${describe(options)}`,
    );
  }
  if (typeof (options as Partial<AbortSignal>).addEventListener === "function") {
    return new InvalidConfigurationError("receive takes { signal }, not the signal itself");
  }
  for (const name in options) {
    if (name in RECEIVE_OPTIONS) continue;
    const hint = suggestion(name, RECEIVE_OPTIONS);
    return new InvalidConfigurationError(`receive has no option ${JSON.stringify(name)}${hint}`);
  }
  const { timeoutMs, signal } = options;
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    return new InvalidConfigurationError(`timeoutMs takes a number of ms above 0, not ${describe(timeoutMs)}`);
  }
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function") {
    return new InvalidConfigurationError(`signal takes an AbortSignal, not ${describe(signal)}`);
  }
  return undefined;
}

function aborted(signal: AbortSignal): PulsarError {
  return new PulsarError("Aborted", "the receive was aborted", { cause: signal.reason });
}
