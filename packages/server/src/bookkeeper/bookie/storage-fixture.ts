import { createMemoryDisk, type Disk, ManualClock } from "@pulsewire/runtime";
import { MemoryLevel } from "memory-level";
import { EntryDigest, type LedgerEntry } from "../wire/ledger-entry.ts";
import type { ResultCode } from "../wire/result-code.ts";
import { DiskLedgerStorage, type DiskLedgerStorageOptions } from "./disk-ledger-storage.ts";
import type { LedgerStorage } from "./ledger-storage.ts";
import type { IndexLevel } from "./location-index.ts";

const digest = new EntryDigest();
const utf8 = new TextEncoder();

/** An entry whose LAC is the entry before it. */
export function entryOf(ledgerId: number, entryId: number, text = `${ledgerId}:${entryId}`): LedgerEntry {
  const payload = utf8.encode(text);
  const [lac, lengthBytes] = [entryId - 1, payload.length * (entryId + 1)];
  return {
    ledgerId,
    entryId,
    lac,
    lengthBytes,
    payload,
    crc32c: digest.of(ledgerId, entryId, lac, lengthBytes, payload),
  };
}

export function entriesOf(ledgerId: number, fromId: number, toId: number, text?: string): LedgerEntry[] {
  return Array.from({ length: toId - fromId + 1 }, (_, i) => entryOf(ledgerId, fromId + i, text));
}

/** Adds and answers the codes once they are told. */
export function add(
  storage: LedgerStorage,
  entries: readonly LedgerEntry[],
  recovery = false,
): Promise<ResultCode | readonly ResultCode[]> {
  return new Promise((resolve) => storage.add(entries, recovery, { onStored: resolve }));
}

/** The text of an entry, or why there is none. */
export async function textAt(storage: LedgerStorage, ledgerId: number, entryId: number): Promise<string> {
  const found = await storage.read(ledgerId, entryId);
  return typeof found === "string" ? found : new TextDecoder().decode(found.payload);
}

/** The texts of entries from one id to another. */
export async function textsOf(
  storage: LedgerStorage,
  ledgerId: number,
  fromId: number,
  toId: number,
): Promise<string[]> {
  const texts: string[] = [];
  for (let entryId = fromId; entryId <= toId; entryId++) texts.push(await textAt(storage, ledgerId, entryId));
  return texts;
}

export const textsFrom = (ledgerId: number, fromId: number, toId: number): string[] =>
  Array.from({ length: toId - fromId + 1 }, (_, i) => `${ledgerId}:${fromId + i}`);

export async function openMemoryIndex(): Promise<IndexLevel> {
  const level = new MemoryLevel<Uint8Array, Uint8Array>({
    keyEncoding: "view",
    valueEncoding: "view",
    storeEncoding: "view",
  });
  await level.open();
  return level;
}

/** What LevelDB would have after a crash: everything that was written in synced batches. */
export async function copyOfIndex(index: IndexLevel): Promise<IndexLevel> {
  const copy = await openMemoryIndex();
  for await (const [key, value] of index.iterator()) await copy.put(key, value);
  return copy;
}

/** A storage on a disk in memory that can be opened again and again. */
export class StorageFixture {
  readonly disk: Disk;
  readonly clock: ManualClock = new ManualClock();
  readonly damage: string[] = [];
  readonly errors: unknown[] = [];
  index: IndexLevel | undefined;
  storage!: DiskLedgerStorage;
  readonly #settings: DiskLedgerStorageOptions["settings"];

  constructor(settings: NonNullable<DiskLedgerStorageOptions["settings"]>, disk: Disk) {
    this.disk = disk;
    this.#settings = settings;
  }

  static async open(
    settings: NonNullable<DiskLedgerStorageOptions["settings"]> = {},
    disk: Disk = createMemoryDisk(),
  ): Promise<StorageFixture> {
    const fixture = new StorageFixture(settings, disk);
    await fixture.#open(await openMemoryIndex());
    return fixture;
  }

  /** Goes on as after `kill -9`: what was written is there, the index whole or gone. */
  async crash(index: "kept" | "lost" = "kept"): Promise<DiskLedgerStorage> {
    const before = this.index as IndexLevel;
    return this.#open(index === "kept" ? await copyOfIndex(before) : await openMemoryIndex());
  }

  /** Closes in order, and opens again. */
  async restart(): Promise<DiskLedgerStorage> {
    const kept = await this.storage.checkpoint().then(() => copyOfIndex(this.index as IndexLevel));
    await this.storage.close();
    return this.#open(kept);
  }

  async bytesOf(path: string): Promise<Uint8Array> {
    const file = await this.disk.open(path);
    return file.read(0, file.sizeBytes);
  }

  /** Puts other bytes in the place of a file's. */
  async rewrite(path: string, change: (bytes: Uint8Array) => Uint8Array): Promise<void> {
    const bytes = change(await this.bytesOf(path));
    const file = await this.disk.open(path);
    await file.truncate(0);
    await file.append(bytes);
  }

  flipByte(path: string, offset: number): Promise<void> {
    return this.rewrite(path, (bytes) => {
      bytes[offset] = (bytes[offset] as number) ^ 0xff;
      return bytes;
    });
  }

  async #open(index: IndexLevel): Promise<DiskLedgerStorage> {
    this.index = index;
    this.storage = await DiskLedgerStorage.open({
      disk: this.disk,
      clock: this.clock,
      index,
      settings: this.#settings ?? {},
      onDamage: ({ file, fromOffset, toOffset, ledgerId }) =>
        this.damage.push(`${file} ${fromOffset}-${toOffset} ${ledgerId ?? "any"}`),
      onError: (error) => this.errors.push(error),
    });
    return this.storage;
  }
}
