import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { startRealBroker } from "../interop/real-broker.ts";
import { serve, TSX } from "./program.ts";
import { realPulsarHome } from "./pulsar-perf.ts";

const root = join(import.meta.dirname, "../..");
const cli = join(root, "packages/server/src/cli.ts");

export interface BenchServer {
  serviceUrl: string;
  adminUrl: string;
  pid: number;
  /** From exec to the line, or the answer, that says it is ready. */
  readyMs: number;
  stop(): Promise<void>;
}

/** Starts our server from a bundle of its command line, or from its sources. */
export async function startOurs(bundle: string | undefined, flags: readonly string[] = []): Promise<BenchServer> {
  const program = bundle === undefined ? [...TSX, cli] : [bundle];
  const args = [...program, "--port", "0", "--http-port", "0", "--json", ...flags];
  const { pid, readyMs, firstLine, stop } = await serve(process.execPath, args, root);
  const { serviceUrl, adminUrl } = JSON.parse(firstLine) as { serviceUrl: string; adminUrl: string };
  return { pid, readyMs, serviceUrl, adminUrl, stop };
}

/** Starts our server with a data folder of its own, which is removed at its end. */
export async function startDurable(bundle: string, flags: readonly string[] = []): Promise<BenchServer> {
  const folder = await mkdtemp(join(root, ".cache/bench-data-"));
  const server = await startOurs(bundle, ["--data-dir", folder, ...flags]);
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  return { ...server, stop };
}

/** Why a real broker cannot be measured here. */
export function realMissing(): string | undefined {
  return existsSync(join(realPulsarHome, "lib/.done"))
    ? undefined
    : "no real Apache Pulsar; REAL_PULSAR_HOME names where test/interop/real-pulsar/setup.sh has put one";
}

/** Starts a real broker with empty folders, which are removed at its end: a benchmark leaves gigabytes. */
export async function startReal(settings: readonly string[] = []): Promise<BenchServer> {
  const startMs = performance.now();
  const { serviceUrl, adminUrl, stop } = await startRealBroker(settings);
  const readyMs = performance.now() - startMs;
  const name = `interop-${new URL(serviceUrl).port}`;
  const pid = Number(readFileSync(join(realPulsarHome, "run", name, "pid"), "utf8"));
  return {
    serviceUrl,
    adminUrl,
    pid,
    readyMs,
    async stop() {
      await stop();
      await rm(join(realPulsarHome, "data", `${name}-v4`), { recursive: true, force: true });
    },
  };
}

/** Makes a subscription at the start of a topic, so that the topic keeps what is produced. */
export async function subscribe({ adminUrl }: BenchServer, topic: string, subscription: string): Promise<void> {
  const path = `${adminUrl}/admin/v2/persistent/${topic.replace("persistent://", "")}`;
  const made = await fetch(path, { method: "PUT" });
  if (!made.ok && made.status !== 409) throw new Error(`making ${topic}: ${made.status} ${await made.text()}`);
  const subscribed = await fetch(`${path}/subscription/${subscription}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ledgerId: -1, entryId: -1, partitionIndex: -1 }),
  });
  if (!subscribed.ok) throw new Error(`subscribing to ${topic}: ${subscribed.status} ${await subscribed.text()}`);
}

/** Deletes a topic with its data and whoever is attached: what is left is not to stand in the way of what follows. */
export async function deleteTopic({ adminUrl }: BenchServer, topic: string): Promise<void> {
  const path = `${adminUrl}/admin/v2/${topic.replace("://", "/")}?force=true`;
  const deleted = await fetch(path, { method: "DELETE" });
  if (!deleted.ok) throw new Error(`deleting ${topic}: ${deleted.status} ${await deleted.text()}`);
}
