import type { Clock, Timer } from "@pulsewire/runtime";
import { checkOptions, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError, toPulsarError } from "../errors.ts";
import type { TransactionCoordinators } from "./transaction-coordinators.ts";
import type { TransactionId } from "./transaction-id.ts";

export interface TransactionOptions {
  /** The coordinator aborts what is not ended after so long, in ms. Default 60,000. */
  timeoutMs?: number;
}

/** `COMMITTED`, `ABORTED`, `TIMED_OUT` and `ERROR` are final. */
export type TransactionState = "OPEN" | "COMMITTING" | "ABORTING" | "COMMITTED" | "ABORTED" | "TIMED_OUT" | "ERROR";

/**
 * Messages and acknowledgements that take effect together or not at all. Made by `client.newTransaction`; disposed of
 * while open, it is aborted.
 *
 * @example
 * await using transaction = await client.newTransaction();
 * await producer.send({ data: "done", transaction });
 * await consumer.acknowledge(message, { transaction });
 * await transaction.commit();
 */
export class Transaction implements AsyncDisposable {
  readonly id: TransactionId;
  readonly #coordinators: TransactionCoordinators;
  readonly #timeoutMs: number;
  readonly #timer: Timer;
  readonly #joined = new Map<string, Promise<void>>();
  readonly #pending = new Set<Promise<unknown>>();
  #state: TransactionState = "OPEN";
  #failure: PulsarError | undefined;

  /** @internal Use `client.newTransaction`. */
  constructor(coordinators: TransactionCoordinators, clock: Clock, id: TransactionId, timeoutMs: number) {
    this.id = id;
    this.#coordinators = coordinators;
    this.#timeoutMs = timeoutMs;
    this.#timer = clock.setTimer(timeoutMs, () => {
      if (this.#state === "OPEN") this.#state = "TIMED_OUT";
    });
  }

  get state(): TransactionState {
    return this.#state;
  }

  /**
   * Waits for what was sent and acknowledged in it, and has it take effect. Where something of it failed, the
   * transaction is aborted and `commit` rejects with code `TransactionHasFailedOperation`.
   */
  async commit(): Promise<void> {
    this.#throwIfNotOpen();
    this.#state = "COMMITTING";
    await Promise.allSettled(this.#pending);
    const failure = this.#failure;
    if (failure === undefined) return this.#end("COMMIT");
    await this.#end("ABORT");
    throw new PulsarError("TransactionHasFailedOperation", `${this} was aborted, since ${failure.message}`, {
      cause: failure,
    });
  }

  /** Has nothing of it take effect: its messages are not delivered, what it acknowledged is delivered again. */
  async abort(): Promise<void> {
    this.#throwIfNotOpen();
    this.#state = "ABORTING";
    await Promise.allSettled(this.#pending);
    await this.#end("ABORT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "OPEN") await this.abort();
  }

  toString(): string {
    return `transaction ${this.id}`;
  }

  /** @internal Does something that is part of it, once the coordinator knows of the topic. */
  produce<T>(topic: string, send: () => Promise<T>): Promise<T> {
    return this.#take(() => this.#join(topic, () => this.#coordinators.addTopic(this.id, topic)).then(send));
  }

  /** @internal The same for an acknowledgement. */
  acknowledge<T>(topic: string, subscription: string, send: () => Promise<T>): Promise<T> {
    const join = (): Promise<void> => this.#coordinators.addSubscription(this.id, topic, subscription);
    return this.#take(() => this.#join(`${topic} ${subscription}`, join).then(send));
  }

  #take<T>(start: () => Promise<T>): Promise<T> {
    try {
      this.#throwIfNotOpen();
    } catch (error) {
      return Promise.reject(error);
    }
    const done = start();
    this.#pending.add(done);
    const settled = (): void => void this.#pending.delete(done);
    done.then(settled, (error) => {
      settled();
      this.#failure ??= toPulsarError(error);
    });
    return done;
  }

  #join(key: string, join: () => Promise<void>): Promise<void> {
    let joined = this.#joined.get(key);
    if (joined === undefined) {
      joined = join();
      this.#joined.set(key, joined);
    }
    return joined;
  }

  async #end(action: "COMMIT" | "ABORT"): Promise<void> {
    this.#timer.cancel();
    try {
      await this.#coordinators.end(this.id, action);
      this.#state = action === "COMMIT" ? "COMMITTED" : "ABORTED";
    } catch (error) {
      this.#state = "ERROR";
      throw error;
    }
  }

  #throwIfNotOpen(): void {
    if (this.#state === "OPEN") return;
    const timedOut = this.#state === "TIMED_OUT" ? ` after ${this.#timeoutMs} ms` : "";
    throw new PulsarError("InvalidTxnStatus", `${this} is ${this.#state.toLowerCase().replace("_", " ")}${timedOut}`);
  }
}

/** Throws an InvalidConfigurationError. */
export function resolveTransactionTimeout(options: TransactionOptions | undefined): number {
  checkOptions("newTransaction", options, { timeoutMs: true });
  return wholeNumber("timeoutMs", options?.timeoutMs, 60_000, 1);
}

/** What is none, as JavaScript lets it through, must not be sent outside of the transaction that was meant. */
export function checkTransaction(value: unknown): Transaction | undefined {
  if (value === undefined || value instanceof Transaction) return value;
  throw new InvalidConfigurationError("transaction takes what client.newTransaction has given");
}
