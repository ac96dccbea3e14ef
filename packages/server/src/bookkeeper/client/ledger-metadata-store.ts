import { MetadataError, type MetadataStore } from "../../metadata/metadata-store.ts";
import { LEDGERS_KEY, ledgerKey } from "../wire/ledger-key.ts";
import { BookKeeperError } from "./bookkeeper-error.ts";
import { decodeLedgerMetadata, encodeLedgerMetadata, type LedgerMetadata } from "./ledger-metadata.ts";

export { ledgerKey } from "../wire/ledger-key.ts";

const ID_KEY = "/ledgers/idgen";

/** A ledger's metadata as of one version. */
export interface VersionedLedgerMetadata {
  readonly ledgerId: number;
  readonly metadata: LedgerMetadata;
  readonly version: number;
}

/** Ledgers' metadata in the metadata store. Rejects with a BookKeeperError. */
export class LedgerMetadataStore {
  readonly #store: MetadataStore;

  constructor(store: MetadataStore) {
    this.#store = store;
  }

  async nextLedgerId(): Promise<number> {
    return this.#try(() => this.#store.nextSequence(ID_KEY));
  }

  async create(ledgerId: number, metadata: LedgerMetadata): Promise<VersionedLedgerMetadata> {
    const value = encodeLedgerMetadata(metadata);
    const { stat } = await this.#try(() => this.#store.put(ledgerKey(ledgerId), value, { expectedVersion: -1 }));
    return { ledgerId, metadata, version: stat.version };
  }

  /** NoSuchLedger when there is none. */
  async read(ledgerId: number): Promise<VersionedLedgerMetadata> {
    const found = await this.#try(() => this.#store.get(ledgerKey(ledgerId)));
    if (found === undefined) throw new BookKeeperError("NoSuchLedger", `there is no ledger ${ledgerId}`);
    return { ledgerId, metadata: decodeLedgerMetadata(found.value), version: found.stat.version };
  }

  async exists(ledgerId: number): Promise<boolean> {
    return this.#try(() => this.#store.exists(ledgerKey(ledgerId)));
  }

  /** Answers undefined when somebody else changed it since `before`. */
  async update(before: VersionedLedgerMetadata, next: LedgerMetadata): Promise<VersionedLedgerMetadata | undefined> {
    const { ledgerId, version } = before;
    try {
      const put = { expectedVersion: version };
      const { stat } = await this.#store.put(ledgerKey(ledgerId), encodeLedgerMetadata(next), put);
      return { ledgerId, metadata: next, version: stat.version };
    } catch (error) {
      if (error instanceof MetadataError && error.code === "BadVersion") return undefined;
      throw BookKeeperError.from(error);
    }
  }

  /** NoSuchLedger when there is none. @param version Answers false when it is another one. Default: whatever it is. */
  async delete(ledgerId: number, version?: number): Promise<boolean> {
    try {
      await this.#store.delete(ledgerKey(ledgerId), version);
      return true;
    } catch (error) {
      if (error instanceof MetadataError && error.code === "BadVersion") return false;
      if (error instanceof MetadataError && error.code === "NotFound") {
        throw new BookKeeperError("NoSuchLedger", `there is no ledger ${ledgerId}`, { cause: error });
      }
      throw BookKeeperError.from(error);
    }
  }

  /** The ids of all ledgers, rising. */
  async list(): Promise<number[]> {
    const ids: number[] = [];
    for (const high of await this.#children(LEDGERS_KEY)) {
      if (!/^\d+$/.test(high)) continue;
      for (const middle of await this.#children(`${LEDGERS_KEY}/${high}`)) {
        for (const low of await this.#children(`${LEDGERS_KEY}/${high}/${middle}`)) {
          ids.push(Number(`${high}${middle}${low.slice(1)}`));
        }
      }
    }
    return ids.sort((a, b) => a - b);
  }

  #children(key: string): Promise<string[]> {
    return this.#try(() => this.#store.children(key));
  }

  async #try<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw BookKeeperError.from(error);
    }
  }
}
