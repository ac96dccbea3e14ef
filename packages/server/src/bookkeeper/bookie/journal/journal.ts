import { type Clock, type Disk, type DiskFile, Ring, type Timer } from "@pulsewire/runtime";
import type { LedgerEntry } from "../../wire/ledger-entry.ts";
import type { RecordKind } from "../entry-record.ts";
import { StorageError } from "../storage-error.ts";
import type { BookieSettings } from "../storage-settings.ts";
import { createJournalFile, type JournalMark, journalPath, listJournalFiles } from "./journal-file.ts";
import { JournalGroup, type JournalWaiter } from "./journal-group.ts";

export interface JournalOptions {
  disk: Disk;
  clock: Clock;
  settings: BookieSettings;
  /** The file to begin, which must not be there yet. */
  fileId: number;
  /** Told once, when the disk failed. */
  onFailed: (error: StorageError) => void;
}

/** What is larger is written as fast where the file grows, and the zeros of its room would be as much again to write. */
const SMALL_GROUP_BYTES_MAX = 64 * 1024;

/** Failed and closed are final. After a failed sync nobody knows what is on the disk, so there is no second try. */
type JournalState = { kind: "open" } | { kind: "failed"; error: StorageError } | { kind: "closed" };

/**
 * Makes records durable in the order they are appended. Records of a group are written by one append and one sync, and
 * only then are their waiters told; while a group is being synced the next one fills. Without `journalSyncData` they are
 * only written.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #sealed = new Ring<JournalGroup>();
  #building = new JournalGroup();
  #spare: JournalGroup | undefined;
  #inFlight: JournalGroup | undefined;
  #file: DiskFile;
  #fileId: number;
  /** Up to here the file has its room. */
  #roomEnd = 0;
  #state: JournalState = { kind: "open" };
  #writing = false;
  #timer: Timer | undefined;
  #scheduled = false;
  #syncs = 0;
  #writtenBytes = 0;

  constructor(options: JournalOptions, file: DiskFile) {
    this.#options = options;
    this.#file = file;
    this.#fileId = options.fileId;
  }

  static async create(options: JournalOptions): Promise<Journal> {
    return new Journal(options, await createJournalFile(options.disk, options.fileId));
  }

  /** Groups that were synced. */
  get syncs(): number {
    return this.#syncs;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Batches of adds that wait to be written. */
  get waiting(): number {
    let waiting = this.#building.waiters.length + (this.#inFlight?.waiters.length ?? 0);
    for (const group of this.#sealed) waiting += group.waiters.length;
    return waiting;
  }

  /** Where the next group goes. */
  get position(): JournalMark {
    return { fileId: this.#fileId, offset: this.#file.sizeBytes };
  }

  /** @param recovery It is a recovery's, and not its writer's. */
  appendEntry(entry: LedgerEntry, recovery: boolean): void {
    this.#building.addEntry(entry, recovery);
  }

  appendRecord(kind: RecordKind, ledgerId: number): void {
    this.#building.addRecord(kind, ledgerId);
  }

  /** Tells a waiter when everything appended before is durable. */
  wait(waiter: JournalWaiter): void {
    if (this.#state.kind !== "open") {
      waiter.onFailed(this.#closedError());
      return;
    }
    this.#building.waiters.push(waiter);
    if (this.#building.lengthBytes >= this.#options.settings.journalBufferedWritesThreshold) this.#kick();
    else this.#schedule();
  }

  /**
   * Ends the group that fills, and answers the place right after it once everything before is durable. What is appended
   * after the call comes after the place.
   */
  cut(): Promise<JournalMark> {
    return new Promise((resolve, reject) => {
      if (this.#state.kind !== "open") {
        reject(this.#closedError());
        return;
      }
      this.#building.waiters.push({ onDurable: () => resolve(this.position), onFailed: reject });
      this.#sealed.push(this.#building);
      this.#building = this.#spare ?? new JournalGroup();
      this.#spare = undefined;
      this.#kick();
    });
  }

  /** Removes the files before the one of a mark. */
  async trim(mark: JournalMark): Promise<void> {
    const { disk } = this.#options;
    for (const fileId of await listJournalFiles(disk)) {
      if (fileId < mark.fileId) await disk.remove(journalPath(fileId));
    }
  }

  /** Writes what is there, then takes no more. */
  async close(): Promise<void> {
    if (this.#state.kind === "closed") return;
    const failed = this.#state.kind === "failed";
    if (!failed) await this.cut();
    this.#timer?.cancel();
    this.#state = { kind: "closed" };
    if (!failed) await this.#cutRoom();
    await this.#file.close();
  }

  #schedule(): void {
    if (this.#writing || this.#scheduled) return;
    this.#scheduled = true;
    const { clock, settings } = this.#options;
    const due = (): void => {
      this.#scheduled = false;
      this.#kick();
    };
    if (settings.journalFlushWhenQueueEmpty) clock.soon(due);
    else this.#timer = clock.setTimer(settings.journalMaxGroupWaitMSec, due, { keepAlive: true });
  }

  #kick(): void {
    if (this.#writing || this.#state.kind !== "open") return;
    this.#writing = true;
    this.#writeAll().catch((error: unknown) => this.#fail(error));
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      const group = this.#next();
      if (group === undefined) {
        this.#writing = false;
        return;
      }
      await this.#write(group);
      for (const waiter of group.waiters) waiter.onDurable();
      group.reset();
      this.#spare ??= group;
      // who was just told often has more: let it come into the next group
      if (this.#sealed.length === 0) await new Promise<void>((resolve) => this.#options.clock.soon(resolve));
    }
  }

  #next(): JournalGroup | undefined {
    const sealed = this.#sealed.shift();
    if (sealed !== undefined) return sealed;
    const group = this.#building;
    if (group.idle) return undefined;
    this.#building = this.#spare ?? new JournalGroup();
    this.#spare = undefined;
    return group;
  }

  async #write(group: JournalGroup): Promise<void> {
    this.#inFlight = group;
    if (group.hasRecords) {
      if (this.#file.sizeBytes >= this.#options.settings.journalMaxSizeMB * 1024 * 1024) await this.#roll();
      const bytes = group.sealed(this.#fileId, this.#file.sizeBytes);
      if (this.#options.settings.journalSyncData) {
        await this.#file.appendDurably(bytes, this.#roomAfter(bytes.length));
        this.#syncs++;
      } else await this.#file.append(bytes);
      this.#writtenBytes += bytes.length;
    }
    this.#inFlight = undefined;
  }

  /** What takes most of the time of a small group's sync is that the file grows. */
  #roomAfter(groupBytes: number): number {
    const end = this.#file.sizeBytes + groupBytes;
    if (end <= this.#roomEnd || groupBytes > SMALL_GROUP_BYTES_MAX) return 0;
    const roomBytes = Math.floor(this.#options.settings.journalPreAllocSizeMB * 1024 * 1024);
    this.#roomEnd = end + roomBytes;
    return roomBytes;
  }

  async #cutRoom(): Promise<void> {
    if (this.#roomEnd > this.#file.sizeBytes) await this.#file.truncate(this.#file.sizeBytes);
    this.#roomEnd = 0;
  }

  async #roll(): Promise<void> {
    const { disk } = this.#options;
    // with a file after it nothing in it may be other than a record
    await this.#cutRoom();
    await this.#file.sync();
    const next = await createJournalFile(disk, this.#fileId + 1);
    await this.#file.close();
    this.#file = next;
    this.#fileId++;
  }

  #fail(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const error = new StorageError("Failed", `writing ${journalPath(this.#fileId)}: ${reason}`, { cause });
    this.#state = { kind: "failed", error };
    const groups = [...(this.#inFlight === undefined ? [] : [this.#inFlight]), ...this.#sealed, this.#building];
    for (const group of groups) for (const waiter of group.waiters.splice(0)) waiter.onFailed(error);
    this.#options.onFailed(error);
  }

  #closedError(): StorageError {
    return this.#state.kind === "failed" ? this.#state.error : new StorageError("Closed", "the journal is closed");
  }
}
