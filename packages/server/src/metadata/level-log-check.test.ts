import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@pulsewire/runtime";
import { createNodeDisk } from "@pulsewire/runtime/node";
import { ClassicLevel } from "classic-level";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLevelLogs, damageIn } from "./level-log-check.ts";

const folder = mkdtempSync(join(tmpdir(), "pulsewire-log-"));
const random = createSeededRandom(3);
/** What LevelDB wrote, and how much of it there was before the last change. */
let log: Uint8Array;
let beforeLast = 0;

function logOf(path: string): Uint8Array {
  const name = readdirSync(path).find((one) => one.endsWith(".log")) as string;
  return new Uint8Array(readFileSync(join(path, name)));
}

beforeAll(async () => {
  const level = new ClassicLevel<string, Uint8Array>(join(folder, "metadata"), { valueEncoding: "view" });
  await level.open();
  for (let i = 0; i < 120; i++) {
    if (i === 119) beforeLast = logOf(join(folder, "metadata")).length;
    const bytes = random.bytes(i % 20 === 0 ? 40_000 : 50 + random.integer(2_000));
    await level
      .batch()
      .put(`k${i}`, bytes)
      .put("digest", random.bytes(8))
      .write({ sync: true } as object);
  }
  await level.close();
  log = logOf(join(folder, "metadata"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a log that is whole, or cut off anywhere, is sound", async () => {
  expect(damageIn(log)).toBeUndefined();
  for (let i = 0; i < 200; i++) expect(damageIn(log.subarray(0, random.integer(log.length)))).toBeUndefined();
  await checkLevelLogs(createNodeDisk(folder), "metadata");
});

it("a bit that flips anywhere before the last change is found, and where it is", () => {
  for (let i = 0; i < 200; i++) {
    const damaged = new Uint8Array(log);
    const at = random.integer(beforeLast);
    damaged[at] = (damaged[at] as number) ^ (1 << random.integer(8));
    const found = damageIn(damaged) as number;
    // blocks end in up to six bytes that say nothing
    if (found === undefined) expect(at % 32_768).toBeGreaterThan(32_768 - 7);
    else expect(found).toBeLessThanOrEqual(at);
  }
});

it("a part that is zero, or lost, is found", () => {
  for (const lost of [512, 4_096, 50_000]) {
    const from = random.integer(beforeLast - lost - 10_000);
    const zeroed = new Uint8Array(log);
    zeroed.fill(0, from, from + lost);
    expect(damageIn(zeroed)).toBeDefined();
  }
});

it("the end of the last change without its beginning is a write that did not end", () => {
  const torn = new Uint8Array(log);
  torn.fill(0, beforeLast, Math.min(log.length, beforeLast + 512));
  expect(damageIn(torn)).toBeUndefined();
});

it("a database without its CURRENT is refused, and one whose first opening did not end is not", async () => {
  const disk = createNodeDisk(folder);
  cpSync(join(folder, "metadata"), join(folder, "headless"), { recursive: true });
  rmSync(join(folder, "headless", "CURRENT"));
  await expect(checkLevelLogs(disk, "headless")).rejects.toMatchObject({
    code: "Corrupt",
    message: expect.stringContaining("headless has lost its CURRENT file"),
  });
  mkdirSync(join(folder, "begun"));
  // as a process leaves it that is killed after the first two files of a database
  writeFileSync(join(folder, "begun", "MANIFEST-000001"), "");
  await checkLevelLogs(disk, "begun");
  writeFileSync(join(folder, "begun", "CURRENT"), "MANIFEST-000001\n");
  await checkLevelLogs(disk, "begun");
});

it("a database without its log is refused, and an empty folder is not", async () => {
  const name = readdirSync(join(folder, "metadata")).find((one) => one.endsWith(".log")) as string;
  rmSync(join(folder, "metadata", name));
  const disk = createNodeDisk(folder);
  await expect(checkLevelLogs(disk, "metadata")).rejects.toMatchObject({ code: "Corrupt" });
  await checkLevelLogs(disk, "nothing");
});
