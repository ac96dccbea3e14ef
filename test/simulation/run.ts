import { parseArgs } from "node:util";
import { runSeed, type SeedResult } from "./run-seed.ts";

const USAGE = `npm run sim -- [options]

  --seed N      the first seed (default: from the time of day)
  --seeds N     how many, one after the other (default 1)
  --seconds N   how long things go wrong, in virtual seconds (default 30)
  --trace       print everything that happens
  --quiet       print failures and the sum only
`;

interface Options {
  seed: number;
  seeds: number;
  seconds: number;
  trace: boolean;
  quiet: boolean;
}

function options(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      seeds: { type: "string", default: "1" },
      seconds: { type: "string", default: "30" },
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
  const { trace, quiet } = values;
  return { seed, seeds: whole("--seeds", values.seeds), seconds: whole("--seconds", values.seconds), trace, quiet };
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

function describe({ plan, simulatedMs, events, sent, delivered, hash }: SeedResult, realMs: number): string {
  const { brokers, bookies, ensembleSize, writeQuorum, ackQuorum } = plan.cluster;
  return [
    `${brokers} brokers, ${bookies} bookies, E/Qw/Qa ${ensembleSize}/${writeQuorum}/${ackQuorum}`,
    `${plan.deduplication ? "" : "no "}deduplication, ${plan.topics.length} topics, ${plan.producers.length} producers`,
    `${plan.consumers.length} consumers, ${sent} sent, ${delivered} delivered, ${events} events`,
    `${(simulatedMs / 1000).toFixed(1)} s in ${(realMs / 1000).toFixed(1)} s, hash ${hash}`,
  ].join(", ");
}

async function main(): Promise<void> {
  const { seed: first, seeds, seconds, trace, quiet } = options();
  console.log(`seeds ${first} to ${first + seeds - 1}, ${seconds} s each`);
  const startMs = performance.now();
  const failed: number[] = [];
  let simulatedMs = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    const fromMs = performance.now();
    const result = await runSeed({ seed, seconds, ...(trace ? { onLine: console.log } : {}) });
    simulatedMs += result.simulatedMs;
    const failures = [...result.failures, ...stray.splice(0).map((error) => `nobody caught: ${stackOf(error)}`)];
    if (!quiet)
      console.log(
        `${failures.length === 0 ? "ok  " : "FAIL"} ${seed}: ${describe(result, performance.now() - fromMs)}`,
      );
    if (failures.length === 0) continue;
    failed.push(seed);
    for (const failure of failures) console.log(`  ${failure}`);
    console.log(`  replay: npm run sim -- --seed ${seed} --seconds ${seconds} --trace`);
  }
  const realMs = performance.now() - startMs;
  console.log(`${(simulatedMs / realMs).toFixed(0)} simulated seconds per second`);
  console.log(`${seeds - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main();
