import type { Random } from "@pulsewire/runtime";
import type { SimulationOptions } from "@pulsewire/simulator";
import type { ManagedLedgerOptions } from "../../../packages/server/src/managed-ledger/index.ts";

/** What one seed does to storage: bookies with disks, logs, owners that take them from each other, and what goes wrong. */
export interface StoragePlan {
  bookies: number;
  owners: number;
  logs: string[];
  ledger: ManagedLedgerOptions & { ensembleSize: number; writeQuorum: number; ackQuorum: number };
  faults: NonNullable<SimulationOptions["faults"]>;
  /** Between two faults, on average, in ms. */
  faultEveryMs: number;
  /** Between two bursts of appends, on average, in ms. */
  pauseMs: number;
  /** Appends at once, at most. */
  burst: number;
  /** Of what is read, how much is acknowledged. */
  ackProbability: number;
  /** The one bookie whose disk may flip bits; undefined where one copy less could be one too few. */
  rotting: number | undefined;
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}

/** Draws a plan; the same random stream gives the same plan. */
export function drawStoragePlan(random: Random): StoragePlan {
  const bookies = 3 + random.integer(3);
  const ensembleSize = 2 + random.integer(Math.min(3, bookies - 1));
  const writeQuorum = 2 + random.integer(Math.min(2, ensembleSize - 1));
  const ackQuorum = 1 + random.integer(writeQuorum);
  const rotting = ackQuorum > 1 && random.float() < 0.25 ? random.integer(bookies) : undefined;
  return {
    bookies,
    owners: 2 + random.integer(2),
    logs: random.float() < 0.5 ? ["a"] : ["a", "b"],
    ledger: {
      ensembleSize,
      writeQuorum,
      ackQuorum,
      maxEntriesPerLedger: pick(random, [5, 20, 100]),
      minRolloverMs: 0,
      retentionMs: random.float() < 0.4 ? 0 : -1,
      retentionBytes: -1,
      cursorPersistIntervalMs: pick(random, [50, 500]),
    },
    faults: drawFaults(random.fork("faults")),
    faultEveryMs: pick(random, [200, 600, 2_000]),
    pauseMs: pick(random, [50, 150, 400]),
    burst: pick(random, [1, 4, 10]),
    ackProbability: pick(random, [0.5, 0.9, 1]),
    rotting,
  };
}

function drawFaults(random: Random): StoragePlan["faults"] {
  const rough = random.float() < 0.3;
  return {
    messenger: {
      delayMsMin: 0.05,
      delayMsMax: pick(random, [0.5, 3, 20]),
      lossProbability: rough ? 0.005 : 0,
      duplicateProbability: rough ? 0.03 : 0,
      reorderProbability: rough ? 0.03 : 0,
      reorderDelayMsMax: 30,
    },
    remote: { delayMsMin: 0.2, delayMsMax: pick(random, [1, 10, 60]), timeoutMs: 3_000 },
    disk: {
      latencyMsMin: 0.02,
      latencyMsMax: 0.2,
      syncMsMin: 0.1,
      syncMsMax: pick(random, [1, 5, 20]),
      unsyncedLossProbability: 0.7,
      tornWriteProbability: 0.6,
    },
  };
}
