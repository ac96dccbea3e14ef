/** What is wrong with what a bookie keeps. */
export interface BookieHealth {
  readonly id: string;
  /** Why it was not started; undefined where it was. */
  readonly error: string | undefined;
  /** Files that were missing or damaged when it was started. */
  readonly damagedFiles: readonly string[];
  /** Ledgers of which it may have lost entries, until it was given all of them again; rising. */
  readonly doubtfulLedgers: readonly number[];
}
