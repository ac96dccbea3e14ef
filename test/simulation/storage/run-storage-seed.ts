import { createSeededRandom } from "@pulsewire/runtime";
import { drainMicrotasks } from "@pulsewire/runtime/node";
import { createSimulation, type Simulation } from "@pulsewire/simulator";
import { decodeLedgerMetadata, writeSetOf } from "../../../packages/server/src/bookkeeper/client/ledger-metadata.ts";
import { ledgerKey } from "../../../packages/server/src/bookkeeper/client/ledger-metadata-store.ts";
import type { ManagedLedger } from "../../../packages/server/src/managed-ledger/index.ts";
import { findOrphans } from "../checkers/orphans.ts";
import { entriesOf } from "../simulated-storage.ts";
import { LedgerWatch } from "./ledger-watch.ts";
import { checkStorage } from "./storage-checkers.ts";
import { StorageFaults } from "./storage-faults.ts";
import { type Kept, type KeptLedger, StorageHistory } from "./storage-history.ts";
import { drawStoragePlan, type StoragePlan } from "./storage-plan.ts";
import { ORPHAN_GRACE_MS, StorageWorld } from "./storage-world.ts";
import { CURSOR, positionOf } from "./tenure.ts";

/** How long everything may take to settle once nothing goes wrong any more, in ms. */
const SETTLING_MS_MAX = 300_000;
const CHECKER = "checker";

/** Something that had to come to its end did not. The message begins with the name of what is checked by that. */
class NotDone extends Error {
  constructor(checker: string, detail: string) {
    super(detail);
    this.name = checker;
  }
}

export interface StorageSeedResult {
  seed: number;
  plan: StoragePlan;
  failures: string[];
  /** Of the trace: the same for the same seed. */
  hash: string;
  simulatedMs: number;
  events: number;
  appended: number;
  stored: number;
  tenures: number;
  /** Ledgers that nobody listed. */
  orphans: number;
  /** How often each kind of fault was begun. */
  faults: Readonly<Record<string, number>>;
}

/** Runs one seed of storage alone: owners that take logs from each other, bookies on disks, faults; then the checkers. */
export async function runStorageSeed(options: {
  seed: number;
  seconds: number;
  onLine?: (line: string) => void;
  /** Told everything that the seed decided beforehand. */
  onPlan?: (plan: StoragePlan) => void;
}): Promise<StorageSeedResult> {
  const { seed, seconds, onLine } = options;
  const random = createSeededRandom(seed).fork("storage plan");
  const plan = drawStoragePlan(random);
  options.onPlan?.(plan);
  const history = new StorageHistory();
  const simulation = createSimulation({ seed, drain: drainMicrotasks, faults: plan.faults, trace: { onLine } });
  const world = new StorageWorld(simulation, plan, history, random.fork("world"));
  const failures: string[] = [];
  const faults = new StorageFaults(world, random.fork("faults"));
  try {
    await play(world, history, faults, seconds * 1000);
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    failures.push(error instanceof NotDone ? what : `unexpected: ${what}`);
  }
  failures.push(...checkStorage(history, plan));
  return {
    seed,
    plan,
    failures,
    hash: simulation.trace.hash,
    simulatedMs: simulation.elapsedMs,
    events: simulation.events,
    appended: history.appends.length,
    stored: history.appends.filter(({ outcome }) => outcome.kind === "stored").length,
    tenures: world.tenures.length,
    orphans: world.collected.auditor_NUM_ORPHAN_LEDGERS_DELETED,
    faults: faults.counts,
  };
}

async function play(
  world: StorageWorld,
  history: StorageHistory,
  faults: StorageFaults,
  durationMs: number,
): Promise<void> {
  const { simulation, plan } = world;
  using _watch = new LedgerWatch(world.metadata, history.metadataBreaches);
  await simulation.finish(world.start());
  for (const [i, log] of plan.logs.entries()) world.takeOver(`owner-${i % plan.owners}`, log);
  await simulation.run(500);
  const injecting = faults.run();
  await simulation.run(durationMs);
  faults.stop();
  await simulation.finish(injecting);
  putRight(world);
  simulation.trace.note("run", "settling");
  world.stop();
  const waiting = () => world.tenures.filter(({ name, pending }) => pending > 0 && !world.lost.has(name));
  await settle(
    simulation,
    () => `appends without an answer: ${waiting().map(({ name, pending }) => `${pending} of ${name}`)}`,
    () => world.quiet && waiting().length === 0,
  );
  for (const log of plan.logs) await readEnd(world, history, log);
  await noteOrphans(world, history);
}

/** Lets collectors run to their end, and notes what they left. */
async function noteOrphans({ simulation, collector, bookies, metadata }: StorageWorld, history: StorageHistory) {
  const ends = simulation.elapsedMs + SETTLING_MS_MAX;
  for (;;) {
    const { waiting, deleted } = await simulation.finish(collector.collect());
    if (waiting === 0 && deleted === 0) break;
    if (simulation.elapsedMs > ends) throw new NotDone("nothingIsOrphaned", `${waiting} ledgers wait for ever`);
    await simulation.run(ORPHAN_GRACE_MS);
  }
  for (const { bookie } of bookies) if (bookie !== undefined) await simulation.finish(bookie.collectGarbage());
  const holders = bookies.map(({ id, bookie }) => ({ id, ledgerIds: () => bookie?.storage.ledgerIds() ?? [] }));
  history.orphans.push(...(await simulation.finish(findOrphans(metadata.session(), holders))));
}

function putRight({ simulation, bookies, metadata }: StorageWorld): void {
  simulation.links.heal();
  for (const { id } of bookies) simulation.links.slow(id, 0);
  metadata.available = true;
  simulation.remoteFaults.answerLossProbability = 0;
  Object.assign(simulation.messenger.faults, { lossProbability: 0, duplicateProbability: 0, reorderProbability: 0 });
}

async function settle(simulation: Simulation, what: () => string, done: () => boolean): Promise<void> {
  const ends = simulation.elapsedMs + SETTLING_MS_MAX;
  while (!done()) {
    if (simulation.elapsedMs > ends) throw new NotDone("appendsSettle", `${what()}, after ${SETTLING_MS_MAX} ms`);
    await simulation.run(200);
  }
}

/** Takes the log over a last time, and notes what is there. */
async function readEnd(world: StorageWorld, history: StorageHistory, log: string): Promise<void> {
  const { simulation } = world;
  const ledger = await openLast(world, log);
  const cursor = await simulation.finish(ledger.openCursor(CURSOR, { initialPosition: "earliest" }));
  const texts = await simulation.finish(entriesOf(ledger)).catch((error: unknown) => {
    throw new NotDone("logsCanBeRead", `${log}: ${String(error)}`);
  });
  const metadata = world.metadata.session();
  const ledgers: KeptLedger[] = [];
  const kept: Kept[] = [];
  for (const { ledgerId, entries, closedAtMs } of ledger.ledgers) {
    const found = await simulation.finish(metadata.get(ledgerKey(ledgerId)));
    const stored = found && decodeLedgerMetadata(found.value);
    ledgers.push({
      ledgerId,
      listedEntries: entries,
      closedInList: closedAtMs !== undefined,
      state: stored?.state,
      lastEntryId: stored?.lastEntryId,
    });
    for (const [place, text] of texts) {
      const position = positionOf(place);
      if (position.ledgerId !== ledgerId) continue;
      const writeSet = stored === undefined ? [] : writeSetOf(stored, position.entryId);
      const copies = await simulation.finish(copiesOf(world, writeSet, position.ledgerId, position.entryId));
      kept.push({ ...position, text, copies, acknowledged: cursor.isAcknowledged(position) });
    }
  }
  history.kept.set(log, kept);
  history.ledgers.set(log, ledgers);
}

async function openLast({ simulation, factoryOf, plan }: StorageWorld, log: string): Promise<ManagedLedger> {
  let error: unknown;
  for (let tries = 0; tries < 60; tries++) {
    try {
      return await simulation.finish(factoryOf(CHECKER).open(log, { ...plan.ledger, retentionMs: -1 }));
    } catch (failure) {
      error = failure;
      await simulation.run(2_000);
    }
  }
  throw new NotDone("logsCanBeTakenOver", `${log}: ${String(error)}`);
}

async function copiesOf(
  { bookies }: StorageWorld,
  ids: readonly string[],
  ledgerId: number,
  entryId: number,
): Promise<number> {
  let copies = 0;
  for (const id of ids) {
    const found = await bookies.find((bookie) => bookie.id === id)?.bookie?.storage.read(ledgerId, entryId);
    if (found !== undefined && typeof found !== "string") copies++;
  }
  return copies;
}
