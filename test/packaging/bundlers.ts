import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Cluster } from "@pulsewire/server";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { check, fetchPackages, project, runBeside } from "./kit.ts";

const BUNDLE_BYTES_MAX = 100 * 1024;

const PAGE = `import { PulsarClient } from "@pulsewire/client";
import { messages$, acknowledging } from "@pulsewire/client/rxjs";
import { firstValueFrom } from "rxjs";
globalThis.produceAndConsume = async (serviceUrl, topic) => {
  const client = new PulsarClient({ serviceUrl });
  const consumer = await client.subscribe({ topic, subscription: "s" });
  const producer = await client.createProducer({ topic, compressionType: "LZ4" });
  await producer.send("bundled");
  const text = await firstValueFrom(messages$(consumer).pipe(acknowledging(async (m) => m.text())));
  await client.close();
  return text;
};
`;

const MINIMAL = `import { PulsarClient } from "@pulsewire/client";
globalThis.PulsarClient = PulsarClient;
`;

const folder = join(project, "page");
const outputOf = (bundler: string): string => join(folder, `dist-${bundler}`);

async function withEsbuild(): Promise<void> {
  await build({
    entryPoints: [join(folder, "page.js")],
    outdir: outputOf("esbuild"),
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    logLevel: "error",
  });
}

async function withWebpack(): Promise<void> {
  fetchPackages(["webpack@5", "webpack-cli@6"]);
  writeFileSync(
    join(folder, "webpack.config.mjs"),
    `export default { mode: "production", entry: "./page.js", output: { path: ${JSON.stringify(outputOf("webpack"))}, filename: "page.js" }, performance: false, optimization: { minimize: false } };`,
  );
  await runBeside(
    process.execPath,
    [join(project, "node_modules/webpack-cli/bin/cli.js"), "--stats=errors-only"],
    folder,
  );
}

async function withVite(): Promise<void> {
  const { build: viteBuild } = await import("vite");
  await viteBuild({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: outputOf("vite"),
      emptyOutDir: true,
      rollupOptions: {
        input: join(folder, "page.js"),
        output: { entryFileNames: "page.js" },
        preserveEntrySignatures: false,
      },
    },
  });
}

/** A page's answer, or why it has none. */
async function inPage(browser: Browser, cluster: Cluster, bundler: string): Promise<void> {
  const page = await browser.newPage();
  try {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${cluster.adminUrl}/${bundler}/`);
    const call = async ([url, topic]: readonly [string, string]): Promise<string> =>
      (globalThis as unknown as { produceAndConsume(url: string, topic: string): Promise<string> }).produceAndConsume(
        url,
        topic,
      );
    const text = await page.evaluate(call, [cluster.webSocketUrl, bundler] as const);
    if (text !== "bundled" || errors.length > 0) throw new Error(`${text} ${errors.join("; ")}`);
  } finally {
    await page.close();
  }
}

/** Serves what the bundlers made: `/esbuild/` is a page, `/esbuild/page.js` its script. */
export async function servePages(request: Request): Promise<Response> {
  const [, bundler = "", ...rest] = new URL(request.url).pathname.split("/");
  const file = rest.join("/");
  if (file === "") {
    const html = `<!doctype html><title>${bundler}</title><script type="module" src="page.js"></script>`;
    return new Response(html, { headers: { "content-type": "text/html" } });
  }
  const found = readdirSync(outputOf(bundler), { recursive: true }).find((name) => name === file);
  if (found === undefined) return new Response("not found", { status: 404 });
  const headers = { "content-type": file.endsWith(".wasm") ? "application/wasm" : "text/javascript" };
  return new Response(readFileSync(join(outputOf(bundler), file)), { headers });
}

export async function checkBundlers(cluster: Cluster): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "page.js"), PAGE);
  writeFileSync(join(folder, "minimal.js"), MINIMAL);
  const browser = await launchChromium();
  try {
    for (const [bundler, make] of [
      ["esbuild", withEsbuild],
      ["webpack", withWebpack],
      ["vite", withVite],
    ] as const) {
      await check(`a page bundled by ${bundler} produces and consumes`, async () => {
        await make();
        await inPage(browser, cluster, bundler);
      });
    }
  } finally {
    await browser.close();
  }
  await check(
    `a browser bundle of producer and consumer is at most ${BUNDLE_BYTES_MAX / 1024} KB gzipped`,
    async () => {
      const result = await build({
        entryPoints: [join(folder, "minimal.js")],
        outdir: join(folder, "dist-minimal"),
        bundle: true,
        minify: true,
        splitting: true,
        format: "esm",
        platform: "browser",
        write: false,
        metafile: true,
        logLevel: "silent",
      });
      const bytes = result.outputFiles
        // what a page loads at once; the rest it loads when a codec is first used
        .filter(({ path }) => atOnce(result.metafile.outputs, path))
        .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
      if (bytes > BUNDLE_BYTES_MAX) throw new Error(`${bytes} bytes`);
      return `${(bytes / 1024).toFixed(1)} KB`;
    },
  );
}

type Outputs = Record<string, { imports: { path: string; kind: string }[]; entryPoint?: string }>;

function atOnce(outputs: Outputs, path: string): boolean {
  const names = Object.keys(outputs);
  const entry = names.find((name) => outputs[name]?.entryPoint?.endsWith("minimal.js"));
  const loaded = new Set<string>();
  const visit = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const one of outputs[name]?.imports ?? []) if (one.kind === "import-statement") visit(one.path);
  };
  if (entry !== undefined) visit(entry);
  return [...loaded].some((name) => path.endsWith(name.split("/").at(-1) as string));
}
