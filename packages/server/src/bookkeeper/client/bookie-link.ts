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
  /** After so long a read is late, and another copy is asked; 0 for never. */
  speculativeReadTimeoutMs: number;
  /** After so long an add is late, and its writer looks for another bookie; 0 for never. */
  speculativeWriteTimeoutMs: number;
  /** Counts of all links. */
  statistics: BookKeeperClientStatistics;
}

/** What a client did since the start. */
export interface BookKeeperClientStatistics {
  /** Reads that were late, so that another copy was asked. */
  speculativeReads: number;
  /** Adds that were late, so that another bookie was looked for. */
  speculativeWrites: number;
  /** Copies that were broken or missing, and were given to their bookie again. */
  repairedEntries: number;
}

/** How long a bookie whose answer to a read was late is asked last, in ms. */
const LATE_FOR_MS = 10_000;

/** What a call came to: an answer, or why there is none. */
export type CallResult = BookieResponse | "Timeout" | "BookieUnavailable";

type InFlight =
  | { kind: "adds"; sentAtMs: number; adds: readonly PendingAdd[]; late: boolean }
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
  #nextRequestId: number;
  #adds: PendingAdd[] = [];
  #entries: LedgerEntry[] = [];
  #recovery = false;
  #timer: Timer | undefined;
  #lateTimer: Timer | undefined;
  #quarantinedUntilMs = Number.NEGATIVE_INFINITY;
  #lateUntilMs = Number.NEGATIVE_INFINITY;
  #gone = false;
  #closed = false;

  constructor(bookie: NodeId, options: BookieLinkOptions) {
    this.bookie = bookie;
    this.#options = options;
    // an answer may come late to whoever had the client's name before it was started again, and must not be taken for one
    // of this life's: ids begin where no earlier life of the name can have got, at less than 10,000 requests a millisecond
    this.#nextRequestId = Math.floor(options.clock.monotonicMs() * 10) * 1_000 + 1;
  }

  /** Whether it failed to answer lately, or is known to be gone. */
  get quarantined(): boolean {
    return this.#gone || this.#options.clock.monotonicMs() < this.#quarantinedUntilMs;
  }

  /** 0 as far as is known, 1 when it was late with reads lately, 2 when it does not answer. */
  get slowness(): 0 | 1 | 2 {
    const { clock } = this.#options;
    // asked for every entry that is read: as a rule there is nothing to look at the clock for
    const maybeAvoided = this.#gone || this.#quarantinedUntilMs !== Number.NEGATIVE_INFINITY;
    if (maybeAvoided && this.quarantined) return 2;
    if (this.#lateUntilMs === Number.NEGATIVE_INFINITY) return 0;
    if (clock.monotonicMs() < this.#lateUntilMs) return 1;
    this.#lateUntilMs = Number.NEGATIVE_INFINITY;
    return 0;
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

  /** What a read comes to; Timeout once it is late. Its answer may still come, and is not waited for. */
  inTime(asked: Promise<CallResult>): Promise<CallResult> {
    return new Promise((resolve) => {
      this.whenLate(asked, () => resolve("Timeout"));
      void asked.then(resolve);
    });
  }

  /** Calls back once a read is late, unless it is answered before. */
  whenLate(asked: Promise<unknown>, callback: () => void): void {
    const { clock, speculativeReadTimeoutMs, statistics } = this.#options;
    if (speculativeReadTimeoutMs === 0 || this.#closed) return;
    const timer = clock.setTimer(speculativeReadTimeoutMs, () => {
      this.#lateUntilMs = clock.monotonicMs() + LATE_FOR_MS;
      statistics.speculativeReads++;
      callback();
    });
    void asked.then(() => timer.cancel());
  }

  receive(response: BookieResponse): void {
    const flight = this.#inFlight.get(response.requestId);
    // answered already, or given up
    if (flight === undefined) return;
    if (flight.kind === "adds" && response.type !== "added") return;
    this.#inFlight.delete(response.requestId);
    // an answer that was given up as late is no sign that the next will be in time
    if (flight.kind === "call" || !flight.late) this.forgive();
    if (flight.kind === "call") flight.done(response);
    else if (response.type === "added") this.#settleAdds(flight.adds, response.codes);
  }

  /** It is back: whatever it did not answer before. */
  forgive(): void {
    this.#gone = false;
    this.#quarantinedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** It left the cluster: what it was asked is given up, and others are asked first until it is back. */
  lost(): void {
    this.#gone = true;
    this.fail("BookieUnavailable");
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
    this.#lateTimer?.cancel();
    this.fail("BookieUnavailable");
  }

  #sendAdds(): void {
    if (this.#adds.length === 0) return;
    const adds = this.#adds;
    const entries = this.#entries;
    this.#adds = [];
    this.#entries = [];
    const request: BookieRequest = { type: "add", requestId: this.#nextRequestId++, entries, recovery: this.#recovery };
    this.#send(request, { kind: "adds", sentAtMs: this.#options.clock.monotonicMs(), adds, late: false });
  }

  #send(request: BookieRequest, flight: InFlight): void {
    const { messenger, self, requestTimeoutMs, speculativeWriteTimeoutMs } = this.#options;
    if (this.#closed) {
      this.#giveUp(flight, "BookieUnavailable");
      return;
    }
    this.#inFlight.set(request.requestId, flight);
    if (this.#timer === undefined) this.#arm(requestTimeoutMs);
    if (flight.kind === "adds" && this.#lateTimer === undefined) this.#armLate(speculativeWriteTimeoutMs);
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

  #armLate(delayMs: number): void {
    if (delayMs === 0) return;
    this.#lateTimer = this.#options.clock.setTimer(delayMs, () => {
      this.#lateTimer = undefined;
      this.#suspectLate();
    });
  }

  /** Who waits for adds that are late is told once for each batch; they may still be answered. */
  #suspectLate(): void {
    const { clock, speculativeWriteTimeoutMs, quarantineMs, statistics } = this.#options;
    const nowMs = clock.monotonicMs();
    for (const flight of [...this.#inFlight.values()]) {
      if (flight.kind !== "adds" || flight.late) continue;
      const leftMs = flight.sentAtMs + speculativeWriteTimeoutMs - nowMs;
      if (leftMs > 0) {
        if (this.#lateTimer === undefined) this.#armLate(leftMs);
        return;
      }
      flight.late = true;
      statistics.speculativeWrites++;
      this.#quarantinedUntilMs = nowMs + quarantineMs;
      for (const owner of new Set(flight.adds.map((add) => add.owner))) owner.suspect(this.bookie);
    }
  }
}
