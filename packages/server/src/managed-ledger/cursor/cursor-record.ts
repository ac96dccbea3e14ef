import type { Position } from "../position.ts";
import type { LedgerRuns } from "./acked-entries.ts";
import type { PartialAckRecord } from "./partial-acks.ts";

/** A cursor's state as it is stored. */
export interface CursorRecord {
  markDeleted: Position;
  acked: readonly LedgerRuns[];
  partial: readonly PartialAckRecord[];
  properties: Readonly<Record<string, string>>;
  lastActiveMs: number;
}

/** What metadata holds of a cursor. The newest record is the last entry of its ledger, when it has one. */
export interface CursorMetadata {
  /** -1 for none. */
  cursorsLedgerId: number;
  record: CursorRecord;
}
