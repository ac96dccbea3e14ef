export type BookKeeperErrorCode =
  /** E, Qw and Qa do not fit together. */
  | "InvalidQuorum"
  /** Fewer bookies take data than the ensemble needs. */
  | "NotEnoughBookies"
  | "NoSuchLedger"
  | "NoSuchEntry"
  /** Somebody else recovers or has recovered the ledger: this writer can write no more. */
  | "LedgerFenced"
  | "LedgerClosed"
  /** An entry was not confirmed by its ack quorum within `addEntryQuorumTimeoutSec`. */
  | "AddQuorumTimeout"
  /** A copy differs from what was written, and no other copy could be had. */
  | "DigestMismatch"
  | "ReadFailed"
  /** Too few bookies answered to say where the ledger ends. */
  | "RecoveryFailed"
  /** A bookie that was to take a copy of what another lost did not. */
  | "ReplicationFailed"
  /** A bookie could not leave. */
  | "DecommissionFailed"
  | "MetadataUnavailable"
  | "ClientClosed";

/** Why the BookKeeper client could not do something. */
export class BookKeeperError extends Error {
  readonly code: BookKeeperErrorCode;
  constructor(code: BookKeeperErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "BookKeeperError";
    this.code = code;
  }

  /** The error itself; anything else is metadata that could not be had. */
  static from(error: unknown): BookKeeperError {
    if (error instanceof BookKeeperError) return error;
    return new BookKeeperError("MetadataUnavailable", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}
