import type { BookieHealth, BookieStats, StorageFigures } from "../bookkeeper/index.ts";
import type { Scrape } from "./scrape.ts";

export interface BookieSample {
  id: string;
  writable: boolean;
  ledgers: number;
  /** Of payload that it holds. */
  bytes: number;
  stats: Readonly<BookieStats>;
  /** Of its disk; undefined in memory. */
  storage: StorageFigures | undefined;
}

const LABELS = ["bookie"] as const;

/** What of a bookie is shown under BookKeeper's names: kind, name, help, value; undefined is left out. */
const SERIES: readonly [
  kind: "gauge" | "counter",
  name: string,
  help: string,
  of: (b: BookieSample) => number | undefined,
][] = [
  ["gauge", "bookie_ledgers_count", "Ledgers with entries on a bookie", (b) => b.ledgers],
  ["gauge", "bookie_held_bytes", "Bytes a bookie holds", (b) => b.bytes],
  ["counter", "bookkeeper_server_ADD_ENTRY_count", "Entries added", (b) => b.stats.addedEntries],
  ["counter", "bookkeeper_server_READ_ENTRY_count", "Entries read", (b) => b.stats.readEntries],
  ["counter", "bookie_WRITE_BYTES", "Bytes of payload that came to be added", (b) => b.stats.addedBytes],
  ["counter", "bookie_READ_BYTES", "Bytes of payload that were read", (b) => b.stats.readBytes],
  ["counter", "bookie_journal_JOURNAL_SYNC_count", "Groups of adds that were synced", (b) => b.storage?.journalSyncs],
  ["counter", "bookie_journal_JOURNAL_WRITE_BYTES", "Bytes written to the journal", (b) => b.storage?.journalBytes],
  [
    "gauge",
    "bookie_journal_JOURNAL_QUEUE_SIZE",
    "Batches of adds that wait for the journal",
    (b) => b.storage?.journalQueue,
  ],
  [
    "gauge",
    "bookie_write_cache_size",
    "Bytes in the journal and not yet in entry logs",
    (b) => b.storage?.writeCacheBytes,
  ],
  [
    "gauge",
    "bookie_read_cache_size",
    "Bytes that were read from entry logs and kept",
    (b) => b.storage?.readCacheBytes,
  ],
  [
    "gauge",
    "bookie_throttled_write_requests",
    "Batches of adds that wait for room in the write cache",
    (b) => b.storage?.throttledAdds,
  ],
];

export function addBookies(scrape: Scrape, bookies: Iterable<BookieSample>, health: Iterable<BookieHealth>): void {
  const samples = [...bookies];
  const statusHelp = "1 while a bookie takes writes, 0 while it is read-only, -1 where it was not started";
  const status = scrape.gauge("bookie_SERVER_STATUS", statusHelp, LABELS);
  for (const { id, writable } of samples) status({ bookie: id }, writable ? 1 : 0);
  for (const { id, error } of health) if (error !== undefined) status({ bookie: id }, -1);
  addBookieHealth(scrape, health);
  for (const [kind, name, help, of] of SERIES) {
    const add = scrape[kind](name, help, LABELS);
    for (const sample of samples) {
      const value = of(sample);
      if (value !== undefined) add({ bookie: sample.id }, value);
    }
  }
}

/** Files that are missing or damaged; the names are ours, since BookKeeper has none. */
function addBookieHealth(scrape: Scrape, bookies: Iterable<BookieHealth>): void {
  const gauge = (name: string, help: string) => scrape.gauge(name, help, LABELS);
  const started = gauge("pulsewire_bookie_started", "1 where a bookie was started, 0 where its folder cannot be read");
  const files = gauge("pulsewire_bookie_damaged_files", "Files that were missing or damaged at the start of a bookie");
  const doubtful = gauge("pulsewire_bookie_ledgers_in_doubt", "Ledgers of which a bookie lacks entries, perhaps");
  for (const { id: bookie, error, damagedFiles, doubtfulLedgers } of bookies) {
    started({ bookie }, error === undefined ? 1 : 0);
    files({ bookie }, damagedFiles.length);
    doubtful({ bookie }, doubtfulLedgers.length);
  }
}
