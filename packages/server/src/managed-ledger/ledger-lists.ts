import type { LedgerLists } from "../bookkeeper/recovery/orphan-collector.ts";
import type { MetadataStore } from "../metadata/metadata-store.ts";
import type { CursorMetadata } from "./cursor/cursor-record.ts";
import { cursorKey } from "./cursor/cursor-store.ts";
import { originOf } from "./ledger-properties.ts";
import {
  decodeJson,
  MANAGED_LEDGERS_KEY,
  type ManagedLedgerRecord,
  managedLedgerKey,
} from "./managed-ledger-record.ts";

/** What stands at a key below `MANAGED_LEDGERS_KEY`: a managed ledger or a cursor of one. */
type Stored = Partial<ManagedLedgerRecord & CursorMetadata>;

/** The ledgers that managed ledgers and their cursors list, in metadata. Rejects with a MetadataError. */
class StoredLedgerLists implements LedgerLists {
  readonly #metadata: MetadataStore;

  constructor(metadata: MetadataStore) {
    this.#metadata = metadata;
  }

  async listed(): Promise<ReadonlySet<number>> {
    const listed = new Set<number>();
    await this.#addBelow(MANAGED_LEDGERS_KEY, listed);
    return listed;
  }

  async lookUp(
    ledgerId: number,
    properties: Readonly<Record<string, string>>,
  ): Promise<"listed" | "orphan" | "not ours"> {
    const origin = originOf(properties);
    if (origin === undefined) return "not ours";
    const { ledgerName, cursorName } = origin;
    const key = cursorName === undefined ? managedLedgerKey(ledgerName) : cursorKey(ledgerName, cursorName);
    return (await this.#ledgersAt(key)).includes(ledgerId) ? "listed" : "orphan";
  }

  async #addBelow(key: string, listed: Set<number>): Promise<void> {
    for (const name of await this.#metadata.children(key)) {
      const below = `${key}/${name}`;
      for (const ledgerId of await this.#ledgersAt(below)) listed.add(ledgerId);
      await this.#addBelow(below, listed);
    }
  }

  async #ledgersAt(key: string): Promise<readonly number[]> {
    const found = await this.#metadata.get(key);
    if (found === undefined || found.value.length === 0) return [];
    const { ledgers = [], cursorsLedgerId } = decodeJson<Stored>(found.value);
    const ids = ledgers.map(({ ledgerId }) => ledgerId);
    return cursorsLedgerId === undefined ? ids : [...ids, cursorsLedgerId];
  }
}

/** For whoever looks for ledgers that nobody lists. */
export function createLedgerLists(metadata: MetadataStore): LedgerLists {
  return new StoredLedgerLists(metadata);
}
