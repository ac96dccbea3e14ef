// Kills a server with a data directory at random moments and looks whether it kept what it promised.
// Rounds in turn work with our client and with the official Python client. In every fifth round (--damage: every Nth, 0 for
// none) files of one bookie are damaged after the kill, and of another one once every copy is there again.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@pulsewire/runtime";
import { python, pythonCommand } from "../interop/programs.ts";
import { chosenArgument, exitCodeOf, readArguments, wholeArgument } from "../run-arguments.ts";
import { check } from "./check.ts";
import { completeCopies, entriesCopied } from "./copies.ts";
import { damageBookie } from "./damage.ts";
import { PythonWorkload } from "./python-workload.ts";
import { bundleServer, startAndKill, startServer } from "./server.ts";
import { type TopicHistory, Workload } from "./workload.ts";

/** Rounds that go on with the folder of the one before. */
const ROUNDS_PER_FOLDER = 5;

const USAGE = `npm run test:crash -- [options]

  --rounds N      how many (default 10)
  --seed N        default: from the time of day
  --client WHICH  both, ours or python (default both)
  --keep          keep the folder of a round that failed
  --damage N      damage files of one bookie in every Nth round, 0 for none (default 5)
`;

const { values } = readArguments(USAGE, {
  options: {
    rounds: { type: "string", default: "10" },
    seed: { type: "string" },
    client: { type: "string", default: "both" },
    keep: { type: "boolean" },
    damage: { type: "string", default: "5" },
  },
});
const rounds = wholeArgument("--rounds", values.rounds, USAGE, 1);
const seed = wholeArgument("--seed", values.seed ?? `${Date.now() % 1_000_000}`, USAGE);
const chosen = chosenArgument("--client", values.client, ["both", "ours", "python"], USAGE);
const random = createSeededRandom(seed);
const damageRandom = random.fork("damage");
const damageEvery = wholeArgument("--damage", values.damage, USAGE);
/** Bookies that a cluster has unless told otherwise. */
const BOOKIES = 3;
const damages = { done: 0, copied: 0 };
/** Messages that were stored, and acknowledged, of all rounds of a client. */
const done = new Map<string, { stored: number; acknowledged: number }>();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Works, kills, perhaps kills again while it recovers, and checks this round's topics and those before. */
async function playRound(program: string, dataDir: string, round: number, earlier: TopicHistory[]): Promise<string[]> {
  const plan = planOf(round);
  const server = await startServer(program, dataDir, { slowBookie: plan?.second });
  const byPython = chosen === "python" || (chosen === "both" && round % 2 === 0);
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
  const killAgain = async (): Promise<void> => {
    for (let i = 0; i < again; i++) await startAndKill(program, dataDir, random.integer(600));
  };
  const wrong = [...workload.wrong];
  const compare = async (serviceUrl: string): Promise<void> => {
    wrong.push(...(await check(serviceUrl, workload.histories, earlier)));
  };
  if (plan !== undefined) wrong.push(...(await damageTwo(program, dataDir, plan, killAgain, compare)));
  else {
    await killAgain();
    const restarted = await startServer(program, dataDir);
    await compare(restarted.serviceUrl);
    await restarted.kill();
  }
  earlier.push(...workload.histories);
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

/** Two bookies that are damaged one after the other. */
interface DamagePlan {
  first: number;
  /** It is slow while there is work: the last entries were confirmed by the others alone, of which one is damaged. */
  second: number;
}

/** Undefined for a round in which nothing is damaged. */
function planOf(round: number): DamagePlan | undefined {
  if (damageEvery === 0 || (round + Math.floor(damageEvery / 2)) % damageEvery !== 0) return undefined;
  const first = damageRandom.integer(BOOKIES);
  return { first, second: (first + 1 + damageRandom.integer(BOOKIES - 1)) % BOOKIES };
}

/**
 * Damages one bookie: everything is there all the same. Once every copy is there again another bookie can be damaged: an
 * entry may have been confirmed by two bookies alone. Answers what is wrong, in words.
 */
async function damageTwo(
  program: string,
  dataDir: string,
  { first, second }: DamagePlan,
  killAgain: () => Promise<void>,
  compare: (serviceUrl: string) => Promise<void>,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const bookie of [first, second]) {
    const what = damageBookie(dataDir, bookie, damageRandom);
    damages.done++;
    if (bookie === first) await killAgain();
    const server = await startServer(program, dataDir, { damaged: true });
    await compare(server.serviceUrl);
    const startedMs = performance.now();
    const incomplete = await completeCopies(server.adminUrl);
    const copied = await entriesCopied(server.adminUrl);
    const tookMs = Math.round(performance.now() - startedMs);
    damages.copied += copied;
    console.log(`  ${what}: ${copied} entries copied again, complete after ${tookMs} ms`);
    wrong.push(...incomplete);
    await server.kill();
    if (incomplete.length > 0) break;
  }
  return wrong;
}

console.log(`seed ${seed}`);
if (chosen !== "ours") await python.prepare();
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
// what nobody notices was no damage
if (damages.done > 0) console.log(`${damages.done} times a bookie damaged, ${damages.copied} entries copied again`);
if (damages.done >= 10 && damages.copied === 0) failed++;
console.log(`${passed} passed, ${failed} failed`);
process.exit(exitCodeOf(passed, failed));
