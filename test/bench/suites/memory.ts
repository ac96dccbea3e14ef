import type { Context, Suite } from "../context.ts";
import { type Figure, type Findings, OURS } from "../figures.ts";
import { residentMb } from "../program.ts";
import { type BenchServer, realMissing, startOurs, startReal } from "../servers.ts";

const IDLE_MB = 100;
const RATIO = 4;
const IDLE_MS = 5000;

async function idleMb(start: () => Promise<BenchServer>): Promise<number> {
  const server = await start();
  try {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    return residentMb(server.pid);
  } finally {
    await server.stop();
  }
}

async function run({ bundles, progress }: Context): Promise<Findings> {
  progress("idle servers");
  const what = "resident memory, idle";
  const ours = await idleMb(() => startOurs(bundles.cli));
  const sources = await idleMb(() => startOurs(undefined));
  const figures: Figure[] = [
    { what, who: OURS, value: ours, unit: "MB", more: false, target: IDLE_MB },
    { what, who: `${OURS} sources`, value: sources, unit: "MB", more: false },
  ];
  const missing = realMissing();
  if (missing !== undefined) return { figures, notes: [`Apache Pulsar skipped: ${missing}`] };
  const real = await idleMb(startReal);
  figures.push({ what, who: "Apache Pulsar", value: real, unit: "MB", more: false });
  figures.push({ what: "real broker over ours", who: OURS, value: real / ours, unit: "×", target: RATIO });
  return { figures, notes: [] };
}

export const memory: Suite = { name: "memory", title: "Memory", run };
