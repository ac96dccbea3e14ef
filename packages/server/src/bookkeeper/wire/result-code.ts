/** How a bookie's answer, or the lack of one, went. */
export type ResultCode =
  | "Ok"
  | "NoSuchLedger"
  | "NoSuchEntry"
  /** Somebody recovers the ledger or has recovered it; only recovery may add. */
  | "LedgerFenced"
  /** The bookie takes no new data. */
  | "ReadOnly"
  /** The bookie's storage failed. */
  | "StorageFailed"
  /** No answer in time; told by the client to itself, never sent. */
  | "Timeout"
  /** The bookie left the cluster before it answered; told by the client to itself, never sent. */
  | "BookieUnavailable";
