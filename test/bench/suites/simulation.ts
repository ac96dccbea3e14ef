import { join } from "node:path";
import type { Context, Suite } from "../context.ts";
import { type Figure, type Findings, OURS } from "../figures.ts";
import { output, TSX } from "../program.ts";

const program = join(import.meta.dirname, "../../simulation/run.ts");
const SIMULATED_PER_SECOND = 1000;

async function speed(what: "cluster" | "storage", seeds: number): Promise<number> {
  const args = ["--of", what, "--seed", "1", "--seeds", String(seeds), "--quiet"];
  const { lines } = await output([process.execPath, ...TSX, program, ...args]);
  const [, perSecond = "NaN"] = /^(\d+) simulated seconds per second$/m.exec(lines.join("\n")) ?? [];
  return Number(perSecond);
}

/** Simulated seconds a second of three brokers and six bookies under faults, with so many messages a second. */
async function steady({ bundles, quick }: Context, messagesPerSecond: number): Promise<number> {
  const seconds = Math.round((quick ? 1_000 : 5_000) / Math.sqrt(messagesPerSecond));
  const { lines } = await output([process.execPath, bundles.simulatedSeconds, `${messagesPerSecond}`, `${seconds}`]);
  return (JSON.parse(lines.at(-1) as string) as { perSecond: number }).perSecond;
}

async function run(context: Context): Promise<Findings> {
  const { quick, progress } = context;
  const figures: Figure[] = [];
  for (const messagesPerSecond of [1, 5, 20]) {
    progress(`simulated cluster at ${messagesPerSecond} messages a second`);
    figures.push({
      what: `simulated seconds of 3 brokers, 6 bookies, a fault every 3 s, at ${messagesPerSecond} messages/s, a second`,
      who: OURS,
      value: await steady(context, messagesPerSecond),
      unit: "s/s",
      target: SIMULATED_PER_SECOND,
    });
  }
  for (const what of ["cluster", "storage"] as const) {
    progress(`simulated ${what}`);
    const value = await speed(what, quick ? 10 : 40);
    figures.push({
      what: `simulated seconds of a ${what} as seeds draw it, a second`,
      who: OURS,
      value,
      unit: "s/s",
    });
  }
  return {
    figures,
    notes: ["One simulation at a time, every checker included; what seeds draw sends some hundred messages a second."],
  };
}

export const simulation: Suite = { name: "simulation", title: "Simulated time", run };
