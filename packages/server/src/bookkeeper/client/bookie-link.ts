import type { Clock, Messenger, NodeId, Timer } from "@pulsewire/runtime";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { AddResponse, BookieRequest, BookieResponse } from "../wire/messages.ts";
import type { ResultCode } from "../wire/result-code.ts";
import type { PendingAdd } from "./pending-add.ts";

export interface BookieLinkOptions {
  clock: Clock;
  messenger: Messenger;
  /** The client's own name. */
  self: NodeId;
  requestTimeoutMs: number;
  /** How long a bookie that did not answer is avoided for new ensembles. */
  quarantineMs: number;
}

/** What a call came to: an answer, or why there is none. */
export type CallResult = BookieResponse | "Timeout" | "BookieUnavailable";

type InFlight =
  | { kind: "adds"; sentAtMs: number; adds: readonly PendingAdd[] }
  | { kind: "call"; sentAtMs: number; done: (result: CallResult) => void };

/**
 * The client's side of one bookie: requests by id, answers to whoever asked, timeouts. Adds of one turn of the event
 * loop leave as one message.
 */
export class BookieLink {
  readonly bookie: NodeId;
  readonly #options: BookieLinkOptions;
  readonly #inFlight = new Map<number, InFlight>();
  readonly #flushAdds = (): void => this.#sendAdds();
  #nextRequestId = 1;
  #adds: PendingAdd[] = [];
  #entries: LedgerEntry[] = [];
  #recovery = false;
  #timer: Timer | undefined;
  #quarantinedUntilMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(bookie: NodeId, options: BookieLinkOptions) {
    this.bookie = bookie;
    this.#options = options;
  }

  /** Whether it failed to answer lately. */
  get quarantined(): boolean {
    return this.#options.clock.monotonicMs() < this.#quarantinedUntilMs;
  }

  /** Batches sent and not answered. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  add(add: PendingAdd): void {
    if (this.#adds.length > 0 && this.#recovery !== add.owner.recovery) this.#sendAdds();
    if (this.#adds.length === 0) {
      this.#recovery = add.owner.recovery;
      queueMicrotask(this.#flushAdds);
    }
    this.#adds.push(add);
    this.#entries.push(add.entry);
  }

  /** Sends one request and resolves with what came of it; never rejects. */
  call(request: (requestId: number) => BookieRequest): Promise<CallResult> {
    const requestId = this.#nextRequestId++;
    return new Promise((done) => {
      this.#send(request(requestId), { kind: "call", sentAtMs: this.#options.clock.monotonicMs(), done });
    });
  }

  receive(response: BookieResponse): void {
    const flight = this.#inFlight.get(response.requestId);
    // answered already, or given up
    if (flight === undefined) return;
    this.#inFlight.delete(response.requestId);
    this.#quarantinedUntilMs = Number.NEGATIVE_INFINITY;
    if (flight.kind === "call") flight.done(response);
    else if (response.type === "added") this.#settleAdds(flight.adds, response.codes);
  }

  /** It is back: whatever it did not answer before. */
  forgive(): void {
    this.#quarantinedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Gives up everything in flight. */
  fail(code: "Timeout" | "BookieUnavailable"): void {
    const flights = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const flight of flights) this.#giveUp(flight, code);
  }

  /** Everything in flight, and everything asked from now on, comes to BookieUnavailable. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.fail("BookieUnavailable");
  }

  #sendAdds(): void {
    if (this.#adds.length === 0) return;
    const adds = this.#adds;
    const entries = this.#entries;
    this.#adds = [];
    this.#entries = [];
    const request: BookieRequest = { type: "add", requestId: this.#nextRequestId++, entries, recovery: this.#recovery };
    this.#send(request, { kind: "adds", sentAtMs: this.#options.clock.monotonicMs(), adds });
  }

  #send(request: BookieRequest, flight: InFlight): void {
    const { messenger, self, requestTimeoutMs } = this.#options;
    if (this.#closed) {
      this.#giveUp(flight, "BookieUnavailable");
      return;
    }
    this.#inFlight.set(request.requestId, flight);
    if (this.#timer === undefined) this.#arm(requestTimeoutMs);
    messenger.send(self, this.bookie, request);
  }

  #settleAdds(adds: readonly PendingAdd[], codes: AddResponse["codes"]): void {
    for (let i = 0; i < adds.length; i++) {
      const add = adds[i] as PendingAdd;
      add.owner.onAddResult(add, this.bookie, typeof codes === "string" ? codes : (codes[i] as ResultCode));
    }
  }

  #giveUp(flight: InFlight, code: "Timeout" | "BookieUnavailable"): void {
    if (flight.kind === "call") flight.done(code);
    else this.#settleAdds(flight.adds, code);
  }

  // One timer for all requests: they share a timeout, so the oldest is the first of the map.
  #arm(delayMs: number): void {
    this.#timer = this.#options.clock.setTimer(delayMs, () => {
      this.#timer = undefined;
      this.#expire();
    });
  }

  #expire(): void {
    const { clock, requestTimeoutMs, quarantineMs } = this.#options;
    const nowMs = clock.monotonicMs();
    for (const [requestId, flight] of this.#inFlight) {
      const leftMs = flight.sentAtMs + requestTimeoutMs - nowMs;
      if (leftMs > 0) {
        if (this.#timer === undefined) this.#arm(leftMs);
        return;
      }
      this.#inFlight.delete(requestId);
      this.#quarantinedUntilMs = nowMs + quarantineMs;
      this.#giveUp(flight, "Timeout");
    }
  }
}
