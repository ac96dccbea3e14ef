import type { Clock, Timer } from "@pulsewire/runtime";
import { ManagedLedgerError } from "../managed-ledger.ts";
import { Serial } from "../serial.ts";
import type { CursorRecord } from "./cursor-record.ts";
import type { CursorStore } from "./cursor-store.ts";

export interface CursorPersisterOptions {
  clock: Clock;
  store: CursorStore;
  /** The least time between two writes, in ms. Asked each time, since it changes. */
  intervalMs(): number;
  /** The state as it is now. */
  record(): CursorRecord;
  /** Told once, when it turns out that another owner has the cursor. */
  onFenced(error: ManagedLedgerError): void;
}

/** Stores a cursor's state when it changed, at most once in an interval. */
export class CursorPersister {
  readonly #options: CursorPersisterOptions;
  readonly #serial = new Serial();
  #state: "clean" | "dirty" | "closed" | "abandoned" = "clean";
  #timer: Timer | undefined;
  #lastSaveMs = Number.NEGATIVE_INFINITY;
  /** Something changed after it was closed, and is stored nowhere. */
  #missed = false;

  constructor(options: CursorPersisterOptions) {
    this.#options = options;
  }

  changed(): void {
    if (this.#state === "closed" || this.#state === "abandoned") {
      this.#missed = true;
      return;
    }
    this.#state = "dirty";
    if (this.#timer === undefined) this.#arm();
  }

  /** Resolves when the state as of now is stored. Rejects with a ManagedLedgerError. */
  flush(): Promise<void> {
    return this.#serial.run(async () => {
      if (this.#state === "abandoned") throw new ManagedLedgerError("Fenced", "another owner has the cursor");
      if (this.#missed) throw new ManagedLedgerError("Closed", "the cursor was closed before this could be stored");
      if (this.#state === "dirty") await this.#save();
    });
  }

  /** Stores the last state to rest and stores no more. */
  close(): Promise<void> {
    return this.#serial.run(async () => {
      if (this.#state === "closed" || this.#state === "abandoned") return;
      this.#stop("closed");
      await this.#options.store.settle(this.#options.record());
    });
  }

  /** Another owner has the cursor: stores no more. */
  abandon(): void {
    this.#stop("abandoned");
  }

  delete(): Promise<void> {
    this.#stop("closed");
    return this.#serial.run(() => this.#options.store.delete());
  }

  #stop(state: "closed" | "abandoned"): void {
    this.#state = state;
    this.#timer?.cancel();
  }

  #arm(): void {
    const { clock, intervalMs } = this.#options;
    const delayMs = Math.max(0, this.#lastSaveMs + intervalMs() - clock.monotonicMs());
    this.#timer = clock.setTimer(delayMs, () => {
      this.#timer = undefined;
      this.flush().catch(() => this.#failed());
    });
  }

  async #save(): Promise<void> {
    this.#state = "clean";
    this.#lastSaveMs = this.#options.clock.monotonicMs();
    try {
      await this.#options.store.save(this.#options.record());
    } catch (error) {
      if (error instanceof ManagedLedgerError && error.code === "Fenced") this.#fenced(error);
      else if (this.#state === "clean") this.#state = "dirty";
      throw error;
    }
  }

  #fenced(error: ManagedLedgerError): void {
    if (this.#state === "closed" || this.#state === "abandoned") return;
    this.abandon();
    this.#options.onFenced(error);
  }

  /** In the background a failure waits for the next interval. */
  #failed(): void {
    if (this.#state === "dirty" && this.#timer === undefined) this.#arm();
  }
}
