import type { Clock, Disk, Random } from "@pulsewire/runtime";
import { createNodeDisk } from "@pulsewire/runtime/node";
import type { AbstractLevel } from "abstract-level";
import type { ClassicLevel } from "classic-level";
import type { Bookie } from "../bookkeeper/bookie/bookie.ts";
import { CHECKPOINT_PATH } from "../bookkeeper/bookie/checkpoint.ts";
import { claimFolder } from "../bookkeeper/bookie/cookie.ts";
import { type LedgersBefore, NO_LEDGERS_BEFORE } from "../bookkeeper/bookie/deleted-ledgers.ts";
import { DiskLedgerStorage } from "../bookkeeper/bookie/disk-ledger-storage.ts";
import { DiskUsageMonitor } from "../bookkeeper/bookie/disk-usage-monitor.ts";
import { ENTRY_LOG_FOLDER } from "../bookkeeper/bookie/entry-log/entry-log.ts";
import { JOURNAL_FOLDER } from "../bookkeeper/bookie/journal/journal-file.ts";
import type { IndexLevel } from "../bookkeeper/bookie/location-index.ts";
import { damageError, StorageError } from "../bookkeeper/bookie/storage-error.ts";
import type { BookieSettings } from "../bookkeeper/bookie/storage-settings.ts";
import { type DiskMetadata, openDiskMetadata } from "../metadata/disk-metadata-store.ts";
import { MetadataError, type MetadataStore } from "../metadata/index.ts";
import { checkLevelLogs } from "../metadata/level-log-check.ts";

export interface DataFolderOptions {
  path: string;
  clusterName: string;
  bookies: number;
  settings: BookieSettings;
  clock: Clock;
  random: Random;
  onError: (error: unknown) => void;
}

/** A bookie's part of the folder. */
export interface BookieFolder {
  readonly storage: DiskLedgerStorage;
  /** Files that were missing or damaged when it was opened. */
  readonly damagedFiles: readonly string[];
  /** The bookie is read-only while the disk is full, and once the storage failed. */
  watch(bookie: Bookie): Disposable;
  /** Throws away everything of a storage that was closed: the folder holds no bookie any more. Rejects with a StorageError. */
  empty(): Promise<void>;
  /** The same, and begins anew. @param ledgersBefore See `DiskLedgerStorage`. */
  wipe(ledgersBefore: () => Promise<LedgersBefore>): Promise<BookieFolder>;
}

export interface BookieFolderOptions {
  index: number;
  bookieId: string;
  clock: Clock;
  /** Ledgers it may have had entries of, asked where the folder holds nothing. Default: none. */
  ledgersBefore?: () => Promise<LedgersBefore>;
}

const FORMAT_FILE = "FORMAT";
const METADATA_FOLDER = "metadata";
const INDEX_FOLDER = "index";
const COOKIE_FILE = "VERSION";
/** Of an index, at once, while it is looked through. */
const RUNS_READ = 1000;
const FORMAT = { format: "pulsewire-data", version: 1 } as const;
/** Which cluster bookies belong to, as BookKeeper has it. */
const INSTANCE_KEY = "/ledgers/INSTANCEID";

/**
 * A cluster's data on the file system: `metadata/` and `bookies/<n>/`. The database below `metadata/` is locked as long
 * as the process lives, and with it the whole folder.
 */
export class DataFolder {
  readonly metadata: DiskMetadata;
  /** The bookies to start, by the numbers of their folders: those that hold something, then as many as were asked for. */
  readonly places: readonly number[];
  readonly #options: DataFolderOptions;
  readonly #instanceId: string;

  constructor(options: DataFolderOptions, places: readonly number[], metadata: DiskMetadata, instanceId: string) {
    this.#options = options;
    this.places = places;
    this.metadata = metadata;
    this.#instanceId = instanceId;
  }

  /** @throws StorageError that says what is wrong with the folder. */
  static async open(options: DataFolderOptions): Promise<DataFolder> {
    const { path, clusterName, clock, random, onError } = options;
    const disk = createNodeDisk(path);
    await readable(path, () => claimFolder(disk, FORMAT_FILE, { ...FORMAT, cluster: clusterName }, path));
    const places = await readable(path, () => placesOf(disk, options));
    await readable(path, () => checkLevelLogs(disk, METADATA_FOLDER));
    const level = await openLevel<string>(`${path}/${METADATA_FOLDER}`, "utf8");
    const metadata = await readable(path, () => openDiskMetadata({ clock, level, onFailed: onError }));
    try {
      await disk.syncFolder("");
      const session = metadata.session();
      const instanceId = await instanceOf(session, random);
      await session.close();
      return new DataFolder(options, places, metadata, instanceId);
    } catch (error) {
      await metadata.close();
      throw error;
    }
  }

  async openBookie(bookie: BookieFolderOptions): Promise<BookieFolder> {
    const { index, bookieId, clock, ledgersBefore = async () => NO_LEDGERS_BEFORE } = bookie;
    const { path, settings, onError } = this.#options;
    const folder = `${path}/bookies/${index}`;
    const disk = createNodeDisk(folder);
    const cookie = { ...FORMAT, bookie: bookieId, instance: this.#instanceId };
    await readable(folder, () => claimFolder(disk, COOKIE_FILE, cookie, folder));
    const damagedFiles = new Set<string>();
    // the files of all bookies have the same names
    const tell = (error: unknown): void => onError(error instanceof StorageError ? meaningOf(error, folder) : error);
    const level = await openIndex(folder, disk, (error) => {
      damagedFiles.add(`${folder}/${INDEX_FOLDER}`);
      onError(error);
    });
    let monitor: DiskUsageMonitor | undefined;
    let hasFailed = false;
    const open = async (): Promise<BookieFolder> => {
      const storage = await DiskLedgerStorage.open({
        disk,
        clock,
        index: level,
        settings,
        ledgersBefore,
        onDamage: (damage) => {
          const file = `${folder}/${damage.file}`;
          damagedFiles.add(file);
          onError(damageError({ ...damage, file }));
        },
        onFailed: (error) => {
          hasFailed = true;
          tell(error);
          monitor?.storageFailed();
        },
        onError: tell,
      });
      const root = createNodeDisk(path);
      await root.syncFolder("bookies");
      await root.syncFolder("");
      const watch = (process: Bookie): Disposable => {
        monitor = new DiskUsageMonitor({ clock, disk, bookie: process, settings, onError });
        if (hasFailed) monitor.storageFailed();
        else monitor.check();
        return monitor;
      };
      const empty = (): Promise<void> => readable(folder, () => emptyFolder(disk));
      const wipe: BookieFolder["wipe"] = async (lost) => {
        await empty();
        return this.openBookie({ ...bookie, ledgersBefore: lost });
      };
      return { storage, damagedFiles: [...damagedFiles], watch, empty, wipe };
    };
    return readable(folder, open);
  }

  /** After everybody else. */
  close(): Promise<void> {
    return this.metadata.close();
  }
}

/** All of a bookie's files but its mark. The checkpoint goes last: without what it names nothing is taken for whole. */
async function emptyFolder(disk: Disk): Promise<void> {
  for (const part of [JOURNAL_FOLDER, ENTRY_LOG_FOLDER, INDEX_FOLDER]) await emptyPart(disk, part);
  await disk.remove(CHECKPOINT_PATH);
  await disk.syncFolder("");
}

async function emptyPart(disk: Disk, part: string): Promise<void> {
  for (const name of await disk.list(part)) await disk.remove(`${part}/${name}`);
}

/** Fewer bookies than hold something would leave entries out of reach. One that left for good holds nothing. */
async function placesOf(disk: Disk, { path, bookies }: DataFolderOptions): Promise<number[]> {
  const places: number[] = [];
  for (const name of await disk.list("bookies")) {
    if (/^\d+$/.test(name) && (await holdsSomething(disk, `bookies/${name}`))) places.push(Number(name));
  }
  const there = places.length;
  if (there > 0 && (await disk.list(METADATA_FOLDER)).length === 0) {
    const what = `${path}/${METADATA_FOLDER} is missing, and ${there} bookies hold what it tells of`;
    throw new StorageError("Unreadable", `${what}: put it back, or begin with an empty folder`);
  }
  if (there > bookies) {
    throw new StorageError("Foreign", `${path} holds ${there} bookies, ${bookies} were asked for: give it all of them`);
  }
  for (let place = 0; places.length < bookies; place++) if (!places.includes(place)) places.push(place);
  return places.sort((a, b) => a - b);
}

/** One that cannot be looked into counts as one that does: its place is not another's. */
async function holdsSomething(disk: Disk, folder: string): Promise<boolean> {
  try {
    if ((await disk.list(folder)).includes(CHECKPOINT_PATH)) return true;
    const files = await Promise.all([JOURNAL_FOLDER, ENTRY_LOG_FOLDER].map((part) => disk.list(`${folder}/${part}`)));
    return files.flat().length > 0;
  } catch {
    // what is wrong with it is told when the bookie is to start
    return true;
  }
}

async function instanceOf(session: MetadataStore, random: Random): Promise<string> {
  const known = await session.get(INSTANCE_KEY);
  if (known !== undefined) return new TextDecoder().decode(known.value);
  const made = Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  await session.put(INSTANCE_KEY, new TextEncoder().encode(made));
  return made;
}

type LevelOf<K> = AbstractLevel<string | Uint8Array, K, Uint8Array>;

async function openLevel<K>(location: string, keyEncoding: "utf8" | "view"): Promise<LevelOf<K>> {
  // the one native piece: loaded only where there is a data directory
  const { ClassicLevel: Level } = await import("classic-level");
  const level: ClassicLevel<K, Uint8Array> = new Level(location, { keyEncoding, valueEncoding: "view" });
  await readable(location, () => level.open());
  return level as unknown as LevelOf<K>;
}

/**
 * An index says nothing that the entry logs do not: one that is missing or damaged is told, thrown away, and made anew
 * from them.
 */
async function openIndex(folder: string, disk: Disk, onDamage: (error: StorageError) => void): Promise<IndexLevel> {
  const location = `${folder}/${INDEX_FOLDER}`;
  const tell = (what: string, options?: ErrorOptions): void =>
    onDamage(new StorageError("Corrupt", `${location}: ${what}; it is made anew from the entry logs`, options));
  const files = await readable(location, () => disk.list(INDEX_FOLDER));
  const isMissing = !files.includes("CURRENT");
  // what is left of one without its head is nothing the database would look at
  if (isMissing && files.length > 0) await readable(location, () => emptyPart(disk, INDEX_FOLDER));
  try {
    // what LevelDB leaves out of a log that it cannot read would be entries that are not found
    await readable(location, () => checkLevelLogs(disk, INDEX_FOLDER));
    const level = await openReadableLevel(location);
    if (isMissing && (await disk.list("")).includes(CHECKPOINT_PATH)) tell("it is missing");
    return level;
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof Error) || !isDamage(cause)) throw error;
    tell(cause instanceof MetadataError ? "its log is missing or damaged" : cause.message, { cause });
    await readable(location, () => emptyPart(disk, INDEX_FOLDER));
    return openLevel<Uint8Array>(location, "view");
  }
}

/** LevelDB opens what it cannot read: every part of it is looked at. */
async function openReadableLevel(location: string): Promise<IndexLevel> {
  const level = await openLevel<Uint8Array>(location, "view");
  try {
    const iterator = level.iterator();
    await readable(location, async () => {
      while ((await iterator.nextv(RUNS_READ)).length > 0);
    });
    await iterator.close();
    return level;
  } catch (error) {
    await level.close();
    throw error;
  }
}

/** What the content of a database may be, as opposed to a disk that fails, or does not give it. */
const DAMAGED = /No such file|Is a directory|Invalid argument|File name too long|cannot find the file/;

function isDamage(error: Error): boolean {
  if (error instanceof MetadataError) return error.code === "Corrupt";
  const { code } = error as { code?: string };
  return code === "LEVEL_CORRUPTION" || (code === "LEVEL_IO_ERROR" && DAMAGED.test(error.message));
}

/** Errors of the file system and of the database, as what they mean for the folder. */
async function readable<T>(path: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw meaningOf(error, path);
  }
}

function meaningOf(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StorageError) {
    if (error.message.includes(path)) return error;
    const detail = error.message.slice(`${error.code}: `.length);
    return new StorageError(error.code, `${path}: ${detail}`, { cause: error });
  }
  if (error instanceof MetadataError && error.code === "Corrupt") {
    return new StorageError("Corrupt", `${path}/${error.message.slice(`${error.code}: `.length)}`, { cause: error });
  }
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: string };
  if (code === "LEVEL_LOCKED") {
    const holder = /by process/.test(cause.message) ? "another cluster of this process" : "another process";
    return new StorageError("InUse", `${path} is in use by ${holder}`, { cause });
  }
  return new StorageError("Unreadable", `${path}: ${cause.message}`, { cause });
}
