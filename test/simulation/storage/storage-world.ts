import { type Deferred, deferred, type Random } from "@pulsewire/runtime";
import type { Simulation } from "@pulsewire/simulator";
import { createBookKeeperClient } from "../../../packages/server/src/bookkeeper/index.ts";
import { OrphanCollector } from "../../../packages/server/src/bookkeeper/recovery/orphan-collector.ts";
import { RecoveryStatistics } from "../../../packages/server/src/bookkeeper/recovery/recovery-statistics.ts";
import { UnderReplication } from "../../../packages/server/src/bookkeeper/recovery/under-replication.ts";
import {
  createLedgerLists,
  createManagedLedgerFactory,
  type ManagedLedger,
  type ManagedLedgerFactory,
} from "../../../packages/server/src/managed-ledger/index.ts";
import { createMemoryMetadata, type MemoryMetadata } from "../../../packages/server/src/metadata/index.ts";
import { sleep } from "../producing.ts";
import { metadataLink } from "../simulated-cluster.ts";
import { DiskBookie } from "./disk-bookies.ts";
import { lateMetadata } from "./late-metadata.ts";
import type { StorageHistory } from "./storage-history.ts";
import type { StoragePlan } from "./storage-plan.ts";
import { Tenure } from "./tenure.ts";

const COLLECTOR = "collector";
/** Between two attempts to take a log over, in ms. */
const RETRY_MS = 300;

/** How long a ledger that nobody lists is left alone, in ms: short, so that much is deleted that is about to be listed. */
export const ORPHAN_GRACE_MS = 1_000;
/** Between two looks for such, on average, in ms. */
const COLLECT_MS = 400;

/** Bookies on disks, metadata, and the nodes that own logs one after the other. */
export class StorageWorld {
  readonly simulation: Simulation;
  readonly plan: StoragePlan;
  readonly metadata: MemoryMetadata;
  readonly bookies: readonly DiskBookie[];
  readonly ownerNames: readonly string[];
  readonly tenures: Tenure[] = [];
  readonly collector: OrphanCollector;
  readonly collected: RecoveryStatistics = new RecoveryStatistics();
  /** How long owners stand still before they put a list or a cursor into metadata, in ms. */
  readonly listsLateMs: Map<string, number> = new Map();
  /** Tenures whose node crashed: nobody is left who could be told what became of their appends. */
  readonly lost: Set<string> = new Set();
  readonly #history: StorageHistory;
  readonly #random: Random;
  readonly #factories = new Map<string, ManagedLedgerFactory>();
  readonly #crashing = new Map<string, Deferred<never>>();
  /** Who has a log, or tries to have it. */
  readonly #claims = new Set<string>();
  #tenureNumber = 0;
  #opening = 0;
  #stopped = false;

  constructor(simulation: Simulation, plan: StoragePlan, history: StorageHistory, random: Random) {
    this.simulation = simulation;
    this.plan = plan;
    this.#history = history;
    this.#random = random;
    this.metadata = createMemoryMetadata({ clock: simulation.clock });
    this.collector = this.#newCollector();
    this.ownerNames = Array.from({ length: plan.owners }, (_, i) => `owner-${i}`);
    this.bookies = Array.from({ length: plan.bookies }, (_, i) => {
      const id = `bookie-${i}`;
      return new DiskBookie({
        id,
        simulation,
        metadata: this.metadata,
        onDamage: (what) => {
          if (plan.rotting !== i) history.damage.push(what);
        },
        onError: (error) => simulation.trace.note(id, `housekeeping: ${String(error)}`),
      });
    });
  }

  async start(): Promise<void> {
    await Promise.all(this.bookies.map((bookie) => bookie.start()));
    void this.#collect();
  }

  /** Looks for ledgers that nobody lists, for as long as things go wrong. */
  async #collect(): Promise<void> {
    const { clock } = this.simulation.runtimeFor(COLLECTOR);
    const random = this.#random.fork(COLLECTOR);
    while (!this.#stopped) {
      await sleep(clock, random.float() * 2 * COLLECT_MS);
      await this.collector.collect().catch((error: unknown) => {
        this.simulation.trace.note(COLLECTOR, String(error));
      });
    }
  }

  #newCollector(): OrphanCollector {
    const { clock, messenger, random } = this.simulation.runtimeFor(COLLECTOR);
    const stream = this.#random.fork(`${COLLECTOR} stands still`);
    // most often between its look at the list and the fence, where what is listed and written meanwhile must not be lost
    const delayMs = (call: string, key: string): number => {
      const probability = call === "put" && key.startsWith("/ledgers/") ? 0.5 : 0.03;
      return stream.float() < probability ? 300 + stream.integer(1_200) : 0;
    };
    const session = metadataLink(this.simulation)(this.metadata.session({ clock }), COLLECTOR);
    const metadata = lateMetadata(session, clock, delayMs);
    return new OrphanCollector({
      clock,
      bookkeeper: createBookKeeperClient({ clock, random, messenger, metadata, nodeId: COLLECTOR }),
      marks: new UnderReplication(metadata),
      lists: createLedgerLists(metadata),
      settings: { orphanLedgerGracePeriod: ORPHAN_GRACE_MS },
      statistics: this.collected,
    });
  }

  /** The door to storage of a node; a new one after its crash. */
  readonly factoryOf = (node: string): ManagedLedgerFactory => {
    let factory = this.#factories.get(node);
    if (factory === undefined) {
      const { clock, messenger, random } = this.simulation.runtimeFor(node);
      const linked = metadataLink(this.simulation)(this.metadata.session({ clock }), node);
      const session = lateMetadata(linked, clock, (call, key) =>
        call === "put" && key.startsWith("/managed-ledgers/") ? (this.listsLateMs.get(node) ?? 0) : 0,
      );
      const bookkeeper = createBookKeeperClient({
        clock,
        random,
        messenger,
        metadata: session,
        nodeId: node,
        requestTimeoutMs: 1_000,
        quarantineMs: 3_000,
      });
      factory = createManagedLedgerFactory({ clock, bookkeeper, metadata: session });
      this.#factories.set(node, factory);
    }
    return factory;
  };

  /** A node takes a log over, whoever has it, and works on it until it notices that it is not its any more. */
  takeOver(node: string, log: string): void {
    const claim = `${log}@${node}`;
    if (this.#claims.has(claim)) return;
    this.#claims.add(claim);
    const name = `${log}${this.#tenureNumber++}@${node}`;
    const factory = this.factoryOf(node);
    const { clock } = this.simulation.runtimeFor(node);
    const work = (async () => {
      const random = this.#random.fork(name);
      while (!this.#stopped && this.#factories.get(node) === factory) {
        try {
          const ledger = await this.#open(node, factory, log);
          this.simulation.trace.note(node, `has ${log} as ${name}`);
          const tenure: Tenure = new Tenure({
            log,
            name,
            ledger,
            clock,
            random,
            plan: this.plan,
            history: this.#history,
          });
          this.tenures.push(tenure);
          if (this.#stopped) tenure.stop();
          await tenure.run();
          return;
        } catch (error) {
          this.simulation.trace.note(node, `${name}: ${String(error)}`);
          await sleep(clock, RETRY_MS);
        }
      }
    })();
    void work.finally(() => {
      if (this.#factories.get(node) === factory) this.#claims.delete(claim);
    });
  }

  async #open(node: string, factory: ManagedLedgerFactory, log: string): Promise<ManagedLedger> {
    const opening = factory.open(log, this.plan.ledger);
    const crashing = this.#crashing.get(node) ?? deferred<never>();
    this.#crashing.set(node, crashing);
    this.#opening++;
    try {
      return await Promise.race([opening, crashing.promise]);
    } finally {
      this.#opening--;
    }
  }

  crashOwner(node: string): void {
    this.#crashing.get(node)?.reject(new Error(`${node} crashed`));
    this.#crashing.delete(node);
    this.simulation.crash(node);
    this.#factories.delete(node);
    for (const log of this.plan.logs) this.#claims.delete(`${log}@${node}`);
    for (const tenure of this.tenures) {
      if (!tenure.name.endsWith(`@${node}`)) continue;
      tenure.stop();
      this.lost.add(tenure.name);
    }
  }

  /** Nobody is about to take a log over any more. */
  get quiet(): boolean {
    return this.#opening === 0;
  }

  /** No new appends. */
  stop(): void {
    this.#stopped = true;
    for (const tenure of this.tenures) tenure.stop();
  }
}
