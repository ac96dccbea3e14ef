import { existsSync } from "node:fs";
import { join } from "node:path";
import { median } from "./figures.ts";
import { output } from "./program.ts";

/** Where a real Pulsar and its tools are kept. */
export const realPulsarHome: string =
  process.env["REAL_PULSAR_HOME"] ?? join(import.meta.dirname, "../interop/real-pulsar");
const tool = join(realPulsarHome, "bin/pulsar-perf");

export const hasPulsarPerf: boolean = existsSync(join(realPulsarHome, "lib-tools")) && existsSync(tool);

export interface PerfRun {
  perSecond: number;
  p99Ms: number;
  /** CPU of the tool, in seconds. */
  cpuSeconds: number;
  messages: number;
}

const RATE = /--- +([\d.]+) msg\/s/;
const P99 = /99pct: +([\d.]+)/;
const TOTAL = /Aggregated throughput stats --- +(\d+) records|Throughput (?:produced|received): +(\d+) msg/;

/**
 * What the tool reported every ten seconds, without the first time, in which Java is still warming up; what it
 * reported over all where it ended before the second. It does not always come to that when it ends.
 */
async function perf(command: readonly string[], serviceUrl: string): Promise<PerfRun> {
  const said = await output([tool, "--service-url", serviceUrl, ...command, "-u", serviceUrl]);
  const lines = [...said.lines, ...said.errors];
  const reports = lines.filter((text) => /Throughput (produced|received)/.test(text));
  const aggregated = lines.filter((text) => text.includes("Aggregated"));
  const used = [reports.slice(1), aggregated, reports].find((some) => some.length > 0) ?? [];
  const numbers = (pattern: RegExp): number[] => used.flatMap((text) => Number(pattern.exec(text)?.[1] ?? []));
  const [rates, p99s] = [numbers(RATE), numbers(P99)];
  if (rates.length === 0) throw new Error(`pulsar-perf reported nothing: ${lines.slice(-3).join(" | ")}`);
  const total = TOTAL.exec(aggregated.find((text) => TOTAL.test(text)) ?? reports.at(-1) ?? "");
  const messages = Number(total?.[1] ?? total?.[2] ?? Number.NaN);
  return { perSecond: median(rates), p99Ms: median(p99s), cpuSeconds: said.cpuSeconds, messages };
}

export interface PerfTopic {
  serviceUrl: string;
  topic: string;
}

/** Produces for some seconds; without a rate, as fast as it goes. `single` has one message at a time, not batched. */
export function perfProduce(
  at: PerfTopic,
  options: { bytes: number; seconds: number; perSecond?: number; single?: boolean },
): Promise<PerfRun> {
  const { bytes, seconds, perSecond = 100_000_000, single = false } = options;
  const outstanding = single ? ["-o", "1", "-db"] : ["-o", "50000"];
  const size = ["-s", String(bytes), "-r", String(perSecond), "-time", String(seconds), ...outstanding];
  return perf(["produce", at.topic, ...size, "--warmup-time", "1"], at.serviceUrl);
}

/** Consumes that many messages of a subscription that exists already. */
export function perfConsume(at: PerfTopic, subscription: string, messages: number): Promise<PerfRun> {
  const options = ["-ss", subscription, "-sp", "Earliest", "-q", "10000", "-m", String(messages)];
  return perf(["consume", at.topic, ...options], at.serviceUrl);
}
