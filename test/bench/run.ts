// Measures the client and the server beside their peers, and against what a bare socket can do, in one run.
//   npm run bench -- [--quick] [--only SUITE[,SUITE]] [--json FILE]
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { readArguments, wrongUsage } from "../run-arguments.ts";
import { makeBundles } from "./bundle.ts";
import type { Context, Suite } from "./context.ts";
import { type Findings, table } from "./figures.ts";
import { loopbackBytesPerSecond } from "./loopback.ts";
import { clientAlone } from "./suites/client-alone.ts";
import { clients } from "./suites/clients.ts";
import { durableLog } from "./suites/durable-log.ts";
import { journal } from "./suites/journal.ts";
import { memory } from "./suites/memory.ts";
import { durable, servers } from "./suites/servers.ts";
import { simulation } from "./suites/simulation.ts";
import { start } from "./suites/start.ts";
import { storage } from "./suites/storage.ts";

const suites: readonly Suite[] = [
  start,
  memory,
  storage,
  journal,
  durableLog,
  simulation,
  clientAlone,
  clients,
  servers,
  durable,
];

const USAGE = `npm run bench -- [options]

  --only SUITES  names, separated by commas: ${suites.map(({ name }) => name).join(", ")}
  --quick        shorter, and less exact
  --json FILE    write the figures there too
`;

const { values } = readArguments(USAGE, {
  options: { quick: { type: "boolean", default: false }, only: { type: "string" }, json: { type: "string" } },
});

function wanted(): readonly Suite[] {
  if (values.only === undefined) return suites;
  return values.only.split(",").map((name) => {
    const suite = suites.find((s) => s.name === name);
    return suite ?? wrongUsage(`--only: there is no suite ${JSON.stringify(name)}`, USAGE);
  });
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

function machine(): string {
  const [first] = cpus();
  const load = loadavg().map((n) => n.toFixed(1));
  return [
    `${cpus().length} × ${first?.model ?? "unknown"}, ${Math.round(totalmem() / 1e9)} GB, Linux ${release()}`,
    `Node ${process.version}, commit ${commit()}, load at the start ${load.join(" ")}`,
    "client, server and everything else share these processors",
  ].join("; ");
}

async function main(): Promise<void> {
  const chosen = wanted();
  const shape = machine();
  console.log(`${shape}\n`);
  const bundles = await makeBundles();
  const results: Record<string, Findings> = {};
  try {
    const limit = await loopbackBytesPerSecond(values.quick ? 1 : 3);
    console.log(`A bare loopback socket: ${(limit / 1e9).toFixed(2)} GB/s\n`);
    const progress = (text: string): void => console.error(`… ${text}`);
    const context: Context = { quick: values.quick, loopbackBytesPerSecond: limit, bundles, progress };
    for (const suite of chosen) {
      const findings = await suite.run(context);
      results[suite.name] = findings;
      console.log(`## ${suite.title}\n`);
      if (findings.figures.length > 0) console.log(`${table(findings.figures)}\n`);
      for (const note of findings.notes) console.log(note);
      console.log("");
    }
    if (values.json !== undefined) {
      const all = { machine: shape, quick: values.quick, loopbackBytesPerSecond: limit, suites: results };
      writeFileSync(values.json, `${JSON.stringify(all, undefined, 2)}\n`);
    }
  } finally {
    await bundles.remove();
  }
}

await main();
