import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startCluster } from "@pulsewire/server";
import { afterEach, describe, expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** The blocks of TypeScript of a page as one module: imports first, the rest in order inside a function. */
function moduleOf(page: string): string {
  const blocks = [...readFileSync(join(root, page), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
    (m) => m[1] as string,
  );
  expect(blocks.length).toBeGreaterThan(0);
  const lines = blocks.join("\n").split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const body = lines.filter((line) => !line.startsWith("import "));
  return `${[...new Set(imports)].join("\n")}\nexport async function run(serviceUrl: string): Promise<void> {\nvoid serviceUrl;\n${body.join("\n")}\n}\n`;
}

/** Guides that say so of themselves. */
const PAGES = readdirSync(join(root, "docs", "guides"))
  .map((file) => `docs/guides/${file}`)
  .filter((page) => readFileSync(join(root, page), "utf8").includes("run by the tests"));

const files: string[] = [];
afterEach(() => {
  for (const file of files.splice(0)) rmSync(file, { force: true });
  vi.restoreAllMocks();
});

describe("the documentation's examples", () => {
  it.each(PAGES)("run: %s", async (page) => {
    const lines: unknown[][] = [];
    vi.spyOn(console, "log").mockImplementation((...args) => lines.push(args));
    const file = join(import.meta.dirname, `.${page.replaceAll("/", "-")}.ts`);
    files.push(file);
    writeFileSync(file, moduleOf(page));
    await using cluster = await startCluster();
    const { run } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { run(url: string): Promise<void> };
    await run(cluster.serviceUrl);
    expect(lines.length).toBeGreaterThan(0);
  });
});
