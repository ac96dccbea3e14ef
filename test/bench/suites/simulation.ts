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

async function run({ quick, progress }: Context): Promise<Findings> {
  const figures: Figure[] = [];
  for (const what of ["cluster", "storage"] as const) {
    progress(`simulated ${what}`);
    const value = await speed(what, quick ? 10 : 40);
    figures.push({
      what: `simulated seconds of a ${what} under faults, a second`,
      who: OURS,
      value,
      unit: "s/s",
      target: SIMULATED_PER_SECOND,
    });
  }
  return { figures, notes: ["Brokers, bookies, clients and faults as the seeds decide; one processor."] };
}

export const simulation: Suite = { name: "simulation", title: "Simulated time", run };
