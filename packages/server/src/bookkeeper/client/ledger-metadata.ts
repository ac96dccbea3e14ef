import type { NodeId } from "@pulsewire/runtime";
import { BookKeeperError } from "./bookkeeper-error.ts";

/** How many bookies share a ledger (E), how many copies an entry has (Qw), how many must confirm it (Qa). */
export interface QuorumSizes {
  ensembleSize: number;
  writeQuorum: number;
  ackQuorum: number;
}

/** A run of entries on one ensemble, up to where the next fragment starts. */
export interface LedgerFragment {
  firstEntryId: number;
  bookies: readonly NodeId[];
}

/** CLOSED is final. */
export type LedgerState = "OPEN" | "IN_RECOVERY" | "CLOSED";

/** What is known of a ledger apart from its entries. Never changed in place. */
export interface LedgerMetadata extends QuorumSizes {
  readonly state: LedgerState;
  readonly createdMs: number;
  /** The last entry once CLOSED (-1 when empty); before that unknown. */
  readonly lastEntryId: number | undefined;
  /** Payload bytes, once CLOSED. */
  readonly lengthBytes: number;
  readonly fragments: readonly LedgerFragment[];
  /** Free text of whoever made the ledger. */
  readonly properties: Readonly<Record<string, string>>;
}

/** Throws InvalidQuorum unless E >= Qw >= Qa >= 1. */
export function checkQuorumSizes({ ensembleSize, writeQuorum, ackQuorum }: QuorumSizes): void {
  const fits = ensembleSize >= writeQuorum && writeQuorum >= ackQuorum && ackQuorum >= 1;
  if (fits && [ensembleSize, writeQuorum, ackQuorum].every(Number.isInteger)) return;
  throw new BookKeeperError(
    "InvalidQuorum",
    `ensemble size ${ensembleSize} >= write quorum ${writeQuorum} >= ack quorum ${ackQuorum} >= 1 must hold`,
  );
}

/** The fragment being written. */
export function lastFragment(metadata: LedgerMetadata): LedgerFragment {
  const fragment = metadata.fragments.at(-1);
  if (fragment === undefined) throw new BookKeeperError("NoSuchLedger", "a ledger without a fragment");
  return fragment;
}

/** The fragment an entry lies in. */
export function fragmentOf(metadata: LedgerMetadata, entryId: number): LedgerFragment {
  const { fragments } = metadata;
  for (let i = fragments.length - 1; i > 0; i--) {
    const fragment = fragments[i] as LedgerFragment;
    if (fragment.firstEntryId <= entryId) return fragment;
  }
  return fragments[0] ?? lastFragment(metadata);
}

/** The bookies that hold an entry, in order of its write quorum. */
export function writeSetOf(metadata: LedgerMetadata, entryId: number): NodeId[] {
  const { bookies } = fragmentOf(metadata, entryId);
  const set: NodeId[] = [];
  for (let i = 0; i < metadata.writeQuorum; i++) set.push(bookies[(entryId + i) % bookies.length] as NodeId);
  return set;
}

/** The same ledger going on with other bookies from an entry on. */
export function withFragment(metadata: LedgerMetadata, fragment: LedgerFragment): LedgerMetadata {
  const before = metadata.fragments.filter((f) => f.firstEntryId < fragment.firstEntryId);
  return { ...metadata, fragments: [...before, fragment] };
}

/**
 * The fragments of a ledger as its writer knows them, less what happened to them in metadata meanwhile: copies of closed
 * fragments may have been put on other bookies.
 */
export function withMovedCopies(own: LedgerMetadata, stored: LedgerMetadata): LedgerMetadata {
  const last = own.fragments.length - 1;
  const fragments = own.fragments.map((fragment, i) => {
    if (i === last) return fragment;
    return stored.fragments.find((f) => f.firstEntryId === fragment.firstEntryId) ?? fragment;
  });
  return { ...own, fragments };
}

/** The ledger with other bookies in some places of a fragment, where those to be replaced still stand. */
export function withReplaced(
  metadata: LedgerMetadata,
  before: LedgerFragment,
  after: readonly NodeId[],
): LedgerMetadata {
  const fragments = metadata.fragments.map((fragment) => {
    if (fragment.firstEntryId !== before.firstEntryId) return fragment;
    const bookies = fragment.bookies.map((bookie, i) => (bookie === before.bookies[i] ? (after[i] ?? bookie) : bookie));
    return { ...fragment, bookies };
  });
  return { ...metadata, fragments };
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

export function encodeLedgerMetadata(metadata: LedgerMetadata): Uint8Array {
  return utf8.encode(JSON.stringify(metadata));
}

export function decodeLedgerMetadata(bytes: Uint8Array): LedgerMetadata {
  return JSON.parse(fromUtf8.decode(bytes)) as LedgerMetadata;
}
