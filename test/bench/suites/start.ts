import { PulsarClient } from "@pulsewire/client";
import type { Context, Suite } from "../context.ts";
import { type Figure, type Findings, median, OURS } from "../figures.ts";
import { output } from "../program.ts";
import { type BenchServer, realMissing, startOurs, startReal } from "../servers.ts";

const WARM_MS = 50;
const CLI_MS = 400;
const RATIO = 20;
/** Starts of one process that count as warm: those behind the first five. */
const COLD_ROUNDS = 5;

/** Until the first message is acknowledged, by a client that is warm. */
async function firstMessageMs({ serviceUrl }: BenchServer): Promise<number> {
  const startMs = performance.now();
  const client = new PulsarClient({ serviceUrl });
  const producer = await client.createProducer({ topic: "first" });
  await producer.send("hello");
  const tookMs = performance.now() - startMs;
  await client.close();
  return tookMs;
}

interface Start {
  readyMs: number;
  firstMs: number;
}

async function timed(start: () => Promise<BenchServer>, times: number): Promise<Start> {
  const starts: Start[] = [];
  for (let i = 0; i < times; i++) {
    const server = await start();
    try {
      starts.push({ readyMs: server.readyMs, firstMs: server.readyMs + (await firstMessageMs(server)) });
    } finally {
      await server.stop();
    }
  }
  return { readyMs: median(starts.map((s) => s.readyMs)), firstMs: median(starts.map((s) => s.firstMs)) };
}

async function run({ quick, bundles, progress }: Context): Promise<Findings> {
  const figures: Figure[] = [];
  const notes: string[] = [`The bundle of the command line has ${Math.round(bundles.cliBytes / 1000)} kB.`];
  const add = (what: string, who: string, value: number, target?: number): void => {
    figures.push({ what, who, value, unit: "ms", more: false, ...(target === undefined ? {} : { target }) });
  };
  progress("startCluster()");
  const { lines } = await output([process.execPath, bundles.startCluster, String(COLD_ROUNDS + (quick ? 5 : 25))]);
  const times = JSON.parse(lines[0] ?? "[]") as number[];
  add("startCluster() to first acknowledged message, cold", OURS, times[0] ?? Number.NaN);
  add("startCluster() to first acknowledged message, warm", OURS, median(times.slice(COLD_ROUNDS)), WARM_MS);
  progress("command line");
  const shipped = await timed(() => startOurs(bundles.cli), quick ? 3 : 9);
  const sources = await timed(() => startOurs(undefined), quick ? 2 : 5);
  add("exec to ready", OURS, shipped.readyMs, CLI_MS);
  add("exec to ready", `${OURS} sources`, sources.readyMs);
  const missing = realMissing();
  let real: Start | undefined;
  if (missing === undefined) {
    progress("real broker");
    real = await timed(startReal, quick ? 1 : 2);
    add("exec to ready", "Apache Pulsar", real.readyMs);
  } else notes.push(`Apache Pulsar skipped: ${missing}`);
  add("exec to first acknowledged message", OURS, shipped.firstMs);
  add("exec to first acknowledged message", `${OURS} sources`, sources.firstMs);
  if (real !== undefined) {
    add("exec to first acknowledged message", "Apache Pulsar", real.firstMs);
    const value = real.firstMs / shipped.firstMs;
    figures.push({ what: "real broker over ours", who: OURS, value, unit: "×", target: RATIO });
  }
  return { figures, notes };
}

export const start: Suite = { name: "start", title: "Start", run };
