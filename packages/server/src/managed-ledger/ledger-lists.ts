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
    const ids = await this.#ledgersAt(key);
    // what a list says that cannot be read is not known: nothing of it goes, and whoever opens its topic is told
    return ids === undefined || ids.includes(ledgerId) ? "listed" : "orphan";
  }

  async #addBelow(key: string, listed: Set<number>): Promise<void> {
    for (const name of await this.#metadata.children(key)) {
      const below = `${key}/${name}`;
      for (const ledgerId of (await this.#ledgersAt(below)) ?? []) listed.add(ledgerId);
      await this.#addBelow(below, listed);
    }
  }

  /** Undefined where it cannot be read. */
  async #ledgersAt(key: string): Promise<readonly number[] | undefined> {
    const found = await this.#metadata.get(key);
    if (found === undefined || found.value.length === 0) return [];
    const stored = decoded(found.value);
    if (stored === undefined) return undefined;
    const { ledgers = [], cursorsLedgerId } = stored;
    const ids = ledgers.map(({ ledgerId }) => ledgerId);
    return cursorsLedgerId === undefined ? ids : [...ids, cursorsLedgerId];
  }
}

function decoded(bytes: Uint8Array): Stored | undefined {
  let value: unknown;
  try {
    value = decodeJson(bytes);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { ledgers = [] } = value as { ledgers?: unknown };
  return Array.isArray(ledgers) && ledgers.every((ledger) => typeof ledger?.ledgerId === "number") ? value : undefined;
}

/** For whoever looks for ledgers that nobody lists. */
export function createLedgerLists(metadata: MetadataStore): LedgerLists {
  return new StoredLedgerLists(metadata);
}
