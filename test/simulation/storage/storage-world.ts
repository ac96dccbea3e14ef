import { type Deferred, deferred, type Random } from "@pulsewire/runtime";
import type { Simulation } from "@pulsewire/simulator";
import { createBookKeeperClient } from "../../../packages/server/src/bookkeeper/index.ts";
import {
  createManagedLedgerFactory,
  type ManagedLedger,
  type ManagedLedgerFactory,
} from "../../../packages/server/src/managed-ledger/index.ts";
import { createMemoryMetadata, type MemoryMetadata } from "../../../packages/server/src/metadata/index.ts";
import { sleep } from "../producing.ts";
import { metadataLink } from "../simulated-cluster.ts";
import { DiskBookie } from "./disk-bookies.ts";
import type { StorageHistory } from "./storage-history.ts";
import type { StoragePlan } from "./storage-plan.ts";
import { Tenure } from "./tenure.ts";

/** Between two attempts to take a log over, in ms. */
const RETRY_MS = 300;

/** Bookies on disks, metadata, and the nodes that own logs one after the other. */
export class StorageWorld {
  readonly simulation: Simulation;
  readonly plan: StoragePlan;
  readonly metadata: MemoryMetadata;
  readonly bookies: readonly DiskBookie[];
  readonly ownerNames: readonly string[];
  readonly tenures: Tenure[] = [];
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
  }

  /** The door to storage of a node; a new one after its crash. */
  readonly factoryOf = (node: string): ManagedLedgerFactory => {
    let factory = this.#factories.get(node);
    if (factory === undefined) {
      const { clock, messenger, random } = this.simulation.runtimeFor(node);
      const session = metadataLink(this.simulation)(this.metadata.session({ clock }), node);
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
