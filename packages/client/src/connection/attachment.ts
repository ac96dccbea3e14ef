import { Backoff, type Deferred, deferred, type Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { AlreadyClosedError, ConnectionError, type PulsarError, TimeoutError, toPulsarError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import type { Detachment } from "./handlers.ts";

/** What is to be kept attached to the broker that owns its topic: a producer or a consumer. */
export interface AttachTarget {
  readonly topic: string;
  /** Registers with the broker. Rejects with a PulsarError. */
  attach(connection: Connection): Promise<void>;
  /** Whether a refusal ends it. `everAttached` tells a first attempt from a later one. */
  isFinal(error: PulsarError, everAttached: boolean): boolean;
  /** It could be attached once and can no more; called once, and nothing follows. */
  onGaveUp(error: PulsarError): void;
}

type State =
  | { kind: "attaching" }
  | { kind: "waiting"; timer: Timer }
  | { kind: "attached"; connection: Connection }
  | { kind: "ended" };

/**
 * Finds the broker of a topic, attaches to it, and does so again whenever the connection or the broker lets go, with
 * growing delays. The first time it gives up after `operationTimeoutMs`; later it goes on until it is closed or refused
 * for good.
 */
export class Attachment {
  readonly #context: ClientContext;
  readonly #target: AttachTarget;
  readonly #backoff: Backoff;
  readonly #slot: number;
  readonly #first: Deferred<void> = deferred();
  readonly #waiters = new Set<Deferred<void>>();
  #state: State = { kind: "attaching" };
  #everAttached = false;
  /** Set when it was detached between the broker's answer and the end of the attempt. */
  #missed: PulsarError | undefined;
  #deadlineMs = 0;
  #assignedBrokerUrl: string | undefined;
  #startUrl: string | undefined;
  /** Grows when the client goes to another cluster: what was found before is of no use. */
  #generation = 0;
  #stopListening: () => void = ignoreFailure;

  constructor(context: ClientContext, target: AttachTarget) {
    this.#context = context;
    this.#target = target;
    this.#backoff = new Backoff(context.runtime.random);
    this.#slot = context.pool.newSlot();
    // ended before it was ever started, nobody waits for the first attempt
    this.#first.promise.catch(ignoreFailure);
  }

  /** The connection, while attached. */
  get connection(): Connection | undefined {
    return this.#state.kind === "attached" ? this.#state.connection : undefined;
  }

  get ended(): boolean {
    return this.#state.kind === "ended";
  }

  /** Attaches for the first time. Call once. */
  start(): Promise<void> {
    // ended while what has to come before it was awaited
    if (this.ended) return this.#first.promise;
    const stops = [
      this.#context.service.onChange(() => this.#onServiceChanged()),
      // the client is closed while it attaches for the first time: there is no use in waiting to try again
      this.#context.waits.onEnd(() => this.end()),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    this.#deadlineMs = this.#context.runtime.clock.monotonicMs() + this.#context.operationTimeoutMs;
    void this.#attempt();
    return this.#first.promise;
  }

  /** Resolves when attached, at once where it is. Rejects when it ends before, or after `operationTimeoutMs`. */
  whenAttached(): Promise<void> {
    if (this.#state.kind === "attached") return Promise.resolve();
    if (this.#state.kind === "ended") return Promise.reject(this.#closedError());
    const waiter = deferred<void>();
    const { operationTimeoutMs, runtime } = this.#context;
    const timer = runtime.clock.setTimer(operationTimeoutMs, () => {
      this.#waiters.delete(waiter);
      waiter.reject(new TimeoutError(`${this.#target.topic}: no connection within ${operationTimeoutMs} ms`));
    });
    this.#waiters.add(waiter);
    return waiter.promise.finally(() => timer.cancel());
  }

  /** The handler's `onDetached` leads here. `atOnce`: it was to be expected, and there is nothing to wait for. */
  detached(detachment: Detachment, atOnce = false): void {
    if (this.#state.kind === "attaching") this.#missed = detachment.error;
    if (this.#state.kind !== "attached") return;
    this.#assignedBrokerUrl = detachment.assignedBrokerUrl;
    this.#startUrl = detachment.migratedToUrl ?? this.#startUrl;
    const named = detachment.assignedBrokerUrl ?? detachment.migratedToUrl;
    const why = atOnce ? "after a seek" : `since ${detachment.error.message}`;
    this.#context.logger.info(`${this.#target.topic}: attaching again, ${why}`);
    this.#wait(named === undefined && !atOnce ? this.#backoff.nextMs() : 0);
  }

  /** Stops for good. An attempt under way comes to nothing. */
  end(): void {
    if (this.#state.kind === "waiting") this.#state.timer.cancel();
    this.#endWith(this.#closedError());
  }

  #closedError(): PulsarError {
    return new AlreadyClosedError(`${this.#target.topic}: it was closed`);
  }

  /** The client goes to another cluster; its connections have ended already. */
  #onServiceChanged(): void {
    this.#generation++;
    this.#assignedBrokerUrl = undefined;
    this.#startUrl = undefined;
    this.#backoff.reset();
    if (this.#state.kind !== "waiting") return;
    this.#state.timer.cancel();
    this.#wait(0);
  }

  #endWith(error: PulsarError): void {
    this.#stopListening();
    this.#state = { kind: "ended" };
    this.#first.reject(error);
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }

  #wait(ms: number): void {
    const next = (): void => {
      this.#state = { kind: "attaching" };
      void this.#attempt();
    };
    // an application that awaits a send or a message must not see its process end while there is no connection
    this.#state = { kind: "waiting", timer: this.#context.runtime.clock.setTimer(ms, next, { keepAlive: true }) };
  }

  async #attempt(): Promise<void> {
    try {
      const generation = this.#generation;
      const connection = await this.#connect();
      if (this.ended) return;
      this.#throwIfMoved(generation);
      this.#missed = undefined;
      await this.#target.attach(connection);
      if (this.ended) return;
      this.#throwIfMoved(generation);
      if (this.#missed !== undefined) throw this.#missed;
      this.#state = { kind: "attached", connection };
      this.#everAttached = true;
      this.#backoff.reset();
      this.#first.resolve();
      for (const waiter of this.#waiters) waiter.resolve();
      this.#waiters.clear();
    } catch (error) {
      if (!this.ended) this.#onFailed(toPulsarError(error));
    }
  }

  #throwIfMoved(generation: number): void {
    if (generation === this.#generation) return;
    const detail = `${this.#target.topic}: the client went to another cluster meanwhile`;
    throw new ConnectionError("ConnectionClosed", detail, { retryable: true });
  }

  async #connect(): Promise<Connection> {
    const { lookup, pool } = this.#context;
    const assigned = this.#assignedBrokerUrl;
    this.#assignedBrokerUrl = undefined;
    const target =
      assigned === undefined
        ? await lookup.findBroker(this.#target.topic, this.#startUrl)
        : await lookup.assignedBroker(assigned);
    return pool.get(target, this.#slot);
  }

  #onFailed(error: PulsarError): void {
    const waitMs = this.#backoff.nextMs();
    const late = !this.#everAttached && this.#context.runtime.clock.monotonicMs() + waitMs >= this.#deadlineMs;
    if (late || this.#target.isFinal(error, this.#everAttached)) {
      this.#endWith(error);
      if (this.#everAttached) this.#target.onGaveUp(error);
      return;
    }
    this.#context.logger.warn(`${this.#target.topic}: ${error.message}; trying again in ${Math.round(waitMs)} ms`);
    this.#wait(waitMs);
  }
}

function ignoreFailure(): void {
  // told to whoever awaits start()
}
