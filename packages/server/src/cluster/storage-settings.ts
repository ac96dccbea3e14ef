import {
  type AutoRecoverySettings,
  autoRecoverySettingNames,
  type BookieSettings,
  type BookKeeperClientSettings,
  bookieSettingNames,
  bookKeeperClientSettingNames,
  parseAutoRecoverySettings,
  parseBookieSettings,
  parseBookKeeperClientSettings,
} from "../bookkeeper/index.ts";

/** Settings of bookies and of who uses them, by who they are for. */
export interface StorageSettings {
  bookie: BookieSettings;
  client: BookKeeperClientSettings;
  recovery: AutoRecoverySettings;
}

export function storageSettingNames(): readonly string[] {
  return [...bookieSettingNames(), ...bookKeeperClientSettingNames(), ...autoRecoverySettingNames()];
}

/** Checks settings and fills defaults in. @throws TypeError that names the setting and what it takes. */
export function parseStorageSettings(given: Readonly<Record<string, unknown>>): StorageSettings {
  const pick = (names: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(names.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  return {
    bookie: parseBookieSettings(pick(bookieSettingNames())),
    client: parseBookKeeperClientSettings(pick(bookKeeperClientSettingNames())),
    recovery: parseAutoRecoverySettings(pick(autoRecoverySettingNames())),
  };
}
