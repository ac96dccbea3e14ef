import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startCluster } from "@pulsewire/server";
import { afterEach, describe, expect, it, vi } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** The blocks of TypeScript of a page. */
function blocksOf(page: string): string[] {
  return [...readFileSync(join(root, page), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map((m) => m[1] as string);
}

/** Blocks as one module: imports first, the rest in order inside a function. */
function moduleOf(blocks: readonly string[]): string {
  const lines = blocks.join("\n").split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const body = lines.filter((line) => !line.startsWith("import "));
  return `${[...new Set(imports)].join("\n")}\nexport async function run(serviceUrl: string): Promise<void> {\nvoid serviceUrl;\n${body.join("\n")}\n}\n`;
}

const PAGES = readdirSync(join(root, "docs", "guides"))
  .map((file) => `docs/guides/${file}`)
  .filter((page) => blocksOf(page).length > 0);

const left: string[] = [];
afterEach(() => {
  for (const path of left.splice(0)) rmSync(path, { recursive: true, force: true });
  vi.restoreAllMocks();
});

/** What comments below a `console.log` say it prints. */
function toldOutputs(blocks: readonly string[]): string[] {
  const lines = blocks.join("\n").split("\n");
  return lines.flatMap((line, i) =>
    line.startsWith("// ") && lines[i - 1]?.includes("console.log(") ? [line.slice("// ".length)] : [],
  );
}

/** Runs blocks against a cluster, and answers what they printed. */
async function runBlocks(name: string, blocks: readonly string[]): Promise<readonly string[]> {
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(values.map(String).join(" ")));
  const file = join(import.meta.dirname, `.${name}.ts`);
  const data = mkdtempSync(join(tmpdir(), "pulsewire-documentation-"));
  left.push(file, data);
  await using cluster = await startCluster();
  // where a reader keeps data, and where a cluster of theirs listens
  const text = moduleOf(blocks)
    .replaceAll('"./data"', JSON.stringify(join(data, "data")))
    .replaceAll('"pulsar://localhost:6650"', "serviceUrl");
  writeFileSync(file, text);
  const { run } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { run(url: string): Promise<void> };
  await run(cluster.serviceUrl);
  return printed;
}

describe("the documentation's examples", () => {
  it.each(PAGES)("run: %s", async (page) => {
    expect(readFileSync(join(root, page), "utf8")).toContain("run by the tests");
    const blocks = blocksOf(page);
    const printed = await runBlocks(page.replaceAll("/", "-"), blocks);
    expect(printed.length).toBeGreaterThan(0);
    expect(printed).toEqual(expect.arrayContaining(toldOutputs(blocks)));
  });

  it.each(blocksOf("README.md").map((block, i) => [i + 1, block] as const))(
    "run: README.md, block %i",
    async (i, block) => {
      await runBlocks(`README-${i}`, [block]);
    },
  );

  it("are there", () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(14);
    expect(blocksOf("README.md")).toHaveLength(2);
  });
});
