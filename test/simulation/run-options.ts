import { parseArgs } from "node:util";
import type { PlannedStorage } from "./plan.ts";

const USAGE = `npm run sim -- [options]

  --seed N         the first seed (default: from the time of day)
  --seeds N        how many, one after the other (default 1)
  --hours N        as many as there is time for: a night's worth is --hours 8
  --seconds N      how long things go wrong, in virtual seconds (default 20)
  --of WHAT        cluster, storage, or both (default both)
  --storage WHAT   bookies of clusters keep entries in memory, or on disks (default: drawn from the seed)
  --jobs N         processes that share the seeds (default 1)
  --stop           stop at the first seed that fails
  --trace          print everything that happens; of a single seed the options and what went wrong are printed anyway
  --quiet          print failures and the sum only
`;

export type What = "cluster" | "storage";

export interface Options {
  seed: number;
  seeds: number;
  /** How long new seeds are begun, in ms of real time; undefined for as many as `seeds` says. */
  durationMs: number | undefined;
  seconds: number;
  what: readonly What[];
  /** Default: drawn. */
  storage: PlannedStorage | undefined;
  jobs: number;
  stop: boolean;
  trace: boolean;
  quiet: boolean;
}

export function parseOptions(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      seeds: { type: "string" },
      hours: { type: "string" },
      seconds: { type: "string", default: "20" },
      of: { type: "string", default: "both" },
      storage: { type: "string" },
      jobs: { type: "string", default: "1" },
      stop: { type: "boolean", default: false },
      trace: { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : whole("--seed", values.seed);
  const { stop, trace, quiet } = values;
  const seconds = whole("--seconds", values.seconds);
  const durationMs = values.hours === undefined ? undefined : hours(values.hours) * 3_600_000;
  const seeds = values.seeds === undefined ? (durationMs === undefined ? 1 : 2 ** 31) : whole("--seeds", values.seeds);
  const jobs = Math.max(1, whole("--jobs", values.jobs));
  const storage = storageOf(values.storage);
  return { seed, seeds, durationMs, seconds, what: kinds(values.of), storage, jobs, stop, trace, quiet };
}

function storageOf(given: string | undefined): PlannedStorage | undefined {
  if (given === undefined || given === "memory" || given === "disks") return given;
  console.error(`--storage takes memory or disks, not ${given}\n\n${USAGE}`);
  process.exit(2);
}

function kinds(of: string): What[] {
  if (of === "both") return ["storage", "cluster"];
  if (of === "cluster" || of === "storage") return [of];
  console.error(`--of takes cluster, storage or both, not ${of}\n\n${USAGE}`);
  process.exit(2);
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`${name} takes a whole number, not ${text}\n\n${USAGE}`);
  process.exit(2);
}

function hours(text: string): number {
  const value = Number(text);
  if (value > 0 && value < 1e6) return value;
  console.error(`--hours takes a number above 0, not ${text}\n\n${USAGE}`);
  process.exit(2);
}
