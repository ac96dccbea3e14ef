import type { Clock } from "@pulsewire/runtime";
import type { BookKeeperClient } from "../../bookkeeper/client/bookkeeper-client.ts";
import { BookKeeperError } from "../../bookkeeper/client/bookkeeper-error.ts";
import type { LedgerWriter } from "../../bookkeeper/client/ledger-writer.ts";
import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import { propertiesOf } from "../ledger-properties.ts";
import { type ManagedLedgerSettings, quorumSizesOf } from "../ledger-settings.ts";
import { ManagedLedgerError } from "../managed-ledger.ts";
import { decodeJson, encodeJson, fromMetadataError, managedLedgerKey } from "../managed-ledger-record.ts";
import type { CursorMetadata, CursorRecord } from "./cursor-record.ts";

/** More runs than these stay in the cursor's ledger and out of metadata. */
const RUNS_IN_METADATA_MAX = 1_000;

export interface CursorStoreOptions {
  ledgerName: string;
  cursorName: string;
  metadata: MetadataStore;
  bookkeeper: BookKeeperClient;
  clock: Clock;
  /** Asked each time, since they change. */
  settings(): ManagedLedgerSettings;
}

/** The key of a cursor. Cursors are the children of their managed ledger's key. */
export function cursorKey(ledgerName: string, cursorName: string): string {
  return `${managedLedgerKey(ledgerName)}/${encodeURIComponent(cursorName)}`;
}

/**
 * Keeps one cursor's state: in metadata while it is at rest, and in a ledger of its own while it moves. All changes
 * of its metadata are by CAS, so that an owner that was replaced can store nothing. One call at a time.
 * Rejects with a ManagedLedgerError; Fenced when another owner took the cursor over.
 */
export class CursorStore {
  readonly #options: CursorStoreOptions;
  readonly #key: string;
  #version = -1;
  #ledgerId = -1;
  #writer: LedgerWriter | undefined;
  /** What was last put and neither confirmed nor refused: metadata may say it or not. */
  #inDoubt: Uint8Array | undefined;

  constructor(options: CursorStoreOptions) {
    this.#options = options;
    this.#key = cursorKey(options.ledgerName, options.cursorName);
  }

  /** The cursor's ledger, -1 while it has none. */
  get ledgerId(): number {
    return this.#ledgerId;
  }

  /** Takes the cursor over from an earlier owner; undefined when there is no such cursor. */
  async load(): Promise<CursorRecord | undefined> {
    const found = await this.#get();
    if (found === undefined) return undefined;
    const stored = decodeJson<CursorMetadata>(found.value);
    this.#version = found.stat.version;
    this.#ledgerId = stored.cursorsLedgerId;
    const record = await this.#lastRecord(stored);
    await this.settle(record);
    return record;
  }

  /** BadVersion when there is one already. */
  async create(record: CursorRecord): Promise<void> {
    await this.#put({ cursorsLedgerId: -1, record });
  }

  /** Stores a newer state. */
  async save(record: CursorRecord): Promise<void> {
    // while metadata may name another ledger, what is stored in this one might never be read
    const writer = this.#inDoubt === undefined ? this.#writer : undefined;
    if (writer !== undefined && !this.#isFull(writer)) {
      try {
        await append(writer, record);
        return;
      } catch (error) {
        if (error instanceof BookKeeperError && error.code === "LedgerFenced") throw this.#fenced(error);
        // any other failure: the state goes to a new ledger
      }
    }
    await this.#switchLedger(record);
  }

  /** Large or old enough to go on in another. */
  #isFull({ lastConfirmed, metadata }: LedgerWriter): boolean {
    const { clock, settings } = this.#options;
    const { cursorMaxEntriesPerLedger, cursorRolloverMs } = settings();
    return lastConfirmed + 1 >= cursorMaxEntriesPerLedger || clock.now() - metadata.createdMs >= cursorRolloverMs;
  }

  /** Stores a state to rest: in metadata, unless it is too large for that. */
  async settle(record: CursorRecord): Promise<void> {
    const runs = record.acked.reduce((sum, ledger) => sum + ledger.runs.length / 2, record.partial.length);
    if (runs > RUNS_IN_METADATA_MAX) {
      await this.#switchLedger(record);
      await this.#writer?.close();
      return;
    }
    const before = this.#ledgerId;
    await this.#put({ cursorsLedgerId: -1, record });
    this.#writer?.abandon();
    this.#writer = undefined;
    this.#ledgerId = -1;
    this.#dropLedger(before);
  }

  async delete(): Promise<void> {
    try {
      await this.#options.metadata.delete(this.#key);
    } catch (error) {
      if (!(error instanceof MetadataError && error.code === "NotFound")) throw fromMetadataError(error, this.#key);
    }
    this.#writer?.abandon();
    this.#writer = undefined;
    this.#dropLedger(this.#ledgerId);
    this.#ledgerId = -1;
  }

  async #get(): Promise<Awaited<ReturnType<MetadataStore["get"]>>> {
    try {
      return await this.#options.metadata.get(this.#key);
    } catch (error) {
      throw fromMetadataError(error, this.#key);
    }
  }

  async #lastRecord({ cursorsLedgerId, record }: CursorMetadata): Promise<CursorRecord> {
    if (cursorsLedgerId < 0) return record;
    try {
      const reader = await this.#options.bookkeeper.openLedger(cursorsLedgerId);
      const last = reader.lastConfirmed;
      const [entry] = last < 0 ? [] : await reader.read(last, last);
      return entry === undefined ? record : decodeJson<CursorRecord>(entry.payload);
    } catch (error) {
      // a ledger that is gone leaves what metadata remembers: entries come again, none is lost
      if (error instanceof BookKeeperError && error.code === "NoSuchLedger") return record;
      throw new ManagedLedgerError("StorageFailed", `the state of ${this.#key} cannot be read`, { cause: error });
    }
  }

  async #switchLedger(record: CursorRecord): Promise<void> {
    const before = this.#ledgerId;
    let writer: LedgerWriter | undefined;
    try {
      writer = await this.#newLedger(record);
    } catch (error) {
      if (!(error instanceof BookKeeperError) || error.code === "MetadataUnavailable") {
        throw fromMetadataError(error, this.#key);
      }
      // bookies are too few: metadata alone has to do
    }
    try {
      await this.#put({ cursorsLedgerId: writer?.ledgerId ?? -1, record });
    } catch (error) {
      writer?.abandon();
      this.#dropLedger(writer?.ledgerId ?? -1);
      throw error;
    }
    const old = this.#writer;
    this.#writer = writer;
    this.#ledgerId = writer?.ledgerId ?? -1;
    this.#dropLedger(before);
    // its ledger is gone: it has nothing to close, and no bookie to replace
    old?.abandon();
  }

  async #newLedger(record: CursorRecord): Promise<LedgerWriter> {
    const { bookkeeper, settings, cursorName, ledgerName } = this.#options;
    const properties = propertiesOf({ ledgerName, cursorName });
    const writer = await bookkeeper.createLedger({ ...quorumSizesOf(settings()), properties });
    await append(writer, record);
    return writer;
  }

  async #put(value: CursorMetadata): Promise<void> {
    await this.#resolveDoubt();
    const bytes = encodeJson(value);
    try {
      const put = { expectedVersion: this.#version };
      const { stat } = await this.#options.metadata.put(this.#key, bytes, put);
      this.#version = stat.version;
    } catch (error) {
      if (error instanceof MetadataError && error.code === "Unavailable") this.#inDoubt = bytes;
      if (error instanceof MetadataError && error.code === "BadVersion" && this.#version >= 0)
        throw this.#fenced(error);
      throw fromMetadataError(error, this.#key);
    }
  }

  /** Finds out whether a put without an answer was carried out. What anybody else has put is left to the CAS. */
  async #resolveDoubt(): Promise<void> {
    const put = this.#inDoubt;
    if (put === undefined) return;
    const found = await this.#get();
    if (found?.stat.version === this.#version + 1 && equal(found.value, put)) this.#version = found.stat.version;
    this.#inDoubt = undefined;
  }

  #fenced(cause: unknown): ManagedLedgerError {
    return new ManagedLedgerError("Fenced", `${this.#key}: another owner took the cursor over`, { cause });
  }

  #dropLedger(ledgerId: number): void {
    // nothing names it any more: whether its bookies hear of it now matters to nobody
    if (ledgerId >= 0) this.#options.bookkeeper.deleteLedger(ledgerId).catch(() => undefined);
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function append(writer: LedgerWriter, record: CursorRecord): Promise<void> {
  return new Promise((resolve, reject) => {
    writer.append(encodeJson(record), { onAdded: () => resolve(), onAddFailed: reject });
  });
}
