import type { Clock } from "@pulsewire/runtime";
import type { BookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import type { MetadataStore } from "../metadata/metadata-store.ts";
import { AppendLog } from "./append-log.ts";
import { CursorRegistry } from "./cursor/cursor-registry.ts";
import type { CursorHost, LedgerCursor } from "./cursor/ledger-cursor.ts";
import type { EntryCacheBudget } from "./entry-cache.ts";
import { asStorageError, EntrySource } from "./entry-source.ts";
import { LedgerList } from "./ledger-list.ts";
import { recoverLedgers } from "./ledger-recovery.ts";
import { type ManagedLedgerSettings, settingsOf } from "./ledger-settings.ts";
import {
  type AppendListener,
  type LedgerInfo,
  type ManagedCursor,
  type ManagedLedger,
  ManagedLedgerError,
  type ManagedLedgerOptions,
  type OpenCursorOptions,
} from "./managed-ledger.ts";
import { ManagedLedgerRecordStore } from "./managed-ledger-record.ts";
import { comparePositions, type Entry, type Position } from "./position.ts";
import { ledgersToTrim } from "./retention.ts";
import { Serial } from "./serial.ts";

export interface LogManagedLedgerOptions {
  name: string;
  clock: Clock;
  bookkeeper: BookKeeperClient;
  metadata: MetadataStore;
  cacheBudget: EntryCacheBudget;
  settings: ManagedLedgerSettings;
  /** Called once, when it is closed, deleted or fenced. */
  onGone(ledger: ManagedLedger): void;
}

/** Another owner took the list while it was being taken over: how often to begin again before giving up. */
const TAKEOVER_TRIES = 3;

export class LogManagedLedger implements ManagedLedger, CursorHost {
  readonly name: string;
  readonly clock: Clock;
  readonly list: LedgerList = new LedgerList();
  readonly #options: LogManagedLedgerOptions;
  readonly #records: ManagedLedgerRecordStore;
  readonly #entries: EntrySource;
  readonly #serial = new Serial();
  readonly #log: AppendLog;
  readonly #registry: CursorRegistry;
  readonly #advanceListeners = new Set<() => void>();
  readonly #fencedListeners = new Set<() => void>();
  readonly #tellAdvance = (): void => this.#advanced();
  #settings: ManagedLedgerSettings;
  #advancePending = false;
  #trimPending = false;
  /** On its way out: its cursors are the next owner's to take. */
  #leaving = false;
  #gone = false;

  private constructor(options: LogManagedLedgerOptions) {
    const { name, clock, bookkeeper, metadata, settings } = options;
    this.#options = options;
    this.name = name;
    this.clock = clock;
    this.#settings = settings;
    this.#records = new ManagedLedgerRecordStore(metadata, name);
    this.#entries = new EntrySource(bookkeeper, options.cacheBudget, () => this.#registry.slowestReader());
    this.#registry = new CursorRegistry({
      ledgerName: name,
      metadata,
      bookkeeper,
      host: this,
      settings: () => this.#settings,
    });
    this.#log = new AppendLog({
      name,
      clock,
      bookkeeper,
      settings,
      records: this.#records,
      list: this.list,
      entries: this.#entries,
      serial: this.#serial,
      onAdvanced: () => this.#onAdvanced(),
      onRolledOver: () => this.#trimSoon(),
      onFenced: () => this.#onFenced(),
    });
  }

  /**
   * Takes a managed ledger over: recovers and closes what an earlier owner left, opens a ledger of its own, and takes
   * the cursors. BadVersion when other owners do the same at the same time and win.
   */
  static async open(options: LogManagedLedgerOptions): Promise<LogManagedLedger> {
    for (let left = TAKEOVER_TRIES; ; left--) {
      const ledger = new LogManagedLedger(options);
      try {
        await ledger.#takeOver();
        return ledger;
      } catch (error) {
        await ledger.#log.close();
        const failure = asStorageError(error, options.name);
        if (failure.code !== "BadVersion" || left === 1) throw failure;
      }
    }
  }

  get ledger(): ManagedLedger {
    return this;
  }

  get lastConfirmed(): Position {
    return this.#log.lastConfirmed;
  }

  get firstPosition(): Position {
    return this.list.first();
  }

  get terminatedAt(): Position | undefined {
    return this.#log.terminatedAt;
  }

  get entryCount(): number {
    return this.list.entryCount;
  }

  get sizeBytes(): number {
    return this.list.sizeBytes;
  }

  get writeQuorum(): number {
    return this.#settings.writeQuorum;
  }

  get backlogBytes(): number {
    const slowest = this.#registry.slowest();
    if (slowest === undefined || this.list.count(slowest, this.list.lastEntry()) === 0) return 0;
    const { ledgerId } = this.list.next(slowest);
    return this.list.slots.reduce((sum, slot) => sum + (slot.ledgerId >= ledgerId ? slot.sizeBytes : 0), 0);
  }

  get entriesAdded(): number {
    return this.#log.entriesAdded;
  }

  get cursors(): ReadonlyMap<string, ManagedCursor> {
    return this.#registry.cursors;
  }

  get ledgers(): readonly LedgerInfo[] {
    return this.list.slots;
  }

  get maxRangesToPersist(): number {
    return this.#settings.maxRangesToPersist;
  }

  get persistIntervalMs(): number {
    return this.#settings.cursorPersistIntervalMs;
  }

  append(data: Uint8Array, listener: AppendListener): void {
    this.#log.append(data, listener);
  }

  openCursor(name: string, options: OpenCursorOptions = {}): Promise<ManagedCursor> {
    // to open a cursor is to take it over, from whoever has the ledger by now
    if (this.#leaving) return Promise.reject(new ManagedLedgerError("Closed", `${this.name}: it is closed`));
    return this.#registry.open(name, options);
  }

  newNonDurableCursor(name: string, start: Position): ManagedCursor {
    return this.#registry.openNonDurable(name, start);
  }

  async deleteCursor(name: string): Promise<void> {
    await this.#registry.delete(name);
    this.#trimSoon();
  }

  async readEntry(position: Position): Promise<Entry | undefined> {
    if (!this.list.has(position)) return undefined;
    const { ledgerId, entryId } = position;
    return this.cached(ledgerId, entryId) ?? (await this.readEntries(ledgerId, entryId, entryId))[0];
  }

  async findNewestMatching(matches: (entry: Entry) => boolean): Promise<Position | undefined> {
    const base = this.list.slots[0]?.startRank ?? 0;
    let low = base;
    let high = base + this.list.entryCount;
    let found: Position | undefined;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const position = this.list.atRank(middle);
      const entry = position && (await this.readEntry(position));
      // trimmed while it was looked for counts as matching: what follows it decides
      if (entry === undefined || matches(entry)) {
        low = middle;
        if (entry !== undefined) found = position;
      } else high = middle - 1;
    }
    return found;
  }

  nextPosition(position: Position): Position {
    return this.list.next(position);
  }

  previousPosition(position: Position): Position {
    return this.list.previous(position);
  }

  countEntries(from: Position, to: Position): number {
    return this.list.count(from, to);
  }

  positionAfter(from: Position, count: number): Position {
    const last = this.lastConfirmed;
    if (count <= 0) return from;
    return this.list.atRank(this.list.rank(from) + count) ?? (comparePositions(from, last) > 0 ? from : last);
  }

  terminate(): Promise<Position> {
    return this.#log.terminate();
  }

  rollover(): Promise<void> {
    return this.#log.rollover();
  }

  trim(): Promise<void> {
    return this.#serial.run(() => this.#trim(true));
  }

  truncate(): Promise<void> {
    for (const cursor of this.#registry.cursors.values()) cursor.clearBacklog();
    return this.#serial.run(() => this.#trim(false));
  }

  async close(): Promise<void> {
    if (this.#gone) return;
    this.#leaving = true;
    await this.#log.close();
    await this.#registry.whenOpened();
    const closing = [...this.#registry.cursors.values()].map((cursor) => cursor.close());
    const results = await Promise.allSettled(closing);
    this.#leave();
    // what cursors could not store is delivered again; what was taken over is the next owner's
    for (const result of results) {
      if (result.status === "fulfilled") continue;
      const error = asStorageError(result.reason, this.name);
      if (error.code !== "Fenced" && error.code !== "MetadataUnavailable") throw error;
    }
  }

  async delete(): Promise<void> {
    this.#leaving = true;
    await this.#log.close();
    await this.#registry.whenOpened();
    await this.#serial.run(async () => {
      for (const cursor of [...this.#registry.cursors.values()]) await cursor.delete();
      this.#registry.cursors.clear();
      await this.#records.delete();
      for (const { ledgerId } of this.list.slots) this.#deleteLedger(ledgerId);
    });
    this.#leave();
  }

  configure(options: ManagedLedgerOptions): void {
    this.#settings = settingsOf(options, this.#settings);
    this.#log.settings = this.#settings;
  }

  onAdvance(listener: () => void): Disposable {
    this.#advanceListeners.add(listener);
    return { [Symbol.dispose]: () => this.#advanceListeners.delete(listener) };
  }

  onFenced(listener: () => void): Disposable {
    this.#fencedListeners.add(listener);
    return { [Symbol.dispose]: () => this.#fencedListeners.delete(listener) };
  }

  cached(ledgerId: number, entryId: number): Entry | undefined {
    return this.#entries.cached(ledgerId, entryId);
  }

  readEntries(ledgerId: number, first: number, last: number): Promise<Entry[]> {
    return this.#entries.read(ledgerId, first, last);
  }

  onLedgerConsumed(): void {
    this.#trimSoon();
  }

  onCursorClosed(cursor: LedgerCursor): void {
    if (!cursor.durable) this.#registry.forget(cursor);
  }

  onCursorFenced(error: ManagedLedgerError): void {
    // on its way out, it gives everything up by itself
    if (this.#leaving) return;
    this.#log.fence(error);
    // a log that was over already, as one that was terminated is, does not tell
    this.#onFenced();
  }

  async #takeOver(): Promise<void> {
    const record = (await this.#records.load()) ?? { ledgers: [] };
    await recoverLedgers(this.#options.bookkeeper, record, this.list);
    await this.#log.start(record);
    await this.#registry.recover();
  }

  #onAdvanced(): void {
    if (this.#advancePending || this.#advanceListeners.size === 0) return;
    this.#advancePending = true;
    queueMicrotask(this.#tellAdvance);
  }

  #advanced(): void {
    this.#advancePending = false;
    for (const listener of this.#advanceListeners) listener();
  }

  #trimSoon(): void {
    if (this.#trimPending || this.#gone) return;
    this.#trimPending = true;
    this.#serial
      .run(() => {
        this.#trimPending = false;
        return this.#trim(true);
      })
      // what could not be trimmed now is looked at again at the next occasion
      .catch(() => undefined);
  }

  async #trim(retain: boolean): Promise<void> {
    if (this.#gone) return;
    const slots = this.list.slots;
    const nowMs = this.clock.now();
    const trimmed = ledgersToTrim({
      slots,
      slowest: this.#registry.slowest(),
      settings: this.#settings,
      nowMs,
      retain,
    });
    if (trimmed.length === 0) return;
    const ids = new Set(trimmed.map((slot) => slot.ledgerId));
    const record = this.#log.record();
    try {
      await this.#records.save({ ...record, ledgers: record.ledgers.filter((l) => !ids.has(l.ledgerId)) });
    } catch (error) {
      const failure = asStorageError(error, this.name);
      throw failure.code === "BadVersion" ? this.#log.fence(failure) : failure;
    }
    this.list.remove(ids);
    for (const ledgerId of ids) this.#deleteLedger(ledgerId);
    for (const cursor of this.#registry.cursors.values()) cursor.onTrimmed();
  }

  #deleteLedger(ledgerId: number): void {
    this.#entries.dropLedger(ledgerId);
    // no list names it any more: whether its bookies hear of it now matters to nobody
    this.#options.bookkeeper.deleteLedger(ledgerId).catch(() => undefined);
  }

  #onFenced(): void {
    if (this.#gone) return;
    this.#registry.abandon();
    this.#leave();
    for (const listener of [...this.#fencedListeners]) listener();
  }

  #leave(): void {
    if (this.#gone) return;
    this.#leaving = true;
    this.#gone = true;
    this.#entries.close();
    this.#options.onGone(this);
  }
}
