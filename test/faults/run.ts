// Puts a proxy of bytes between our client and a broker, and strikes at every command of a session in every way.
//   npm run test:faults -- [--server ours|real|URL] [--all] [--seed N] [--only "client SEND"]
// Without --all, each command meets every fault once, at a moment and an occurrence that the seed decides.
import { MessageId, PulsarClient } from "@pulsewire/client";
import { createSeededRandom, type Random } from "@pulsewire/runtime";
import { startOurServer } from "../interop/process.ts";
import { root } from "../interop/programs.ts";
import { startRealBroker } from "../interop/real-broker.ts";
import { exitCodeOf, readArguments, wholeArgument, wrongUsage } from "../run-arguments.ts";
import { type Direction, type Fault, type FaultPlan, FaultProxy, type Moment } from "./fault-proxy.ts";
import { MESSAGES, playSession } from "./session.ts";

const FAULTS: readonly Fault[] = ["cut", "reset", "stall", "half-open", "slow"];
const MOMENTS: readonly Moment[] = ["before", "inside", "after"];
/** Sessions at one time: most of one is waiting. */
const LANES = 6;

const USAGE = `npm run test:faults -- [options]

  --server WHICH  ours, real, or a service URL (default ours)
  --all           every moment of every command
  --seed N        default: from the time of day
  --only COMMAND  one direction and command, such as "client SEND"
`;

const { values } = readArguments(USAGE, {
  options: {
    server: { type: "string", default: "ours" },
    all: { type: "boolean", default: false },
    seed: { type: "string" },
    only: { type: "string" },
  },
});
const seed = wholeArgument("--seed", values.seed ?? `${Date.now() % 1_000_000}`, USAGE);

interface Target {
  serviceUrl: string;
  stop(): Promise<void>;
}

async function startTarget(): Promise<Target> {
  if (values.server === "real") return startRealBroker(["brokerDeduplicationEnabled=true"]);
  if (values.server === "ours") return startOurServer(root, ["--set", "brokerDeduplicationEnabled=true"]);
  if (!URL.canParse(values.server)) wrongUsage(`--server takes ours, real, or a URL, not ${values.server}`, USAGE);
  return { serviceUrl: values.server, stop: async () => undefined };
}

/** Which commands a session has, and how often: by playing one with nothing in its way. */
async function commandsOf(target: Target): Promise<Map<string, number>> {
  const proxy = await FaultProxy.open(target.serviceUrl);
  const { wrong } = await playSession(proxy.url, `faults-${seed}-dry`);
  const seen = new Map(proxy.seen);
  await proxy.close();
  if (wrong.length > 0) throw new Error(`a session without faults failed: ${wrong.join("; ")}`);
  return seen;
}

function plansFor(seen: ReadonlyMap<string, number>, random: Random): FaultPlan[] {
  const plans: FaultPlan[] = [];
  for (const [key, times] of seen) {
    const [from, command] = key.split(" ") as [Direction, string];
    // how many of these there are depends on timing: half of what the dry run had is there surely
    const often = command === "PING" || command === "PONG" ? 1 : Math.max(1, times >> 1);
    const occurrence = (): number => 1 + random.integer(often);
    for (const fault of FAULTS) {
      if (!values.all) plans.push(plan(from, command, occurrence(), MOMENTS[random.integer(3)] as Moment, fault));
      else for (const moment of MOMENTS) plans.push(plan(from, command, 1, moment, fault));
    }
  }
  return plans.filter((p) => values.only === undefined || `${p.from} ${p.command}` === values.only);
}

function plan(from: Direction, command: string, occurrence: number, moment: Moment, fault: Fault): FaultPlan {
  return { from, command, occurrence, moment, fault };
}

/** What the topic holds, read past the proxy: deduplication must have left each message once, in order. */
async function stored(target: Target, topic: string): Promise<string | undefined> {
  const client = new PulsarClient({ serviceUrl: target.serviceUrl });
  const reader = await client.createReader({ topic, startMessageId: MessageId.earliest });
  const found: number[] = [];
  while (await reader.hasMessageAvailable()) found.push(Number((await reader.readNext(5000)).text()));
  await client.close();
  const right = found.length === MESSAGES && found.every((n, i) => n === i);
  return right ? undefined : `the topic holds ${found.length}, not 0 to ${MESSAGES - 1} once each: ${found.join(" ")}`;
}

async function strike(target: Target, one: FaultPlan, number: number): Promise<boolean> {
  const proxy = await FaultProxy.open(target.serviceUrl);
  proxy.arm(one);
  const topic = `faults-${seed}-${number}`;
  const started = Date.now();
  const { wrong } = await playSession(proxy.url, topic);
  const { struck } = proxy;
  await proxy.close();
  const kept = await stored(target, topic).catch((e: unknown) => `the topic cannot be read: ${String(e)}`);
  if (kept !== undefined) wrong.push(kept);
  if (!struck) wrong.push("the fault did not happen");
  const what = `${one.fault} ${one.moment} ${one.from} ${one.command} ${one.occurrence}`;
  console.log(`${wrong.length === 0 ? "ok" : "FAIL"} ${what} (${Date.now() - started} ms)`);
  for (const line of wrong.slice(0, 5)) console.log(`  ${line.slice(0, 300)}`);
  return wrong.length === 0;
}

console.log(`seed ${seed}`);
const unhandled: string[] = [];
process.on("unhandledRejection", (reason) => {
  console.error(reason);
  unhandled.push(String(reason));
});
// what is thrown here is one of them: the process does not end well for it
process.exitCode = 1;
const target = await startTarget();
let [passed, failed] = [0, 0];
try {
  const plans = plansFor(await commandsOf(target), createSeededRandom(seed));
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < plans.length; i = next++) {
      if (await strike(target, plans[i] as FaultPlan, i)) passed++;
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
} finally {
  await target.stop();
}
for (const reason of unhandled) console.log(`FAIL unhandled rejection: ${reason}`);
failed += unhandled.length;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = exitCodeOf(passed, failed);
