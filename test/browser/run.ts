// A page in headless Chromium produces and consumes, against our cluster over its WebSocket.
//   npm run test:browser
import { join } from "node:path";
import { startCluster } from "@pulsewire/server";
import { build } from "esbuild";
import { launchChromium } from "./chromium.ts";
import type { PageResult } from "./page.ts";

let passed = 0;
let failed = 0;

function check(name: string, ok: boolean, detail: unknown): void {
  if (ok) passed++;
  else failed++;
  console.log(ok ? `ok ${name}` : `FAIL ${name} ${JSON.stringify(detail)}`);
}

async function bundle(): Promise<string> {
  const result = await build({
    entryPoints: [join(import.meta.dirname, "page.ts")],
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    conditions: ["source"],
    write: false,
    logLevel: "warning",
  });
  return result.outputFiles[0]?.text ?? "";
}

function judge(name: string, result: PageResult): void {
  const expected = Array.from({ length: 100 }, (_, i) => `message ${i}`);
  check(`${name}: no error`, result.error === undefined, result.error);
  check(`${name}: every send has an id of its own`, new Set(result.ids).size === 100, result.ids);
  check(`${name}: every message came, in order`, result.received.join() === expected.join(), result.received);
  check(`${name}: compression`, result.compressed.LZ4 === true && result.compressed.ZLIB === true, result.compressed);
  check(`${name}: lookup of partitions`, result.partitions === 1, result.partitions);
}

const script = await bundle();
const page404 = async (request: Request): Promise<Response> =>
  new URL(request.url).pathname === "/page"
    ? new Response(`<!doctype html><title>page</title><script>${script}</script>`, {
        headers: { "content-type": "text/html; charset=utf-8" },
      })
    : new Response("not found", { status: 404 });

for (const brokers of [1, 3]) {
  await using cluster = await startCluster({ brokers, http: page404 });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => check("no error in the page", false, error.message));
    await page.goto(`${cluster.adminUrl}/page`);
    const result = await page.evaluate(([url, run]) => window.runCases(url, run), [
      cluster.webSocketUrl,
      String(brokers),
    ] as const);
    judge(`${brokers} broker${brokers === 1 ? "" : "s"}`, result);
  } finally {
    await browser.close();
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
