export { type Bookie, startBookie } from "./bookie/bookie.ts";
export { StorageError, type StorageErrorCode } from "./bookie/storage-error.ts";
export { type BookieSettings, bookieSettingNames, parseBookieSettings } from "./bookie/storage-settings.ts";
export { createBookKeeperClient } from "./client/bookkeeper-client.ts";
export { ZonePlacement } from "./client/zone-placement.ts";
