import type { Decoded, Int64, MessageMetadata } from "@pulsewire/protocol";
import {
  comparePositions,
  type Entry,
  type ManagedCursor,
  type ManagedLedger,
  type Position,
} from "../../managed-ledger/index.ts";

/** The cursor that holds the snapshots. */
export const DEDUPLICATION_CURSOR = "pulsar.dedup";

const REPLAY_ENTRIES = 500;
const REPLAY_BYTES = 4 * 1024 * 1024;

/** What deduplication says of one publish. */
export type DeduplicationVerdict =
  | "new"
  /** It is stored already. */
  | "duplicate"
  /** It was sent before, and whether it is stored is not known yet. */
  | "unknown";

export interface DeduplicationOptions {
  ledger: ManagedLedger;
  /** Entries between two snapshots. */
  entriesInterval: number;
  producersMax: number;
}

/**
 * The highest sequence id of each producer name. Kept in a snapshot (the properties of a cursor, which stands at the
 * entry the snapshot includes) and brought up to date by reading the entries after it.
 */
export class Deduplication {
  readonly #options: DeduplicationOptions;
  readonly #cursor: ManagedCursor;
  readonly #pushed = new Map<string, Int64>();
  readonly #persisted = new Map<string, Int64>();
  #entriesSinceSnapshot = 0;
  #lastPersisted: Position | undefined;
  #snapshotUnderWay: Promise<void> | undefined;

  private constructor(options: DeduplicationOptions, cursor: ManagedCursor) {
    this.#options = options;
    this.#cursor = cursor;
  }

  /** Rebuilds the table from the snapshot and the entries after it. */
  static async open(options: DeduplicationOptions): Promise<Deduplication> {
    const cursor = await options.ledger.openCursor(DEDUPLICATION_CURSOR, { initialPosition: "earliest" });
    const deduplication = new Deduplication(options, cursor);
    await deduplication.#recover();
    return deduplication;
  }

  /** -1 for a producer that is not known. */
  lastSequenceId(producerName: string): Int64 {
    return this.#persisted.get(producerName) ?? -1;
  }

  /**
   * Looks at a publish before it is stored, and remembers that it was sent.
   * @param highestSequenceId Of a batch its last; otherwise as `sequenceId`.
   */
  check(producerName: string, sequenceId: Int64, highestSequenceId: Int64): DeduplicationVerdict {
    const pushed = this.#pushed.get(producerName);
    if (pushed !== undefined && sequenceId <= pushed) {
      return sequenceId <= this.lastSequenceId(producerName) ? "duplicate" : "unknown";
    }
    this.#pushed.set(producerName, highestSequenceId);
    return "new";
  }

  /** The entry is stored. */
  persisted(producerName: string, highestSequenceId: Int64, position: Position): void {
    this.#note(producerName, highestSequenceId);
    this.#advance(position);
  }

  /** A chunk that is not its message's last is stored: it does not count yet. */
  chunkPersisted(position: Position): void {
    this.#advance(position);
  }

  /** Publishing failed: what was sent and not stored may come again, and is then new. */
  forgetPushed(): void {
    this.#pushed.clear();
    for (const [name, sequenceId] of this.#persisted) this.#pushed.set(name, sequenceId);
  }

  /** Writes the table, then moves the cursor: after a crash between the two, entries are looked at twice, which is harmless. */
  snapshot(): Promise<void> {
    this.#snapshotUnderWay ??= this.#snapshot().finally(() => {
      this.#snapshotUnderWay = undefined;
    });
    return this.#snapshotUnderWay;
  }

  async #snapshot(): Promise<void> {
    const position = this.#lastPersisted;
    if (position === undefined || comparePositions(position, this.#cursor.markDeleted) <= 0) return;
    this.#entriesSinceSnapshot = 0;
    const properties: Record<string, string> = {};
    for (const [name, sequenceId] of this.#persisted) properties[name] = String(sequenceId);
    await this.#cursor.setProperties(properties);
    this.#cursor.acknowledgeCumulative(position);
    await this.#cursor.flush();
  }

  /** Whether enough was stored since the last snapshot. */
  get snapshotDue(): boolean {
    return this.#entriesSinceSnapshot >= this.#options.entriesInterval && this.#snapshotUnderWay === undefined;
  }

  #advance(position: Position): void {
    this.#lastPersisted = position;
    this.#entriesSinceSnapshot++;
  }

  #note(producerName: string, sequenceId: Int64): void {
    const before = this.#persisted.get(producerName);
    if (before !== undefined && before >= sequenceId) return;
    // the map keeps the order of insertion: whoever stored last is last, and the first is forgotten first
    this.#persisted.delete(producerName);
    this.#persisted.set(producerName, sequenceId);
    if (this.#persisted.size <= this.#options.producersMax) return;
    const [oldest] = this.#persisted.keys();
    if (oldest === undefined) return;
    this.#persisted.delete(oldest);
    this.#pushed.delete(oldest);
  }

  async #recover(): Promise<void> {
    for (const [name, sequenceId] of Object.entries(this.#cursor.properties)) this.#note(name, parseInt64(sequenceId));
    this.#cursor.rewind();
    while (this.#cursor.hasMoreEntries()) {
      const entries = await this.#cursor.read(REPLAY_ENTRIES, REPLAY_BYTES);
      if (entries.length === 0) break;
      for (const entry of entries) this.#replay(entry);
    }
    this.forgetPushed();
  }

  #replay(entry: Entry): void {
    const metadata = entry.metadata;
    if (isLastChunk(metadata)) this.#note(metadata.producerName, highestOf(metadata));
    this.#advance(entry);
  }
}

function highestOf(metadata: Decoded<MessageMetadata>): Int64 {
  return larger(metadata.highestSequenceId ?? 0, metadata.sequenceId);
}

/** The larger of two sequence ids; they may be of both kinds. */
export function larger(a: Int64, b: Int64): Int64 {
  return a > b ? a : b;
}

/** Whether an entry completes its message: chunks before the last do not. */
export function isLastChunk(metadata: Decoded<MessageMetadata>): boolean {
  if (metadata.chunkId === undefined) return true;
  return metadata.chunkId === (metadata.numChunksFromMsg ?? 1) - 1;
}

function parseInt64(text: string): Int64 {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
