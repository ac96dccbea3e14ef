export { type Bookie, startBookie } from "./bookie/bookie.ts";
export { StorageError, type StorageErrorCode } from "./bookie/storage-error.ts";
export { type BookieSettings, bookieSettingNames, parseBookieSettings } from "./bookie/storage-settings.ts";
export {
  BOOKIE_RACKS_KEY,
  type BookieRackGroups,
  type BookieRackInfo,
  BookieRacks,
  decodeRackGroups,
  encodeRackGroups,
} from "./client/bookie-racks.ts";
export { createBookKeeperClient } from "./client/bookkeeper-client.ts";
export {
  type BookKeeperClientSettings,
  bookKeeperClientSettingNames,
  parseBookKeeperClientSettings,
} from "./client/client-settings.ts";
