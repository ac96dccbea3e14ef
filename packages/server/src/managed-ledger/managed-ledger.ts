import type { Bits64 } from "@pulsewire/protocol";
import type { Entry, Position } from "./position.ts";

export type ManagedLedgerErrorCode =
  /** Another owner took the ledger over; this one can write no more. */
  | "Fenced"
  | "Terminated"
  | "Closed"
  | "MetadataUnavailable"
  | "NotEnoughBookies"
  | "BadVersion"
  | "CursorNotFound"
  | "InvalidPosition"
  /** Entries cannot be read, for now or for good. */
  | "ReadFailed"
  | "StorageFailed";

export class ManagedLedgerError extends Error {
  readonly code: ManagedLedgerErrorCode;
  constructor(code: ManagedLedgerErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "ManagedLedgerError";
    this.code = code;
  }
}

/** Told how an append went; an object and not two closures, since there is one for every message. */
export interface AppendListener {
  onAppended(position: Position): void;
  onAppendFailed(error: ManagedLedgerError): void;
}

/** Where a new cursor stands. */
export type InitialPosition = "earliest" | "latest";

export interface OpenCursorOptions {
  /** Default latest. */
  initialPosition?: InitialPosition;
  /** Kept with the cursor and answered by `properties`. */
  properties?: Readonly<Record<string, string>>;
}

export interface LedgerInfo {
  ledgerId: number;
  entries: number;
  sizeBytes: number;
  /** When it was closed; undefined for the one that is open. */
  closedAtMs: number | undefined;
}

/**
 * A topic's ordered list of ledgers, of which only the last is open. One owner at a time: opening recovers and closes
 * what an earlier owner left, creates a ledger and appends it to the list by CAS.
 */
export interface ManagedLedger {
  readonly name: string;
  /** The last entry acknowledged by its ack quorum; entry -1 of the first ledger while empty. */
  readonly lastConfirmed: Position;
  /** The first entry still held (or the place where it will be). */
  readonly firstPosition: Position;
  readonly terminatedAt: Position | undefined;
  readonly entryCount: number;
  /** Of one copy. */
  readonly sizeBytes: number;
  /** Copies of each entry, as the settings are now. */
  readonly writeQuorum: number;
  /**
   * Bytes of the ledgers from the one the slowest durable cursor stands in on: one entry that is not acknowledged pins
   * its ledger and all after it. 0 without a durable cursor that has something left.
   */
  readonly backlogBytes: number;
  /** Entries ever appended by this owner. */
  readonly entriesAdded: number;
  readonly cursors: ReadonlyMap<string, ManagedCursor>;
  readonly ledgers: readonly LedgerInfo[];

  /**
   * Appends one entry. Acknowledged in the order of the calls, each after its ack quorum confirmed.
   * @param data Kept as it is, never copied: checksum, metadata and payload as they came from the producer.
   */
  append(data: Uint8Array, listener: AppendListener): void;

  /** Opens a durable cursor by name, creating it (in metadata too) when absent. */
  openCursor(name: string, options?: OpenCursorOptions): Promise<ManagedCursor>;
  /** A cursor that leaves no trace in storage. It reads first what comes after `start`. */
  newNonDurableCursor(name: string, start: Position): ManagedCursor;
  /** CursorNotFound when absent. */
  deleteCursor(name: string): Promise<void>;

  /** Undefined when there is no such entry. */
  readEntry(position: Position): Promise<Entry | undefined>;
  /** The last position for which `matches` holds, supposing that it holds for a prefix of the log. */
  findNewestMatching(matches: (entry: Entry) => boolean): Promise<Position | undefined>;
  /** The next place after a position at which an entry is or will be. */
  nextPosition(position: Position): Position;
  previousPosition(position: Position): Position;
  /** Entries in (from, to]. */
  countEntries(from: Position, to: Position): number;
  /** The position `count` entries after `from` (not itself counted), at most lastConfirmed. */
  positionAfter(from: Position, count: number): Position;

  /** No further entry is taken; answers the last position. */
  terminate(): Promise<Position>;
  /** Closes the open ledger and creates the next. */
  rollover(): Promise<void>;
  /** Deletes ledgers that every cursor is past and retention lets go. */
  trim(): Promise<void>;
  /** Moves every cursor to the end and deletes what is closed. */
  truncate(): Promise<void>;
  /** Closes cursors and the open ledger; what is stored stays. */
  close(): Promise<void>;
  /** Deletes everything: cursors, ledgers, metadata. */
  delete(): Promise<void>;
  /** Changes options while it is open; those of ledgers count from the next ledger on. */
  configure(options: ManagedLedgerOptions): void;
  /** Called each time `lastConfirmed` moved, at most once per turn of the event loop. */
  onAdvance(listener: () => void): Disposable;
  /** Called once, when another owner turned out to have taken it over: by an append, by a cursor, by housekeeping. */
  onFenced(listener: () => void): Disposable;
}

/** One acknowledged batch index set: bits are 1 while a message is not acknowledged. */
export type AckSet = readonly Bits64[];

/** An inclusive run of acknowledged positions: (lower, upper] in Pulsar's terms. */
export interface PositionRange {
  lowerExclusive: Position;
  upperInclusive: Position;
}

/**
 * One subscription's place in a managed ledger: everything up to `markDeleted` is acknowledged, and above it single
 * entries and batch indexes may be.
 */
export interface ManagedCursor {
  readonly name: string;
  readonly durable: boolean;
  readonly ledger: ManagedLedger;
  readonly markDeleted: Position;
  /** The next position `read` looks at. */
  readonly readPosition: Position;
  readonly properties: Readonly<Record<string, string>>;
  /** Entries behind lastConfirmed that are not acknowledged. */
  readonly backlogEntries: number;
  readonly deletedRanges: readonly PositionRange[];
  readonly lastActiveMs: number;

  hasMoreEntries(): boolean;
  /**
   * The next entries that are not acknowledged, and moves the read position past them. Answers at once when the cache
   * holds them. Empty at the end of the log. One read at a time.
   * @param maxBytes At least one entry is answered whatever its size.
   */
  read(maxEntries: number, maxBytes: number): Entry[] | Promise<Entry[]>;
  /** These entries, in order of position, less those acknowledged meanwhile or no longer there. */
  readAt(positions: readonly Position[]): Entry[] | Promise<Entry[]>;

  /** Acknowledges everything up to and including a position, or up to a batch index inside it. */
  acknowledgeCumulative(position: Position, ackSet?: AckSet): void;
  /** Acknowledges one entry, or (with an ack set) the indexes of its batch whose bits are 0. */
  acknowledge(position: Position, ackSet?: AckSet, batchSize?: number): AcknowledgeOutcome;
  isAcknowledged(position: Position): boolean;
  /** What is left of a batch that is acknowledged in part; undefined when all or nothing is left. */
  ackSetOf(position: Position): AckSet | undefined;

  /** Reads again from the first entry that is not acknowledged. */
  rewind(): void;
  /** Moves the cursor so that the next entry read is at or after a position, and forgets acknowledgements above it. */
  reset(position: Position): Promise<void>;
  /** Acknowledges the next `count` unacknowledged entries. */
  skip(count: number): void;
  /** Acknowledges everything. */
  clearBacklog(): void;
  setProperties(properties: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when what was acknowledged until now is as durable as the configuration makes it. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What one acknowledgement did. */
export interface AcknowledgeOutcome {
  /** Whether the entry is acknowledged as a whole now and was not before. */
  completed: boolean;
  /** Messages newly acknowledged by it, 0 when all were acknowledged already. */
  messages: number;
}

/** How the memory for recent entries is used. */
export interface EntryCacheInfo {
  readonly usedBytes: number;
  /** Entries answered from it, entries that had to be read from bookies, and bytes it let go. */
  readonly stats: { readonly hits: number; readonly misses: number; readonly evictedBytes: number };
}

/** Opens managed ledgers; the only door to storage that brokers have. */
export interface ManagedLedgerFactory {
  /** What its managed ledgers share for recent entries. */
  readonly cache: EntryCacheInfo;
  /** Takes the managed ledger over from whoever had it. */
  open(name: string, options?: ManagedLedgerOptions): Promise<ManagedLedger>;
  exists(name: string): Promise<boolean>;
  /** Deletes a managed ledger that nobody has open. */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface ManagedLedgerOptions {
  /** Default 3. */
  ensembleSize?: number;
  /** Default 3. */
  writeQuorum?: number;
  /** Default 2. */
  ackQuorum?: number;
  /** `managedLedgerMaxEntriesPerLedger`. Default 50,000. */
  maxEntriesPerLedger?: number;
  /** `managedLedgerMaxSizePerLedgerMbytes`, in bytes. Default 2048 MB. */
  maxSizePerLedgerBytes?: number;
  /** `managedLedgerMinLedgerRolloverTimeMinutes`, in ms. Default 10 min. */
  minRolloverMs?: number;
  /** `managedLedgerMaxLedgerRolloverTimeMinutes`, in ms. Default 240 min. */
  maxRolloverMs?: number;
  /** Retention time of acknowledged data, in ms; -1 for ever. Default 0. */
  retentionMs?: number;
  /** Retention size of acknowledged data, in bytes; -1 without limit. Default 0. */
  retentionBytes?: number;
  /** `managedLedgerMaxUnackedRangesToPersist`. Default 10,000. */
  maxRangesToPersist?: number;
  /** The least time between two writes of a cursor's state, in ms (`managedLedgerDefaultMarkDeleteRateLimit`). Default 1,000 ms. */
  cursorPersistIntervalMs?: number;
  /** `managedLedgerCursorMaxEntriesPerLedger`. Default 50,000. */
  cursorMaxEntriesPerLedger?: number;
  /** `managedLedgerCursorRolloverTimeInSeconds`, in ms. Default 14,400,000. */
  cursorRolloverMs?: number;
}
