export { type Bookie, type BookieStats, startBookie } from "./bookie/bookie.ts";
export type { BookieHealth } from "./bookie/bookie-health.ts";
export type { LedgersBefore } from "./bookie/deleted-ledgers.ts";
export type { LedgerStorage, StorageFigures } from "./bookie/ledger-storage.ts";
export { MemoryLedgerStorage } from "./bookie/memory-ledger-storage.ts";
export { StorageError, type StorageErrorCode } from "./bookie/storage-error.ts";
export { type BookieSettings, bookieSettingNames, parseBookieSettings } from "./bookie/storage-settings.ts";
export {
  BOOKIE_RACKS_KEY,
  type BookieRackGroups,
  type BookieRackInfo,
  decodeRackGroups,
  encodeRackGroups,
} from "./client/bookie-racks.ts";
export { createBookKeeperClient } from "./client/bookkeeper-client.ts";
export { BookKeeperError, type BookKeeperErrorCode } from "./client/bookkeeper-error.ts";
export {
  type BookKeeperClientSettings,
  bookKeeperClientSettingNames,
  parseBookKeeperClientSettings,
} from "./client/client-settings.ts";
export { LedgerMetadataStore } from "./client/ledger-metadata-store.ts";
export { auditorNode, bookiesOf, namedIn, readIfThere } from "./recovery/auditor.ts";
export { AutoRecovery } from "./recovery/auto-recovery.ts";
export type { OrphansFound } from "./recovery/orphan-collector.ts";
export {
  type AutoRecoverySettings,
  autoRecoverySettingNames,
  parseAutoRecoverySettings,
} from "./recovery/recovery-settings.ts";
export { RecoveryStatistics } from "./recovery/recovery-statistics.ts";
export { AUDITOR_KEY, type UnderReplicatedLedger, UnderReplication } from "./recovery/under-replication.ts";
