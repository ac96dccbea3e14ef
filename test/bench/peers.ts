import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Bundles } from "./bundle.ts";
import { OURS } from "./figures.ts";
import { output } from "./program.ts";
import { hasPulsarPerf, perfConsume, perfProduce } from "./pulsar-perf.ts";

/** What a client did: messages a second, and CPU seconds for a million of them. Absent is not measured. */
export interface ClientRun {
  produced?: number;
  consumed?: number;
  single?: number;
  cpuSecondsPerMillion: number;
}

export interface Peer {
  name: string;
  /** Takes long: one round, of fewer messages. */
  once: boolean;
  /** Makes it ready; answers why it cannot be had. */
  prepare(): Promise<string | undefined>;
  /** Produces and consumes so many messages in batches. */
  batched(serviceUrl: string, messages: number, bytes: number, seconds: number): Promise<ClientRun>;
  /** Sends one message at a time and awaits each. */
  single(serviceUrl: string, messages: number, bytes: number, seconds: number): Promise<ClientRun>;
}

interface PeerLine {
  produced_per_s?: number;
  consumed_per_s?: number;
  single_per_s?: number;
  cpu_s: number;
}

function programPeer(name: string, command: readonly string[], prepare: Peer["prepare"], once = false): Peer {
  const run = async (serviceUrl: string, messages: number, bytes: number, mode: string[]): Promise<ClientRun> => {
    const { lines } = await output([...command, serviceUrl, String(messages), String(bytes), ...mode]);
    const line = JSON.parse(lines.find((text) => text.startsWith("{")) ?? "{}") as PeerLine;
    const { produced_per_s: produced, consumed_per_s: consumed, single_per_s: single } = line;
    const cpuSecondsPerMillion = line.cpu_s / (messages / 1e6);
    return {
      cpuSecondsPerMillion,
      ...(produced === undefined ? {} : { produced }),
      ...(consumed === undefined ? {} : { consumed }),
      ...(single === undefined ? {} : { single }),
    };
  };
  return {
    name,
    once,
    prepare,
    batched: (serviceUrl, messages, bytes) => run(serviceUrl, messages, bytes, []),
    single: (serviceUrl, messages, bytes) => run(serviceUrl, messages, bytes, ["single"]),
  };
}

const goFolder = join(import.meta.dirname, "go");
const goProgram = join(goFolder, "bench");

async function buildGo(): Promise<string | undefined> {
  try {
    await output(["go", "build", "-C", goFolder, "-o", "bench", "."]);
    return undefined;
  } catch (error) {
    return `the Go peer does not build: ${(error as Error).message}`;
  }
}

const python = process.env.BENCH_PYTHON ?? join(import.meta.dirname, "../../.cache/interop/venv/bin/python");

async function hasPython(): Promise<string | undefined> {
  if (!existsSync(python)) return `no ${python}; BENCH_PYTHON names one with pulsar-client`;
  return output([python, "-c", "import pulsar"]).then(
    () => undefined,
    () => `${python} has no pulsar-client`,
  );
}

const flexFolder = join(import.meta.dirname, "../../.cache/peers/pulsar-flex");

/** Another client in plain JavaScript, fetched when it is measured: nothing else needs it. */
async function fetchFlex(): Promise<string | undefined> {
  if (existsSync(join(flexFolder, "node_modules/pulsar-flex"))) return undefined;
  return output(["npm", "install", "--no-save", "--no-audit", "--prefix", flexFolder, "pulsar-flex@1.1.1"]).then(
    () => undefined,
    (error: Error) => `pulsar-flex cannot be fetched: ${error.message}`,
  );
}

let topics = 0;

const java: Peer = {
  name: "Java",
  once: true,
  prepare: async () => (hasPulsarPerf ? undefined : "no pulsar-perf; REAL_PULSAR_HOME names where it is kept"),
  async batched(serviceUrl, messages, bytes, seconds) {
    const at = { serviceUrl, topic: `persistent://public/default/bench-java-${process.pid}-${topics++}` };
    const produced = await perfProduce(at, { bytes, seconds });
    // its topic keeps what no subscription has asked for, until the ledger rolls over
    const consumed = await perfConsume(at, "s", Math.min(produced.messages, 8 * messages));
    const cpuSecondsPerMillion =
      produced.cpuSeconds / (produced.messages / 1e6) + consumed.cpuSeconds / (consumed.messages / 1e6);
    return { produced: produced.perSecond, consumed: consumed.perSecond, cpuSecondsPerMillion };
  },
  async single(serviceUrl, _messages, bytes, seconds) {
    const at = { serviceUrl, topic: `persistent://public/default/bench-java-${process.pid}-${topics++}` };
    const { perSecond, cpuSeconds, messages } = await perfProduce(at, { bytes, seconds, single: true });
    return { single: perSecond, cpuSecondsPerMillion: cpuSeconds / (messages / 1e6) };
  },
};

/** Our client and the official ones. */
export function peers(bundles: Bundles): readonly Peer[] {
  return [
    programPeer(OURS, [process.execPath, bundles.client], async () => undefined),
    programPeer("Go", [goProgram], buildGo),
    programPeer("Python", [python, join(import.meta.dirname, "python/bench.py")], hasPython, true),
    java,
    programPeer(
      "pulsar-flex",
      [process.execPath, join(import.meta.dirname, "flex/bench.cjs"), flexFolder],
      fetchFlex,
      true,
    ),
  ];
}
