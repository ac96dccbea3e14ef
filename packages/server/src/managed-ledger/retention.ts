import type { LedgerSlot } from "./ledger-list.ts";
import type { ManagedLedgerSettings } from "./ledger-settings.ts";
import { comparePositions, type Position } from "./position.ts";

export interface TrimInput {
  slots: readonly LedgerSlot[];
  /** The mark-delete position of the slowest durable cursor; undefined when there is none. */
  slowest: Position | undefined;
  settings: Pick<ManagedLedgerSettings, "retentionMs" | "retentionBytes">;
  nowMs: number;
  /** Whether retention counts. */
  retain: boolean;
}

/**
 * The ledgers from the front of the list that may go: closed, behind every durable cursor, and past retention's time
 * or beyond its size, whichever keeps less. The first that must stay keeps all behind it.
 */
export function ledgersToTrim({ slots, slowest, settings, nowMs, retain }: TrimInput): LedgerSlot[] {
  const trimmed: LedgerSlot[] = [];
  let leftBytes = slots.reduce((sum, slot) => sum + slot.sizeBytes, 0);
  for (const slot of slots) {
    if (slot.closedAtMs === undefined) break;
    const end = { ledgerId: slot.ledgerId, entryId: slot.entries - 1 };
    if (slowest !== undefined && comparePositions(slowest, end) < 0) break;
    leftBytes -= slot.sizeBytes;
    const { retentionMs, retentionBytes } = settings;
    const expired = retentionMs >= 0 && nowMs - slot.closedAtMs >= retentionMs;
    const oversize = retentionBytes >= 0 && leftBytes >= retentionBytes;
    if (retain && !expired && !oversize) break;
    trimmed.push(slot);
  }
  return trimmed;
}
