import { crc32c } from "@pulsewire/protocol";
import type { LedgerEntry } from "../../wire/ledger-entry.ts";
import { encodeRecord, RECORD_HEAD_BYTES, RecordKind, writeEntry, writeHead } from "../entry-record.ts";

/** Told when the group its records went with is durable, or never will be. */
export interface JournalWaiter {
  onDurable(): void;
  onFailed(error: unknown): void;
}

const INITIAL_BYTES = 64 * 1024;
/** A buffer that grew beyond is let go after its group. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
const NO_BYTES = new Uint8Array(0);

/** Records that are written and synced together. The buffer is used again for a later group. */
export class JournalGroup {
  readonly waiters: JournalWaiter[] = [];
  #bytes: Uint8Array = new Uint8Array(INITIAL_BYTES);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = RECORD_HEAD_BYTES;

  get lengthBytes(): number {
    return this.#length;
  }

  get hasRecords(): boolean {
    return this.#length > RECORD_HEAD_BYTES;
  }

  get idle(): boolean {
    return !this.hasRecords && this.waiters.length === 0;
  }

  addEntry(entry: LedgerEntry, recovery: boolean): void {
    const start = this.#length;
    this.#grow(start + RECORD_HEAD_BYTES + entry.payload.length);
    writeEntry(this.#bytes, this.#view, start, entry, recovery ? RecordKind.RecoveredEntry : RecordKind.Entry);
  }

  addRecord(kind: RecordKind, ledgerId: number): void {
    const record = encodeRecord(kind, ledgerId, -1, NO_BYTES);
    const start = this.#length;
    this.#grow(start + record.length);
    this.#bytes.set(record, start);
  }

  /** The bytes to write at an offset of a file. Valid until `reset`. */
  sealed(fileId: number, offset: number): Uint8Array {
    const payloadLength = 0;
    const head = { kind: RecordKind.Group, payloadLength, digest: crc32c(NO_BYTES), lac: -1, lengthBytes: 0 };
    writeHead(this.#bytes, this.#view, 0, { ...head, ledgerId: fileId, entryId: offset });
    return this.#bytes.subarray(0, this.#length);
  }

  reset(): void {
    this.waiters.length = 0;
    this.#length = RECORD_HEAD_BYTES;
    if (this.#bytes.length <= KEPT_BYTES_MAX) return;
    this.#bytes = new Uint8Array(INITIAL_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
  }

  #grow(length: number): void {
    if (length > this.#bytes.length) {
      const bigger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      bigger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = bigger;
      this.#view = new DataView(bigger.buffer);
    }
    this.#length = length;
  }
}
