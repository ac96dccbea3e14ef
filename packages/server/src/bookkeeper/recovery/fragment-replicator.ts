import type { Clock, NodeId } from "@pulsewire/runtime";
import type { BookiePool } from "../client/bookie-pool.ts";
import type { BookKeeperClient } from "../client/bookkeeper-client.ts";
import { BookKeeperError } from "../client/bookkeeper-error.ts";
import { type LedgerFragment, type LedgerMetadata, lastFragment, withReplaced } from "../client/ledger-metadata.ts";
import type { LedgerMetadataStore, VersionedLedgerMetadata } from "../client/ledger-metadata-store.ts";
import { LedgerReader } from "../client/ledger-reader.ts";
import type { LedgerEntry } from "../wire/ledger-entry.ts";
import type { AutoRecoverySettings } from "./recovery-settings.ts";
import type { RecoveryStatistics } from "./recovery-statistics.ts";
import { Throttle } from "./throttle.ts";

export interface FragmentReplicatorOptions {
  clock: Clock;
  bookkeeper: BookKeeperClient;
  settings: AutoRecoverySettings;
  statistics: RecoveryStatistics;
}

/** Which copies are to be made. */
export interface Replacement {
  /** Bookies whose copies are lost, or to be moved. */
  readonly from: ReadonlySet<NodeId>;
  /** Those of them that are there and stay: what they lack is given to them again. */
  readonly back: ReadonlySet<NodeId>;
}

/** Entries of one fragment, both ends included. */
export interface Span {
  fragment: LedgerFragment;
  first: number;
  last: number;
}

/** Behind the LAC that bookies know of, at most so many entries are looked for that were confirmed since. */
const BEHIND_LAC_MAX = 1_000;

/**
 * Makes lost copies of a ledger's closed fragments again, on other bookies, from those that are left; of one that is
 * being written what was written while a bookie was away that is back.
 */
export class FragmentReplicator {
  readonly #pool: BookiePool;
  readonly #ledgers: LedgerMetadataStore;
  readonly #settings: AutoRecoverySettings;
  readonly #statistics: RecoveryStatistics;
  readonly #throttle: Throttle;
  #stopped = false;

  constructor({ clock, bookkeeper, settings, statistics }: FragmentReplicatorOptions) {
    this.#pool = bookkeeper.pool;
    this.#ledgers = bookkeeper.ledgers;
    this.#settings = settings;
    this.#statistics = statistics;
    this.#throttle = new Throttle(clock, settings.replicationRateByBytes);
  }

  /** What is under way ends with ClientClosed. */
  stop(): void {
    this.#stopped = true;
    this.#throttle[Symbol.dispose]();
  }

  /**
   * Makes the fragments whole that no entry is added to any more. Each counts in metadata once all of it is copied, so
   * that whoever goes on after a failure need not do it again. Rejects with a BookKeeperError.
   */
  async replicate(ledger: VersionedLedgerMetadata, replacement: Replacement): Promise<void> {
    for (const span of closedSpans(ledger.metadata)) {
      if (!span.fragment.bookies.some((bookie) => replacement.from.has(bookie))) continue;
      await this.#replicateSpan(ledger, span, replacement);
    }
    if (ledger.metadata.state !== "CLOSED") await this.#giveBack(ledger, replacement);
  }

  /** The ensemble with others in the places of what is lost. NotEnoughBookies. */
  async targets(
    { writeQuorum }: LedgerMetadata,
    fragment: LedgerFragment,
    { from, back }: Replacement,
  ): Promise<NodeId[]> {
    const places = fragment.bookies.map((bookie) => (from.has(bookie) && !back.has(bookie) ? undefined : bookie));
    if (!places.includes(undefined)) return [...fragment.bookies];
    return this.#pool.replacements(places, writeQuorum, from);
  }

  async #replicateSpan(ledger: VersionedLedgerMetadata, span: Span, replacement: Replacement): Promise<void> {
    const { fragment } = span;
    const targets = await this.targets(ledger.metadata, fragment, replacement);
    await this.#copyAll(ledger, span, targets, replacement);
    if (targets.every((bookie, i) => bookie === fragment.bookies[i])) return;
    for (let current = await this.#ledgers.read(ledger.ledgerId); ; ) {
      const moved = withReplaced(current.metadata, fragment, targets);
      if ((await this.#ledgers.update(current, moved)) !== undefined) return;
      current = await this.#ledgers.read(ledger.ledgerId);
    }
  }

  /**
   * Gives bookies that are back, and stayed in the ensemble, what was written without them: such an entry counts once the
   * ack quorum of the others has it. What is written from now on is sent to them by the ledger's writer.
   */
  async #giveBack(ledger: VersionedLedgerMetadata, replacement: Replacement): Promise<void> {
    const fragment = lastFragment(ledger.metadata);
    const { bookies, firstEntryId: first } = fragment;
    if (!bookies.some((bookie) => replacement.back.has(bookie))) return;
    const last = await this.#lastWritten(ledger, fragment);
    await this.#copyAll(ledger, { fragment, first, last }, bookies, replacement);
  }

  async #lastWritten({ ledgerId, metadata }: VersionedLedgerMetadata, fragment: LedgerFragment): Promise<number> {
    const asked = fragment.bookies.map((bookie) =>
      this.#pool.link(bookie).call((requestId) => ({ type: "read-lac", requestId, ledgerId, fence: false })),
    );
    const lacs = (await Promise.all(asked)).map((answer) =>
      typeof answer === "object" && answer.type === "lac" ? answer.lac : -1,
    );
    // an entry says what was confirmed before it: the last ones that were are behind
    let last = Math.max(fragment.firstEntryId - 1, ...lacs);
    for (const end = last + BEHIND_LAC_MAX; last < end && !this.#stopped; last++) {
      const next = last + 1;
      try {
        await new LedgerReader({ ledgerId, metadata, lastConfirmed: next }, this.#pool).read(next, next);
      } catch (error) {
        if (error instanceof BookKeeperError) break;
        throw error;
      }
    }
    return last;
  }

  async #copyAll(
    ledger: VersionedLedgerMetadata,
    { fragment, first, last }: Span,
    targets: readonly NodeId[],
    replacement: Replacement,
  ): Promise<void> {
    const batch = this.#settings.rereplicationEntryBatchSize;
    for (let from = first; from <= last; from += batch) {
      if (this.#stopped) throw new BookKeeperError("ClientClosed", "auto-recovery is stopping");
      await this.#copy(ledger, { fragment, first: from, last: Math.min(last, from + batch - 1) }, targets, replacement);
    }
  }

  /** Reads some neighbouring entries and gives each to the new bookies that are in its write quorum. */
  async #copy(
    ledger: VersionedLedgerMetadata,
    span: Span,
    targets: readonly NodeId[],
    { back }: Replacement,
  ): Promise<void> {
    const { ledgerId, metadata } = ledger;
    const wanted = new Map<NodeId, number[]>();
    for (const [slot, target] of targets.entries()) {
      if (target === span.fragment.bookies[slot] && !back.has(target)) continue;
      const ids = idsOfSlot(metadata, span, slot);
      const lacking = back.has(target) ? await this.#lacking(ledgerId, target, ids) : ids;
      if (lacking.length > 0) wanted.set(target, lacking);
    }
    const ids = new Set([...wanted.values()].flat());
    if (ids.size === 0) return;
    const entries = await this.#read(ledger, span);
    await Promise.all(
      Array.from(wanted, ([target, lacking]) =>
        this.#write(
          ledgerId,
          target,
          lacking.map((id) => entries[id - span.first] as LedgerEntry),
        ),
      ),
    );
  }

  async #read({ ledgerId, metadata }: VersionedLedgerMetadata, { first, last }: Span): Promise<LedgerEntry[]> {
    try {
      const entries = await new LedgerReader({ ledgerId, metadata, lastConfirmed: last }, this.#pool).read(first, last);
      const bytes = bytesOf(entries);
      this.#statistics.replication_worker_NUM_ENTRIES_READ += entries.length;
      this.#statistics.replication_worker_NUM_BYTES_READ += bytes;
      await this.#throttle.take(bytes);
      return entries;
    } catch (error) {
      this.#statistics.replication_worker_NUM_ENTRIES_UNABLE_TO_READ_FOR_REPLICATION++;
      throw error;
    }
  }

  async #write(ledgerId: number, target: NodeId, entries: readonly LedgerEntry[]): Promise<void> {
    const result = await this.#pool
      .link(target)
      .call((requestId) => ({ type: "add", requestId, entries, recovery: true }));
    const codes = typeof result === "string" ? result : result.type === "added" ? result.codes : "StorageFailed";
    const failed = typeof codes === "string" ? codes !== "Ok" && codes : codes.find((code) => code !== "Ok");
    if (failed) {
      throw new BookKeeperError("ReplicationFailed", `ledger ${ledgerId}: ${target} did not take a copy: ${failed}`);
    }
    this.#statistics.replication_worker_NUM_ENTRIES_WRITTEN += entries.length;
    this.#statistics.replication_worker_NUM_BYTES_WRITTEN += bytesOf(entries);
  }

  /** Which entries a bookie has no intact copy of. */
  async #lacking(ledgerId: number, bookie: NodeId, entryIds: readonly number[]): Promise<number[]> {
    const intact = await LedgerReader.intactCopies(this.#pool, { ledgerId, bookie, entryIds });
    return entryIds.filter((id) => !intact.has(id));
  }
}

/** The fragments of a ledger that end, and where. The last one of a ledger that is not closed is open. */
export function closedSpans({ fragments, state, lastEntryId }: LedgerMetadata): Span[] {
  return fragments.flatMap((fragment, i) => {
    const next = fragments[i + 1];
    if (next === undefined && state !== "CLOSED") return [];
    return [
      {
        fragment,
        first: fragment.firstEntryId,
        last: next === undefined ? (lastEntryId ?? -1) : next.firstEntryId - 1,
      },
    ];
  });
}

/** The entries of a span whose write quorum takes in a place of the ensemble. */
export function idsOfSlot({ writeQuorum }: LedgerMetadata, { fragment, first, last }: Span, slot: number): number[] {
  const size = fragment.bookies.length;
  const ids: number[] = [];
  for (let entryId = first; entryId <= last; entryId++) {
    if ((((slot - entryId) % size) + size) % size < writeQuorum) ids.push(entryId);
  }
  return ids;
}

function bytesOf(entries: readonly LedgerEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.payload.length, 0);
}
