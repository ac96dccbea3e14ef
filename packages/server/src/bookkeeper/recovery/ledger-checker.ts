import type { NodeId } from "@pulsewire/runtime";
import type { BookiePool } from "../client/bookie-pool.ts";
import { BookKeeperError } from "../client/bookkeeper-error.ts";
import type { LedgerMetadata } from "../client/ledger-metadata.ts";
import { LedgerReader } from "../client/ledger-reader.ts";
import { closedSpans, idsOfSlot } from "./fragment-replicator.ts";

/** Entries asked for at once. */
const BATCH_ENTRIES = 500;

/**
 * The bookies that lack an intact copy of some entry of a ledger that they should have: an entry counts once its ack
 * quorum has it, and the other copies may have been lost on the way. One that does not answer is not among them.
 */
export async function bookiesLackingCopies(
  pool: BookiePool,
  ledgerId: number,
  metadata: LedgerMetadata,
): Promise<NodeId[]> {
  const lacking = new Set<NodeId>();
  for (const span of closedSpans(metadata)) {
    for (const [slot, bookie] of span.fragment.bookies.entries()) {
      const ids = idsOfSlot(metadata, span, slot);
      for (let from = 0; from < ids.length && !lacking.has(bookie); from += BATCH_ENTRIES) {
        const entryIds = ids.slice(from, from + BATCH_ENTRIES);
        if (!(await hasAll(pool, ledgerId, bookie, entryIds))) lacking.add(bookie);
      }
    }
  }
  return [...lacking];
}

async function hasAll(
  pool: BookiePool,
  ledgerId: number,
  bookie: NodeId,
  entryIds: readonly number[],
): Promise<boolean> {
  try {
    return (await LedgerReader.intactCopies(pool, { ledgerId, bookie, entryIds })).size === entryIds.length;
  } catch (error) {
    // whether it is gone is for its session to say
    if (error instanceof BookKeeperError && error.code === "ReadFailed") return true;
    throw error;
  }
}
