import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle, root } from "../bundle.ts";
import { SLOW_BOOKIE_VARIABLE } from "./slow-bookie.ts";

/** Puts the command line into one file, as it ships, so that a start takes no longer than for users. Answers the file. */
export async function bundleServer(): Promise<string> {
  const outfile = join(root, ".cache", "crash", "cli.mjs");
  await bundle({ entry: "test/crash/server-program.ts", outfile });
  return outfile;
}

/** A server process that may be killed at any time. */
export class ServerProcess {
  readonly serviceUrl: string;
  readonly adminUrl: string;
  /** What it said about its data when it started. */
  readonly errors: readonly string[];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor({ child, ended, errors }: Starting, { serviceUrl, adminUrl }: Addresses) {
    this.serviceUrl = serviceUrl;
    this.adminUrl = adminUrl;
    this.errors = errors;
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

export interface StartOptions {
  /** Its folder is damaged: what it says of that is nothing wrong. Default false. */
  damaged?: boolean;
  /** The number of a bookie that is slow. Default: none. */
  slowBookie?: number | undefined;
}

interface Addresses {
  serviceUrl: string;
  adminUrl: string;
}

interface Starting {
  child: ChildProcess;
  /** Its first line; undefined when it ended before. */
  line: Promise<string | undefined>;
  ended: Promise<void>;
  errors: string[];
}

function begin(program: string, dataDir: string, slowBookie?: number): Starting {
  const flags = ["--port", "0", "--http-port", "0", "--json", "--data-dir", dataDir];
  // small, so that a round sees files end, checkpoints and replays
  const settings = {
    dbStorage_writeCacheMaxSizeMb: 1,
    journalMaxSizeMB: 1,
    logSizeLimit: 2_000_000,
    flushInterval: 300,
    // so that copies that got lost are there again before long
    openLedgerRereplicationGracePeriod: 500,
    rwRereplicateBackoffMs: 500,
  };
  for (const [name, value] of Object.entries(settings)) flags.push("--set", `${name}=${value}`);
  const slow = slowBookie === undefined ? {} : { [SLOW_BOOKIE_VARIABLE]: String(slowBookie) };
  const env = { ...process.env, ...slow };
  const child = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "pipe"], env });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on("line", (text) => errors.push(text));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  const line = Promise.race([first, ended.then(() => undefined)]);
  return { child, line, ended, errors };
}

/**
 * Starts a server and waits until it can be used. Rejects with what it said when it cannot, or when it finds damage.
 */
export async function startServer(
  program: string,
  dataDir: string,
  { damaged = false, slowBookie }: StartOptions = {},
): Promise<ServerProcess> {
  const starting = begin(program, dataDir, slowBookie);
  const { child, line, errors } = starting;
  const address = await line;
  if (address === undefined) throw new Error(`the server did not start: ${errors.join(" | ")}`);
  if (errors.length > 0 && !damaged) {
    child.kill("SIGKILL");
    throw new Error(`the server started with: ${errors.join(" | ")}`);
  }
  return new ServerProcess(starting, JSON.parse(address) as Addresses);
}

/** Starts a server and kills it before, while or after it recovers. */
export async function startAndKill(program: string, dataDir: string, afterMs: number): Promise<void> {
  const { child, ended } = begin(program, dataDir);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await ended;
}
