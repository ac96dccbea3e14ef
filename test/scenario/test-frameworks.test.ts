import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs", "guides", "testing.md"), "utf8");

/** The guide's test of node:test, and another that sees that the cluster is the same one. */
const BLOCK = `${/```js\n(import [^`]*from "node:test";[\s\S]*?)```/.exec(guide)?.[1]}
test("the next order meets the same cluster", async () => {
  const { length } = await cluster().admin.topics.list("public/default");
  if (length !== 1) throw new Error("there are " + length + " topics");
});`;

it("the testing guide's test of node:test passes, with one cluster for a file, and its process ends", async () => {
  const folder = mkdtempSync(join(import.meta.dirname, ".node-test-"));
  try {
    const file = join(folder, "orders.test.mjs");
    writeFileSync(file, BLOCK);
    const args = ["--conditions=source", "--import", "tsx", "--test", "--test-reporter=tap", file];
    const { NODE_TEST_CONTEXT: _inherited, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toMatch(/# pass 2/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
