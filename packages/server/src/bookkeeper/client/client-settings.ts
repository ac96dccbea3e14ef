import { count, flag, orNever, parseSettingsOf, positive, type SettingTable } from "../setting-specs.ts";

/** Settings of a broker's BookKeeper client, by Pulsar's own names and, beside them, BookKeeper's. */
export interface BookKeeperClientSettings {
  /** Copies of an entry go to different racks, where there are. Default true. */
  bookkeeperClientRackawarePolicyEnabled: boolean;
  /** Copies of an entry go to different regions (the first name of `/region/rack`) first. Default false. */
  bookkeeperClientRegionawarePolicyEnabled: boolean;
  /** Racks that the copies of an entry stand in, at least, where there are so many. Default 2. */
  bookkeeperClientMinNumRacksPerWriteQuorum: number;
  /** Rather no ledger than one in fewer racks. Default false. */
  bookkeeperClientEnforceMinNumRacksPerWriteQuorum: boolean;
  /** How long a bookie has to answer, in seconds. Default 5; Pulsar's is 30. */
  bookkeeperClientTimeoutInSeconds: number;
  /** How long a read waits before another copy is asked as well, in ms; 0 for never. Default 100; Pulsar's is 0. */
  bookkeeperClientSpeculativeReadTimeoutInMillis: number;
  /**
   * How long an entry may wait for one of its copies before another bookie takes the slow one's place, in ms; 0 for
   * never, which leaves it to `bookkeeperClientTimeoutInSeconds`. Where there is no other bookie the slow one stays.
   * Default 0. Pulsar has no such setting.
   */
  bookkeeperClientSpeculativeWriteTimeoutInMillis: number;
  /**
   * How long an entry may wait for its ack quorum before its ledger is given up, in seconds; -1 for ever, the default.
   * Noticed within twice the time.
   */
  addEntryQuorumTimeoutSec: number;
  /** Whether bookies that do not answer are avoided for new ensembles. Default true. */
  bookkeeperClientHealthCheckEnabled: boolean;
  /** How long, in seconds. Default 1800. */
  bookkeeperClientHealthCheckQuarantineTimeInSeconds: number;
}

const SETTINGS: SettingTable<BookKeeperClientSettings> = {
  bookkeeperClientRackawarePolicyEnabled: [flag, true],
  bookkeeperClientRegionawarePolicyEnabled: [flag, false],
  bookkeeperClientMinNumRacksPerWriteQuorum: [positive, 2],
  bookkeeperClientEnforceMinNumRacksPerWriteQuorum: [flag, false],
  bookkeeperClientTimeoutInSeconds: [positive, 5],
  bookkeeperClientSpeculativeReadTimeoutInMillis: [count, 100],
  bookkeeperClientSpeculativeWriteTimeoutInMillis: [count, 0],
  addEntryQuorumTimeoutSec: [orNever, -1],
  bookkeeperClientHealthCheckEnabled: [flag, true],
  bookkeeperClientHealthCheckQuarantineTimeInSeconds: [positive, 1800],
};

export function bookKeeperClientSettingNames(): readonly string[] {
  return Object.keys(SETTINGS);
}

/** Checks settings and fills defaults in. @throws TypeError that names the setting and what it takes. */
export function parseBookKeeperClientSettings(given: Readonly<Record<string, unknown>> = {}): BookKeeperClientSettings {
  return parseSettingsOf(SETTINGS, given);
}
