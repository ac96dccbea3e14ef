import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArguments } from "../run-arguments.ts";

export const root: string = join(import.meta.dirname, "..", "..");
/** An empty project, in which the packed packages are installed. */
export const project: string = mkdtempSync(join(tmpdir(), "pulsewire-pack-"));

/** `asked`: checks that are no preparation. */
export const counts = { passed: 0, failed: 0, asked: 0 };

const USAGE = "npm run test:packaging -- [PART_OF_A_NAME...]";
const { positionals: only } = readArguments(USAGE, { allowPositionals: true });

/** Runs one check, where it is asked for, and says how it went. */
export async function check(name: string, work: () => Promise<unknown> | unknown): Promise<void> {
  if (only.length > 0 && !only.some((part) => name.includes(part)) && !name.startsWith("prepare: ")) return;
  if (!name.startsWith("prepare: ")) counts.asked++;
  const startMs = Date.now();
  try {
    const detail = await work();
    counts.passed++;
    const took = `${((Date.now() - startMs) / 1000).toFixed(1)} s`;
    console.log(`ok ${name} (${detail === undefined ? took : `${detail}, ${took}`})`);
  } catch (error) {
    counts.failed++;
    const output = (error as { stdout?: Buffer; stderr?: Buffer }) ?? {};
    console.log(`FAIL ${name} ${error instanceof Error ? error.message : String(error)}`);
    console.log(`${output.stdout ?? ""}${output.stderr ?? ""}`);
  }
}

export function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs a program without blocking this process, in which the cluster lives. */
export function runBeside(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], timeout: 240_000 });
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`exit ${code}: ${output}`))));
  });
}

/** Packages that only this suite needs, fetched when it runs. */
export function fetchPackages(
  packages: readonly string[],
  scripts: "with scripts" | "no scripts" = "no scripts",
): void {
  const flags = ["--no-audit", "--no-fund", "--silent", "--no-save", "--legacy-peer-deps"];
  run("npm", ["install", ...flags, ...(scripts === "no scripts" ? ["--ignore-scripts"] : []), ...packages], project);
}
