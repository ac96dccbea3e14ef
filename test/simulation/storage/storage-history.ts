/** One append, as its owner saw it. */
export interface Append {
  log: string;
  tenure: string;
  text: string;
  outcome:
    | { kind: "pending" }
    | { kind: "stored"; place: string; ledgerId: number; entryId: number }
    | { kind: "failed" };
}

/** An entry as somebody read it. */
export interface Read {
  log: string;
  tenure: string;
  place: string;
  text: string;
}

/** An entry of a log as it is in the end, in order. */
export interface Kept {
  ledgerId: number;
  entryId: number;
  text: string;
  /** By the cursor, in the end. */
  acknowledged: boolean;
  /** Bookies of its write quorum that answer with it. */
  copies: number;
}

/** A ledger of a log's list in the end. */
export interface KeptLedger {
  ledgerId: number;
  listedEntries: number;
  closedInList: boolean;
  /** Of its own metadata; undefined where there is none. */
  state: string | undefined;
  lastEntryId: number | undefined;
}

/** What happened to storage in one run, as owners saw it and as it is found in the end. */
export class StorageHistory {
  readonly appends: Append[] = [];
  readonly reads: Read[] = [];
  /** Places whose acknowledgement was asked for, and those that a flush confirmed, by log. */
  readonly asked: Map<string, Set<string>> = new Map();
  readonly confirmed: Map<string, Set<string>> = new Map();
  readonly kept: Map<string, Kept[]> = new Map();
  readonly ledgers: Map<string, KeptLedger[]> = new Map();
  /** Ledgers of cursors, by log. */
  readonly cursorLedgers: Map<string, number[]> = new Map();
  /** What ledgers' metadata was seen to do that it must not. */
  readonly metadataBreaches: string[] = [];
  /** What belongs to nothing in the end, one line each. */
  readonly orphans: string[] = [];
  /** Parts of files that could not be read, of bookies whose disks keep what was synced. */
  readonly damage: string[] = [];
  /** Errors of bookies' housekeeping while nothing was wrong with their disks. */
  readonly housekeeping: string[] = [];
}

export function placeOf({ ledgerId, entryId }: { ledgerId: number; entryId: number }): string {
  return `${ledgerId}:${entryId}`;
}
