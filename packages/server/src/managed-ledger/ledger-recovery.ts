import type { BookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import { BookKeeperError } from "../bookkeeper/client/bookkeeper-error.ts";
import type { LedgerList } from "./ledger-list.ts";
import type { LedgerRecord, ManagedLedgerRecord } from "./managed-ledger-record.ts";

/**
 * Fills the list from the record of an earlier owner. The last ledger's end is not in the record: it is found by
 * recovery, which fences the earlier owner. Ledgers without an entry are left out and deleted.
 */
export async function recoverLedgers(
  bookkeeper: BookKeeperClient,
  record: ManagedLedgerRecord,
  list: LedgerList,
): Promise<void> {
  const lastId = record.ledgers.at(-1)?.ledgerId;
  for (const ledger of record.ledgers) {
    const known = ledger.ledgerId === lastId ? await recovered(bookkeeper, ledger) : ledger;
    if (known === undefined) continue;
    if (known.entries > 0) list.append({ ...known, closedAtMs: known.closedAtMs ?? known.createdMs });
    else bookkeeper.deleteLedger(known.ledgerId).catch(() => undefined);
  }
}

/** Undefined when the ledger is gone: its owner was about to create it, or to delete it. */
async function recovered(bookkeeper: BookKeeperClient, ledger: LedgerRecord): Promise<LedgerRecord | undefined> {
  try {
    const reader = await bookkeeper.openLedger(ledger.ledgerId);
    const entries = reader.lastConfirmed + 1;
    return { ...ledger, entries, sizeBytes: reader.metadata.lengthBytes };
  } catch (error) {
    if (error instanceof BookKeeperError && error.code === "NoSuchLedger") return undefined;
    throw error;
  }
}
