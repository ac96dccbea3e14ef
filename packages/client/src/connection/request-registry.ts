import type { Command, Int64 } from "@pulsewire/protocol";
import { type Clock, type Deferred, deferred, type Timer } from "@pulsewire/runtime";
import { type PulsarError, ServerResponseError, TimeoutError } from "../errors.ts";

interface PendingRequest {
  readonly what: string;
  readonly answer: Deferred<Command>;
  timer: Timer | undefined;
}

/** The requests of one connection that are not answered yet, by their ids. */
export class RequestRegistry {
  readonly #clock: Clock;
  readonly #pending = new Map<Int64, PendingRequest>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Rejects with a TimeoutError after `timeoutMs`. */
  add(requestId: Int64, what: string, timeoutMs: number): Promise<Command> {
    const answer = deferred<Command>();
    const timer = this.#clock.setTimer(timeoutMs, () => {
      this.reject(requestId, new TimeoutError(`${what} was not answered within ${timeoutMs} ms`));
    });
    this.#pending.set(requestId, { what, answer, timer });
    return answer.promise;
  }

  /** From now on the request may take as long as it takes. */
  waitOn(requestId: Int64): void {
    const request = this.#pending.get(requestId);
    request?.timer?.cancel();
    if (request !== undefined) request.timer = undefined;
  }

  /** Answers false when nobody waits for this, as after a time-out. */
  resolve(requestId: Int64, command: Command): boolean {
    const request = this.#take(requestId);
    request?.answer.resolve(command);
    return request !== undefined;
  }

  reject(requestId: Int64, error: PulsarError): boolean {
    const request = this.#take(requestId);
    if (request === undefined) return false;
    request.answer.reject(error instanceof ServerResponseError ? error.about(request.what) : error);
    return true;
  }

  rejectAll(error: PulsarError): void {
    for (const requestId of [...this.#pending.keys()]) this.reject(requestId, error);
  }

  #take(requestId: Int64): PendingRequest | undefined {
    const request = this.#pending.get(requestId);
    if (request === undefined) return undefined;
    this.#pending.delete(requestId);
    request.timer?.cancel();
    return request;
  }
}
