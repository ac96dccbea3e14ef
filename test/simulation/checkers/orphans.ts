import type { MetadataStore } from "@pulsewire/server";

/** A bookie, as far as what it holds goes. */
interface Holder {
  readonly id: string;
  /** Ledgers it holds something of. */
  ledgerIds(): Iterable<number>;
}

/** What stands at a key of a managed ledger or of a cursor. */
interface Listing {
  ledgers?: readonly { ledgerId: number }[];
  cursorsLedgerId?: number;
}

const MANAGED_LEDGER = "/managed-ledgers/";
const UNDER_REPLICATION = "/ledgers/underreplication/";

/**
 * What metadata and bookies hold that belongs to nothing, once all is quiet and collectors have run to their end: ledgers
 * that nobody lists, cursors without their managed ledger, notes and locks of lost copies, keys of topics that were
 * deleted, and entries of ledgers that metadata does not know. Knows the layout of metadata, and nothing of collectors.
 */
export async function findOrphans(
  metadata: MetadataStore,
  bookies: readonly Holder[],
  deletedTopics: Iterable<string> = [],
): Promise<string[]> {
  const keys = await keysBelow(metadata, "");
  const ledgers = new Set(keys.flatMap((key) => ledgerOf(key) ?? []));
  const listed = await listedIn(metadata, keys);
  const names = [...deletedTopics];
  return [
    ...[...ledgers].filter((id) => !listed.has(id)).map((id) => `ledger ${id} is on no list`),
    ...(await cursorsWithoutTopic(metadata, keys)),
    ...keys
      .filter((key) => /^(ledgers|locks)\/./.test(key.split(UNDER_REPLICATION)[1] ?? ""))
      .map((key) => `${key} is left`),
    ...keys
      .filter((key) => names.some((name) => key.includes(name)))
      .map((key) => `${key} is of a topic that was deleted`),
    ...bookies.flatMap(({ id, ledgerIds }) =>
      [...ledgerIds()]
        .filter((ledger) => !ledgers.has(ledger))
        .map((ledger) => `${id} holds ledger ${ledger}, which is gone`),
    ),
  ];
}

/** Keys that belong to a session, though everybody has left. */
export async function keysOfTheGone(metadata: MetadataStore): Promise<string[]> {
  const left: string[] = [];
  for (const key of await keysBelow(metadata, "")) {
    if ((await metadata.get(key))?.stat.ephemeral === true) left.push(`${key} is left of a session that is over`);
  }
  return left;
}

async function keysBelow(metadata: MetadataStore, key: string): Promise<string[]> {
  const keys: string[] = [];
  for (const name of await metadata.children(key === "" ? "/" : key)) {
    const below = `${key}/${name}`;
    keys.push(below, ...(await keysBelow(metadata, below)));
  }
  return keys;
}

function ledgerOf(key: string): number | undefined {
  const digits = /^\/ledgers\/(\d+)\/(\d+)\/L(\d+)$/.exec(key);
  return digits === null ? undefined : Number(digits.slice(1).join(""));
}

async function listedIn(metadata: MetadataStore, keys: readonly string[]): Promise<Set<number>> {
  const listed = new Set<number>();
  for (const key of keys.filter((k) => k.startsWith(MANAGED_LEDGER))) {
    const { ledgers = [], cursorsLedgerId = -1 } = await listingAt(metadata, key);
    for (const { ledgerId } of ledgers) listed.add(ledgerId);
    listed.add(cursorsLedgerId);
  }
  return listed;
}

async function cursorsWithoutTopic(metadata: MetadataStore, keys: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const key of keys.filter((k) => k.startsWith(MANAGED_LEDGER))) {
    if ((await listingAt(metadata, key)).cursorsLedgerId === undefined) continue;
    const { ledgers } = await listingAt(metadata, key.slice(0, key.lastIndexOf("/")));
    if (ledgers === undefined) left.push(`${key} is a cursor of nothing`);
  }
  return left;
}

async function listingAt(metadata: MetadataStore, key: string): Promise<Listing> {
  const value = (await metadata.get(key))?.value;
  return value === undefined || value.length === 0 ? {} : (JSON.parse(new TextDecoder().decode(value)) as Listing);
}
