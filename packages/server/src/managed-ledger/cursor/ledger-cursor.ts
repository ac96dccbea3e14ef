import type { Clock } from "@pulsewire/runtime";
import type { LedgerList } from "../ledger-list.ts";
import {
  type AcknowledgeOutcome,
  type AckSet,
  type ManagedCursor,
  type ManagedLedger,
  ManagedLedgerError,
  type PositionRange,
} from "../managed-ledger.ts";
import { comparePositions, type Entry, type Position } from "../position.ts";
import { AckState } from "./ack-state.ts";
import { CursorPersister } from "./cursor-persister.ts";
import type { CursorRecord } from "./cursor-record.ts";
import type { CursorStore } from "./cursor-store.ts";
import { readPositions } from "./positional-read.ts";

/** What a cursor needs of its managed ledger. */
export interface CursorHost {
  readonly ledger: ManagedLedger;
  readonly clock: Clock;
  readonly list: LedgerList;
  readonly maxRangesToPersist: number;
  readonly persistIntervalMs: number;
  cached(ledgerId: number, entryId: number): Entry | undefined;
  readEntries(ledgerId: number, first: number, last: number): Promise<Entry[]>;
  /** The mark-delete position left a ledger behind. */
  onLedgerConsumed(): void;
  onCursorClosed(cursor: LedgerCursor): void;
  /** Another owner has the cursor, and so the ledger. */
  onCursorFenced(error: ManagedLedgerError): void;
}

export interface LedgerCursorOptions {
  name: string;
  host: CursorHost;
  record: CursorRecord;
  /** Absent for a cursor that is not durable. */
  store?: CursorStore;
}

/** A cursor that was not read for so long, in ms, is nobody's to read at the moment. */
const INACTIVE_AFTER_MS = 60_000;
/** A cursor further behind reads from bookies, and the cache is not kept for it (`managedLedgerCursorBackloggedThreshold`). */
const BACKLOGGED_ENTRIES = 1_000;
/** Entries read from bookies at once, at most. */
const STORED_READ_ENTRIES_MAX = 1_000;

export class LedgerCursor implements ManagedCursor {
  readonly name: string;
  readonly durable: boolean;
  readonly #host: CursorHost;
  readonly #acks: AckState;
  readonly #persister: CursorPersister | undefined;
  #properties: Readonly<Record<string, string>>;
  #readLedgerId = -1;
  #readEntryId = 0;
  /** One more each time the read position was moved from outside of a read. */
  #readEpoch = 0;
  #reading = false;
  #lastActiveMs: number;
  #lastReadMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor({ name, host, record, store }: LedgerCursorOptions) {
    this.name = name;
    this.durable = store !== undefined;
    this.#host = host;
    this.#acks = new AckState(host.list, record.markDeleted);
    this.#acks.restore(record);
    this.#properties = record.properties;
    this.#lastActiveMs = record.lastActiveMs;
    if (store !== undefined) {
      const intervalMs = (): number => host.persistIntervalMs;
      this.#persister = new CursorPersister({
        clock: host.clock,
        store,
        intervalMs,
        record: () => this.record(),
        onFenced: (error) => host.onCursorFenced(error),
      });
    }
    this.rewind();
  }

  get closed(): boolean {
    return this.#closed;
  }

  get ledger(): ManagedLedger {
    return this.#host.ledger;
  }

  get markDeleted(): Position {
    return this.#acks.markDeleted;
  }

  get readPosition(): Position {
    return this.#host.list.atOrAfter({ ledgerId: this.#readLedgerId, entryId: this.#readEntryId });
  }

  get properties(): Readonly<Record<string, string>> {
    return this.#properties;
  }

  get backlogEntries(): number {
    const behind = this.#host.list.count(this.markDeleted, this.#host.list.lastEntry());
    return Math.max(0, behind - this.#acks.ackedAbove);
  }

  get deletedRanges(): readonly PositionRange[] {
    return this.#acks.ranges;
  }

  get lastActiveMs(): number {
    return this.#lastActiveMs;
  }

  /** Somebody reads it, and is not far behind. */
  get reading(): boolean {
    if (this.#closed || this.#host.clock.monotonicMs() - this.#lastReadMs > INACTIVE_AFTER_MS) return false;
    const { list } = this.#host;
    return list.count(list.previous(this.readPosition), list.lastEntry()) <= BACKLOGGED_ENTRIES;
  }

  hasMoreEntries(): boolean {
    const last = this.#host.ledger.lastConfirmed;
    if (this.#readLedgerId !== last.ledgerId) return this.#readLedgerId < last.ledgerId;
    return this.#readEntryId <= last.entryId;
  }

  read(maxEntries: number, maxBytes: number): Entry[] | Promise<Entry[]> {
    if (this.#closed) throw new ManagedLedgerError("Closed", `cursor ${this.name} is closed`);
    if (this.#reading) throw new Error(`cursor ${this.name} is being read already`);
    this.#lastReadMs = this.#host.clock.monotonicMs();
    const entries: Entry[] = [];
    const missing = this.#takeCached(entries, maxEntries, maxBytes);
    if (!missing || entries.length > 0) return entries;
    return this.#readStored(maxEntries, maxBytes);
  }

  readAt(positions: readonly Position[]): Entry[] | Promise<Entry[]> {
    return readPositions(this.#host, this.#acks, positions);
  }

  acknowledgeCumulative(position: Position, ackSet?: AckSet): void {
    const before = this.markDeleted;
    this.#acks.acknowledgeUpTo(position, ackSet);
    this.#afterAcknowledge(before);
  }

  acknowledge(position: Position, ackSet?: AckSet, batchSize?: number): AcknowledgeOutcome {
    const before = this.markDeleted;
    const size = batchSize ?? (ackSet && this.#host.cached(position.ledgerId, position.entryId)?.messageCount);
    const outcome = this.#acks.acknowledge(position, ackSet, size);
    if (outcome.messages > 0) this.#afterAcknowledge(before);
    return outcome;
  }

  isAcknowledged({ ledgerId, entryId }: Position): boolean {
    return this.#acks.has(ledgerId, entryId);
  }

  ackSetOf(position: Position): AckSet | undefined {
    return this.#acks.ackSetOf(position);
  }

  rewind(): void {
    this.#readEpoch++;
    const { ledgerId, entryId } = this.#host.list.next(this.markDeleted);
    this.#readLedgerId = ledgerId;
    this.#readEntryId = this.#acks.nextUnacked(ledgerId, entryId);
  }

  async reset(position: Position): Promise<void> {
    const { list } = this.#host;
    const target = comparePositions(position, list.lastEntry()) > 0 ? list.next(list.lastEntry()) : position;
    this.#acks.reset(list.previous(list.atOrAfter(target)));
    this.#lastActiveMs = this.#host.clock.now();
    this.rewind();
    this.#persister?.changed();
    await this.#persister?.flush();
  }

  skip(count: number): void {
    const { list } = this.#host;
    let left = count;
    let at = list.next(this.markDeleted);
    while (left > 0 && list.has(at)) {
      if (!this.#acks.has(at.ledgerId, at.entryId)) left--;
      const next = list.next(at);
      if (left === 0 || !list.has(next)) this.acknowledgeCumulative(at);
      at = next;
    }
  }

  clearBacklog(): void {
    this.acknowledgeCumulative(this.#host.list.lastEntry());
  }

  async setProperties(properties: Readonly<Record<string, string>>): Promise<void> {
    this.#properties = { ...properties };
    this.#persister?.changed();
    await this.#persister?.flush();
  }

  async flush(): Promise<void> {
    await this.#persister?.flush();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#persister?.close();
    this.#host.onCursorClosed(this);
  }

  /** Stores nothing any more: another owner has the ledger. */
  abandon(): void {
    this.#closed = true;
    this.#persister?.abandon();
  }

  /** Removes it from storage. */
  async delete(): Promise<void> {
    this.#closed = true;
    await this.#persister?.delete();
  }

  /** The first ledgers of the list were deleted. */
  onTrimmed(): void {
    const before = this.markDeleted;
    this.#acks.leaveDeletedLedgers();
    if (before !== this.markDeleted) {
      this.#skipAcknowledged();
      this.#persister?.changed();
    }
  }

  record(): CursorRecord {
    const acks = this.#acks.record(this.#host.maxRangesToPersist);
    return { ...acks, properties: this.#properties, lastActiveMs: this.#lastActiveMs };
  }

  #afterAcknowledge(before: Position): void {
    const mark = this.markDeleted;
    this.#lastActiveMs = this.#host.clock.now();
    if (before !== mark) {
      this.#skipAcknowledged();
      // full ledgers behind the mark may go now
      if (mark.ledgerId !== this.#host.list.last?.ledgerId) this.#whenConsumed(mark);
      else if (before.ledgerId !== mark.ledgerId) this.#host.onLedgerConsumed();
    }
    this.#persister?.changed();
  }

  #whenConsumed(mark: Position): void {
    const slot = this.#host.list.get(mark.ledgerId);
    if (slot === undefined || mark.entryId >= slot.entries - 1) this.#host.onLedgerConsumed();
  }

  /** The read position is never behind the mark-delete position. */
  #skipAcknowledged(): void {
    const mark = this.markDeleted;
    const behind =
      this.#readLedgerId < mark.ledgerId || (this.#readLedgerId === mark.ledgerId && this.#readEntryId <= mark.entryId);
    if (behind) this.rewind();
  }

  /** Takes what the cache holds from the read position on. True when it stopped at an entry that is not cached. */
  #takeCached(entries: Entry[], maxEntries: number, maxBytes: number): boolean {
    const { list } = this.#host;
    let bytes = 0;
    let { ledgerId, entryId } = this.readPosition;
    let slot = list.get(ledgerId);
    while (slot !== undefined && entries.length < maxEntries) {
      entryId = this.#acks.nextUnacked(ledgerId, entryId);
      if (entryId >= slot.entries) {
        if (slot === list.last) break;
        ({ ledgerId, entryId } = list.next({ ledgerId, entryId: slot.entries }));
        slot = list.get(ledgerId);
        continue;
      }
      const entry = this.#host.cached(ledgerId, entryId);
      this.#readLedgerId = ledgerId;
      this.#readEntryId = entryId;
      if (entry === undefined) return true;
      if (entries.length > 0 && bytes + entry.data.length > maxBytes) return false;
      entries.push(entry);
      bytes += entry.data.length;
      entryId++;
    }
    this.#readLedgerId = ledgerId;
    this.#readEntryId = entryId;
    return false;
  }

  async #readStored(maxEntries: number, maxBytes: number): Promise<Entry[]> {
    this.#reading = true;
    try {
      for (;;) {
        const epoch = this.#readEpoch;
        const { ledgerId, entryId } = this.readPosition;
        const stored = await this.#host.readEntries(ledgerId, entryId, this.#lastToRead(maxEntries, maxBytes));
        // somebody rewound or moved the cursor meanwhile: what was read is not what comes next any more
        const entries = epoch === this.#readEpoch ? this.#takeStored(stored, maxBytes) : [];
        if (entries.length > 0) return entries;
        const missing = this.#takeCached(entries, maxEntries, maxBytes);
        if (!missing || entries.length > 0) return entries;
      }
    } finally {
      this.#reading = false;
    }
  }

  /** How far to read from the read position on: within its ledger, and about as many bytes as are wanted. */
  #lastToRead(maxEntries: number, maxBytes: number): number {
    const { ledgerId, entryId } = this.readPosition;
    const slot = this.#host.list.get(ledgerId);
    if (slot === undefined || slot.entries === 0) return entryId;
    const averageBytes = Math.max(1, slot.sizeBytes / slot.entries);
    const count = Math.max(1, Math.min(maxEntries, STORED_READ_ENTRIES_MAX, Math.floor(maxBytes / averageBytes)));
    return Math.max(entryId, Math.min(entryId + count, slot.entries) - 1);
  }

  #takeStored(stored: readonly Entry[], maxBytes: number): Entry[] {
    const entries: Entry[] = [];
    let bytes = 0;
    for (const entry of stored) {
      this.#readLedgerId = entry.ledgerId;
      this.#readEntryId = entry.entryId;
      if (entries.length > 0 && bytes + entry.data.length > maxBytes) return entries;
      this.#readEntryId++;
      if (this.#acks.has(entry.ledgerId, entry.entryId)) continue;
      entries.push(entry);
      bytes += entry.data.length;
    }
    return entries;
  }
}
