import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { exitCodeOf } from "../run-arguments.ts";
import { planLines } from "./plan-lines.ts";
import { type Options, parseOptions, type What } from "./run-options.ts";
import { runSeed, type SeedResult } from "./run-seed.ts";
import { runStorageSeed, type StorageSeedResult } from "./storage/run-storage-seed.ts";
import { Totals } from "./totals.ts";

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

/** A message between nodes, or a call of one. */
const isMessage = (line: string): boolean => / [>~] /.test(line);

interface Telling {
  onPlan?: (plan: object) => void;
  onLine?: (line: string) => void;
}

/** Of a single seed everything is told that it decided, and what went wrong; messages only where they were asked for. */
function tellingOf({ seeds, quiet, trace }: Options): Telling {
  if (quiet || (seeds > 1 && !trace)) return {};
  return {
    onPlan: (plan) => {
      for (const line of planLines(plan)) console.log(line);
    },
    onLine: (line) => {
      if (trace || !isMessage(line)) console.log(line);
    },
  };
}

async function play(what: What, seed: number, given: Options): Promise<Outcome> {
  const { seconds, storage } = given;
  const seedOptions = { seed, seconds, ...tellingOf(given) };
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
  if (given.durationMs !== undefined) args.push("--hours", String(given.durationMs / 3_600_000));
  if (given.what.length === 1) args.push("--of", given.what[0] as What);
  if (given.storage !== undefined) args.push("--storage", given.storage);
  for (const flag of ["stop", "trace", "quiet"] as const) if (given[flag]) args.push(`--${flag}`);
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] as string, ...args], {
    stdio: [...stdio],
  });
  // a process that ends without its sum counts as a failure of all it had
  let sum: [number, number] = [0, given.durationMs === undefined ? seeds * given.what.length : 1];
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
  const sumOf = (at: 0 | 1): number => sums.reduce((sum, one) => sum + one[at], 0);
  const [passed, failed] = [sumOf(0), sumOf(1)];
  console.log(totals.line);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = exitCodeOf(passed, failed);
}

async function main(): Promise<void> {
  const given = parseOptions();
  if (given.jobs > 1) return shared(given);
  const { seed: first, seeds, seconds, what, stop, quiet, storage } = given;
  const { durationMs = Number.POSITIVE_INFINITY } = given;
  const last = Number.isFinite(durationMs)
    ? `on, for ${(durationMs / 3_600_000).toFixed(2)} hours,`
    : `to ${first + seeds - 1}`;
  console.log(`seeds ${first} ${last} of ${what.join(" and ")}, ${seconds} s each`);
  const startMs = performance.now();
  const totals = new Totals();
  let [passed, failed] = [0, 0];
  const isOver = (): boolean => performance.now() - startMs >= durationMs || (stop && failed > 0);
  for (let seed = first; seed < first + seeds && !isOver(); seed++) {
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
  process.exitCode = exitCodeOf(passed, failed);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// the listeners above would keep what is thrown here to themselves
await main().catch((error: unknown) => {
  console.error(stackOf(error));
  process.exitCode = 1;
});
