import { chosenArgument, readArguments, wholeArgument, wrongUsage } from "../run-arguments.ts";
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

const STORAGES: readonly PlannedStorage[] = ["memory", "disks"];

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

/** What is wrong ends the process. @param args Default: the process's own. */
export function parseOptions(args: readonly string[] = process.argv.slice(2)): Options {
  const { values } = readArguments(USAGE, {
    args: [...args],
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
    },
  });
  const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : wholeArgument("--seed", values.seed, USAGE);
  const { stop, trace, quiet } = values;
  const seconds = wholeArgument("--seconds", values.seconds, USAGE, 1);
  const durationMs = values.hours === undefined ? undefined : hours(values.hours) * 3_600_000;
  const seeds =
    values.seeds === undefined
      ? durationMs === undefined
        ? 1
        : 2 ** 31
      : wholeArgument("--seeds", values.seeds, USAGE, 1);
  const jobs = wholeArgument("--jobs", values.jobs, USAGE, 1);
  const storage =
    values.storage === undefined ? undefined : chosenArgument("--storage", values.storage, STORAGES, USAGE);
  return { seed, seeds, durationMs, seconds, what: kinds(values.of), storage, jobs, stop, trace, quiet };
}

function kinds(of: string): readonly What[] {
  const chosen = chosenArgument("--of", of, ["cluster", "storage", "both"], USAGE);
  return chosen === "both" ? ["storage", "cluster"] : [chosen];
}

function hours(text: string): number {
  const value = Number(text);
  if (value > 0 && value < 1e6) return value;
  wrongUsage(`--hours takes a number above 0, not ${JSON.stringify(text)}`, USAGE);
}
