import { crc32c } from "@pulsewire/protocol";
import type { Disk } from "@pulsewire/runtime";
import type { EntryLogSnapshot } from "./entry-log/entry-log.ts";
import type { JournalMark } from "./journal/journal-file.ts";
import type { LedgerSnapshot } from "./ledger-table.ts";
import { StorageError } from "./storage-error.ts";

/** How far the journal is reflected in entry logs and index, and what is not in either. */
export interface Checkpoint {
  /** One more at each. */
  readonly sequence: number;
  /** Everything before is in entry logs; the journal is replayed from here. */
  readonly mark: JournalMark;
  readonly logs: readonly EntryLogSnapshot[];
  readonly ledgers: readonly LedgerSnapshot[];
  /** Entries of ledgers that are not known were lost to damage. */
  readonly damaged: boolean;
  /**
   * Only from this journal file on an end of a doubt counts: what stands before may be of doubts before the last damage.
   * Left out where the mark is there already.
   */
  readonly doubtsFrom?: number;
}

export const FIRST_CHECKPOINT: Checkpoint = {
  sequence: 0,
  mark: { fileId: 1, offset: 0 },
  logs: [],
  ledgers: [],
  damaged: false,
};

export const CHECKPOINT_PATH = "checkpoint";
const NEW_CHECKPOINT_PATH = "checkpoint.new";
const FORMAT = "pulsewire-checkpoint";
const TITLE = `${FORMAT} 1`;

function crcOf(body: Uint8Array): string {
  return crc32c(body).toString(16).padStart(8, "0");
}

/** Replaces the checkpoint: at any moment there is the old one or the new one, whole. */
export async function writeCheckpoint(disk: Disk, checkpoint: Checkpoint): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(checkpoint));
  const title = new TextEncoder().encode(`${TITLE} ${crcOf(body)}\n`);
  const file = await disk.open(NEW_CHECKPOINT_PATH);
  try {
    await file.truncate(0);
    await file.append(title);
    await file.append(body);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(NEW_CHECKPOINT_PATH, CHECKPOINT_PATH);
  await disk.syncFolder("");
}

/** Undefined where there is none. @throws StorageError Corrupt or Foreign. */
export async function readCheckpoint(disk: Disk): Promise<Checkpoint | undefined> {
  if (!(await disk.list("")).includes(CHECKPOINT_PATH)) return undefined;
  const file = await disk.open(CHECKPOINT_PATH);
  try {
    const bytes = await file.read(0, file.sizeBytes);
    const end = bytes.indexOf(10);
    const title = new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)));
    const [format, version] = title.split(" ");
    if (format === FORMAT && version !== "1")
      throw new StorageError("Foreign", `${CHECKPOINT_PATH} is not of this version's format`);
    const body = bytes.subarray(end + 1);
    if (title !== `${TITLE} ${crcOf(body)}`) throw new StorageError("Corrupt", `${CHECKPOINT_PATH} cannot be read`);
    return JSON.parse(new TextDecoder().decode(body)) as Checkpoint;
  } finally {
    await file.close();
  }
}
