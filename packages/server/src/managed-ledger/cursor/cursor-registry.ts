import type { BookKeeperClient } from "../../bookkeeper/client/bookkeeper-client.ts";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import type { ManagedLedgerSettings } from "../ledger-settings.ts";
import { ManagedLedgerError, type OpenCursorOptions } from "../managed-ledger.ts";
import { fromMetadataError, managedLedgerKey } from "../managed-ledger-record.ts";
import { comparePositions, type Position } from "../position.ts";
import type { CursorRecord } from "./cursor-record.ts";
import { CursorStore } from "./cursor-store.ts";
import { type CursorHost, LedgerCursor } from "./ledger-cursor.ts";

export interface CursorRegistryOptions {
  ledgerName: string;
  metadata: MetadataStore;
  bookkeeper: BookKeeperClient;
  host: CursorHost;
  /** Asked each time, since they change. */
  settings(): ManagedLedgerSettings;
}

/** The cursors of one managed ledger. */
export class CursorRegistry {
  readonly cursors: Map<string, LedgerCursor> = new Map();
  readonly #options: CursorRegistryOptions;
  readonly #opening = new Map<string, Promise<LedgerCursor>>();

  constructor(options: CursorRegistryOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is being opened. */
  async whenOpened(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }

  /** Takes over every cursor an earlier owner left. */
  async recover(): Promise<void> {
    const { metadata, ledgerName } = this.#options;
    const key = managedLedgerKey(ledgerName);
    let names: string[];
    try {
      names = await metadata.children(key);
    } catch (error) {
      throw fromMetadataError(error, key);
    }
    await Promise.all(names.map((name) => this.open(decodeURIComponent(name), {})));
  }

  open(name: string, options: OpenCursorOptions): Promise<LedgerCursor> {
    const open = this.cursors.get(name);
    if (open !== undefined && !open.closed) return Promise.resolve(open);
    let opening = this.#opening.get(name);
    if (opening === undefined) {
      opening = this.#open(name, options).finally(() => this.#opening.delete(name));
      this.#opening.set(name, opening);
    }
    return opening;
  }

  openNonDurable(name: string, start: Position): LedgerCursor {
    const open = this.cursors.get(name);
    if (open !== undefined && !open.closed) return open;
    const { host } = this.#options;
    const last = host.ledger.lastConfirmed;
    const first = host.list.previous(host.list.first());
    const low = comparePositions(start, first) < 0 ? first : start;
    const markDeleted = comparePositions(low, last) > 0 ? last : low;
    const cursor = new LedgerCursor({ name, host, record: this.#newRecord(markDeleted, {}) });
    this.cursors.set(name, cursor);
    return cursor;
  }

  async delete(name: string): Promise<void> {
    const cursor = this.cursors.get(name);
    if (cursor === undefined) throw new ManagedLedgerError("CursorNotFound", `there is no cursor ${name}`);
    await cursor.delete();
    this.forget(cursor);
  }

  forget(cursor: LedgerCursor): void {
    if (this.cursors.get(cursor.name) === cursor) this.cursors.delete(cursor.name);
  }

  /** The slowest durable cursor's place; undefined when there is none. */
  slowest(): Position | undefined {
    let slowest: Position | undefined;
    for (const cursor of this.cursors.values()) {
      if (!cursor.durable) continue;
      if (slowest === undefined || comparePositions(cursor.markDeleted, slowest) < 0) slowest = cursor.markDeleted;
    }
    return slowest;
  }

  /** Where the slowest active cursor reads next; undefined when none is. */
  slowestReader(): Position | undefined {
    let slowest: Position | undefined;
    for (const cursor of this.cursors.values()) {
      if (!cursor.reading) continue;
      const { readPosition } = cursor;
      if (slowest === undefined || comparePositions(readPosition, slowest) < 0) slowest = readPosition;
    }
    return slowest;
  }

  abandon(): void {
    for (const cursor of this.cursors.values()) cursor.abandon();
  }

  async #open(name: string, { initialPosition = "latest", properties = {} }: OpenCursorOptions): Promise<LedgerCursor> {
    const { host, ledgerName, metadata, bookkeeper, settings } = this.#options;
    const { clock } = host;
    const store = new CursorStore({ ledgerName, cursorName: name, metadata, bookkeeper, clock, settings });
    let record = await store.load();
    if (record === undefined) {
      const start = initialPosition === "latest" ? host.ledger.lastConfirmed : host.list.previous(host.list.first());
      record = this.#newRecord(start, properties);
      await store.create(record);
    }
    const cursor = new LedgerCursor({ name, host, record, store });
    this.cursors.set(name, cursor);
    return cursor;
  }

  #newRecord(markDeleted: Position, properties: Readonly<Record<string, string>>): CursorRecord {
    return { markDeleted, acked: [], partial: [], properties, lastActiveMs: this.#options.host.clock.now() };
  }
}
