import { type Context, SIZES, type Suite } from "../context.ts";
import { type Figure, type Findings, median } from "../figures.ts";
import { type ClientRun, type Peer, peers } from "../peers.ts";
import { type BenchServer, realMissing, startReal } from "../servers.ts";

interface Plan {
  what: string;
  rounds: number;
  run(peer: Peer, server: BenchServer): Promise<ClientRun>;
}

function messagesOf(peer: Peer, bytes: number, quick: boolean): number {
  const messages = (quick ? 1 : 2) * (bytes >= 1024 ? 500_000 : 1_000_000);
  return peer.once ? messages / 4 : messages;
}

function plans(quick: boolean): Plan[] {
  const seconds = quick ? 22 : 32;
  const batched = SIZES.map(({ bytes, text }) => ({
    what: text,
    rounds: quick ? 1 : 3,
    run: (peer: Peer, server: BenchServer) =>
      peer.batched(server.serviceUrl, messagesOf(peer, bytes, quick), bytes, seconds),
  }));
  const single = {
    what: "1 KiB, one at a time",
    rounds: 1,
    run: (peer: Peer, server: BenchServer) => peer.single(server.serviceUrl, quick ? 5000 : 20_000, 1024, 22),
  };
  return [...batched, single];
}

function figuresOf(who: string, what: string, runs: readonly ClientRun[]): Figure[] {
  const pick = (key: keyof ClientRun): number => median(runs.flatMap((run) => run[key] ?? []));
  const rate = (verb: "produced" | "consumed" | "single"): Figure => ({
    what: `${verb === "single" ? "sent" : verb}, ${what}`,
    who,
    value: pick(verb),
    unit: "msg/s",
  });
  const cpu = { what: `CPU, ${what}`, who, value: pick("cpuSecondsPerMillion"), unit: "s/M msg", more: false };
  return [rate("produced"), rate("consumed"), rate("single"), cpu].filter((f) => !Number.isNaN(f.value));
}

/** Round by round over all of them, so that what else the machine does meets them alike; those that take long, once. */
async function measure(plan: Plan, who: readonly Peer[], server: BenchServer, context: Context): Promise<Figure[]> {
  const runs = new Map<Peer, ClientRun[]>(who.map((peer) => [peer, []]));
  for (let round = 0; round < plan.rounds; round++) {
    for (const [peer, done] of runs) {
      if (peer.once && round > 0) continue;
      context.progress(`${peer.name}, ${plan.what}, round ${round + 1} of ${plan.rounds}`);
      done.push(await plan.run(peer, server));
    }
  }
  const figures = [...runs].flatMap(([peer, done]) => figuresOf(peer.name, plan.what, done));
  const order = [...new Set(figures.map((f) => f.what))];
  return order.flatMap((what) => figures.filter((f) => f.what === what));
}

async function run(context: Context): Promise<Findings> {
  const missing = realMissing();
  if (missing !== undefined) return { figures: [], notes: [`skipped: ${missing}`] };
  const notes: string[] = [];
  const ready: Peer[] = [];
  for (const peer of peers(context.bundles)) {
    const why = await peer.prepare();
    if (why === undefined) ready.push(peer);
    else notes.push(`${peer.name} skipped: ${why}`);
  }
  const server = await startReal();
  const figures: Figure[] = [];
  try {
    // the broker is Java too: its first million is slow for whoever comes first
    await ready[0]?.batched(server.serviceUrl, 1_000_000, 1024, 22);
    for (const plan of plans(context.quick)) figures.push(...(await measure(plan, ready, server, context)));
  } finally {
    await server.stop();
  }
  notes.push(
    "Batches as by default, at most 50,000 sends without a receipt (ours keeps 10,000), receiver queue 10,000; CPU is of both ways together.",
  );
  return { figures, notes };
}

export const clients: Suite = { name: "clients", title: "Clients on a real Apache Pulsar broker", run };
