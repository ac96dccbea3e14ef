import type { Clock, NodeId, Timer } from "@pulsewire/runtime";
import { MetadataError } from "../../metadata/metadata-store.ts";
import type { BookKeeperClient } from "../client/bookkeeper-client.ts";
import { BookKeeperError } from "../client/bookkeeper-error.ts";
import { lastFragment } from "../client/ledger-metadata.ts";
import type { VersionedLedgerMetadata } from "../client/ledger-metadata-store.ts";
import { FragmentReplicator, type Replacement } from "./fragment-replicator.ts";
import type { AutoRecoverySettings } from "./recovery-settings.ts";
import type { RecoveryStatistics } from "./recovery-statistics.ts";
import type { UnderReplicatedLedger, UnderReplication } from "./under-replication.ts";

export interface ReplicationWorkerOptions {
  clock: Clock;
  bookkeeper: BookKeeperClient;
  marks: UnderReplication;
  settings: AutoRecoverySettings;
  statistics: RecoveryStatistics;
  /** Bookies that are there, writable or not. Rejects with a BookKeeperError. */
  registered(): Promise<ReadonlySet<NodeId>>;
  /** Told of failures; they are tried again. */
  onError(error: unknown): void;
}

/**
 * Takes ledgers that lack copies one by one, each under a lock that goes with the worker's session, and makes them
 * whole. What cannot be done now is tried again after a while, by whoever comes first.
 */
export class ReplicationWorker implements AsyncDisposable {
  readonly #options: ReplicationWorkerOptions;
  readonly #replicator: FragmentReplicator;
  readonly #watch: Disposable;
  /** Not to be tried again before, by ledger. */
  readonly #notBeforeMs = new Map<number, number>();
  /** Ledgers that may be locked by this worker without its working on them, since the answer about the lock was lost. */
  readonly #doubtful = new Set<number>();
  /** Ledgers whose writer may still be there, until its time is up. */
  readonly #waiting = new Map<number, Timer>();
  /** Their time is up: what is under way for them beside the passes. */
  readonly #finishing = new Set<Promise<void>>();
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(options: ReplicationWorkerOptions) {
    this.#options = options;
    this.#replicator = new FragmentReplicator(options);
    this.#watch = options.marks.onWork(() => this.wake());
  }

  /** Looks for work, now or after what it is at. */
  wake(): void {
    this.#again = true;
    if (this.#stopped || this.#running !== undefined) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#replicator.stop();
    this.#watch[Symbol.dispose]();
    this.#timer?.cancel();
    for (const timer of this.#waiting.values()) timer.cancel();
    await Promise.all([this.#running, ...this.#finishing]);
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#pass();
      } catch (error) {
        // the marks stay: whoever has a way to the metadata store goes on
        this.#options.onError(error);
        this.#wakeIn(this.#options.settings.rwRereplicateBackoffMs);
      }
    }
  }

  async #pass(): Promise<void> {
    const { marks, clock } = this.#options;
    for (const ledgerId of this.#doubtful) {
      await marks.unlock(ledgerId);
      this.#doubtful.delete(ledgerId);
    }
    if (!(await marks.enabled())) return;
    const locked = await marks.locked();
    for (const ledgerId of await marks.list()) {
      if (this.#stopped) return;
      const notBeforeMs = this.#notBeforeMs.get(ledgerId) ?? 0;
      if (notBeforeMs > clock.monotonicMs()) this.#wakeIn(notBeforeMs - clock.monotonicMs());
      else if (!locked.has(ledgerId) && !this.#waiting.has(ledgerId)) await this.#take(ledgerId);
    }
  }

  async #take(ledgerId: number): Promise<void> {
    const { marks, statistics } = this.#options;
    this.#doubtful.add(ledgerId);
    const mine = await marks.lock(ledgerId);
    this.#doubtful.delete(ledgerId);
    if (!mine) return;
    let kept = false;
    try {
      const mark = await marks.read(ledgerId);
      if (mark === undefined) return;
      statistics.replication_worker_REREPLICATE_OP_count++;
      kept = (await this.#makeWhole(mark)) === "writer may be there";
      if (kept) this.#waitForWriter(ledgerId);
    } catch (error) {
      this.#putOff(ledgerId, error);
    } finally {
      if (!kept) await this.#unlock(ledgerId);
    }
  }

  async #makeWhole(mark: UnderReplicatedLedger, writerIsGone = false): Promise<"done" | "writer may be there"> {
    const { marks, bookkeeper, statistics } = this.#options;
    let ledger: VersionedLedgerMetadata;
    try {
      ledger = await bookkeeper.readMetadata(mark.ledgerId);
    } catch (error) {
      if (!(error instanceof BookKeeperError) || error.code !== "NoSuchLedger") throw error;
      await marks.clear(mark);
      this.#notBeforeMs.delete(mark.ledgerId);
      return "done";
    }
    const { there, ...replacement } = await this.#replacementOf(mark);
    // those that leave too: what is not on them any more is nothing they lack
    const doubts = await this.#doubtsOf(mark.ledgerId, there);
    // what they lost by the time they named a doubt is in fragments that are there by now, and its fence is told by its state
    if (doubts.size > 0) ledger = await bookkeeper.readMetadata(mark.ledgerId);
    if (this.#isOpenOn(ledger, replacement)) {
      if (!writerIsGone) return "writer may be there";
      // where nobody could take the copies, its writer is not shut out for nothing
      await this.#replicator.targets(ledger.metadata, lastFragment(ledger.metadata), replacement);
      ledger = await bookkeeper.recoverLedger(mark.ledgerId);
    } else if (isWrittenIn(ledger, doubts)) {
      // what is there is given to them at once; that it was all can be said once it has an end
      if (!writerIsGone) {
        await this.#replicator.replicate(ledger, replacement);
        return "writer may be there";
      }
      ledger = await bookkeeper.recoverLedger(mark.ledgerId);
    }
    await this.#replicator.replicate(ledger, replacement);
    await this.#endDoubts(ledger, doubts);
    statistics.replication_worker_NUM_FULL_OR_PARTIAL_LEDGERS_REPLICATED++;
    this.#notBeforeMs.delete(mark.ledgerId);
    // something else was lost meanwhile: the mark says more now
    if (!(await marks.clear(mark))) this.#again = true;
    return "done";
  }

  /** And which of those that lack copies are there. */
  async #replacementOf({
    missingReplicas,
    leavingReplicas,
  }: UnderReplicatedLedger): Promise<Replacement & { there: readonly NodeId[] }> {
    const { registered, bookkeeper } = this.#options;
    const all = await registered();
    const there = missingReplicas.filter((bookie) => all.has(bookie));
    const from = new Set([...missingReplicas, ...leavingReplicas]);
    // what is left is read first where somebody answers
    for (const bookie of from) if (!all.has(bookie)) bookkeeper.pool.link(bookie).lost();
    const back = new Set(there.filter((bookie) => !leavingReplicas.includes(bookie)));
    return { from, back, there };
  }

  /** Whether entries are still added to a fragment on a bookie that is gone. */
  #isOpenOn({ metadata }: VersionedLedgerMetadata, { from, back }: Replacement): boolean {
    if (metadata.state === "CLOSED") return false;
    return lastFragment(metadata).bookies.some((bookie) => from.has(bookie) && !back.has(bookie));
  }

  /** What bookies that are there may have lost of a ledger: their names for it. */
  async #doubtsOf(ledgerId: number, bookies: Iterable<NodeId>): Promise<Map<NodeId, string>> {
    const doubts = new Map<NodeId, string>();
    for (const bookie of bookies) {
      const doubt = await this.#doubt(ledgerId, bookie, undefined, false);
      if (doubt !== undefined) doubts.set(bookie, doubt);
    }
    return doubts;
  }

  /** They have all of it again. A closed ledger is fenced with it: whoever still writes must not be told that it is stored. */
  async #endDoubts(
    { ledgerId, metadata }: VersionedLedgerMetadata,
    doubts: ReadonlyMap<NodeId, string>,
  ): Promise<void> {
    for (const [bookie, doubt] of doubts) {
      if ((await this.#doubt(ledgerId, bookie, doubt, metadata.state === "CLOSED")) === undefined) continue;
      throw new BookKeeperError("ReplicationFailed", `ledger ${ledgerId}: ${bookie} lost something again meanwhile`);
    }
  }

  async #doubt(
    ledgerId: number,
    bookie: NodeId,
    over: string | undefined,
    fence: boolean,
  ): Promise<string | undefined> {
    const link = this.#options.bookkeeper.pool.link(bookie);
    const result = await link.call((requestId) => ({ type: "doubt", requestId, ledgerId, over, fence }));
    if (typeof result === "object" && result.type === "doubt" && result.code === "Ok") return result.doubt;
    const detail = `ledger ${ledgerId}: ${bookie} did not answer whether it may have lost some of it`;
    throw new BookKeeperError("ReplicationFailed", detail);
  }

  /** The lock is kept meanwhile. */
  #waitForWriter(ledgerId: number): void {
    const { clock, settings, marks } = this.#options;
    const finish = async (): Promise<void> => {
      try {
        const mark = await marks.read(ledgerId);
        if (mark !== undefined) await this.#makeWhole(mark, true);
      } catch (error) {
        this.#putOff(ledgerId, error);
      } finally {
        this.#waiting.delete(ledgerId);
        await this.#unlock(ledgerId);
      }
    };
    const timer = clock.setTimer(settings.openLedgerRereplicationGracePeriod, () => {
      const finishing = finish();
      this.#finishing.add(finishing);
      void finishing.finally(() => this.#finishing.delete(finishing));
    });
    this.#waiting.set(ledgerId, timer);
  }

  async #unlock(ledgerId: number): Promise<void> {
    try {
      await this.#options.marks.unlock(ledgerId);
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      this.#doubtful.add(ledgerId);
      this.#wakeIn(this.#options.settings.rwRereplicateBackoffMs);
    }
  }

  #putOff(ledgerId: number, error: unknown): void {
    const { clock, settings, statistics } = this.#options;
    if (this.#stopped) return;
    statistics.replication_worker_NUM_DEFER_LEDGER_LOCK_RELEASE_OF_FAILED_LEDGER++;
    this.#notBeforeMs.set(ledgerId, clock.monotonicMs() + settings.rwRereplicateBackoffMs);
    this.#wakeIn(settings.rwRereplicateBackoffMs);
    this.#options.onError(error);
  }

  #wakeIn(delayMs: number): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = this.#options.clock.setTimer(delayMs, () => {
      this.#timer = undefined;
      this.wake();
    });
  }
}

/**
 * Whether a ledger has no end yet, and bookies that may have lost some of it are asked where that is: by a recovery that is
 * under way, or by the next one.
 */
function isWrittenIn({ metadata }: VersionedLedgerMetadata, doubts: ReadonlyMap<NodeId, string>): boolean {
  if (metadata.state === "CLOSED" || doubts.size === 0) return false;
  return metadata.state === "IN_RECOVERY" || lastFragment(metadata).bookies.some((bookie) => doubts.has(bookie));
}
