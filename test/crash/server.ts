import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle, root } from "../bundle.ts";

/** Puts the command line into one file, as it ships, so that a start takes no longer than for users. Answers the file. */
export async function bundleServer(): Promise<string> {
  const outfile = join(root, ".cache", "crash", "cli.mjs");
  await bundle({ entry: "packages/server/src/cli.ts", outfile });
  return outfile;
}

/** A server process that may be killed at any time. */
export class ServerProcess {
  readonly serviceUrl: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(serviceUrl: string, child: ChildProcess, ended: Promise<void>) {
    this.serviceUrl = serviceUrl;
    this.#child = child;
    this.#ended = ended;
  }

  /** As `kill -9`. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** As Ctrl-C. */
  async interrupt(): Promise<void> {
    this.#child.kill("SIGINT");
    await this.#ended;
  }
}

interface Starting {
  child: ChildProcess;
  /** Its first line; undefined when it ended before. */
  line: Promise<string | undefined>;
  ended: Promise<void>;
  errors: string[];
}

function begin(program: string, dataDir: string): Starting {
  const flags = ["--port", "0", "--http-port", "0", "--json", "--data-dir", dataDir];
  // small, so that a round sees files end, checkpoints and replays
  const settings = {
    dbStorage_writeCacheMaxSizeMb: 1,
    journalMaxSizeMB: 1,
    logSizeLimit: 2_000_000,
    flushInterval: 300,
  };
  for (const [name, value] of Object.entries(settings)) flags.push("--set", `${name}=${value}`);
  const child = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on("line", (text) => errors.push(text));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  const line = Promise.race([first, ended.then(() => undefined)]);
  return { child, line, ended, errors };
}

/** Starts a server and waits until it can be used. Rejects with what it said when it cannot. */
export async function startServer(program: string, dataDir: string): Promise<ServerProcess> {
  const { child, line, ended, errors } = begin(program, dataDir);
  const address = await line;
  if (address === undefined) throw new Error(`the server did not start: ${errors.join(" | ")}`);
  if (errors.length > 0) throw new Error(`the server started with: ${errors.join(" | ")}`);
  const { serviceUrl } = JSON.parse(address) as { serviceUrl: string };
  return new ServerProcess(serviceUrl, child, ended);
}

/** Starts a server and kills it before, while or after it recovers. */
export async function startAndKill(program: string, dataDir: string, afterMs: number): Promise<void> {
  const { child, ended } = begin(program, dataDir);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await ended;
}
