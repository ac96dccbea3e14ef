// A page in headless Chromium produces and consumes, against our cluster over its WebSocket.
//   npm run test:browser
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startCluster } from "@pulsewire/server";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { readArguments } from "../run-arguments.ts";
import { launchChromium } from "./chromium.ts";
import type { MswPageResult } from "./msw-page.ts";
import type { PageResult } from "./page.ts";

readArguments("npm run test:browser, which takes nothing", {});

let passed = 0;
let failed = 0;

function check(name: string, ok: boolean, detail: unknown): void {
  if (ok) passed++;
  else failed++;
  console.log(ok ? `ok ${name}` : `FAIL ${name} ${JSON.stringify(detail)}`);
}

/** A page's script and the chunks it loads when they are needed, by their paths. */
async function bundle(entry: string): Promise<Map<string, string>> {
  const result = await build({
    entryPoints: [join(import.meta.dirname, `${entry}.ts`)],
    outdir: "/",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["source"],
    // in chunks that a page never loads
    external: ["node:*", "abstract-level", "classic-level", "memory-level", "prom-client"],
    write: false,
    logLevel: "warning",
  });
  return new Map(result.outputFiles.map(({ path, text }) => [path, text]));
}

function judge(name: string, result: PageResult): void {
  const expected = Array.from({ length: 100 }, (_, i) => `message ${i}`);
  check(`${name}: no error`, result.error === undefined, result.error);
  check(`${name}: every send has an id of its own`, new Set(result.ids).size === 100, result.ids);
  check(`${name}: every message came, in order`, result.received.join() === expected.join(), result.received);
  const { compressed } = result;
  check(`${name}: compression`, Object.values(compressed).join() === "true,true,true,true", compressed);
  check(`${name}: encryption of a message in chunks`, result.secret, result.secret);
  check(`${name}: lookup of partitions`, result.partitions === 1, result.partitions);
}

const scripts = new Map([...(await bundle("page")), ...(await bundle("msw-page"))]);
const worker = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
scripts.set("/mockServiceWorker.js", readFileSync(worker, "utf8"));

const PAGE = /^\/(page|msw-page)$/;
const serve = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  const script = scripts.get(pathname);
  if (script !== undefined) return new Response(script, { headers: { "content-type": "text/javascript" } });
  if (!PAGE.test(pathname)) return new Response("not found", { status: 404 });
  const html = `<!doctype html><title>page</title><script type="module" src="${pathname}.js"></script>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
};

async function withPage(url: string, work: (page: Page) => Promise<void>): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => check("no error in the page", false, error.message));
    await page.goto(url);
    await page.waitForLoadState("load");
    await work(page);
  } finally {
    await browser.close();
  }
}

for (const brokers of [1, 3]) {
  await using cluster = await startCluster({ brokers, http: serve });
  await withPage(`${cluster.adminUrl}/page`, async (page) => {
    const result = await page.evaluate(([url, run]) => window.runCases(url, run), [
      cluster.webSocketUrl,
      String(brokers),
    ] as const);
    judge(`${brokers} broker${brokers === 1 ? "" : "s"}`, result);
  });
}

{
  await using cluster = await startCluster({ http: serve });
  await withPage(`${cluster.adminUrl}/msw-page`, async (page) => {
    const result: MswPageResult = await page.evaluate(() => window.runMswCases());
    const name = "a cluster inside the page serves the application's own URLs";
    check(`${name}: no error`, result.error === undefined, result.error);
    check(`${name}: messages`, result.received.length === 20 && result.received[0] === "order 0", result.received);
    check(`${name}: REST`, result.topics.join() === "persistent://public/default/orders", result.topics);
    check(`${name}: virtual time`, result.late === "in an hour", result.late);
  });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
