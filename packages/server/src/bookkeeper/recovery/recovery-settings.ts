import { count, flag, orNever, parseSettingsOf, positive, type SettingTable } from "../setting-specs.ts";

/** Settings of auto-recovery, by BookKeeper's own names. */
export interface AutoRecoverySettings {
  /** Lost copies are made again. Default true. */
  autoRecoveryDaemonEnabled: boolean;
  /** How long a bookie may be gone before its copies count as lost, in seconds. Default 0. */
  lostBookieRecoveryDelay: number;
  /** Between two looks at which bookies are gone, beside the looks when one goes, in seconds; 0 for none. Default 86,400. */
  auditorPeriodicBookieCheckInterval: number;
  /** Between two looks whether closed ledgers have every copy they should, in seconds; 0 for none. Default 604,800. */
  auditorPeriodicCheckInterval: number;
  /**
   * How long a ledger that is being written may stand on a bookie that is gone before its writer is taken for gone too
   * and the ledger is closed, in ms. Default 30,000.
   */
  openLedgerRereplicationGracePeriod: number;
  /** Entries that are copied at once, at most. Default 100; BookKeeper's is 10. */
  rereplicationEntryBatchSize: number;
  /** Bytes one worker copies in a second, at most; -1 without limit. Default -1. */
  replicationRateByBytes: number;
  /** How long after a ledger could not be copied it is tried again, in ms. Default 5,000. */
  rwRereplicateBackoffMs: number;
  /** Between two looks for ledgers that nobody lists, in seconds; 0 for none. Default 3,600. Ours. */
  orphanLedgerCheckInterval: number;
  /**
   * How long a ledger that nobody lists is left alone, in ms, since whoever made it may be about to list it. Default
   * 3,600,000. Ours.
   */
  orphanLedgerGracePeriod: number;
}

const SETTINGS: SettingTable<AutoRecoverySettings> = {
  autoRecoveryDaemonEnabled: [flag, true],
  lostBookieRecoveryDelay: [count, 0],
  auditorPeriodicBookieCheckInterval: [count, 86_400],
  auditorPeriodicCheckInterval: [count, 604_800],
  openLedgerRereplicationGracePeriod: [count, 30_000],
  rereplicationEntryBatchSize: [positive, 100],
  replicationRateByBytes: [orNever, -1],
  rwRereplicateBackoffMs: [positive, 5_000],
  orphanLedgerCheckInterval: [count, 3_600],
  orphanLedgerGracePeriod: [{ kind: "integer", min: 100, max: 2 ** 31 - 1 }, 3_600_000],
};

export function autoRecoverySettingNames(): readonly string[] {
  return Object.keys(SETTINGS);
}

/** Checks settings and fills defaults in. @throws TypeError that names the setting and what it takes. */
export function parseAutoRecoverySettings(given: Readonly<Record<string, unknown>> = {}): AutoRecoverySettings {
  return parseSettingsOf(SETTINGS, given);
}
