import type { ManagedLedgerOptions } from "../../managed-ledger/managed-ledger.ts";
import type { BrokerSettings } from "../broker-settings.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";

const MEGABYTE = 1024 * 1024;
const MINUTE_MS = 60_000;

/** What a topic's managed ledger is opened with, and configured with when policies change. */
export function ledgerOptionsOf(settings: BrokerSettings, policies: EffectivePolicies): ManagedLedgerOptions {
  const { retentionTimeInMinutes, retentionSizeInMB } = policies.retention;
  const rate = policies.markDeleteRate;
  return {
    ensembleSize: policies.ensembleSize,
    writeQuorum: policies.writeQuorum,
    ackQuorum: policies.ackQuorum,
    maxEntriesPerLedger: settings.managedLedgerMaxEntriesPerLedger,
    maxSizePerLedgerBytes: settings.managedLedgerMaxSizePerLedgerMbytes * MEGABYTE,
    minRolloverMs: settings.managedLedgerMinLedgerRolloverTimeMinutes * MINUTE_MS,
    maxRolloverMs: settings.managedLedgerMaxLedgerRolloverTimeMinutes * MINUTE_MS,
    retentionMs: retentionTimeInMinutes < 0 ? -1 : retentionTimeInMinutes * MINUTE_MS,
    retentionBytes: retentionSizeInMB < 0 ? -1 : retentionSizeInMB * MEGABYTE,
    maxRangesToPersist: settings.managedLedgerMaxUnackedRangesToPersist,
    cursorPersistIntervalMs: rate > 0 ? 1000 / rate : 0,
    cursorMaxEntriesPerLedger: settings.managedLedgerCursorMaxEntriesPerLedger,
    cursorRolloverMs: settings.managedLedgerCursorRolloverTimeInSeconds * 1000,
  };
}
