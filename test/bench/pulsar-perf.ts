import { existsSync } from "node:fs";
import { join } from "node:path";
import { median } from "./figures.ts";
import { output } from "./program.ts";

/** Where a real Pulsar and its tools are kept. */
export const realPulsarHome: string =
  process.env.REAL_PULSAR_HOME ?? join(import.meta.dirname, "../interop/real-pulsar");
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

interface Report {
  reports: string[];
  /** Over all, where the tool came to it before its end: it does not always. */
  aggregated: string[];
  lines: string[];
  cpuSeconds: number;
}

async function perf(command: readonly string[], serviceUrl: string): Promise<Report> {
  const { lines, errors, cpuSeconds } = await output([tool, "--service-url", serviceUrl, ...command, "-u", serviceUrl]);
  const all = [...lines, ...errors];
  const reports = all.filter((text) => /Throughput (produced|received)/.test(text));
  return { reports, aggregated: all.filter((text) => text.includes("Aggregated")), lines: all, cpuSeconds };
}

/** The median of what was reported every ten seconds, without the first time, in which Java is still warming up. */
function figure(report: Report, pattern: RegExp): number {
  const used = report.reports.length > 1 ? report.reports.slice(1) : report.reports;
  const numbers = used.flatMap((text) => Number(pattern.exec(text)?.[1] ?? []));
  if (numbers.length === 0) throw new Error(`pulsar-perf reported nothing: ${report.lines.slice(-3).join(" | ")}`);
  return median(numbers);
}

function totalOf({ aggregated, reports }: Report): number {
  const total = TOTAL.exec(aggregated.find((text) => TOTAL.test(text)) ?? reports.at(-1) ?? "");
  return Number(total?.[1] ?? total?.[2] ?? Number.NaN);
}

function timeOf({ lines }: Report, what: string): number {
  const [time = ""] = lines.find((text) => text.includes(what))?.split(" ") ?? [];
  return Date.parse(time.replace(",", "."));
}

export interface PerfTopic {
  serviceUrl: string;
  topic: string;
}

/** Produces for some seconds; without a rate, as fast as it goes. `single` has one message at a time, not batched. */
export async function perfProduce(
  at: PerfTopic,
  options: { bytes: number; seconds: number; perSecond?: number; single?: boolean },
): Promise<PerfRun> {
  const { bytes, seconds, perSecond = 100_000_000, single = false } = options;
  const outstanding = single ? ["-o", "1", "-db"] : ["-o", "50000"];
  const size = ["-s", String(bytes), "-r", String(perSecond), "-time", String(seconds), ...outstanding];
  const report = await perf(["produce", at.topic, ...size, "--warmup-time", "1"], at.serviceUrl);
  const { cpuSeconds } = report;
  return { perSecond: figure(report, RATE), p99Ms: figure(report, P99), cpuSeconds, messages: totalOf(report) };
}

/**
 * Consumes that many messages of a subscription that exists already, or is made at the start of the topic. The rate is
 * over all: from when the tool starts to receive until it is done, Java's warming up included.
 */
export async function perfConsume(
  at: PerfTopic,
  subscription: string,
  messages: number,
): Promise<Omit<PerfRun, "p99Ms">> {
  const options = ["-ss", subscription, "-sp", "Earliest", "-q", "10000", "-m", String(messages)];
  const report = await perf(["consume", at.topic, ...options], at.serviceUrl);
  const seconds = (timeOf(report, "- DONE -") - timeOf(report, "Start receiving")) / 1000;
  if (Number.isNaN(seconds)) throw new Error(`pulsar-perf is not done: ${report.lines.slice(-3).join(" | ")}`);
  return { perSecond: messages / seconds, cpuSeconds: report.cpuSeconds, messages };
}
