import type { Disk, DiskFile } from "@pulsewire/runtime";

export const ENTRY_LOG_FOLDER = "entry-logs";

/** "PWL" and the version of the format. */
const FILE_MAGIC: Uint8Array = Uint8Array.of(0x50, 0x57, 0x4c, 1);
export const ENTRY_LOG_HEADER_BYTES = 16;

export function entryLogPath(logId: number): string {
  return `${ENTRY_LOG_FOLDER}/${String(logId).padStart(10, "0")}.log`;
}

/** One entry log: a file of entries, by ledger and entry within each flush. */
export interface EntryLog {
  readonly logId: number;
  readonly file: DiskFile;
  /** Bytes that a checkpoint covers, 0 where none does; what follows is of no use after a crash. */
  lengthBytes: number;
  /** Where its ledger map begins; a log with one is full. */
  mapOffset: number | undefined;
  /** Bytes of records, by living ledger. */
  readonly ledgers: Map<number, number>;
}

/** An entry log as a checkpoint has it. The ledgers of one without a map stand in the checkpoint itself. */
export interface EntryLogSnapshot {
  readonly logId: number;
  readonly lengthBytes: number;
  readonly mapOffset?: number;
  readonly ledgers?: readonly (readonly [ledgerId: number, bytes: number])[];
}

export async function createEntryLog(disk: Disk, logId: number): Promise<EntryLog> {
  const file = await disk.open(entryLogPath(logId));
  const header = new Uint8Array(ENTRY_LOG_HEADER_BYTES);
  header.set(FILE_MAGIC);
  new DataView(header.buffer).setFloat64(8, logId);
  await file.truncate(0);
  await file.append(header);
  await disk.syncFolder(ENTRY_LOG_FOLDER);
  // for the folder itself, where the file is its first
  await disk.syncFolder("");
  return { logId, file, lengthBytes: 0, mapOffset: undefined, ledgers: new Map() };
}

/** The ids of the entry logs there are, ascending. */
export async function listEntryLogs(disk: Disk): Promise<number[]> {
  const names = await disk.list(ENTRY_LOG_FOLDER);
  return names
    .filter((name) => /^\d+\.log$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

/** The ledgers of an entry log as bytes, for its end. */
export function encodeLedgerMap(ledgers: ReadonlyMap<number, number>): Uint8Array {
  const bytes = new Uint8Array(16 * ledgers.size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [ledgerId, size] of ledgers) {
    view.setFloat64(at, ledgerId);
    view.setFloat64(at + 8, size);
    at += 16;
  }
  return bytes;
}

export function decodeLedgerMap(bytes: Uint8Array): [ledgerId: number, bytes: number][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length >> 4 }, (_, i) => [view.getFloat64(16 * i), view.getFloat64(16 * i + 8)]);
}
