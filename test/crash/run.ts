// Kills a server with a data directory at random moments and looks whether it kept what it promised.
//   npm run test:crash -- [--rounds N] [--seed N] [--client both|ours|python] [--keep]
// Rounds in turn work with our client and with the official Python client.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createSeededRandom } from "@pulsewire/runtime";
import { python, pythonCommand } from "../interop/programs.ts";
import { check } from "./check.ts";
import { PythonWorkload } from "./python-workload.ts";
import { bundleServer, startAndKill, startServer } from "./server.ts";
import { type TopicHistory, Workload } from "./workload.ts";

/** Rounds that go on with the folder of the one before. */
const ROUNDS_PER_FOLDER = 5;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    seed: { type: "string" },
    client: { type: "string", default: "both" },
    keep: { type: "boolean" },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const random = createSeededRandom(seed);
/** Messages that were stored, and acknowledged, of all rounds of a client. */
const done = new Map<string, { stored: number; acknowledged: number }>();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Works, kills, perhaps kills again while it recovers, and checks this round's topics and those before. */
async function playRound(program: string, dataDir: string, round: number, earlier: TopicHistory[]): Promise<string[]> {
  const server = await startServer(program, dataDir);
  const byPython = values.client === "python" || (values.client === "both" && round % 2 === 0);
  const workload = byPython
    ? new PythonWorkload(pythonCommand, server.serviceUrl, round)
    : new Workload(server.serviceUrl, round);
  await workload.start();
  const workMs = 50 + random.integer(1500);
  await sleep(workMs);
  const orderly = random.integer(8) === 0;
  workload.expectEnd();
  await (orderly ? server.interrupt() : server.kill());
  await workload.close();
  const again = random.integer(3);
  for (let i = 0; i < again; i++) await startAndKill(program, dataDir, random.integer(600));
  const restarted = await startServer(program, dataDir);
  const wrong = [...workload.wrong, ...(await check(restarted.serviceUrl, workload.histories, earlier))];
  earlier.push(...workload.histories);
  await restarted.kill();
  const sum = (pick: (history: TopicHistory) => number): number => workload.histories.reduce((n, h) => n + pick(h), 0);
  const client = byPython ? "Python" : "ours";
  const stored = sum((h) => h.stored.size);
  const acknowledged = sum((h) => h.acknowledging.size);
  const before = done.get(client) ?? { stored: 0, acknowledged: 0 };
  done.set(client, { stored: before.stored + stored, acknowledged: before.acknowledged + acknowledged });
  const how = `${orderly ? "ended" : "killed"} after ${workMs} ms, ${again} more in recovery`;
  const what = `${stored} stored, ${acknowledged} acknowledged, ${sum((h) => h.acknowledged.size)} of them confirmed`;
  console.log(`round ${round}, ${client}: ${how}; ${what}: ${wrong.length === 0 ? "ok" : "FAILED"}`);
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
  return wrong;
}

console.log(`seed ${seed}`);
if (values.client !== "ours") await python.prepare();
const program = await bundleServer();
let [passed, failed] = [0, 0];
for (let round = 1; round <= rounds; ) {
  const folder = mkdtempSync(join(tmpdir(), "pulsewire-crash-"));
  const earlier: TopicHistory[] = [];
  let good = true;
  for (let i = 0; i < ROUNDS_PER_FOLDER && round <= rounds; i++, round++) {
    const wrong = await playRound(program, join(folder, "data"), round, earlier).catch((error: unknown) => {
      console.log(`round ${round}: FAILED`);
      console.log(`  ${String(error)}`);
      return [String(error)];
    });
    if (wrong.length === 0) passed++;
    else failed++;
    good &&= wrong.length === 0;
  }
  if (good || !values.keep) rmSync(folder, { recursive: true, force: true });
  else console.log(`  the folder is ${folder}`);
}
// a single round may be too short for it; a client that never did anything was not looked at
for (const [client, { stored, acknowledged }] of done) {
  if (stored > 0 && acknowledged > 0) continue;
  console.log(`FAILED ${client}: ${stored} stored and ${acknowledged} acknowledged in all rounds`);
  failed++;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
