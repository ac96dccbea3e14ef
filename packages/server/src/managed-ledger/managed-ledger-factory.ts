import type { Clock } from "@pulsewire/runtime";
import type { BookKeeperClient } from "../bookkeeper/client/bookkeeper-client.ts";
import { MetadataError, type MetadataStore } from "../metadata/metadata-store.ts";
import type { CursorMetadata } from "./cursor/cursor-record.ts";
import { EntryCacheBudget } from "./entry-cache.ts";
import { settingsOf } from "./ledger-settings.ts";
import { LogManagedLedger } from "./log-managed-ledger.ts";
import {
  type ManagedLedger,
  ManagedLedgerError,
  type ManagedLedgerFactory,
  type ManagedLedgerOptions,
} from "./managed-ledger.ts";
import { decodeJson, fromMetadataError, type ManagedLedgerRecord, managedLedgerKey } from "./managed-ledger-record.ts";

export interface ManagedLedgerFactoryOptions {
  clock: Clock;
  bookkeeper: BookKeeperClient;
  metadata: MetadataStore;
  /** Bytes of recent entries that all topics share for reads at the tail (`managedLedgerCacheSizeMB`). Default 64 MB. */
  cacheBytesMax?: number;
}

const CACHE_BYTES_MAX_DEFAULT = 64 * 1024 * 1024;

class LogManagedLedgerFactory implements ManagedLedgerFactory {
  readonly cache: EntryCacheBudget;
  readonly #options: ManagedLedgerFactoryOptions;
  readonly #open = new Map<string, Promise<LogManagedLedger>>();
  #closed = false;

  constructor(options: ManagedLedgerFactoryOptions) {
    this.#options = options;
    this.cache = new EntryCacheBudget(options.cacheBytesMax ?? CACHE_BYTES_MAX_DEFAULT);
  }

  open(name: string, options: ManagedLedgerOptions = {}): Promise<ManagedLedger> {
    if (this.#closed) return Promise.reject(new ManagedLedgerError("Closed", "the managed ledger factory is closed"));
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const { clock, bookkeeper, metadata } = this.#options;
    const opening: Promise<LogManagedLedger> = LogManagedLedger.open({
      name,
      clock,
      bookkeeper,
      metadata,
      cacheBudget: this.cache,
      settings: settingsOf(options),
      onGone: () => this.#forget(name, opening),
    });
    this.#open.set(name, opening);
    opening.catch(() => this.#forget(name, opening));
    return opening;
  }

  async exists(name: string): Promise<boolean> {
    try {
      return await this.#options.metadata.exists(managedLedgerKey(name));
    } catch (error) {
      throw fromMetadataError(error, name);
    }
  }

  async delete(name: string): Promise<void> {
    const open = this.#open.get(name);
    if (open !== undefined) return (await open).delete();
    try {
      await this.#deleteStored(managedLedgerKey(name));
    } catch (error) {
      throw fromMetadataError(error, name);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = await Promise.allSettled(this.#open.values());
    await Promise.all(open.map((ledger) => (ledger.status === "fulfilled" ? ledger.value.close() : undefined)));
  }

  async #deleteStored(key: string): Promise<void> {
    const { metadata } = this.#options;
    const found = await metadata.get(key);
    if (found === undefined) return;
    for (const name of await metadata.children(key)) {
      const cursor = await metadata.get(`${key}/${name}`);
      if (cursor === undefined) continue;
      await metadata.delete(`${key}/${name}`);
      this.#dropLedger(decodeJson<CursorMetadata>(cursor.value).cursorsLedgerId);
    }
    try {
      await metadata.delete(key, found.stat.version);
    } catch (error) {
      if (!(error instanceof MetadataError && error.code === "NotFound")) throw error;
    }
    for (const { ledgerId } of decodeJson<ManagedLedgerRecord>(found.value).ledgers) this.#dropLedger(ledgerId);
  }

  #dropLedger(ledgerId: number): void {
    // nothing names it any more: whether its bookies hear of it now matters to nobody
    if (ledgerId >= 0) this.#options.bookkeeper.deleteLedger(ledgerId).catch(() => undefined);
  }

  #forget(name: string, opening: Promise<LogManagedLedger>): void {
    if (this.#open.get(name) === opening) this.#open.delete(name);
  }
}

/** Makes the door to storage that a broker has. */
export function createManagedLedgerFactory(options: ManagedLedgerFactoryOptions): ManagedLedgerFactory {
  return new LogManagedLedgerFactory(options);
}
