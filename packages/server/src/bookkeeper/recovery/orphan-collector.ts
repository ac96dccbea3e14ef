import type { Clock } from "@pulsewire/runtime";
import type { BookKeeperClient } from "../client/bookkeeper-client.ts";
import { BookKeeperError } from "../client/bookkeeper-error.ts";
import type { LedgerMetadata } from "../client/ledger-metadata.ts";
import type { AutoRecoverySettings } from "./recovery-settings.ts";
import type { RecoveryStatistics } from "./recovery-statistics.ts";
import type { UnderReplication } from "./under-replication.ts";

/** Who makes ledgers and lists them. Rejects with a MetadataError. */
export interface LedgerLists {
  /** Every ledger that is listed somewhere. */
  listed(): Promise<ReadonlySet<number>>;
  /** Whether whoever made a ledger, as its properties say, lists it now. `not ours`: it was made by somebody else. */
  lookUp(ledgerId: number, properties: LedgerMetadata["properties"]): Promise<"listed" | "orphan" | "not ours">;
}

export interface OrphanCollectorOptions {
  clock: Clock;
  bookkeeper: BookKeeperClient;
  marks: UnderReplication;
  lists: LedgerLists;
  settings: Pick<AutoRecoverySettings, "orphanLedgerGracePeriod">;
  statistics: RecoveryStatistics;
}

/** What a look found. */
export interface OrphansFound {
  /** Ledgers that nobody lists, and that may yet be listed. */
  readonly waiting: number;
  readonly deleted: number;
}

/**
 * Deletes ledgers that nobody lists: whoever made one may have died before it listed it, or after it had struck it off
 * and before it had deleted it.
 *
 * The grace period only keeps it from getting in the way of those that are about to list one. What makes it safe is the
 * order: fence, look at the list once more, delete. Before it is listed nothing counts that is in a managed ledger's ledger,
 * and what is in a cursor's stands in the cursor's metadata as well. So these end well:
 * - made, seen, listed: the next look finds it listed;
 * - made, seen, fenced, listed: it is found listed, and stays; its owner is told by the bookies, and the topic opens anew;
 * - made, seen, fenced, found on no list, listed, deleted: nothing gets into it, since its bookies refuse it; whoever opens
 *   the list next leaves out a last ledger that is gone;
 * - made, seen, its maker stands still, another owner takes over, deleted: the maker's CAS of the list fails;
 * - listed, struck off, seen: it is on no list again, since ids are given once and lists change by CAS;
 * - changed between the fence and the deletion, as by a recovery: the version is another, and it is looked at again;
 * - two collectors at once: one finds the ledger gone.
 */
export class OrphanCollector {
  readonly #options: OrphanCollectorOptions;
  /** When each ledger that was not listed was first seen, by the monotonic clock. */
  readonly #firstSeenMs = new Map<number, number>();
  #looks: Promise<unknown> = Promise.resolve();

  constructor(options: OrphanCollectorOptions) {
    this.#options = options;
  }

  /** Looks now, after looks under way. Rejects with a MetadataError or a BookKeeperError. */
  collect(): Promise<OrphansFound> {
    const look = this.#looks.then(() => this.#look());
    this.#looks = look.catch(() => undefined);
    return look;
  }

  async #look(): Promise<OrphansFound> {
    const { bookkeeper, lists, clock, settings, statistics } = this.#options;
    statistics.auditor_CHECK_ORPHAN_LEDGERS_TIME_count++;
    // ledgers first: one that is made meanwhile is for the next look
    const ids = await bookkeeper.listLedgers();
    const listed = await lists.listed();
    const unlisted = ids.filter((id) => !listed.has(id));
    this.#forgetAllBut(new Set(unlisted));
    let [waiting, deleted] = [0, 0];
    for (const ledgerId of unlisted) {
      const seenMs = this.#firstSeenMs.get(ledgerId);
      const isDue = seenMs !== undefined && clock.monotonicMs() - seenMs >= settings.orphanLedgerGracePeriod;
      const outcome = await this.#lookAt(ledgerId, isDue);
      if (seenMs === undefined && outcome === "waiting") {
        this.#firstSeenMs.set(ledgerId, clock.monotonicMs());
        statistics.auditor_NUM_ORPHAN_LEDGERS_FOUND++;
      }
      if (outcome === "deleted") deleted++;
      else if (outcome === "waiting") waiting++;
    }
    await this.#clearMarks(new Set(ids));
    return { waiting, deleted };
  }

  #forgetAllBut(unlisted: ReadonlySet<number>): void {
    for (const id of this.#firstSeenMs.keys()) if (!unlisted.has(id)) this.#firstSeenMs.delete(id);
  }

  async #lookAt(ledgerId: number, isDue: boolean): Promise<"deleted" | "waiting" | "none"> {
    const { bookkeeper, lists, statistics } = this.#options;
    try {
      const { metadata } = await bookkeeper.readMetadata(ledgerId);
      if ((await lists.lookUp(ledgerId, metadata.properties)) !== "orphan") return "none";
      if (!isDue) return "waiting";
      const fenced = await bookkeeper.fenceLedger(ledgerId);
      // whoever lists it from here on gets nothing into it; whoever has listed it by now keeps it
      if ((await lists.lookUp(ledgerId, fenced.metadata.properties)) !== "orphan") return "none";
      if (!(await bookkeeper.deleteUnchanged(fenced))) return "waiting";
      this.#firstSeenMs.delete(ledgerId);
      statistics.auditor_NUM_ORPHAN_LEDGERS_DELETED++;
      return "deleted";
    } catch (error) {
      if (error instanceof BookKeeperError && error.code === "NoSuchLedger") return "none";
      // its bookies are down: it is looked at again once they are back, or decommissioned
      if (error instanceof BookKeeperError && error.code === "RecoveryFailed") return "waiting";
      throw error;
    }
  }

  /** Nobody makes copies of what is gone. A ledger made since is not among `ids`, and is asked for by itself. */
  async #clearMarks(ids: ReadonlySet<number>): Promise<void> {
    const { marks, bookkeeper, statistics } = this.#options;
    for (const ledgerId of await marks.list()) {
      if (ids.has(ledgerId)) continue;
      const mark = await marks.read(ledgerId);
      if (mark === undefined || (await bookkeeper.ledgers.exists(ledgerId))) continue;
      if (await marks.clear(mark)) statistics.auditor_NUM_STALE_UNDER_REPLICATION_MARKS_CLEARED++;
    }
  }
}
