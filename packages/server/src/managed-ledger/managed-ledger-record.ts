import { MetadataError, type MetadataStore } from "../metadata/metadata-store.ts";
import { ManagedLedgerError } from "./managed-ledger.ts";
import type { Position } from "./position.ts";

/** A ledger as the list in metadata has it. Of the last one only the id is right until it is closed. */
export interface LedgerRecord {
  ledgerId: number;
  entries: number;
  sizeBytes: number;
  createdMs: number;
  closedAtMs?: number;
}

/** What metadata holds of a managed ledger. */
export interface ManagedLedgerRecord {
  ledgers: readonly LedgerRecord[];
  terminatedAt?: Position;
}

export const MANAGED_LEDGERS_KEY = "/managed-ledgers";

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export function encodeJson(value: unknown): Uint8Array {
  return utf8.encode(JSON.stringify(value));
}

export function decodeJson<T>(bytes: Uint8Array): T {
  return JSON.parse(fromUtf8.decode(bytes)) as T;
}

/** @param name `tenant/namespace/domain/topic`, the topic encoded. */
export function managedLedgerKey(name: string): string {
  return `${MANAGED_LEDGERS_KEY}/${name}`;
}

/** A failure of the metadata store as one of the managed ledger. */
export function fromMetadataError(error: unknown, what: string): ManagedLedgerError {
  if (error instanceof ManagedLedgerError) return error;
  const badVersion = error instanceof MetadataError && error.code === "BadVersion";
  const detail = `${what}: ${error instanceof Error ? error.message : String(error)}`;
  return new ManagedLedgerError(badVersion ? "BadVersion" : "MetadataUnavailable", detail, { cause: error });
}

/** A managed ledger's record, changed only from the version this owner knows. Rejects with a ManagedLedgerError. */
export class ManagedLedgerRecordStore {
  readonly #metadata: MetadataStore;
  readonly #key: string;
  #version = -1;

  constructor(metadata: MetadataStore, name: string) {
    this.#metadata = metadata;
    this.#key = managedLedgerKey(name);
  }

  async load(): Promise<ManagedLedgerRecord | undefined> {
    try {
      const found = await this.#metadata.get(this.#key);
      this.#version = found?.stat.version ?? -1;
      return found && decodeJson<ManagedLedgerRecord>(found.value);
    } catch (error) {
      throw fromMetadataError(error, this.#key);
    }
  }

  /** BadVersion when somebody else changed it. */
  async save(record: ManagedLedgerRecord): Promise<void> {
    try {
      const { stat } = await this.#metadata.put(this.#key, encodeJson(record), { expectedVersion: this.#version });
      this.#version = stat.version;
    } catch (error) {
      throw fromMetadataError(error, this.#key);
    }
  }

  async delete(): Promise<void> {
    try {
      await this.#metadata.delete(this.#key, this.#version);
    } catch (error) {
      if (error instanceof MetadataError && error.code === "NotFound") return;
      throw fromMetadataError(error, this.#key);
    }
  }
}
