import { count, flag, megabytes, parseSettingsOf, positive, type SettingTable, share } from "../setting-specs.ts";

/** Settings of a bookie's storage, by BookKeeper's own configuration names. */
export interface BookieSettings {
  /**
   * Sync each group before its entries are confirmed. Default true. Without it they are confirmed once they are written: what
   * was confirmed survives the end of the process, and not that of the machine.
   */
  journalSyncData: boolean;
  /** How long the first entry of a group waits for others, at most, in ms. Default 2. */
  journalMaxGroupWaitMSec: number;
  /** A group is written at once when it has so many bytes. Default 524,288. */
  journalBufferedWritesThreshold: number;
  /**
   * Write a group as soon as nothing else is being written, instead of waiting `journalMaxGroupWaitMSec`. Groups form
   * all the same, of what comes in during a sync. Default true; BookKeeper's is false.
   */
  journalFlushWhenQueueEmpty: boolean;
  /**
   * So much of a journal file is written ahead, as zeros, while its groups are small, since a file that grows takes longer
   * to sync. Default 0.25; 0 for nothing. BookKeeper's is 16.
   */
  journalPreAllocSizeMB: number;
  /** A journal file of this size is followed by the next. Default 2048. */
  journalMaxSizeMB: number;
  /** Entries held in memory before they are in entry logs: one half fills while the other is written. Default 64. */
  dbStorage_writeCacheMaxSizeMb: number;
  /** Entries read from entry logs and kept. Default 16. */
  dbStorage_readAheadCacheMaxSizeMb: number;
  /** Entries read at once, at most; counts for what is written from now on. Default 100. */
  dbStorage_readAheadCacheBatchSize: number;
  /** How long an add waits for room in the write cache before it fails, in ms. Default 10,000. */
  dbStorage_maxThrottleTimeMs: number;
  /** Between two checkpoints, at most, in ms. Default 60,000. */
  flushInterval: number;
  /** An entry log of this size, in bytes, is followed by the next. Default 1 GiB. */
  logSizeLimit: number;
  /** Entry logs whose living share is below it are compacted every `minorCompactionInterval`. Default 0.2; 0 for never. */
  minorCompactionThreshold: number;
  /** Seconds. Default 3600; 0 for never. */
  minorCompactionInterval: number;
  /** The same, every `majorCompactionInterval`. Default 0.8; 0 for never. */
  majorCompactionThreshold: number;
  /** Seconds. Default 86,400; 0 for never. */
  majorCompactionInterval: number;
  /** Between two looks for ledgers that were deleted while the bookie did not hear of it, in ms. Default 900,000; 0 for never. */
  gcWaitTime: number;
  /** The share of the disk at which a bookie becomes read-only. Default 0.95. */
  diskUsageThreshold: number;
  /** The share of the disk below which it becomes writable again. Default 0.90. */
  diskUsageLwmThreshold: number;
  /** Between two looks at the disk's usage, in ms. Default 10,000. */
  diskCheckInterval: number;
}

const SETTINGS: SettingTable<BookieSettings> = {
  journalSyncData: [flag, true],
  journalMaxGroupWaitMSec: [count, 2],
  journalBufferedWritesThreshold: [positive, 512 * 1024],
  journalFlushWhenQueueEmpty: [flag, true],
  journalPreAllocSizeMB: [{ kind: "share", min: 0, max: 64 }, 0.25],
  journalMaxSizeMB: [megabytes, 2048],
  dbStorage_writeCacheMaxSizeMb: [megabytes, 64],
  dbStorage_readAheadCacheMaxSizeMb: [megabytes, 16],
  dbStorage_readAheadCacheBatchSize: [{ kind: "integer", min: 1, max: 1000 }, 100],
  dbStorage_maxThrottleTimeMs: [count, 10_000],
  flushInterval: [positive, 60_000],
  logSizeLimit: [{ kind: "integer", min: 1024, max: 2 ** 31 - 1 }, 1024 ** 3],
  minorCompactionThreshold: [share, 0.2],
  minorCompactionInterval: [count, 3600],
  majorCompactionThreshold: [share, 0.8],
  majorCompactionInterval: [count, 86_400],
  gcWaitTime: [count, 900_000],
  diskUsageThreshold: [share, 0.95],
  diskUsageLwmThreshold: [share, 0.9],
  diskCheckInterval: [positive, 10_000],
};

export function bookieSettingNames(): readonly string[] {
  return Object.keys(SETTINGS);
}

/** Checks settings and fills defaults in. @throws TypeError that names the setting and what it takes. */
export function parseBookieSettings(given: Readonly<Record<string, unknown>> = {}): BookieSettings {
  return parseSettingsOf(SETTINGS, given);
}
