import { crc32c } from "@pulsewire/protocol";
import { EntryDigest, type LedgerEntry } from "../wire/ledger-entry.ts";

/** What a record of a journal or an entry log is. */
export const RecordKind = {
  Entry: 1,
  Fence: 2,
  DeleteLedger: 3,
  /** Opens a group of a journal: names its file and its own offset, and shows that everything before it was synced. */
  Group: 4,
  /** Ends an entry log: which ledgers have how many bytes in it. */
  LedgerMap: 5,
  /** What a bookie had lost of a ledger was given to it again. */
  EndOfDoubt: 6,
  /** An entry that a recovery gave to a bookie, in its journal: others of the ledger may have been there before. */
  RecoveredEntry: 7,
} as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

/**
 * The head of a record: magic, kind, payload length, payload digest (u32 each), ledger id, entry id, LAC, ledger length
 * (f64 each, as the entry digest has them), CRC-32C of all that. Big endian. The payload follows.
 */
export const RECORD_HEAD_BYTES = 52;
const CRC_AT = 48;
const MAGIC = 0x50_57_52_45;
const MAGIC_FIRST_BYTE = 0x50;

export interface RecordHead {
  kind: RecordKind;
  payloadLength: number;
  digest: number;
  ledgerId: number;
  entryId: number;
  lac: number;
  lengthBytes: number;
}

/** Writes a head; the payload goes to `offset + RECORD_HEAD_BYTES`. */
export function writeHead(bytes: Uint8Array, view: DataView, offset: number, head: RecordHead): void {
  view.setUint32(offset, MAGIC);
  view.setUint32(offset + 4, head.kind);
  view.setUint32(offset + 8, head.payloadLength);
  view.setUint32(offset + 12, head.digest);
  view.setFloat64(offset + 16, head.ledgerId);
  view.setFloat64(offset + 24, head.entryId);
  view.setFloat64(offset + 32, head.lac);
  view.setFloat64(offset + 40, head.lengthBytes);
  view.setUint32(offset + CRC_AT, crc32c(bytes, offset, offset + CRC_AT));
}

/** Writes an entry whole. The payload is not read: the entry's own digest covers it. */
export function writeEntry(
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  entry: LedgerEntry,
  kind: RecordKind = RecordKind.Entry,
): void {
  const { payload } = entry;
  view.setUint32(offset, MAGIC);
  view.setUint32(offset + 4, kind);
  view.setUint32(offset + 8, payload.length);
  view.setUint32(offset + 12, entry.crc32c);
  view.setFloat64(offset + 16, entry.ledgerId);
  view.setFloat64(offset + 24, entry.entryId);
  view.setFloat64(offset + 32, entry.lac);
  view.setFloat64(offset + 40, entry.lengthBytes);
  view.setUint32(offset + CRC_AT, crc32c(bytes, offset, offset + CRC_AT));
  bytes.set(payload, offset + RECORD_HEAD_BYTES);
}

/** A record that is no entry. */
export function encodeRecord(kind: RecordKind, ledgerId: number, entryId: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(RECORD_HEAD_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  const digest = crc32c(payload);
  writeHead(bytes, view, 0, {
    kind,
    payloadLength: payload.length,
    digest,
    ledgerId,
    entryId,
    lac: -1,
    lengthBytes: 0,
  });
  bytes.set(payload, RECORD_HEAD_BYTES);
  return bytes;
}

/** Undefined where there is no intact head. */
export function readHead(bytes: Uint8Array, offset: number): RecordHead | undefined {
  if (offset + RECORD_HEAD_BYTES > bytes.length || bytes[offset] !== MAGIC_FIRST_BYTE) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, RECORD_HEAD_BYTES);
  if (view.getUint32(0) !== MAGIC || view.getUint32(CRC_AT) !== crc32c(bytes, offset, offset + CRC_AT))
    return undefined;
  return {
    kind: view.getUint32(4) as RecordKind,
    payloadLength: view.getUint32(8),
    digest: view.getUint32(12),
    ledgerId: view.getFloat64(16),
    entryId: view.getFloat64(24),
    lac: view.getFloat64(32),
    lengthBytes: view.getFloat64(40),
  };
}

export function isEntry({ kind }: RecordHead): boolean {
  return kind === RecordKind.Entry || kind === RecordKind.RecoveredEntry;
}

const digest = new EntryDigest();

/** Whether a payload is the one its head was written for. */
export function payloadMatches(head: RecordHead, payload: Uint8Array): boolean {
  if (!isEntry(head)) return crc32c(payload) === head.digest;
  return digest.of(head.ledgerId, head.entryId, head.lac, head.lengthBytes, payload) === head.digest;
}

export function entryOf(head: RecordHead, payload: Uint8Array): LedgerEntry {
  const { ledgerId, entryId, lac, lengthBytes } = head;
  return { ledgerId, entryId, lac, lengthBytes, crc32c: head.digest, payload };
}
