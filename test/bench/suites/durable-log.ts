import { join } from "node:path";
import type { Context, Suite } from "../context.ts";
import { type Figure, type Findings, median, OURS } from "../figures.ts";
import { output, residentMb, TSX } from "../program.ts";
import { type BenchServer, realMissing, startDurable, startReal, subscribe } from "../servers.ts";

const WRITERS = [1, 16, 256];
const ENTRY_BYTES = 1024;
const programs = join(import.meta.dirname, "../programs");
const REAL = "Apache Pulsar";
/** As small as the caches can be and still be caches: what is read is on disk then, and memory is bounded by these. */
const SMALL_CACHES = [
  "managedLedgerCacheSizeMB=16",
  "dbStorage_writeCacheMaxSizeMb=32",
  "dbStorage_readAheadCacheMaxSizeMb=32",
];

/** The same copies on both sides: a process of the real broker has one bookie, and ours that has one makes as many. */
const ONE_COPY = [
  "managedLedgerDefaultEnsembleSize=1",
  "managedLedgerDefaultWriteQuorum=1",
  "managedLedgerDefaultAckQuorum=1",
];

interface Kind {
  who: string;
  start(context: Context): Promise<BenchServer>;
}

const kinds: readonly Kind[] = [
  { who: OURS, start: ({ bundles }) => startDurable(bundles.cli, ["--bookies", "1", ...sets(SMALL_CACHES)]) },
  { who: REAL, start: () => startReal(["journalSyncData=true", ...ONE_COPY, ...SMALL_CACHES]) },
];

function sets(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["--set", setting]);
}

interface Measured {
  perSecond: number;
  /** Of the writers' alone. */
  p99Ms: number;
}

async function measured(program: string, ...args: (string | number)[]): Promise<Measured> {
  const { lines } = await output([process.execPath, ...TSX, join(programs, program), ...args.map(String)]);
  return JSON.parse(lines[0] ?? "{}") as Measured;
}

async function perSecond(...args: Parameters<typeof measured>): Promise<number> {
  return (await measured(...args)).perSecond;
}

async function writers(who: string, server: BenchServer, { quick, progress }: Context): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of WRITERS) {
    progress(`${who}: ${count} writers`);
    const rounds: Measured[] = [];
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const topic = `persistent://public/default/bench-writers-${count}-${round}`;
      rounds.push(await measured("writers.ts", server.serviceUrl, topic, count, ENTRY_BYTES, quick ? 3 : 6));
    }
    const by = `1 KiB, ${count} ${count === 1 ? "writer" : "writers"}`;
    const [rate, p99] = [rounds.map((m) => m.perSecond), rounds.map((m) => m.p99Ms)];
    figures.push({ what: `fsynced entries, ${by}`, who, value: median(rate), unit: "entries/s" });
    figures.push({ what: `p99 of a receipt, ${by}`, who, value: median(p99), unit: "ms", more: false });
  }
  return figures;
}

/** Watches a process's memory while something goes on. */
async function peakWhile(pid: number, work: Promise<number>): Promise<{ value: number; peakMb: number }> {
  let peakMb = residentMb(pid);
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, 200);
  try {
    return { value: await work, peakMb };
  } finally {
    clearInterval(watch);
  }
}

async function backlog(who: string, server: BenchServer, { quick, progress }: Context): Promise<Figure[]> {
  const entries = quick ? 100_000 : 1_000_000;
  const topic = "persistent://public/default/bench-backlog";
  await subscribe(server, topic, "s");
  progress(`${who}: ${entries} entries`);
  const write = perSecond("catch-up.ts", server.serviceUrl, topic, entries, ENTRY_BYTES, "write");
  const written = await peakWhile(server.pid, write);
  progress(`${who}: read from the start`);
  const read = await perSecond("catch-up.ts", server.serviceUrl, topic, entries, ENTRY_BYTES, "read");
  const count = entries.toLocaleString("en");
  return [
    { what: `memory at most, ${count} entries written`, who, value: written.peakMb, unit: "MB", more: false },
    { what: `written by one, ${count} entries`, who, value: written.value, unit: "entries/s" },
    { what: `caught up, ${count} entries`, who, value: read, unit: "entries/s" },
  ];
}

async function run(context: Context): Promise<Findings> {
  const missing = realMissing();
  const notes = missing === undefined ? [] : [`${REAL} skipped: ${missing}`];
  const figures: Figure[] = [];
  for (const kind of kinds) {
    if (kind.who === REAL && missing !== undefined) continue;
    const server = await kind.start(context);
    try {
      figures.push(...(await writers(kind.who, server, context)), ...(await backlog(kind.who, server, context)));
    } finally {
      await server.stop();
    }
  }
  notes.push(
    "One bookie, E/Qw/Qa 1/1/1, journals synced; a writer awaits each receipt. Caches are made small, so that a backlog is read from disk.",
  );
  return { figures, notes };
}

/** What the durable log costs from end to end, and what group commit gives back. */
export const durableLog: Suite = { name: "durable-log", title: "The durable log", run };
