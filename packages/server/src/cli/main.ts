import { NetworkError } from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { CommanderError } from "commander";
import { type Cluster, ManagedLedgerError, StorageError, startCluster } from "../cluster/cluster.ts";
import { decommission } from "./decommission.ts";
import { type CliOptions, parseCommandLine, UsageError } from "./options.ts";

/** What tells that the user wants the process to end. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs the command line to its end and answers the exit code.
 * @param onReady Awaited once the cluster runs and its URLs are printed.
 */
export async function main(args: readonly string[], onReady?: (cluster: Cluster) => Promise<void>): Promise<number> {
  let options: CliOptions;
  let cluster: Cluster;
  try {
    if (args[0] === "decommission") return await decommission(args.slice(1), createNodeRuntime().network);
    options = parseCommandLine(args);
    cluster = await startCluster({ onError: reportDamage, ...options.cluster });
  } catch (error) {
    return failed(error);
  }
  const interrupted = interruption();
  if (options.json) console.log(JSON.stringify(addressesOf(cluster)));
  else console.log(greeting(cluster, options.cluster.dataDir));
  try {
    await onReady?.(cluster);
    await interrupted;
  } finally {
    await cluster.close();
  }
  return 0;
}

/** What is wrong with the data is said; other housekeeping is tried again, and needs nobody. */
function reportDamage(error: unknown): void {
  const cannotBeRead = error instanceof ManagedLedgerError && error.code === "ReadFailed";
  if (error instanceof StorageError || cannotBeRead) console.error(error.message);
}

/** One line that says what was wrong; anything unexpected keeps its stack. */
function failed(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  const coded = error instanceof NetworkError || error instanceof StorageError;
  if (!coded && !(error instanceof UsageError) && !(error instanceof TypeError)) throw error;
  const { message } = error as Error;
  console.error(coded ? message.slice(message.indexOf(": ") + 2) : message);
  return 1;
}

function addressesOf(cluster: Cluster): Record<string, unknown> {
  const { serviceUrl, serviceUrlTls, webSocketUrl, webSocketUrlTls, adminUrl, adminUrlTls } = cluster;
  return {
    serviceUrl,
    ...(serviceUrlTls === undefined ? {} : { serviceUrlTls }),
    webSocketUrl,
    ...(webSocketUrlTls === undefined ? {} : { webSocketUrlTls }),
    adminUrl,
    ...(adminUrlTls === undefined ? {} : { adminUrlTls }),
    brokers: cluster.brokers.map((broker) => broker.urls.serviceUrl),
  };
}

function greeting(cluster: Cluster, dataDir: string | undefined): string {
  const { brokers, bookies, unstartedBookies, serviceUrl, serviceUrlTls, webSocketUrl, adminUrl } = cluster;
  const missing = unstartedBookies.length === 0 ? "" : ` (${unstartedBookies.length} not started)`;
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;
  return [
    `Pulsewire is running: ${count(brokers.length, "broker")}, ${count(bookies.length, "bookie")}${missing}, ${dataDir === undefined ? "in memory" : `in ${dataDir}`}.`,
    `  Pulsar     ${serviceUrl}`,
    ...(serviceUrlTls === undefined ? [] : [`  TLS        ${serviceUrlTls}`]),
    `  WebSocket  ${webSocketUrl}`,
    `  Admin      ${adminUrl}/admin/v2`,
    `  Metrics    ${adminUrl}/metrics/`,
    "Press Ctrl-C to stop.",
  ].join("\n");
}

/** Resolves at the first signal; a second one ends the process at once. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (): void => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
