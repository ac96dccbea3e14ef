import type { Clock, Timer } from "@pulsewire/runtime";
import type { BookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import { BookKeeperError } from "../bookkeeper/client/bookkeeper-error.ts";
import type { LedgerWriter } from "../bookkeeper/client/ledger-writer.ts";
import { asStorageError, type EntrySource } from "./entry-source.ts";
import type { LedgerList, LedgerSlot } from "./ledger-list.ts";
import { propertiesOf } from "./ledger-properties.ts";
import { type ManagedLedgerSettings, quorumSizesOf } from "./ledger-settings.ts";
import { type AppendListener, ManagedLedgerError } from "./managed-ledger.ts";
import type { LedgerRecord, ManagedLedgerRecord, ManagedLedgerRecordStore } from "./managed-ledger-record.ts";
import { type AppendOwner, PendingAppend } from "./pending-append.ts";
import { Entry, type Position } from "./position.ts";
import type { Serial } from "./serial.ts";

/** After a ledger could not be created, in ms: appends fail at once for as long. */
const RETRY_AFTER_FAILED_CREATION_MS = 10_000;

/**
 * - open: appends go to the writer.
 * - switching: the writer is on its way out; appends are held until the next one is there.
 * - writerless: no ledger could be had; appends fail, and the first after `retryAtMs` tries again.
 * - stopping: terminating or closing; appends fail with `error`.
 * - over: final. Appends fail with `error`.
 */
type LogState =
  | { kind: "open" }
  | { kind: "switching" }
  | { kind: "writerless"; retryAtMs: number; error: ManagedLedgerError }
  | { kind: "stopping"; error: ManagedLedgerError }
  | { kind: "over"; error: ManagedLedgerError };

const OPEN: LogState = { kind: "open" };
const SWITCHING: LogState = { kind: "switching" };

export interface AppendLogOptions {
  name: string;
  clock: Clock;
  bookkeeper: BookKeeperClient;
  records: ManagedLedgerRecordStore;
  list: LedgerList;
  entries: EntrySource;
  serial: Serial;
  settings: ManagedLedgerSettings;
  /** Called when entries were acknowledged. */
  onAdvanced(): void;
  /** Called after the open ledger was replaced. */
  onRolledOver(): void;
  /** Called once, when another owner took over. */
  onFenced(): void;
}

/** Writes entries into the last ledger of the list, and puts the next in its place when it is full or fails. */
export class AppendLog implements AppendOwner {
  settings: ManagedLedgerSettings;
  readonly #options: AppendLogOptions;
  readonly #clock: Clock;
  readonly #list: LedgerList;
  #state: LogState = SWITCHING;
  #writer: LedgerWriter | undefined;
  #slot: LedgerSlot | undefined;
  #spare: LedgerWriter | undefined;
  #terminatedAt: Position | undefined;
  #lastConfirmed: Position = { ledgerId: -1, entryId: -1 };
  #entriesAdded = 0;
  #writtenEntries = 0;
  #writtenBytes = 0;
  #unconfirmed = 0;
  #nextTryAtMs = Number.NEGATIVE_INFINITY;
  #notWritten: PendingAppend[] = [];
  #held: PendingAppend[] = [];
  #drained: (() => void) | undefined;
  #ageTimer: Timer | undefined;
  /** Why the last switch failed, until the next. */
  #switchError: ManagedLedgerError | undefined;

  constructor(options: AppendLogOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#list = options.list;
    this.settings = options.settings;
  }

  get lastConfirmed(): Position {
    return this.#lastConfirmed;
  }

  get entriesAdded(): number {
    return this.#entriesAdded;
  }

  get terminatedAt(): Position | undefined {
    return this.#terminatedAt;
  }

  /** Takes up the list as it was recovered: terminated, or with a first ledger of this owner's. */
  async start(record: ManagedLedgerRecord): Promise<void> {
    this.#terminatedAt = record.terminatedAt;
    this.#lastConfirmed = this.#list.lastEntry();
    if (record.terminatedAt !== undefined) {
      await this.#options.records.save(this.record());
      this.#state = { kind: "over", error: this.#error("Terminated", "it was terminated") };
      return;
    }
    const writer = await this.#createLedger();
    await this.#appendToList(writer);
    this.#use(writer);
  }

  append(data: Uint8Array, listener: AppendListener): void {
    const append = new PendingAppend(this, data, listener);
    if (this.#state === OPEN) this.#write(append);
    else this.#hold(append);
  }

  onWritten(append: PendingAppend, entryId: number): void {
    const slot = this.#slot as LedgerSlot;
    const entry = new Entry(slot.ledgerId, entryId, append.data);
    const position: Position = { ledgerId: slot.ledgerId, entryId };
    this.#list.grow(slot, append.data.length);
    this.#lastConfirmed = position;
    this.#entriesAdded++;
    this.#options.entries.added(entry);
    this.#confirmed();
    append.listener.onAppended(position);
    this.#options.onAdvanced();
  }

  onNotWritten(append: PendingAppend): void {
    // it may have been noticed by its metadata first that another owner took over, and by the writer only now
    if (this.#state.kind === "over") append.listener.onAppendFailed(this.#state.error);
    else this.#notWritten.push(append);
    this.#confirmed();
  }

  /** Closes the open ledger, unless it is empty, and creates the next. */
  async rollover(): Promise<void> {
    if (this.#state === OPEN && this.#writtenEntries > 0) this.#startSwitch();
    await this.#options.serial.run(async () => undefined);
    if (this.#state.kind === "over") throw this.#state.error;
    if (this.#switchError !== undefined) throw this.#switchError;
  }

  /** The last position, after everything pending is settled; nothing is taken any more. */
  terminate(): Promise<Position> {
    return this.#options.serial.run(async () => {
      if (this.#terminatedAt !== undefined) return this.#terminatedAt;
      const before = this.#state;
      if (before.kind === "over") throw before.error;
      this.#state = { kind: "stopping", error: this.#error("Terminated", "it is being terminated") };
      await this.#drain();
      try {
        await this.#retireWriter();
        await this.#options.records.save({ ...this.record(), terminatedAt: this.#lastConfirmed });
      } catch (error) {
        throw this.#notTerminated(error);
      }
      this.#terminatedAt = this.#lastConfirmed;
      this.#end(this.#error("Terminated", "it was terminated"));
      return this.#terminatedAt;
    });
  }

  /** Settles what is pending and closes the open ledger. A ledger left open is recovered by the next owner. */
  close(): Promise<void> {
    return this.#options.serial.run(async () => {
      const closed = this.#error("Closed", "it is closed");
      if (this.#state.kind !== "over") {
        this.#state = { kind: "stopping", error: closed };
        await this.#drain();
        try {
          await this.#writer?.close();
          if (this.#spare !== undefined) this.#dropLedger(this.#spare.ledgerId);
        } catch (error) {
          // whoever opens it next finds its end by recovery
          if (!(error instanceof BookKeeperError)) throw error;
        }
      }
      if (this.#state.kind !== "over") this.#end(closed);
      this.#state = { kind: "over", error: closed };
    });
  }

  record(): ManagedLedgerRecord {
    const ledgers = this.#list.slots.map(recordOf);
    return this.#terminatedAt === undefined ? { ledgers } : { ledgers, terminatedAt: this.#terminatedAt };
  }

  /** Another owner was noticed: nothing can be appended any more. */
  fence(cause: unknown): ManagedLedgerError {
    const why = cause instanceof Error ? cause.message : String(cause);
    const error = new ManagedLedgerError("Fenced", `${this.#options.name}: another owner took over (${why})`, {
      cause,
    });
    if (this.#state.kind === "over") return error;
    this.#end(error);
    this.#options.onFenced();
    return error;
  }

  #write(append: PendingAppend): void {
    this.#unconfirmed++;
    this.#writtenEntries++;
    this.#writtenBytes += append.data.length;
    (this.#writer as LedgerWriter).append(append.data, append);
    const { maxEntriesPerLedger, maxSizePerLedgerBytes } = this.settings;
    if (this.#writtenEntries >= maxEntriesPerLedger || this.#writtenBytes >= maxSizePerLedgerBytes) this.#whenFull();
  }

  #whenFull(): void {
    const nowMs = this.#clock.now();
    if (nowMs < this.#nextTryAtMs || nowMs - (this.#slot as LedgerSlot).createdMs < this.settings.minRolloverMs) return;
    if (this.#state === OPEN) this.#startSwitch();
  }

  #hold(append: PendingAppend): void {
    const state = this.#state;
    if (state.kind === "writerless" && this.#clock.now() >= state.retryAtMs) {
      this.#held.push(append);
      this.#startSwitch();
    } else if (state.kind === "switching") this.#held.push(append);
    else if (state.kind !== "open") queueMicrotask(() => append.listener.onAppendFailed(state.error));
  }

  #confirmed(): void {
    this.#unconfirmed--;
    if (this.#unconfirmed === 0) this.#drained?.();
  }

  /** Resolves when the writer has answered every append, well or not. */
  async #drain(): Promise<void> {
    if (this.#unconfirmed === 0) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
    this.#drained = undefined;
  }

  #startSwitch(): void {
    this.#state = SWITCHING;
    this.#switchError = undefined;
    void this.#options.serial.run(() => this.#switch());
  }

  /** Never rejects: a failure is the fate of the appends that wait for it. */
  async #switch(): Promise<void> {
    try {
      if (this.#state !== SWITCHING) return;
      const next = this.#spare ?? (await this.#createLedger());
      this.#spare = next;
      await this.#drain();
      await this.#retireWriter();
      await this.#appendToList(next);
      this.#spare = undefined;
      this.#use(next);
      this.#options.onRolledOver();
    } catch (error) {
      this.#switchFailed(asStorageError(error, this.#options.name));
    }
  }

  #switchFailed(error: ManagedLedgerError): void {
    if (error.code === "Fenced" || error.code === "BadVersion") {
      this.fence(error);
      return;
    }
    if (this.#state !== SWITCHING) return;
    this.#switchError = error;
    this.#nextTryAtMs = this.#clock.now() + RETRY_AFTER_FAILED_CREATION_MS;
    if (this.#writer !== undefined && this.#writer.failure === undefined) {
      // the old ledger still takes entries: better one that is too large than none
      this.#resume();
      return;
    }
    this.#state = { kind: "writerless", retryAtMs: this.#nextTryAtMs, error };
    this.#failWaiting(error);
  }

  /** Closes the ledger being written and says in the list where it ends; an empty one is dropped. */
  async #retireWriter(): Promise<void> {
    const writer = this.#writer;
    const slot = this.#slot;
    if (writer === undefined || slot === undefined) return;
    await writer.close();
    this.#writer = undefined;
    this.#slot = undefined;
    this.#ageTimer?.cancel();
    slot.closedAtMs = this.#clock.now();
    if (slot.entries > 0) return;
    this.#list.remove(new Set([slot.ledgerId]));
    this.#dropLedger(slot.ledgerId);
  }

  async #appendToList(writer: LedgerWriter): Promise<void> {
    const { ledgerId, metadata } = writer;
    const opened: LedgerRecord = { ledgerId, entries: 0, sizeBytes: 0, createdMs: metadata.createdMs };
    const record = this.record();
    try {
      await this.#options.records.save({ ...record, ledgers: [...record.ledgers, opened] });
    } catch (error) {
      if (error instanceof ManagedLedgerError && error.code === "BadVersion") {
        writer.abandon();
        this.#dropLedger(ledgerId);
      }
      throw error;
    }
    this.#slot = this.#list.append({ ...opened, closedAtMs: undefined });
  }

  #use(writer: LedgerWriter): void {
    this.#writer = writer;
    this.#writtenEntries = 0;
    this.#writtenBytes = 0;
    this.#options.entries.follow(writer);
    if (this.#lastConfirmed.entryId < 0) this.#lastConfirmed = this.#list.lastEntry();
    writer.onFailed((error) => this.#writerFailed(error));
    this.#ageTimer = this.#clock.setTimer(this.settings.maxRolloverMs, () => this.#tooOld());
    this.#resume();
  }

  /** Goes on with what waited: first what an old writer could not write, then what came since. */
  #resume(): void {
    const waiting = [...this.#notWritten, ...this.#held];
    this.#notWritten = [];
    this.#held = [];
    if (this.#state.kind === "over" || this.#state.kind === "stopping") {
      for (const append of waiting) this.#hold(append);
      return;
    }
    this.#state = OPEN;
    for (const append of waiting) {
      if (this.#state === OPEN) this.#write(append);
      else this.#hold(append);
    }
  }

  #tooOld(): void {
    if (this.#state === OPEN && this.#writtenEntries > 0) this.#startSwitch();
    else this.#ageTimer = this.#clock.setTimer(this.settings.maxRolloverMs, () => this.#tooOld());
  }

  #writerFailed(error: BookKeeperError): void {
    if (error.code === "LedgerFenced") this.fence(error);
    else if (this.#state === OPEN) this.#startSwitch();
  }

  #notTerminated(error: unknown): ManagedLedgerError {
    const failure = asStorageError(error, this.#options.name);
    if (failure.code === "Fenced" || failure.code === "BadVersion") return this.fence(failure);
    if (this.#state.kind !== "stopping") return failure;
    if (this.#writer !== undefined && this.#writer.failure === undefined) {
      this.#state = SWITCHING;
      this.#resume();
    } else this.#state = { kind: "writerless", retryAtMs: this.#clock.now(), error: failure };
    return failure;
  }

  #end(error: ManagedLedgerError): void {
    this.#state = { kind: "over", error };
    this.#ageTimer?.cancel();
    // what was not closed is the next owner's to close
    this.#writer?.abandon();
    this.#spare?.abandon();
    this.#failWaiting(error);
  }

  #failWaiting(error: ManagedLedgerError): void {
    const waiting = [...this.#notWritten, ...this.#held];
    this.#notWritten = [];
    this.#held = [];
    for (const append of waiting) append.listener.onAppendFailed(error);
  }

  #createLedger(): Promise<LedgerWriter> {
    const properties = propertiesOf({ ledgerName: this.#options.name });
    return this.#options.bookkeeper.createLedger({ ...quorumSizesOf(this.settings), properties });
  }

  /** A ledger that no list names: whether its bookies hear of it now matters to nobody. */
  #dropLedger(ledgerId: number): void {
    this.#options.entries.dropLedger(ledgerId);
    this.#options.bookkeeper.deleteLedger(ledgerId).catch(() => undefined);
  }

  #error(code: ManagedLedgerError["code"], detail: string): ManagedLedgerError {
    return new ManagedLedgerError(code, `${this.#options.name}: ${detail}`);
  }
}

function recordOf({ ledgerId, entries, sizeBytes, createdMs, closedAtMs }: LedgerSlot): LedgerRecord {
  const record = { ledgerId, entries, sizeBytes, createdMs };
  return closedAtMs === undefined ? record : { ...record, closedAtMs };
}
