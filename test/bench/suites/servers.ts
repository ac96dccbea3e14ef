import { type Context, SIZES, type Suite } from "../context.ts";
import { type Figure, type Findings, OURS } from "../figures.ts";
import { cpuSeconds, residentMb } from "../program.ts";
import { hasPulsarPerf, perfConsume, perfProduce } from "../pulsar-perf.ts";
import {
  type BenchServer,
  deleteTopic,
  realMissing,
  startDurable,
  startOurs,
  startReal,
  subscribe,
} from "../servers.ts";

interface Kind {
  who: string;
  start(context: Context): Promise<BenchServer>;
}

const REAL = "Apache Pulsar";

const inMemory: readonly Kind[] = [
  { who: OURS, start: ({ bundles }) => startOurs(bundles.cli, ["--bookies", "1"]) },
  { who: `${OURS} 3/3/2`, start: ({ bundles }) => startOurs(bundles.cli) },
  { who: REAL, start: () => startReal() },
];

const onDisk: readonly Kind[] = [
  { who: OURS, start: ({ bundles }) => startDurable(bundles.cli, ["--bookies", "1"]) },
  { who: `${OURS} 3/3/2`, start: ({ bundles }) => startDurable(bundles.cli) },
  { who: REAL, start: () => startReal(["journalSyncData=true"]) },
];

const LATENCY_PER_SECOND = 5000;
const CONSUMED_MAX = 3_000_000;

/** Produce at full rate, then consume what was produced; on a topic that goes afterwards. */
async function measureSize(
  who: string,
  server: BenchServer,
  { bytes, text }: (typeof SIZES)[number],
  { quick, progress }: Context,
): Promise<Figure[]> {
  const { serviceUrl, pid } = server;
  const topic = `persistent://public/default/bench-${bytes}`;
  await subscribe(server, topic, "s");
  progress(`${who}: produce, ${text}`);
  const beforeProduce = cpuSeconds(pid);
  const produced = await perfProduce({ serviceUrl, topic }, { bytes, seconds: quick ? 22 : 32 });
  const beforeConsume = cpuSeconds(pid);
  progress(`${who}: consume, ${text}`);
  const messages = Math.min(produced.messages, CONSUMED_MAX);
  const consumed = await perfConsume({ serviceUrl, topic }, "s", messages);
  const producing = (beforeConsume - beforeProduce) / (produced.messages / 1e6);
  const consuming = (cpuSeconds(pid) - beforeConsume) / (messages / 1e6);
  await deleteTopic(server, topic);
  return [
    { what: `produced, ${text}`, who, value: produced.perSecond, unit: "msg/s" },
    { what: `consumed, ${text}`, who, value: consumed.perSecond, unit: "msg/s" },
    { what: `server's CPU producing, ${text}`, who, value: producing, unit: "s/M msg", more: false },
    { what: `server's CPU consuming, ${text}`, who, value: consuming, unit: "s/M msg", more: false },
  ];
}

async function measure(who: string, server: BenchServer, context: Context, sizes: typeof SIZES): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) figures.push(...(await measureSize(who, server, size, context)));
  const rate = `${LATENCY_PER_SECOND.toLocaleString("en")} msg/s`;
  context.progress(`${who}: latency at ${rate}`);
  const at = { serviceUrl: server.serviceUrl, topic: "persistent://public/default/bench-latency" };
  const seconds = context.quick ? 22 : 42;
  const steady = await perfProduce(at, { bytes: 1024, seconds, perSecond: LATENCY_PER_SECOND });
  figures.push({ what: `p99 at ${rate}, 1 KiB`, who, value: steady.p99Ms, unit: "ms", more: false });
  figures.push({ what: "resident memory after that", who, value: residentMb(server.pid), unit: "MB", more: false });
  return figures;
}

async function measureAll(kinds: readonly Kind[], context: Context, sizes: typeof SIZES): Promise<Findings> {
  if (!hasPulsarPerf) return { figures: [], notes: ["skipped: no pulsar-perf; REAL_PULSAR_HOME names where it is"] };
  const missing = realMissing();
  const notes = missing === undefined ? [] : [`${REAL} skipped: ${missing}`];
  const figures: Figure[] = [];
  for (const kind of kinds) {
    if (kind.who === REAL && missing !== undefined) continue;
    const server = await kind.start(context);
    try {
      figures.push(...(await measure(kind.who, server, context, sizes)));
    } finally {
      await server.stop();
    }
  }
  notes.push("Java's pulsar-perf takes most of the machine. E/Qw/Qa are 1/1/1 but in the column that says otherwise.");
  return { figures, notes };
}

async function runInMemory(context: Context): Promise<Findings> {
  const { figures, notes } = await measureAll(inMemory, context, SIZES);
  return { figures, notes: [...notes, "Ours keeps everything in memory; the real broker writes without fsync."] };
}

async function runOnDisk(context: Context): Promise<Findings> {
  const { figures, notes } = await measureAll(onDisk, context, SIZES.slice(0, 1));
  return { figures, notes: [...notes, "Both sync their journal before they acknowledge."] };
}

export const servers: Suite = { name: "servers", title: "Servers under pulsar-perf", run: runInMemory };
export const durable: Suite = { name: "durable", title: "Durable servers under pulsar-perf", run: runOnDisk };
