/**
 * Cases for any Pulsar cluster, through this project's client. `PULSAR_URL` and `PULSAR_ADMIN_URL` tell where it is;
 * `CASE_TIMEOUT` (seconds, default 90) bounds a case; arguments are parts of the names of the cases to run.
 * Prints `ok NAME` or `FAIL NAME reason` for each, and at the end how many passed and failed.
 */
import { PulsarClient } from "@pulsewire/client";
import { ACKNOWLEDGING } from "./acknowledging-cases.ts";
import { ADMIN } from "./admin-cases.ts";
import { COMPAT } from "./compat-cases.ts";
import { CONNECTING } from "./connecting-cases.ts";
import { CONSUMING } from "./consuming-cases.ts";
import { DELIVERY } from "./delivery-cases.ts";
import { INTERCEPTORS } from "./interceptor-cases.ts";
import { type Case, type Context, check, sleep } from "./kit.ts";
import { MOVING } from "./moving-cases.ts";
import { PATTERNS } from "./pattern-cases.ts";
import { PAYLOADS } from "./payload-cases.ts";
import { PRODUCING } from "./producing-cases.ts";
import { READING } from "./reading-cases.ts";
import { RETRYING } from "./retry-cases.ts";
import { RXJS } from "./rxjs-cases.ts";
import { SCHEMAS } from "./schema-cases.ts";
import { TABLE_VIEWS } from "./table-view-cases.ts";
import { TRANSACTIONS } from "./transaction-cases.ts";

export const CASES: readonly Case[] = [
  ...PRODUCING,
  ...PAYLOADS,
  ...CONSUMING,
  ...ACKNOWLEDGING,
  ...READING,
  ...MOVING,
  ...RXJS,
  ...ADMIN,
  ...COMPAT,
  ...RETRYING,
  ...PATTERNS,
  ...TABLE_VIEWS,
  ...DELIVERY,
  ...INTERCEPTORS,
  ...SCHEMAS,
  ...TRANSACTIONS,
  ...CONNECTING,
];

const ADMIN_URL = (process.env.PULSAR_ADMIN_URL ?? "http://127.0.0.1:8080").replace(/\/$/, "");
const SERVICE_URL = process.env.PULSAR_URL ?? "pulsar://127.0.0.1:6650";
const TIMEOUT_MS = Number(process.env.CASE_TIMEOUT ?? "90") * 1000;
const RUN = (Date.now() % 1_000_000_000).toString();

async function admin(method: string, path: string, body?: unknown): Promise<unknown> {
  const init: RequestInit = { method, headers: { "content-type": "application/json", accept: "application/json" } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(ADMIN_URL + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: HTTP ${response.status} ${text.slice(0, 200)}`);
  return text === "" ? undefined : JSON.parse(text);
}

let dedup: Promise<string> | undefined;

async function makeDedup(): Promise<string> {
  const name = `public/ts-dedup-${RUN}`;
  const clusters = (await admin("GET", "/admin/v2/clusters")) as string[];
  await admin("PUT", `/admin/v2/namespaces/${name}`, { replication_clusters: clusters.slice(0, 1) });
  await admin("POST", `/admin/v2/namespaces/${name}/deduplication`, true);
  for (let i = 0; i < 50; i++) {
    if ((await admin("GET", `/admin/v2/namespaces/${name}/deduplication`)) === true) return name;
    await sleep(100);
  }
  throw new Error("deduplication was not switched on");
}

function contextOf(client: PulsarClient): Context {
  return {
    client,
    topic: (name, namespace = "public/default") => `persistent://${namespace}/ts-${name}-${RUN}`,
    admin,
    namespace: () => {
      dedup ??= makeDedup();
      return dedup;
    },
  };
}

async function runCase(one: Case): Promise<void> {
  const logger = process.env.CASE_LOG === undefined ? {} : { logger: console };
  const client = new PulsarClient({ serviceUrl: SERVICE_URL, operationTimeoutMs: TIMEOUT_MS, ...logger });
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    });
    await Promise.race([one.run(contextOf(client)), late]);
  } finally {
    clearTimeout(timer);
    await Promise.race([client.close(), sleep(5000).then(() => check(false, "the client did not close"))]);
  }
}

async function main(wanted: readonly string[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  process.on("unhandledRejection", (error) => {
    failed++;
    console.log(`FAIL unhandled rejection: ${String(error)}`);
  });
  for (const one of CASES) {
    // one word, as the list of what does not pass yet has it
    const name = one.name.replaceAll(" ", "_");
    if (wanted.length > 0 && !wanted.some((w) => name.includes(w.replaceAll(" ", "_")))) continue;
    const startMs = Date.now();
    try {
      await runCase(one);
      passed++;
      console.log(`ok ${name} (${Date.now() - startMs} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${name} ${String(error).replaceAll("\n", " ").slice(0, 400)} (${Date.now() - startMs} ms)`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
