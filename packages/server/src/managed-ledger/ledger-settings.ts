import type { QuorumSizes } from "../bookkeeper/client/ledger-metadata.ts";
import type { ManagedLedgerOptions } from "./managed-ledger.ts";

/** The options of a managed ledger with every default in place. */
export type ManagedLedgerSettings = Required<ManagedLedgerOptions>;

const DEFAULTS: ManagedLedgerSettings = {
  ensembleSize: 3,
  writeQuorum: 3,
  ackQuorum: 2,
  maxEntriesPerLedger: 50_000,
  maxSizePerLedgerBytes: 2048 * 1024 * 1024,
  minRolloverMs: 10 * 60_000,
  maxRolloverMs: 240 * 60_000,
  retentionMs: 0,
  retentionBytes: 0,
  maxRangesToPersist: 10_000,
  cursorPersistIntervalMs: 1_000,
  cursorMaxEntriesPerLedger: 50_000,
  cursorRolloverMs: 14_400_000,
};

/** `base` (default: the defaults) with what is given in its place. */
export function settingsOf(
  options: ManagedLedgerOptions,
  base: ManagedLedgerSettings = DEFAULTS,
): ManagedLedgerSettings {
  return { ...base, ...options };
}

export function quorumSizesOf({ ensembleSize, writeQuorum, ackQuorum }: ManagedLedgerSettings): QuorumSizes {
  return { ensembleSize, writeQuorum, ackQuorum };
}
