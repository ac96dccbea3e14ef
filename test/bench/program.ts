import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Runs one of our own TypeScript programs. */
export const TSX = ["--conditions=source", "--import", "tsx"] as const;

export interface Output {
  /** What it printed. */
  lines: string[];
  /** What it printed as errors; some write their reports there. */
  errors: string[];
  /** CPU time of the program and everything it started, in seconds. */
  cpuSeconds: number;
}

const minutes = (text: string): number => {
  const [, m = "0", s = "0"] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return Number(m) * 60 + Number(s);
};

/**
 * Runs a program to its end under a shell that tells what CPU it took. Rejects when it fails or takes too long, with
 * the last of what it said.
 */
export function output(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  timeoutMs = 300_000,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    const args = ["-c", '"$@"; code=$?; echo; times; exit $code', "bench", ...command];
    const child = spawn("bash", args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const lines: string[] = [];
    const errors: string[] = [];
    createInterface({ input: child.stdout }).on("line", (text) => lines.push(text));
    createInterface({ input: child.stderr }).on("line", (text) => errors.push(text));
    const timer = setTimeout(() => {
      errors.push(`did not end within ${timeoutMs} ms`);
      // the shell leads a group of its own, and all of it has to go
      process.kill(-(child.pid as number), "SIGKILL");
    }, timeoutMs);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      // the last two lines are the shell's own time and that of its children: user, system
      const [user = "", system = ""] = (lines.at(-1) ?? "").split(" ");
      if (code === 0) resolve({ lines: lines.slice(0, -3), errors, cpuSeconds: minutes(user) + minutes(system) });
      else reject(new Error(`${command.slice(0, 4).join(" ")} …: ${[...lines, ...errors].slice(-4).join(" | ")}`));
    });
  });
}

/** A program that serves until it is told to end. */
export interface Service {
  pid: number;
  /** The first line it printed. */
  firstLine: string;
  /** From exec to that line. */
  readyMs: number;
  stop(): Promise<void>;
}

/** Starts a program and waits for its first line. */
export async function serve(command: string, args: readonly string[], cwd?: string): Promise<Service> {
  const startMs = performance.now();
  const child: ChildProcess = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const firstLine = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once("line", resolve);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${command} ${args.join(" ")} ended with ${code}`)));
  });
  const readyMs = performance.now() - startMs;
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await closed;
  };
  return { pid: child.pid as number, firstLine, readyMs, stop };
}

/** Resident memory of a process, in MB. Linux only. */
export function residentMb(pid: number): number {
  const [, kb = "NaN"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1000;
}

/** CPU seconds a process has taken since its start. Linux only; a tick is 10 ms. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
