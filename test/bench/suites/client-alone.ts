import { join } from "node:path";
import { type Context, SIZES, type Suite } from "../context.ts";
import { type Figure, type Findings, LIMIT, median, OURS } from "../figures.ts";
import { output, serve, TSX } from "../program.ts";
import type { Phase } from "../programs/pulsewire-client.ts";

const programs = join(import.meta.dirname, "../programs");
const TARGETS: Readonly<Record<number, number>> = { 1024: 500_000, 100: 1_000_000 };

async function phaseOf(program: string, mode: string, bytes: number, messages: number): Promise<Phase> {
  const broker = await serve(process.execPath, [...TSX, join(programs, "fake-broker.ts"), String(bytes)]);
  try {
    const client = [process.execPath, program];
    const { lines } = await output([...client, broker.firstLine, String(messages), String(bytes), mode]);
    const { phases } = JSON.parse(lines[0] ?? "{}") as { phases: Record<string, Phase> };
    return phases[`${mode}d`] as Phase;
  } finally {
    await broker.stop();
  }
}

async function run({ quick, loopbackBytesPerSecond, bundles, progress }: Context): Promise<Findings> {
  const figures: Figure[] = [];
  for (const { bytes, text } of SIZES) {
    const target = TARGETS[bytes] as number;
    for (const mode of ["produce", "consume"] as const) {
      progress(`${mode}, ${text}`);
      const phases: Phase[] = [];
      const messages = (quick ? 2 : 6) * target;
      for (let i = 0; i < (quick ? 1 : 3); i++) phases.push(await phaseOf(bundles.client, mode, bytes, messages));
      const row = (what: string, unit: string, pick: (phase: Phase) => number, more: boolean): Figure => {
        const value = median(phases.map(pick));
        return { what: `${mode}d, ${text}${what}`, who: OURS, value, unit, more };
      };
      figures.push({ ...row("", "msg/s", (phase) => phase.perSecond, true), target });
      figures.push({ what: `${mode}d, ${text}`, who: LIMIT, value: loopbackBytesPerSecond / bytes, unit: "msg/s" });
      figures.push(row(", CPU", "s/M msg", (phase) => phase.cpuSecondsPerMillion, false));
      figures.push(row(", allocated", "MB/M msg", (phase) => phase.allocatedMbPerMillion, false));
    }
  }
  return { figures, notes: ["The other side is a process that only acknowledges, or only sends batches made before."] };
}

export const clientAlone: Suite = { name: "client-alone", title: "Our client alone", run };
