import type { PulsarClient } from "@pulsewire/client";
import { TopicName } from "@pulsewire/protocol";
import { createSeededRandom, type Random } from "@pulsewire/runtime";
import { check } from "./checkers/index.ts";
import { findOrphans, keysOfTheGone } from "./checkers/orphans.ts";
import { ConsumingWorker, FollowingWorker } from "./consuming.ts";
import type { FaultContext } from "./fault-context.ts";
import { FaultInjector } from "./faults.ts";
import { History, seenOf } from "./history.ts";
import { drawPlan, ORPHAN_GRACE_MS, type Plan, type PlannedStorage } from "./plan.ts";
import { ProducingWorker } from "./producing.ts";
import { readLog } from "./read-log.ts";
import { type SimulatedCluster, startSimulatedCluster } from "./simulated-cluster.ts";
import { entriesLackingCopies, readStoredLedgers } from "./stored-ledgers.ts";
import { TransientTopics } from "./transient-topics.ts";

/** How long after a producer gave a message up it may still be stored, in ms. */
const LATE_STORING_MS = 40_000;

/** How long everything may take to settle once nothing goes wrong any more, in ms. */
const SETTLING_MS_MAX = 600_000;

export interface SeedOptions {
  seed: number;
  /** How long things go wrong, in seconds of virtual time. */
  seconds: number;
  /** Default: drawn from the seed. */
  plan?: Plan;
  /** What bookies keep entries in. Default: drawn from the seed. */
  storage?: PlannedStorage;
  /** Told of every trace line. Default: nobody. */
  onLine?: (line: string) => void;
  /** Told everything that the seed decided beforehand. */
  onPlan?: (plan: Plan) => void;
}

export interface SeedResult {
  seed: number;
  plan: Plan;
  failures: string[];
  /** Of the trace: the same for the same seed. */
  hash: string;
  simulatedMs: number;
  events: number;
  sent: number;
  delivered: number;
  /** How often each kind of fault was begun. */
  faults: Readonly<Record<string, number>>;
}

/** Runs one seed: a random workload under random faults, then the checkers. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const random = createSeededRandom(options.seed).fork("plan");
  const plan = options.plan ?? drawPlan(random, options.storage);
  options.onPlan?.(plan);
  const history = new History();
  const { seed, onLine } = options;
  const { cluster: clusterOptions, faults } = plan;
  const simulated = await startSimulatedCluster({
    seed,
    faults,
    cluster: clusterOptions,
    trace: { onLine },
    ...(plan.storage === "disks" ? { disks: random.fork("bookie disks") } : {}),
  });
  const failures: string[] = [];
  const run = new Run(plan, simulated, history, random);
  try {
    await run.go(options.seconds * 1000);
  } catch (error) {
    failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error), ...pendingIn(history));
  }
  // what could not be read to its end is told of above, and would only be blamed on everything else
  if (failures.length === 0) failures.push(...check(history, plan));
  const { simulation } = simulated;
  return {
    seed,
    plan,
    failures,
    hash: simulation.trace.hash,
    simulatedMs: simulation.elapsedMs,
    events: simulation.events,
    sent: history.sent.length,
    delivered: history.delivered.length,
    faults: { ...run.faults, ...simulated.disks?.losses },
  };
}

/** Sends that are not settled, where the run did not get to its end. */
function pendingIn(history: History): string[] {
  const pending = history.sent.filter(({ outcome }) => outcome.kind === "pending").map(({ text }) => text);
  return pending.length === 0 ? [] : [`${pending.length} sends pending: ${pending.slice(0, 5).join(", ")}`];
}

class Run {
  readonly #plan: Plan;
  readonly #simulated: SimulatedCluster;
  readonly #history: History;
  readonly #random: Random;
  readonly #producers: ProducingWorker[] = [];
  readonly #consumers: ConsumingWorker[] = [];
  readonly #followers: FollowingWorker[] = [];
  faults: Readonly<Record<string, number>> = {};
  readonly #clients = ["producers", "consumers-0", "consumers-1", "readers"];

  constructor(plan: Plan, simulated: SimulatedCluster, history: History, random: Random) {
    this.#plan = plan;
    this.#simulated = simulated;
    this.#history = history;
    this.#random = random;
  }

  async go(durationMs: number): Promise<void> {
    const { simulation, cluster } = this.#simulated;
    const working = await this.#start();
    const { topics, faultEveryMs: everyMs } = this.#plan;
    const clients = this.#clients;
    const random = this.#random.fork("faults");
    const transient = new TransientTopics(this.#simulated.client("transient"), cluster);
    const { zones = 1, ackQuorum = 1 } = this.#plan.cluster;
    const context: FaultContext = {
      simulation,
      cluster,
      random,
      down: new Set(),
      crashes: { count: 0 },
      clients,
      topics,
      everyMs,
      transient,
      zones,
      mayHarm: ackQuorum > 1,
      harmed: undefined,
      disks: this.#simulated.disks,
    };
    const injector = new FaultInjector(context);
    this.faults = injector.counts;
    const injecting = injector.run();
    await simulation.run(durationMs);
    injector.stop();
    for (const producer of this.#producers) producer.stop();
    await simulation.finish(injecting);
    this.#putRight();
    this.#noteDamage(context.harmed);
    simulation.trace.note("run", "settling");
    await simulation.finish(working.producing, SETTLING_MS_MAX);
    // a send that was given up may still be on its way into the log
    await simulation.run(LATE_STORING_MS);
    await this.#settled("not everything acknowledged", (left) => left.length === 0);
    await this.#removeTransient(transient);
    await this.#copiesAreBack();
    await this.#readLogs();
    await this.#settled("readers are behind", () => this.#followersAreDone());
    for (const worker of [...this.#consumers, ...this.#followers]) worker.stop();
    await simulation.finish(working.consuming, SETTLING_MS_MAX);
    for (const [i, follower] of this.#followers.entries()) this.#history.followed.set(`reader ${i}`, follower.seen);
    // nobody asks for anything any more: a cursor that was just stored may still be deleting its ledger before
    await simulation.run(ORPHAN_GRACE_MS);
    await this.#orphansAreGone();
    await this.#noteOrphans(transient.names);
    await this.#simulated.close();
    this.#history.orphans.push(...(await simulation.finish(keysOfTheGone(cluster.metadata.session()))));
  }

  /** What a fault kept from being deleted is deleted now. */
  async #removeTransient(transient: TransientTopics): Promise<void> {
    const { simulation } = this.#simulated;
    for (const name of transient.names) {
      const ends = simulation.elapsedMs + SETTLING_MS_MAX;
      let gone = false;
      while (!gone) {
        gone = await simulation.finish(
          transient.remove(name).then(
            () => true,
            (error: unknown) => {
              if (simulation.elapsedMs > ends) throw error;
              return false;
            },
          ),
          SETTLING_MS_MAX,
        );
        if (!gone) await simulation.run(1_000);
      }
    }
  }

  /** Lets the collectors run to their end. */
  async #orphansAreGone(): Promise<void> {
    const { simulation, cluster } = this.#simulated;
    const ends = simulation.elapsedMs + SETTLING_MS_MAX;
    for (;;) {
      const found = await simulation.finish(cluster.recovery.collectOrphans());
      if (found?.waiting === 0 && found.deleted === 0) break;
      if (simulation.elapsedMs > ends) throw new Error(`not settled within ${SETTLING_MS_MAX} ms: orphans are left`);
      await simulation.run(ORPHAN_GRACE_MS);
    }
    for (const { bookie } of cluster.bookies) await simulation.finish(bookie.collectGarbage());
  }

  async #noteOrphans(deletedTopics: readonly string[]): Promise<void> {
    const { simulation, cluster } = this.#simulated;
    const bookies = cluster.bookies.map(({ id, bookie }) => ({ id, ledgerIds: () => bookie.storage.ledgerIds() }));
    const found = findOrphans(cluster.metadata.session(), bookies, deletedTopics);
    this.#history.orphans.push(...(await simulation.finish(found)));
  }

  /** Everybody is there before anything goes wrong. */
  async #start(): Promise<{ producing: Promise<unknown>; consuming: Promise<unknown> }> {
    const { simulation } = this.#simulated;
    const clients = this.#clients.map((node) => this.#simulated.client(node)) as [PulsarClient, ...PulsarClient[]];
    let missing = this.#plan.consumers.length;
    const opened = (): void => void missing--;
    const consuming = this.#plan.consumers.map((plan, i) => {
      const worker = new ConsumingWorker(plan, this.#ports(clients, 1 + (i % 2), plan.name), this.#history);
      this.#consumers.push(worker);
      return worker.run(once(opened));
    });
    const following = this.#plan.topics.map((topic) => {
      const worker = new FollowingWorker(topic, this.#ports(clients, 3, `reader/${topic}`));
      this.#followers.push(worker);
      return worker.run();
    });
    await simulation.until(() => missing === 0);
    await simulation.run(1_000);
    const producing = this.#plan.producers.map((plan) => {
      const worker = new ProducingWorker(plan, this.#ports(clients, 0, plan.name), this.#history);
      this.#producers.push(worker);
      return worker.run();
    });
    await simulation.run(1_000);
    return { producing: Promise.all(producing), consuming: Promise.all([...consuming, ...following]) };
  }

  #ports(clients: readonly PulsarClient[], client: number, name: string) {
    const { simulation } = this.#simulated;
    const { clock } = simulation.runtimeFor(this.#clients[client] as string);
    const note = (what: string): void => simulation.trace.note("workload", what);
    return { client: clients[client] as PulsarClient, clock, random: this.#random.fork(name), note };
  }

  #putRight(): void {
    const { simulation } = this.#simulated;
    simulation.links.heal();
    Object.assign(simulation.messenger.faults, {
      lossProbability: 0,
      duplicateProbability: 0,
      reorderProbability: 0,
    });
  }

  /** Of bookies whose disks keep what was synced. */
  #noteDamage(harmed: string | undefined): void {
    for (const { bookie, what } of this.#simulated.disks?.damage ?? [])
      if (bookie !== harmed) this.#history.damage.push(what);
  }

  /** Every bookie is back: auto-recovery looks at every closed ledger, and makes the copies again that it lacks. */
  async #copiesAreBack(): Promise<void> {
    const { simulation, cluster } = this.#simulated;
    const ends = simulation.elapsedMs + SETTLING_MS_MAX;
    for (;;) {
      const looked = await simulation.finish(cluster.recovery.checkAllLedgers());
      await simulation.run(500);
      const { underReplicated } = await simulation.finish(cluster.recovery.progress());
      if (looked && underReplicated.length === 0) return;
      if (simulation.elapsedMs > ends) {
        const left = underReplicated.map(({ ledgerId }) => ledgerId).join(", ");
        throw new Error(`not settled within ${SETTLING_MS_MAX} ms: ledgers ${left} lack copies`);
      }
      await simulation.run(2_000);
    }
  }

  async #readLogs(): Promise<void> {
    const { simulation } = this.#simulated;
    const client = this.#simulated.client("checker");
    const session = this.#simulated.cluster.metadata.session();
    for (const topic of this.#plan.topics) {
      const ledgers = await readStoredLedgers(simulation, session, topic);
      for (const ledger of ledgers) {
        const lacking = entriesLackingCopies(this.#simulated.cluster, session, ledger.ledgerId);
        ledger.entriesLackingCopies = await simulation.finish(lacking);
      }
      this.#history.ledgers.set(topic, ledgers);
      const messages = await readLog(simulation, client, topic);
      this.#history.logs.set(
        topic,
        messages.map((message) => seenOf(topic, message, simulation.elapsedMs)),
      );
    }
    await simulation.finish(session.close());
  }

  /** @param done Told the subscriptions that have something left. */
  async #settled(what: string, done: (left: readonly string[]) => boolean): Promise<void> {
    const { simulation } = this.#simulated;
    const wanted = [...new Set(this.#plan.consumers.map(({ topic, subscription }) => `${topic} ${subscription}`))];
    // a consumer that seldom stays and seldom acknowledges may take long; what must not be is that nothing moves
    let [fewest, ends] = [Number.POSITIVE_INFINITY, simulation.elapsedMs + SETTLING_MS_MAX];
    for (;;) {
      const left = wanted.filter((name) => this.#backlog(name) !== 0);
      if (done(left)) return;
      const backlog = left.reduce((sum, name) => sum + this.#backlog(name), 0);
      if (backlog < fewest) [fewest, ends] = [backlog, simulation.elapsedMs + SETTLING_MS_MAX];
      if (simulation.elapsedMs > ends) {
        throw new Error(`nothing moved for ${SETTLING_MS_MAX} ms: ${what} (${left.join(", ")})`);
      }
      await simulation.run(500);
    }
  }

  #followersAreDone(): boolean {
    return this.#followers.every((follower, i) => {
      const log = this.#history.logs.get(this.#plan.topics[i] as string) ?? [];
      return follower.seen.length >= log.length;
    });
  }

  /** What a subscription has left; infinite while no broker has its topic. */
  #backlog(name: string): number {
    const [topic, subscription] = name.split(" ") as [string, string];
    const full = TopicName.parse(topic).toString();
    for (const broker of this.#simulated.cluster.brokers) {
      const stats = broker.topics.get(full)?.subscriptionStats(subscription);
      if (stats !== undefined) return stats.msgBacklog;
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** Calls through once. */
function once(call: () => void): () => void {
  let called = false;
  return () => {
    if (!called) call();
    called = true;
  };
}
