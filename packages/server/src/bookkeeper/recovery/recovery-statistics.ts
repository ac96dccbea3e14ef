/** What auto-recovery of a cluster did since the start; each number by the name BookKeeper has for it. */
export class RecoveryStatistics {
  /** Ledgers found to lack copies. */
  auditor_NUM_UNDER_REPLICATED_LEDGERS = 0;
  /** Looks for bookies that are gone. */
  auditor_AUDIT_BOOKIES_TIME_count = 0;
  auditor_NUM_LEDGERS_CHECKED = 0;
  /** Looks whether closed ledgers have every copy. */
  auditor_CHECK_ALL_LEDGERS_TIME_count = 0;
  /** Looks that wait for `lostBookieRecoveryDelay`. */
  auditor_NUM_BOOKIE_AUDITS_DELAYED = 0;
  /** Tries to make a ledger whole. */
  replication_worker_REREPLICATE_OP_count = 0;
  replication_worker_NUM_FULL_OR_PARTIAL_LEDGERS_REPLICATED = 0;
  replication_worker_NUM_ENTRIES_READ = 0;
  replication_worker_NUM_BYTES_READ = 0;
  replication_worker_NUM_ENTRIES_WRITTEN = 0;
  replication_worker_NUM_BYTES_WRITTEN = 0;
  replication_worker_NUM_ENTRIES_UNABLE_TO_READ_FOR_REPLICATION = 0;
  /** Tries that are put off: the ledger is being written, no bookie can take the copies, or a copy cannot be read. */
  replication_worker_NUM_DEFER_LEDGER_LOCK_RELEASE_OF_FAILED_LEDGER = 0;
  /** Looks for ledgers that nobody lists. This and the next three are ours. */
  auditor_CHECK_ORPHAN_LEDGERS_TIME_count = 0;
  /** Ledgers that nobody lists and that were first seen so. */
  auditor_NUM_ORPHAN_LEDGERS_FOUND = 0;
  auditor_NUM_ORPHAN_LEDGERS_DELETED = 0;
  /** Notes that a ledger lacks copies which was gone. */
  auditor_NUM_STALE_UNDER_REPLICATION_MARKS_CLEARED = 0;
}
