import type { Disk } from "@pulsewire/runtime";
import type { LedgerEntry } from "../../wire/ledger-entry.ts";
import {
  encodeRecord,
  entryOf,
  payloadMatches,
  RECORD_HEAD_BYTES,
  RecordKind,
  readHead,
  writeEntry,
} from "../entry-record.ts";
import { RecordScanner } from "../record-scanner.ts";
import type { Damage } from "../storage-error.ts";
import type { BookieSettings } from "../storage-settings.ts";
import {
  createEntryLog,
  ENTRY_LOG_HEADER_BYTES,
  type EntryLog,
  type EntryLogSnapshot,
  encodeLedgerMap,
  entryLogPath,
  listEntryLogs,
} from "./entry-log.ts";
import { type OnLost, openEntryLog } from "./open-entry-log.ts";
import { type Run, RunBuilder } from "./run.ts";

const BUFFER_BYTES = 1024 * 1024;

/** All entry logs of a bookie, of which the newest is written. One write at a time; reads at any time. */
export class EntryLogs {
  readonly #disk: Disk;
  readonly #settings: BookieSettings;
  readonly #logs = new Map<number, EntryLog>();
  /** Never in a checkpoint; the next start removes their files. */
  readonly #abandoned: EntryLog[] = [];
  #current: EntryLog | undefined;
  #nextLogId = 1;
  #buffer: Uint8Array = new Uint8Array(BUFFER_BYTES);
  #view: DataView = new DataView(this.#buffer.buffer);
  #buffered = 0;

  constructor(disk: Disk, settings: BookieSettings) {
    this.#disk = disk;
    this.#settings = settings;
  }

  /**
   * Opens what a checkpoint knows of, and removes the rest. @param isLiving Whether a ledger is still there.
   * @param onLost Told of a log that is gone or has become shorter, with the ledgers that were in it, where they are known.
   */
  static async open(
    disk: Disk,
    settings: BookieSettings,
    snapshots: readonly EntryLogSnapshot[],
    isLiving: (ledgerId: number) => boolean,
    onLost: OnLost,
  ): Promise<EntryLogs> {
    const logs = new EntryLogs(disk, settings);
    try {
      const there = new Set(await listEntryLogs(disk));
      for (const snapshot of snapshots) {
        const log = await openEntryLog(disk, snapshot, there.has(snapshot.logId), isLiving, onLost);
        logs.#nextLogId = Math.max(logs.#nextLogId, snapshot.logId + 1);
        if (log === undefined) continue;
        logs.#logs.set(log.logId, log);
        if (log.mapOffset === undefined) logs.#current = log;
      }
      for (const logId of there) {
        if (!logs.#logs.has(logId)) await disk.remove(entryLogPath(logId));
        logs.#nextLogId = Math.max(logs.#nextLogId, logId + 1);
      }
    } catch (error) {
      await logs.close();
      throw error;
    }
    return logs;
  }

  get size(): number {
    return this.#logs.size;
  }

  all(): Iterable<EntryLog> {
    return this.#logs.values();
  }

  isCurrent(log: EntryLog): boolean {
    return log === this.#current;
  }

  /** Appends entries and answers where they are, once they are durable. */
  async write(entries: Iterable<LedgerEntry>): Promise<Run[]> {
    const runs = new RunBuilder(this.#settings.dbStorage_readAheadCacheBatchSize);
    try {
      for (const entry of entries) {
        const length = RECORD_HEAD_BYTES + entry.payload.length;
        if (this.#buffered + length > this.#buffer.length) await this.#flush();
        const log = await this.#logWithRoom();
        const offset = log.file.sizeBytes + this.#buffered;
        this.#put(entry, length);
        log.ledgers.set(entry.ledgerId, (log.ledgers.get(entry.ledgerId) ?? 0) + length);
        runs.add(entry.ledgerId, entry.entryId, log.logId, offset, length);
      }
      await this.#flush();
      await this.#current?.file.sync();
    } catch (error) {
      this.#abandonCurrent();
      throw error;
    }
    return runs.end();
  }

  /** What is durable now, for a checkpoint. */
  snapshot(): EntryLogSnapshot[] {
    return Array.from(this.#logs.values(), (log) => {
      const { logId, mapOffset } = log;
      if (log === this.#current) log.lengthBytes = log.file.sizeBytes;
      const { lengthBytes } = log;
      return mapOffset === undefined
        ? { logId, lengthBytes, ledgers: [...log.ledgers] }
        : { logId, lengthBytes, mapOffset };
    });
  }

  forgetLedgers(ledgerIds: Iterable<number>): void {
    for (const ledgerId of ledgerIds) for (const log of this.#logs.values()) log.ledgers.delete(ledgerId);
  }

  /** Takes logs without a living ledger off the list; their files go with `remove`, after a checkpoint without them. */
  takeDead(): EntryLog[] {
    const dead = [...this.#logs.values()].filter((log) => log !== this.#current && log.ledgers.size === 0);
    for (const { logId } of dead) this.#logs.delete(logId);
    return dead;
  }

  async remove(logs: readonly EntryLog[]): Promise<void> {
    for (const { logId, file } of logs) {
      await file.close();
      await this.#disk.remove(entryLogPath(logId));
    }
  }

  /**
   * The entries of a run by their place in it, undefined where one is damaged. Where it cannot be told how long a damaged
   * one is, what follows is missing. Undefined where the log is gone.
   */
  async read(run: Run): Promise<{ entries: (LedgerEntry | undefined)[]; bytes: number } | undefined> {
    const log = this.#logs.get(run.logId);
    if (log === undefined) return undefined;
    const bytes = await log.file.read(run.offset, run.lengthBytes);
    const entries: (LedgerEntry | undefined)[] = [];
    for (let at = 0; entries.length < run.count; ) {
      const head = readHead(bytes, at);
      if (head === undefined) break;
      const payload = bytes.subarray(at + RECORD_HEAD_BYTES, at + RECORD_HEAD_BYTES + head.payloadLength);
      at += RECORD_HEAD_BYTES + head.payloadLength;
      if (head.ledgerId !== run.ledgerId || head.entryId !== run.firstEntryId + entries.length) break;
      if (payload.length < head.payloadLength) break;
      entries.push(payloadMatches(head, payload) ? entryOf(head, payload) : undefined);
    }
    return { entries, bytes: bytes.length };
  }

  /** Every run of every log, in the order they were written: what an index is made anew from. */
  async *scan(onDamage: (damage: Damage) => void): AsyncGenerator<Run[]> {
    for (const log of this.#logs.values()) {
      const builder = new RunBuilder(this.#settings.dbStorage_readAheadCacheBatchSize);
      const scanner = new RecordScanner(log.file, log.mapOffset ?? log.lengthBytes);
      for (let offset = ENTRY_LOG_HEADER_BYTES; ; ) {
        const scanned = await scanner.at(offset);
        if (scanned.kind === "end") break;
        if (scanned.kind === "broken") {
          const next = await scanner.find(offset + 1, (head) => head.kind === RecordKind.Entry);
          const toOffset = next ?? log.lengthBytes;
          const detail = "the entries before and after were kept";
          onDamage({ file: entryLogPath(log.logId), fromOffset: offset, toOffset, ledgerId: undefined, detail });
          if (next === undefined) break;
          offset = next;
          continue;
        }
        const { head, endOffset } = scanned;
        // a damaged payload is found when it is read; its place is known
        if (log.ledgers.has(head.ledgerId)) {
          builder.add(head.ledgerId, head.entryId, log.logId, offset, endOffset - offset);
        }
        offset = endOffset;
      }
      yield builder.end();
    }
  }

  async close(): Promise<void> {
    for (const { file } of [...this.#logs.values(), ...this.#abandoned.splice(0)]) await file.close();
    this.#logs.clear();
    this.#current = undefined;
  }

  /** What a failed write or sync left is not known: the next one goes to a log of its own. */
  #abandonCurrent(): void {
    const log = this.#current;
    this.#current = undefined;
    this.#buffered = 0;
    if (log === undefined || log.lengthBytes > 0) return;
    this.#logs.delete(log.logId);
    this.#abandoned.push(log);
  }

  #put(entry: LedgerEntry, length: number): void {
    if (length > this.#buffer.length) {
      this.#buffer = new Uint8Array(length);
      this.#view = new DataView(this.#buffer.buffer);
    }
    writeEntry(this.#buffer, this.#view, this.#buffered, entry);
    this.#buffered += length;
  }

  async #flush(): Promise<void> {
    if (this.#buffered === 0) return;
    await this.#current?.file.append(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  async #logWithRoom(): Promise<EntryLog> {
    const current = this.#current;
    if (current !== undefined) {
      if (current.file.sizeBytes + this.#buffered < this.#settings.logSizeLimit) return current;
      await this.#flush();
      await this.#seal(current);
    }
    const log = await createEntryLog(this.#disk, this.#nextLogId++);
    this.#logs.set(log.logId, log);
    this.#current = log;
    return log;
  }

  async #seal(log: EntryLog): Promise<void> {
    const mapOffset = log.file.sizeBytes;
    await log.file.append(encodeRecord(RecordKind.LedgerMap, log.logId, mapOffset, encodeLedgerMap(log.ledgers)));
    await log.file.sync();
    log.mapOffset = mapOffset;
    log.lengthBytes = log.file.sizeBytes;
    this.#current = undefined;
  }
}
