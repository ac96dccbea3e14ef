import { type Clock, deferred, type Timer } from "@pulsewire/runtime";
import {
  AUDITOR_KEY,
  type AutoRecovery,
  auditorNode,
  BookKeeperError,
  bookiesOf,
  LedgerMetadataStore,
  namedIn,
  type OrphansFound,
  type RecoveryStatistics,
  readIfThere,
  type UnderReplicatedLedger,
  UnderReplication,
} from "../bookkeeper/index.ts";
import type { MetadataStore } from "../metadata/index.ts";
import { checkNames } from "./check-names.ts";
import { type BookieNode, stopBookies } from "./storage-nodes.ts";

export interface ClusterRecoveryOptions {
  clock: Clock;
  /** The cluster's own. */
  session: MetadataStore;
  /** The bookies there are; those that leave are taken out. */
  bookies: BookieNode[];
  statistics: RecoveryStatistics;
  /** `autoRecoveryDaemonEnabled`: whether there is anybody who makes copies. */
  copies: boolean;
}

export type { OrphansFound } from "../bookkeeper/index.ts";

/** How auto-recovery stands. */
export interface RecoveryProgress {
  /** Whether lost copies are made again. */
  enabled: boolean;
  /** The bookie whose process looks for bookies that are gone; undefined while there is none. */
  auditor: string | undefined;
  /** Ledgers that lack copies, and whether somebody works on them. */
  underReplicated: readonly (UnderReplicatedLedger & { replicating: boolean })[];
}

export interface DecommissionOptions {
  /** How long it may take, in ms; then the bookie stays, read-only. Default: as long as it takes. */
  timeoutMs?: number;
}

/** Between two looks whether a bookie still holds something, in ms. */
const LOOK_AGAIN_MS = 200;

const SWITCHED_OFF = "auto-recovery is switched off (setEnabled, PUT /api/v1/autorecovery/status): nobody copies them";

/** Copies that were lost and are made again, and bookies that leave for good. */
export class ClusterRecovery implements Disposable {
  readonly statistics: RecoveryStatistics;
  readonly #options: ClusterRecoveryOptions;
  readonly #marks: UnderReplication;
  readonly #ledgers: LedgerMetadataStore;
  readonly #copies: boolean;
  #closed = false;

  constructor(options: ClusterRecoveryOptions) {
    this.#options = options;
    this.statistics = options.statistics;
    this.#marks = new UnderReplication(options.session);
    this.#ledgers = new LedgerMetadataStore(options.session);
    this.#copies = options.copies;
  }

  /** Rejects with a MetadataError. */
  async progress(): Promise<RecoveryProgress> {
    const [enabled, holder, ids, locked] = await Promise.all([
      this.#marks.enabled(),
      this.#options.session.get(AUDITOR_KEY),
      this.#marks.list(),
      this.#marks.locked(),
    ]);
    const marks = await Promise.all(ids.map((id) => this.#marks.read(id)));
    const underReplicated = marks.flatMap((mark) =>
      mark === undefined ? [] : [{ ...mark, replicating: locked.has(mark.ledgerId) }],
    );
    return { enabled, auditor: holder && auditorNode(holder.value), underReplicated };
  }

  /** Switches auto-recovery on or off, for all nodes; ledgers that lack copies are noted either way. */
  setEnabled(enabled: boolean): Promise<void> {
    return this.#marks.setEnabled(enabled);
  }

  /** Looks for bookies that are gone now. Done when ledgers that lack copies are noted. False while there is no Auditor. */
  async audit(): Promise<boolean> {
    const auditor = this.#auditor;
    await auditor?.audit();
    return auditor !== undefined;
  }

  /**
   * Looks whether closed ledgers have every copy they should, which reads all of them. Done when those that do not are
   * noted. False while there is no Auditor.
   */
  async checkAllLedgers(): Promise<boolean> {
    const auditor = this.#auditor;
    await auditor?.checkAllLedgers();
    return auditor !== undefined;
  }

  /**
   * Looks for ledgers that no topic and no subscription lists, as a broker leaves them that dies at the wrong moment, and
   * deletes those that the Auditor has known to be so for `orphanLedgerGracePeriod`. Undefined while there is no Auditor.
   */
  async collectOrphans(): Promise<OrphansFound | undefined> {
    return this.#elected?.collectOrphans();
  }

  /**
   * Has a bookie leave for good: it takes no more data, what it holds is copied to others while it still serves it, and
   * once metadata names it nowhere it stops, and its part of the data directory is emptied.
   * @throws BookKeeperError NotEnoughBookies when the others are too few for some ledger; `DecommissionFailed` when it is
   * no bookie of the cluster, or was not done in time, or nobody copies, since `autoRecoveryDaemonEnabled` is off or auto-recovery was switched off.
   * @throws TypeError for an option that there is none of.
   * @throws StorageError when its files could not be removed; it has left all the same.
   */
  async decommission(bookieId: string, options: DecommissionOptions = {}): Promise<void> {
    checkNames("decommission", options, ["timeoutMs"]);
    const { timeoutMs } = options;
    if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 0)) {
      throw new TypeError(`timeoutMs takes a number of ms from 0 on, not ${String(timeoutMs)}`);
    }
    const { bookies } = this.#options;
    const node = bookies.find(({ id }) => id === bookieId);
    if (node === undefined) throw failed(bookieId, `it is none of ${bookies.map(({ id }) => id).join(", ")}`);
    await this.#checkOthers(node);
    await this.#drain(bookieId, timeoutMs);
    // by its name: it may have been started again meanwhile
    const index = bookies.findIndex(({ id }) => id === bookieId);
    if (index < 0) return;
    const left = bookies.splice(index, 1);
    await stopBookies(left);
    // what nobody asks it for any more would count as a bookie that the next start has to have
    for (const { folder } of left) await folder?.empty();
  }

  [Symbol.dispose](): void {
    this.#closed = true;
  }

  get #elected(): AutoRecovery | undefined {
    return this.#options.bookies.find(({ recovery }) => recovery?.auditor.elected)?.recovery;
  }

  get #auditor(): AutoRecovery["auditor"] | undefined {
    return this.#elected?.auditor;
  }

  async #checkOthers(node: BookieNode): Promise<void> {
    const writable = this.#options.bookies.filter((other) => other !== node && !other.bookie.readOnly).length;
    for (const ledgerId of await this.#ledgers.list()) {
      const ledger = await readIfThere(this.#ledgers, ledgerId);
      if (ledger === undefined || !namedIn(ledger).includes(node.id)) continue;
      if (!this.#copies)
        throw failed(node.id, "it holds ledgers, and autoRecoveryDaemonEnabled is off: nobody copies them");
      if (!(await this.#marks.enabled())) throw failed(node.id, `it holds ledgers, and ${SWITCHED_OFF}`);
      const { ensembleSize } = ledger;
      if (writable >= ensembleSize) continue;
      const detail = `ledger ${ledgerId} needs ${ensembleSize} bookies, and without ${node.id} ${writable} take data`;
      throw new BookKeeperError("NotEnoughBookies", detail);
    }
  }

  async #drain(bookieId: string, timeoutMs: number | undefined): Promise<void> {
    const { clock } = this.#options;
    const sinceMs = clock.monotonicMs();
    for (;;) {
      await this.#options.bookies.find(({ id }) => id === bookieId)?.bookie.setReadOnly(true);
      const left = await this.#markLeaving(bookieId);
      if (left === 0) return;
      if (this.#closed) throw failed(bookieId, "the cluster is closing");
      if (!(await this.#marks.enabled())) {
        throw failed(bookieId, `${left} ledgers are still on it, and ${SWITCHED_OFF}; it is read-only, try again`);
      }
      if (timeoutMs !== undefined && clock.monotonicMs() - sinceMs >= timeoutMs) {
        throw failed(bookieId, `${left} ledgers are still on it after ${timeoutMs} ms; it is read-only, try again`);
      }
      await this.#pause();
    }
  }

  /** Notes what is to be copied, and answers how many ledgers the bookie still holds some of. */
  async #markLeaving(bookieId: string): Promise<number> {
    let left = 0;
    for (const ledgerId of await this.#ledgers.list()) {
      if (!(await bookiesOf(this.#ledgers, ledgerId)).includes(bookieId)) continue;
      left++;
      await this.#marks.mark(ledgerId, [], [bookieId]);
    }
    return left;
  }

  #pause(): Promise<void> {
    const { promise, resolve } = deferred<void>();
    const timer: Timer = this.#options.clock.setTimer(LOOK_AGAIN_MS, () => resolve(undefined), { keepAlive: true });
    return promise.finally(() => timer.cancel());
  }
}

function failed(bookieId: string, detail: string): BookKeeperError {
  return new BookKeeperError("DecommissionFailed", `bookie ${bookieId}: ${detail}`);
}
