import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("node:test has one cluster for a file, and its process ends", async () => {
  const folder = mkdtempSync(join(import.meta.dirname, ".node-test-"));
  try {
    const file = join(folder, "orders.test.ts");
    writeFileSync(
      file,
      `import assert from "node:assert";
import { after, before, test } from "node:test";
import { useTestCluster } from "@pulsewire/server/testing";
const cluster = useTestCluster({ before, after }, { network: "memory" });
for (const n of [1, 2]) {
  test("order " + n, async () => {
    const producer = await cluster().client.createProducer({ topic: "orders" });
    assert.equal((await producer.send("x")).entryId, n - 1);
  });
}`,
    );
    const args = ["--conditions=source", "--import", "tsx", "--test", "--test-reporter=tap", file];
    const { NODE_TEST_CONTEXT: _inherited, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toMatch(/# pass 2/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
