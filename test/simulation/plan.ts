import type { SubscriptionType } from "@pulsewire/client";
import type { Random } from "@pulsewire/runtime";
import type { SimulationOptions } from "@pulsewire/simulator";
import { KEEP_ALL } from "./read-log.ts";
import type { SimulatedClusterOptions } from "./simulated-cluster.ts";

/** One producer of the workload. */
export interface ProducerPlan {
  name: string;
  topic: string;
  batching: boolean;
  keyBatching: boolean;
  sendTimeoutMs: number;
  /** Between two sends, on average. */
  pauseMs: number;
  /** Sends without a pause between them, at most. */
  burst: number;
}

/** One consumer of the workload. */
export interface ConsumerPlan {
  name: string;
  topic: string;
  subscription: string;
  type: SubscriptionType;
  /** Acknowledgements are confirmed by the broker. */
  receipts: boolean;
  receiverQueueSize: number;
  acknowledgmentGroupTimeMs: number;
  /** That a message is acknowledged negatively instead. */
  nackProbability: number;
  /** That everything up to a message is acknowledged at once; Exclusive and Failover. */
  cumulativeProbability: number;
  /** How long a message is worked on, at most. */
  workMsMax: number;
  /** How long it lives before it is closed and opened again, on average; 0 is for ever. */
  lifeMs: number;
}

export type PlannedStorage = "memory" | "disks";

/** What one seed does: a cluster, who uses it, and what goes wrong. */
export interface Plan {
  cluster: NonNullable<SimulatedClusterOptions["cluster"]> & { brokers: number; bookies: number };
  /** What bookies keep entries in: memory, which outlives their process, or disks, which lose what was not synced. */
  storage: PlannedStorage;
  deduplication: boolean;
  faults: NonNullable<SimulationOptions["faults"]>;
  topics: string[];
  producers: ProducerPlan[];
  consumers: ConsumerPlan[];
  /** Between two faults, on average. */
  faultEveryMs: number;
}

/** How long a ledger that nobody lists is left alone, in ms. */
export const ORPHAN_GRACE_MS = 2_000;

const TYPES: readonly SubscriptionType[] = ["Exclusive", "Failover", "Shared", "Key_Shared"];

/** Draws a plan; the same random stream gives the same plan. @param given What bookies keep entries in. Default: drawn. */
export function drawPlan(random: Random, given?: PlannedStorage): Plan {
  const topics = Array.from({ length: 1 + random.integer(2) }, (_, i) => `persistent://public/default/topic-${i}`);
  const deduplication = random.float() < 0.5;
  const ofDisks = random.fork("disks");
  const drawn = pick(ofDisks, ["memory", "disks"] as const);
  const storage = given ?? drawn;
  const plan: Plan = {
    storage,
    cluster: { ...drawCluster(random.fork("cluster"), deduplication), ...drawZones(random.fork("zones")) },
    deduplication,
    faults: drawFaults(random.fork("faults")),
    topics,
    producers: topics.flatMap((topic, i) => drawProducers(random.fork(`producers/${i}`), topic, i)),
    consumers: topics.flatMap((topic, i) => drawConsumers(random.fork(`consumers/${i}`), topic, i)),
    faultEveryMs: 300 + random.integer(3_000),
  };
  return storage === "memory" ? plan : { ...plan, ...drawDisks(ofDisks, plan) };
}

/**
 * Nothing drawn: three brokers, six bookies, E/Qw/Qa 3/3/2, one producer of so many messages a second, all of which a Failover
 * and a Shared subscription get, and a fault every three seconds. What simulated time costs is measured on it.
 */
export function steadyPlan(messagesPerSecond: number): Plan {
  const topic = "persistent://public/default/steady";
  const consumer = { topic, receipts: false, receiverQueueSize: 1000, acknowledgmentGroupTimeMs: 100 };
  const calm = { nackProbability: 0, cumulativeProbability: 0, workMsMax: 0, lifeMs: 0 };
  const settings = { ...KEEP_ALL, brokerDeduplicationEnabled: true };
  const pauseMs = 1000 / messagesPerSecond;
  return {
    cluster: { brokers: 3, bookies: 6, ensembleSize: 3, writeQuorum: 3, ackQuorum: 2, settings },
    storage: "memory",
    deduplication: true,
    faults: {
      network: { delayMsMin: 0.1, delayMsMax: 5 },
      messenger: { delayMsMin: 0.05, delayMsMax: 3, lossProbability: 0.0005, duplicateProbability: 0.001 },
      remote: { delayMsMin: 0.2, delayMsMax: 10 },
    },
    topics: [topic],
    producers: [{ name: "p", topic, batching: false, keyBatching: false, sendTimeoutMs: 0, pauseMs, burst: 1 }],
    consumers: [
      { ...consumer, ...calm, name: "failover", subscription: "sub-Failover", type: "Failover" },
      { ...consumer, ...calm, name: "shared", subscription: "sub-Shared", type: "Shared" },
    ],
    faultEveryMs: 3_000,
  };
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}

function drawCluster(random: Random, deduplication: boolean): Plan["cluster"] {
  const bookies = 3 + random.integer(3);
  const ensembleSize = 2 + random.integer(Math.min(2, bookies - 1));
  const writeQuorum = 2 + random.integer(ensembleSize - 1);
  return {
    brokers: 1 + random.integer(3),
    bookies,
    ensembleSize,
    writeQuorum,
    ackQuorum: 1 + random.integer(writeQuorum),
    settings: {
      ...KEEP_ALL,
      brokerDeduplicationEnabled: deduplication,
      brokerDeduplicationEntriesInterval: pick(random, [10, 100, 1000]),
      managedLedgerMinLedgerRolloverTimeMinutes: 0,
      managedLedgerMaxEntriesPerLedger: pick(random, [20, 100, 50_000]),
      managedLedgerMaxUnackedRangesToPersist: 10_000,
      orphanLedgerCheckInterval: pick(random, [0, 2, 5]),
      orphanLedgerGracePeriod: ORPHAN_GRACE_MS,
      gcWaitTime: 3_000,
    },
  };
}

function drawZones(random: Random): { zones: number } {
  return { zones: pick(random, [1, 1, 2, 3]) };
}

function drawFaults(random: Random): Plan["faults"] {
  const rough = random.float() < 0.3;
  return {
    network: { delayMsMin: 0.1, delayMsMax: pick(random, [1, 5, 50]) },
    messenger: {
      delayMsMin: 0.05,
      delayMsMax: pick(random, [0.5, 3, 20]),
      lossProbability: rough ? 0.002 : 0,
      duplicateProbability: rough ? 0.02 : 0,
      reorderProbability: rough ? 0.02 : 0,
      reorderDelayMsMax: 30,
    },
    remote: { delayMsMin: 0.2, delayMsMax: pick(random, [1, 10, 100]) },
    clock: { skewMsMax: pick(random, [0, 100, 10_000]) },
  };
}

/** More can go wrong, and so it does more often. */
function drawDisks(random: Random, { faults }: Plan): Pick<Plan, "faults" | "faultEveryMs"> {
  const disk = {
    latencyMsMin: 0.02,
    latencyMsMax: 0.2,
    syncMsMin: 0.1,
    syncMsMax: pick(random, [1, 5, 20]),
    unsyncedLossProbability: 0.7,
    tornWriteProbability: 0.6,
  };
  return { faults: { ...faults, disk }, faultEveryMs: pick(random, [200, 600, 2_000]) };
}

function drawProducers(random: Random, topic: string, index: number): ProducerPlan[] {
  return Array.from({ length: 1 + random.integer(3) }, (_, i) => ({
    name: `p${index}-${i}`,
    topic,
    batching: random.float() < 0.5,
    keyBatching: random.float() < 0.5,
    sendTimeoutMs: random.float() < 0.8 ? 0 : 30_000,
    pauseMs: pick(random, [20, 100, 300]),
    burst: pick(random, [1, 5, 20]),
  }));
}

function drawConsumers(random: Random, topic: string, index: number): ConsumerPlan[] {
  return TYPES.filter(() => random.float() < 0.6).flatMap((type) => {
    const subscription = `sub-${type}`;
    const count = type === "Exclusive" ? 1 : 1 + random.integer(3);
    return Array.from({ length: count }, (_, i) =>
      drawConsumer(random, `c${index}-${type}-${i}`, topic, subscription, type),
    );
  });
}

function drawConsumer(
  random: Random,
  name: string,
  topic: string,
  subscription: string,
  type: SubscriptionType,
): ConsumerPlan {
  const ordered = type === "Exclusive" || type === "Failover";
  return {
    name,
    topic,
    subscription,
    type,
    receipts: random.float() < 0.5,
    receiverQueueSize: pick(random, [1, 10, 1000]),
    acknowledgmentGroupTimeMs: pick(random, [0, 100]),
    nackProbability: pick(random, [0, 0.02, 0.1]),
    cumulativeProbability: ordered ? pick(random, [0, 0.2]) : 0,
    workMsMax: pick(random, [0, 5, 10]),
    lifeMs: pick(random, [0, 1_000, 5_000]),
  };
}
