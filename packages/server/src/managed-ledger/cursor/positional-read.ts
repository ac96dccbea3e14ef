import type { LedgerList } from "../ledger-list.ts";
import { ManagedLedgerError } from "../managed-ledger.ts";
import { comparePositions, type Entry, type Position } from "../position.ts";
import type { AckState } from "./ack-state.ts";

/** Where entries come from. */
interface Source {
  readonly list: LedgerList;
  cached(ledgerId: number, entryId: number): Entry | undefined;
  readEntries(ledgerId: number, first: number, last: number): Promise<Entry[]>;
}

/** Neighbouring entries of one ledger. */
interface Run {
  ledgerId: number;
  first: number;
  last: number;
}

/** The entries at some positions, in order, less those acknowledged and those no longer there. */
export function readPositions(
  source: Source,
  acks: AckState,
  positions: readonly Position[],
): Entry[] | Promise<Entry[]> {
  const entries: Entry[] = [];
  const runs: Run[] = [];
  for (const position of inOrder(positions)) {
    const { ledgerId, entryId } = position;
    if (acks.has(ledgerId, entryId) || !source.list.has(position)) continue;
    const entry = source.cached(ledgerId, entryId);
    if (entry !== undefined) entries.push(entry);
    else addToRuns(runs, position);
  }
  return runs.length === 0 ? entries : readRuns(source, acks, entries, runs);
}

function inOrder(positions: readonly Position[]): readonly Position[] {
  for (let i = 1; i < positions.length; i++) {
    if (comparePositions(positions[i - 1] as Position, positions[i] as Position) > 0) {
      return [...positions].sort(comparePositions);
    }
  }
  return positions;
}

function addToRuns(runs: Run[], { ledgerId, entryId }: Position): void {
  const run = runs.at(-1);
  if (run !== undefined && run.ledgerId === ledgerId && entryId <= run.last + 1) run.last = entryId;
  else runs.push({ ledgerId, first: entryId, last: entryId });
}

async function readRuns(source: Source, acks: AckState, cached: Entry[], runs: readonly Run[]): Promise<Entry[]> {
  const read = await Promise.all(runs.map((run) => readRun(source, run)));
  const entries = [...cached, ...read.flat()].sort(comparePositions);
  // acknowledged while they were read
  return entries.filter((entry) => !acks.has(entry.ledgerId, entry.entryId));
}

async function readRun(source: Source, { ledgerId, first, last }: Run): Promise<Entry[]> {
  try {
    return await source.readEntries(ledgerId, first, last);
  } catch (error) {
    const trimmed = !source.list.has({ ledgerId, entryId: first });
    if (trimmed && error instanceof ManagedLedgerError && error.code === "InvalidPosition") return [];
    throw error;
  }
}
