import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { must, type RunOptions } from "./process.ts";

/** Versions of the official clients the programs run with. */
const PYTHON_CLIENT = "pulsar-client[all]==3.13.0";
const FASTAVRO = "fastavro==1.13.1";
const JAVA_CLIENT = "4.2.4";

const here = import.meta.dirname;
export const root: string = join(here, "..", "..");
/** What is fetched for the programs; ignored by git. */
export const cache: string = join(root, ".cache", "interop");

/** A program of cases: how to get it ready and how to run it. */
export interface Program {
  name: string;
  prepare(): Promise<void>;
  command(cases: readonly string[]): { command: string; args: string[]; options: RunOptions };
}

async function makeKeys(): Promise<void> {
  if (!existsSync(join(here, "keys", "priv.pem"))) await must("bash", [join(here, "keys.sh")]);
}

const venv = join(cache, "venv");
/** The interpreter that has the official Python client. */
export const pythonCommand: string = join(venv, "bin", "python");

export const python: Program = {
  name: "python",
  async prepare() {
    await makeKeys();
    if (existsSync(join(venv, ".ready"))) return;
    mkdirSync(cache, { recursive: true });
    await must("python3", ["-m", "venv", venv]);
    await must(join(venv, "bin", "pip"), ["install", "-q", "--disable-pip-version-check", PYTHON_CLIENT, FASTAVRO]);
    await must("touch", [join(venv, ".ready")]);
  },
  command: (cases) => ({
    command: pythonCommand,
    args: [join(here, "python", "conf.py"), ...cases],
    options: {},
  }),
};

export const java: Program = {
  name: "java",
  async prepare() {
    await makeKeys();
    // lists the cases: compiles and fetches what it needs
    await must("bash", [join(here, "java", "run.sh"), "-l"], { onLine: () => undefined });
  },
  command: (cases) => ({
    command: "bash",
    args: [join(here, "java", "run.sh"), ...cases],
    options: { env: { PULSAR_VER: JAVA_CLIENT, CONF_KEYS: join(here, "keys") } },
  }),
};

export const client: Program = {
  name: "client",
  prepare: async () => undefined,
  command: (cases) => ({
    command: process.execPath,
    args: ["--conditions=source", "--import", "tsx", join(here, "client", "cases.ts"), ...cases],
    options: { cwd: root },
  }),
};

/** Our client and the official ones, one sending what the other reads. */
export const exchange: Program = {
  name: "exchange",
  async prepare() {
    await python.prepare();
    await java.prepare();
  },
  command: (cases) => ({
    command: process.execPath,
    args: ["--conditions=source", "--import", "tsx", join(here, "exchange", "run.ts"), ...cases],
    options: { cwd: root },
  }),
};
