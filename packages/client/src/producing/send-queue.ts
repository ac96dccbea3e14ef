import type { CommandSendReceipt } from "@pulsewire/protocol";
import { type Clock, type Deferred, deferred, Ring, type Timer } from "@pulsewire/runtime";
import { type PulsarError, TimeoutError } from "../errors.ts";
import type { PendingSend } from "./pending-send.ts";

/** What a queue of sends tells its producer. */
export interface SendQueueOwner {
  /** Writes one entry to the connection of the moment. */
  write(send: PendingSend): void;
  /** An entry was settled; its permits and memory are free. `stored` tells a receipt from a failure. */
  onSettled(send: PendingSend, stored: boolean): void;
}

interface Barrier {
  /** Waits for the entries up to this one. */
  readonly upTo: number;
  readonly done: Deferred<void>;
  error: PulsarError | undefined;
}

export interface SendQueueOptions {
  readonly clock: Clock;
  readonly topic: string;
  readonly sendTimeoutMs: number;
}

/**
 * The entries of one producer from when they are made until their receipts, in order. Each is written once for each
 * attachment, in order; receipts settle them from the front.
 */
export class SendQueue {
  readonly #options: SendQueueOptions;
  readonly #owner: SendQueueOwner;
  readonly #sends = new Ring<PendingSend>();
  readonly #barriers: Barrier[] = [];
  /** How many from the front are on the connection of the moment (or dropped). */
  #written = 0;
  #connected = false;
  #timer: Timer | undefined;

  constructor(options: SendQueueOptions, owner: SendQueueOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  get length(): number {
    return this.#sends.length;
  }

  push(send: PendingSend): void {
    this.#sends.push(send);
    if (this.#timer === undefined) this.#armTimeout();
  }

  /** Everything not settled goes out again, in order, from now on. */
  connect(): void {
    this.#written = 0;
    this.#connected = true;
    this.pump();
  }

  disconnect(): void {
    this.#connected = false;
  }

  /** Writes what is ready and not written; stops at the first that is not ready. */
  pump(): void {
    if (!this.#connected) return;
    for (;;) {
      const send = this.#sends.at(this.#written);
      if (send === undefined || send.state === "preparing") return;
      this.#written++;
      if (send.state === "ready") this.#owner.write(send);
    }
  }

  /** Answers false when the receipt shows that one was lost: the connection cannot be trusted. */
  onReceipt(receipt: CommandSendReceipt): boolean {
    this.#trim();
    const head = this.#sends.at(0);
    // of an entry that timed out meanwhile, or of an attachment before
    if (head === undefined || this.#written === 0 || receipt.sequenceId < head.sequenceId) return true;
    if (receipt.sequenceId > head.sequenceId) return false;
    const { ledgerId = -1, entryId = -1 } = receipt.messageId ?? {};
    if (!head.onReceipt(ledgerId, entryId)) return true;
    this.#shift();
    this.#resolve(head, receipt);
    return true;
  }

  /** Rejects the entry with this sequence id, if it is the next to be settled. */
  rejectFirst(sequenceId: number, error: PulsarError): boolean {
    this.#trim();
    const head = this.#sends.at(0);
    if (head === undefined || head.sequenceId !== sequenceId) return false;
    this.#shift();
    this.#reject(head, error);
    return true;
  }

  /** Settles an entry before its turn. */
  drop(send: PendingSend, error: PulsarError): void {
    if (send.state === "dropped") return;
    this.#reject(send, error);
    this.#trim();
  }

  rejectAll(error: PulsarError): void {
    for (;;) {
      const send = this.#shift();
      if (send === undefined) break;
      if (send.state !== "dropped") this.#reject(send, error);
    }
    this.#releaseBarriers();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Resolves when all that are queued now are settled; rejects with the first failure among them. */
  barrier(): Promise<void> {
    const last = this.#sends.at(this.#sends.length - 1);
    if (last === undefined) return Promise.resolve();
    const done = deferred<void>();
    this.#barriers.push({ upTo: last.index, done, error: undefined });
    return done.promise;
  }

  #shift(): PendingSend | undefined {
    const send = this.#sends.shift();
    if (send !== undefined && this.#written > 0) this.#written--;
    return send;
  }

  #trim(): void {
    while (this.#sends.at(0)?.state === "dropped") this.#shift();
    this.#releaseBarriers();
  }

  #resolve(send: PendingSend, receipt: CommandSendReceipt): void {
    this.#owner.onSettled(send, true);
    send.resolve(receipt.messageId?.ledgerId ?? -1, receipt.messageId?.entryId ?? -1);
    this.#releaseBarriers();
  }

  #reject(send: PendingSend, error: PulsarError): void {
    // it may still be being prepared, and whoever does so is not to settle it again
    send.state = "dropped";
    for (const barrier of this.#barriers) if (send.index <= barrier.upTo) barrier.error ??= error;
    this.#owner.onSettled(send, false);
    send.reject(error);
    this.#releaseBarriers();
  }

  #releaseBarriers(): void {
    for (;;) {
      const barrier = this.#barriers[0];
      const head = this.#sends.at(0);
      if (barrier === undefined || (head !== undefined && head.index <= barrier.upTo)) return;
      this.#barriers.shift();
      if (barrier.error === undefined) barrier.done.resolve();
      else barrier.done.reject(barrier.error);
    }
  }

  /** One timer for the oldest entry: when it fires, those that are due go, and it is set for the next. */
  #armTimeout(): void {
    this.#timer = undefined;
    const { clock, sendTimeoutMs } = this.#options;
    const head = this.#sends.at(0);
    if (sendTimeoutMs === 0 || head === undefined) return;
    const waitMs = head.createdMs + sendTimeoutMs - clock.monotonicMs();
    this.#timer = clock.setTimer(waitMs, () => this.#expire());
  }

  #expire(): void {
    const { clock, sendTimeoutMs, topic } = this.#options;
    const bornBeforeMs = clock.monotonicMs() - sendTimeoutMs;
    for (;;) {
      this.#trim();
      const head = this.#sends.at(0);
      if (head === undefined || head.createdMs > bornBeforeMs) break;
      this.#shift();
      this.#reject(head, new TimeoutError(`${topic} gave no receipt within ${sendTimeoutMs} ms`));
    }
    this.#armTimeout();
  }
}
