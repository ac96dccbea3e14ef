import type { Disk, DiskFile } from "@pulsewire/runtime";

export const JOURNAL_FOLDER = "journal";

/** "PWJ" and the version of the format. */
const FILE_MAGIC: Uint8Array = Uint8Array.of(0x50, 0x57, 0x4a, 1);
export const JOURNAL_HEADER_BYTES = 16;

/** A place in the journal: everything before it is durable. */
export interface JournalMark {
  readonly fileId: number;
  readonly offset: number;
}

export function journalPath(fileId: number): string {
  return `${JOURNAL_FOLDER}/${String(fileId).padStart(10, "0")}.journal`;
}

function headerOf(fileId: number): Uint8Array {
  const header = new Uint8Array(JOURNAL_HEADER_BYTES);
  header.set(FILE_MAGIC);
  new DataView(header.buffer).setFloat64(8, fileId);
  return header;
}

/** Makes a journal file and answers when it would survive a crash. */
export async function createJournalFile(disk: Disk, fileId: number): Promise<DiskFile> {
  const file = await disk.open(journalPath(fileId));
  await file.truncate(0);
  await file.append(headerOf(fileId));
  await file.sync();
  await disk.syncFolder(JOURNAL_FOLDER);
  // for the folder itself, where the file is its first
  await disk.syncFolder("");
  return file;
}

/** Whether a file begins as a journal file does. */
export async function hasJournalHeader(file: DiskFile, fileId: number): Promise<boolean> {
  const header = await file.read(0, JOURNAL_HEADER_BYTES);
  const wanted = headerOf(fileId);
  return header.length === wanted.length && header.every((byte, i) => byte === wanted[i]);
}

/** The ids of the journal files there are, ascending. */
export async function listJournalFiles(disk: Disk): Promise<number[]> {
  const names = await disk.list(JOURNAL_FOLDER);
  return names
    .filter((name) => /^\d+\.journal$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}
