import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface RunOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Ends the program after this many ms. */
  timeoutMs?: number;
  /** Told each line of standard output. */
  onLine?: (line: string) => void;
}

/** Runs a program to its end and answers its exit code; its errors go to our own standard error. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            console.error(`${command} did not end within ${options.timeoutMs} ms`);
            child.kill("SIGKILL");
          }, options.timeoutMs);
    createInterface({ input: child.stdout }).on("line", (line) => (options.onLine ?? console.log)(line));
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

/** Runs a program that has to succeed. */
export async function must(command: string, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}

/** Where a server is. */
export interface ServerAddress {
  serviceUrl: string;
  adminUrl: string;
  webSocketUrl: string;
}

export interface RunningServer extends ServerAddress {
  pid: number;
  /** Interrupts it and waits for its end. */
  stop(): Promise<void>;
}

/** Starts our server from the sources and waits for its line of JSON. */
export async function startOurServer(root: string, flags: readonly string[] = []): Promise<RunningServer> {
  const entry = `${root}/packages/server/src/cli.ts`;
  const args = ["--conditions=source", "--import", "tsx", entry, "--port", "0", "--http-port", "0", "--json", ...flags];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const address = JSON.parse(await firstLine(child)) as ServerAddress;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    ...address,
    pid: child.pid as number,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    lines.once("line", resolve);
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
}
