import type { Clock, Messenger, NodeId, Random, Timer } from "@pulsewire/runtime";
import type { MetadataStore } from "../../metadata/metadata-store.ts";
import { BookKeeperClient } from "../client/bookkeeper-client.ts";
import type { BookKeeperClientSettings } from "../client/client-settings.ts";
import { Auditor } from "./auditor.ts";
import { bookiesLackingCopies } from "./ledger-checker.ts";
import { type LedgerLists, OrphanCollector, type OrphansFound } from "./orphan-collector.ts";
import type { AutoRecoverySettings } from "./recovery-settings.ts";
import type { RecoveryStatistics } from "./recovery-statistics.ts";
import { ReplicationWorker } from "./replication-worker.ts";
import { UnderReplication } from "./under-replication.ts";

export interface AutoRecoveryOptions {
  clock: Clock;
  random: Random;
  messenger: Messenger;
  /** The way of the node it runs in to the metadata store; the node closes it. */
  metadata: MetadataStore;
  /** The node it runs in. */
  nodeId: NodeId;
  client?: Partial<BookKeeperClientSettings>;
  settings: AutoRecoverySettings;
  statistics: RecoveryStatistics;
  /** Who lists ledgers. Default: unknown, and nobody's ledgers are looked for. */
  lists?: LedgerLists;
  /** Told of failures; they are tried again. Default: nobody is. */
  onError?: ((error: unknown) => void) | undefined;
}

/** What a node does for copies that are lost: it may be the Auditor, and it makes copies. */
export class AutoRecovery implements AsyncDisposable {
  readonly auditor: Auditor;
  readonly #bookkeeper: BookKeeperClient;
  readonly #worker: ReplicationWorker;
  readonly #options: AutoRecoveryOptions;
  readonly #orphans: OrphanCollector | undefined;
  #orphanTicker: Timer | undefined;
  #collecting = false;

  constructor(options: AutoRecoveryOptions) {
    const { clock, random, messenger, metadata, nodeId, settings, statistics, onError = () => undefined } = options;
    this.#options = options;
    const own = `${nodeId}/auto-recovery`;
    this.#bookkeeper = new BookKeeperClient({
      clock,
      random: random.fork(own),
      messenger,
      metadata,
      nodeId: own,
      settings: { ...options.client },
    });
    const marks = new UnderReplication(metadata);
    const { ledgers, pool } = this.#bookkeeper;
    const common = { clock, marks, settings, statistics, registered: () => pool.registered(), onError };
    this.auditor = new Auditor({
      ...common,
      metadata,
      ledgers,
      self: nodeId,
      lacking: (ledgerId, ledger) => bookiesLackingCopies(pool, ledgerId, ledger),
    });
    this.#worker = new ReplicationWorker({ ...common, bookkeeper: this.#bookkeeper });
    const { lists } = options;
    if (lists !== undefined) this.#orphans = new OrphanCollector({ ...common, bookkeeper: this.#bookkeeper, lists });
  }

  /**
   * Looks for ledgers that nobody lists, and deletes those known to be so for `orphanLedgerGracePeriod`. Undefined where
   * nobody knows who lists what. Rejects with a MetadataError or a BookKeeperError.
   */
  async collectOrphans(): Promise<OrphansFound | undefined> {
    return this.#orphans?.collect();
  }

  start(): void {
    this.auditor.stand();
    this.#worker.wake();
    const { clock, settings, onError = () => undefined } = this.#options;
    const intervalMs = settings.orphanLedgerCheckInterval * 1000;
    if (intervalMs === 0) return;
    this.#orphanTicker = clock.setTicker(intervalMs, () => {
      if (!this.auditor.elected || this.#collecting) return;
      this.#collecting = true;
      this.collectOrphans()
        .catch(onError)
        .finally(() => {
          this.#collecting = false;
        });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.auditor[Symbol.dispose]();
    this.#orphanTicker?.cancel();
    const stopping = this.#worker[Symbol.asyncDispose]();
    // what it waits for from bookies is given up
    this.#bookkeeper.close();
    await stopping;
  }
}
