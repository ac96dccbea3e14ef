import { type Context, SIZES, type Suite } from "../context.ts";
import { type Figure, type Findings, OURS } from "../figures.ts";
import { cpuSeconds, residentMb } from "../program.ts";
import { hasPulsarPerf, perfConsume, perfProduce } from "../pulsar-perf.ts";
import { type BenchServer, realMissing, startOurs, startReal, subscribe } from "../servers.ts";

interface Kind {
  who: string;
  start(context: Context): Promise<BenchServer>;
}

const kinds: readonly Kind[] = [
  { who: OURS, start: ({ bundles }) => startOurs(bundles.cli, ["--bookies", "1"]) },
  { who: `${OURS} 3/3/2`, start: ({ bundles }) => startOurs(bundles.cli) },
  { who: "Apache Pulsar", start: () => startReal() },
];

const LATENCY_PER_SECOND = 5000;
const CONSUMED_MAX = 3_000_000;

async function measure(who: string, server: BenchServer, context: Context): Promise<Figure[]> {
  const { quick, progress } = context;
  const { serviceUrl, pid } = server;
  const figures: Figure[] = [];
  const add = (what: string, value: number, unit: string, more: boolean): void => {
    figures.push({ what, who, value, unit, more });
  };
  for (const { bytes, text } of SIZES) {
    const topic = `persistent://public/default/bench-${bytes}`;
    await subscribe(server, topic, "s");
    progress(`${who}: produce, ${text}`);
    const beforeProduce = cpuSeconds(pid);
    const produced = await perfProduce({ serviceUrl, topic }, { bytes, seconds: quick ? 22 : 32 });
    const beforeConsume = cpuSeconds(pid);
    progress(`${who}: consume, ${text}`);
    const messages = Math.min(produced.messages, CONSUMED_MAX);
    const consumed = await perfConsume({ serviceUrl, topic }, "s", messages);
    add(`produced, ${text}`, produced.perSecond, "msg/s", true);
    add(`consumed, ${text}`, consumed.perSecond, "msg/s", true);
    const producing = (beforeConsume - beforeProduce) / (produced.messages / 1e6);
    add(`server's CPU producing, ${text}`, producing, "s/M msg", false);
    add(`server's CPU consuming, ${text}`, (cpuSeconds(pid) - beforeConsume) / (messages / 1e6), "s/M msg", false);
    // what is left is not to stand in the way of the next measurement
    await fetch(`${server.adminUrl}/admin/v2/${topic.replace("://", "/")}?force=true`, { method: "DELETE" });
  }
  progress(`${who}: latency at ${LATENCY_PER_SECOND} msg/s`);
  const at = { serviceUrl, topic: "persistent://public/default/bench-latency" };
  const steady = await perfProduce(at, { bytes: 1024, seconds: quick ? 22 : 42, perSecond: LATENCY_PER_SECOND });
  add(`p99 at ${LATENCY_PER_SECOND.toLocaleString("en")} msg/s, 1 KiB`, steady.p99Ms, "ms", false);
  add("resident memory after that", residentMb(pid), "MB", false);
  return figures;
}

async function run(context: Context): Promise<Findings> {
  if (!hasPulsarPerf) return { figures: [], notes: ["skipped: no pulsar-perf; REAL_PULSAR_HOME names where it is"] };
  const missing = realMissing();
  const notes = missing === undefined ? [] : [`Apache Pulsar skipped: ${missing}`];
  const figures: Figure[] = [];
  for (const kind of missing === undefined ? kinds : kinds.slice(0, -1)) {
    const server = await kind.start(context);
    try {
      figures.push(...(await measure(kind.who, server, context)));
    } finally {
      await server.stop();
    }
  }
  notes.push("Java's pulsar-perf takes most of the machine; E/Qw/Qa are 1/1/1 but in the column that says otherwise.");
  notes.push(
    "Everything in memory, or without fsync (the real broker). Durable is not measured: no data directory yet.",
  );
  return { figures, notes };
}

export const servers: Suite = { name: "servers", title: "Servers under pulsar-perf", run };
