import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { PlannedStorage } from "./plan.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { runStorageSeed, type StorageSeedResult } from "./storage/run-storage-seed.ts";

const USAGE = `npm run sim -- [options]

  --seed N         the first seed (default: from the time of day)
  --seeds N        how many, one after the other (default 1)
  --seconds N      how long things go wrong, in virtual seconds (default 20)
  --of WHAT        cluster, storage, or both (default both)
  --storage WHAT   bookies of clusters keep entries in memory, or on disks (default: drawn from the seed)
  --jobs N         processes that share the seeds (default 1)
  --stop           stop at the first seed that fails
  --trace          print everything that happens
  --quiet          print failures and the sum only
`;

type What = "cluster" | "storage";

interface Options {
  seed: number;
  seeds: number;
  seconds: number;
  what: readonly What[];
  /** Default: drawn. */
  storage: PlannedStorage | undefined;
  jobs: number;
  stop: boolean;
  trace: boolean;
  quiet: boolean;
}

function options(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      seeds: { type: "string", default: "1" },
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
  const [seeds, seconds] = [whole("--seeds", values.seeds), whole("--seconds", values.seconds)];
  const jobs = Math.max(1, whole("--jobs", values.jobs));
  const storage = storageOf(values.storage);
  return { seed, seeds, seconds, what: kinds(values.of), storage, jobs, stop, trace, quiet };
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

/** Errors that nobody caught are somebody's mistake: the seed that was running is to blame. */
const stray: unknown[] = [];
process.on("unhandledRejection", (error) => stray.push(error));
process.on("uncaughtException", (error) => stray.push(error));

interface Outcome {
  failures: string[];
  simulatedMs: number;
  faults: Readonly<Record<string, number>>;
  description: string;
}

function describeCluster({ plan, events, sent, delivered }: SeedResult): string {
  const { brokers, bookies, ensembleSize, writeQuorum, ackQuorum } = plan.cluster;
  return [
    `${brokers} brokers, ${bookies} bookies ${plan.storage === "disks" ? "on disks" : "in memory"}, E/Qw/Qa ${ensembleSize}/${writeQuorum}/${ackQuorum}`,
    `${plan.deduplication ? "" : "no "}deduplication, ${plan.topics.length} topics, ${plan.producers.length} producers`,
    `${plan.consumers.length} consumers, ${sent} sent, ${delivered} delivered, ${events} events`,
  ].join(", ");
}

function describeStorage({ plan, events, appended, stored, tenures, orphans }: StorageSeedResult): string {
  const { ensembleSize, writeQuorum, ackQuorum } = plan.ledger;
  return [
    `${plan.bookies} bookies, E/Qw/Qa ${ensembleSize}/${writeQuorum}/${ackQuorum}, ${plan.logs.length} logs`,
    `${tenures} takeovers, ${orphans} orphans, ${appended} appended, ${stored} acknowledged, ${events} events`,
  ].join(", ");
}

async function play(what: What, seed: number, { seconds, trace, storage }: Options): Promise<Outcome> {
  const seedOptions = { seed, seconds, ...(trace ? { onLine: console.log } : {}) };
  const kept = storage === undefined ? {} : { storage };
  const fromMs = performance.now();
  const [result, said] =
    what === "cluster"
      ? await runSeed({ ...seedOptions, ...kept }).then((r) => [r, describeCluster(r)] as const)
      : await runStorageSeed(seedOptions).then((r) => [r, describeStorage(r)] as const);
  const failures = [...result.failures, ...stray.splice(0).map((error) => `nobody caught: ${stackOf(error)}`)];
  const { simulatedMs, hash, faults } = result;
  const took = `${(simulatedMs / 1000).toFixed(1)} s in ${((performance.now() - fromMs) / 1000).toFixed(1)} s`;
  return { failures, simulatedMs, faults, description: `${said}, ${took}, hash ${hash}` };
}

/** Runs a part of the seeds in a process of its own, whose lines are passed on. Answers how many passed and failed. */
function playElsewhere(
  given: Options,
  seed: number,
  seeds: number,
  totals: Totals,
): Promise<[passed: number, failed: number]> {
  const args = ["--seed", String(seed), "--seeds", String(seeds), "--seconds", String(given.seconds)];
  if (given.what.length === 1) args.push("--of", given.what[0] as What);
  if (given.storage !== undefined) args.push("--storage", given.storage);
  for (const flag of ["stop", "trace", "quiet"] as const) if (given[flag]) args.push(`--${flag}`);
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] as string, ...args], {
    stdio: [...stdio],
  });
  // a process that ends without its sum counts as a failure of all it had
  let sum: [number, number] = [0, seeds * given.what.length];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const found = /^(\d+) passed, (\d+) failed$/.exec(line);
    if (found === null && !totals.addLine(line)) console.log(line);
    if (found !== null) sum = [Number(found[1]), Number(found[2])];
  });
  return new Promise((resolve) => child.once("close", () => resolve(sum)));
}

async function shared(given: Options): Promise<void> {
  const { seed, seeds, jobs } = given;
  const part = Math.ceil(seeds / jobs);
  const parts = Array.from({ length: jobs }, (_, i) => Math.max(0, Math.min(part, seeds - i * part)));
  const totals = new Totals();
  const played = parts.map((count, i) =>
    count === 0 ? ([0, 0] as const) : playElsewhere(given, seed + i * part, count, totals),
  );
  const sums = await Promise.all(played);
  const [passed, failed] = [0, 1].map((at) => sums.reduce((sum, one) => sum + (one[at] as number), 0));
  console.log(totals.line);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** What several runs did, for the last lines. */
class Totals {
  readonly #faults: Record<string, number> = {};
  simulatedMs = 0;

  add(faults: Readonly<Record<string, number>>, simulatedMs: number): void {
    for (const [what, count] of Object.entries(faults)) this.#faults[what] = (this.#faults[what] ?? 0) + count;
    this.simulatedMs += simulatedMs;
  }

  /** One line that `addLine` takes apart again. */
  get line(): string {
    const faults = Object.entries(this.#faults).sort(([a], [b]) => (a < b ? -1 : 1));
    const sum = faults.reduce((all, [, count]) => all + count, 0);
    const seconds = (this.simulatedMs / 1000).toFixed(0);
    return `${seconds} s simulated, ${sum} faults: ${faults.map(([what, count]) => `${what} ${count}`).join(", ")}`;
  }

  /** False where the line tells something else. */
  addLine(line: string): boolean {
    const found = /^(\d+) s simulated, \d+ faults: (.*)$/.exec(line);
    if (found === null) return false;
    const faults = (found[2] as string).split(", ").filter((part) => part !== "");
    this.add(
      Object.fromEntries(faults.map((f) => [f.split(" ")[0], Number(f.split(" ")[1])])),
      Number(found[1]) * 1000,
    );
    return true;
  }
}

async function main(): Promise<void> {
  const given = options();
  if (given.jobs > 1) return shared(given);
  const { seed: first, seeds, seconds, what, stop, quiet, storage } = given;
  console.log(`seeds ${first} to ${first + seeds - 1} of ${what.join(" and ")}, ${seconds} s each`);
  const startMs = performance.now();
  const totals = new Totals();
  let [passed, failed] = [0, 0];
  for (let seed = first; seed < first + seeds && !(stop && failed > 0); seed++) {
    for (const kind of what) {
      const { failures, description, faults, simulatedMs: ms } = await play(kind, seed, given);
      totals.add(faults, ms);
      if (!quiet) console.log(`${failures.length === 0 ? "ok  " : "FAIL"} ${kind} ${seed}: ${description}`);
      if (failures.length === 0) passed++;
      else {
        failed++;
        if (quiet) console.log(`FAIL ${kind} ${seed}`);
        for (const failure of failures) console.log(`  ${failure}`);
        const kept = storage === undefined || kind === "storage" ? "" : ` --storage ${storage}`;
        console.log(`  replay: npm run sim -- --of ${kind} --seed ${seed} --seconds ${seconds}${kept} --trace`);
      }
    }
  }
  console.log(totals.line);
  console.log(`${(totals.simulatedMs / (performance.now() - startMs)).toFixed(0)} simulated seconds per second`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main();
