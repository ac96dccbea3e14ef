import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@pulsewire/runtime";

/** Bytes that are spoiled in one file, at most. */
const FLIPS_MAX = 20;

type Way = (folder: string, random: Random) => string | undefined;

const removeAll: Way = (folder) => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  return "all of it removed";
};

/** What becomes of a bookie's files; each answers what it did, or undefined where there is nothing to do it to. */
const WAYS: readonly Way[] = [
  (folder, random) => flip(pick(logsOf(folder), random), random),
  // what is wrong in the last one cannot be told from a write that did not end
  (folder, random) => flip(pick(filesOf(folder, "journal").slice(0, -1), random), random),
  (folder, random) => truncate(pick(logsOf(folder), random), random),
  (folder, random) => remove(pick(logsOf(folder), random)),
  (folder) => remove(join(folder, "checkpoint")),
  (folder) => remove(join(folder, "index")),
  removeAll,
  // the only one that takes what is in the journal's last file, and so what hardly another bookie has: twice as often
  removeAll,
];

/** Spoils files of one bookie of a folder that nobody uses, and answers what was done, in words. */
export function damageBookie(dataDir: string, bookie: number, random: Random): string {
  const folder = join(dataDir, "bookies", String(bookie));
  const first = random.integer(WAYS.length);
  for (let i = 0; i < WAYS.length; i++) {
    const done = WAYS[(first + i) % WAYS.length]?.(folder, random);
    if (done !== undefined) return `bookie ${bookie}: ${done.replace(`${folder}/`, "")}`;
  }
  throw new Error(`${folder} has nothing that can be damaged`);
}

function filesOf(folder: string, part: string): string[] {
  return readdirSync(join(folder, part))
    .sort()
    .map((name) => join(folder, part, name));
}

function logsOf(folder: string): string[] {
  return readdirSync(folder).includes("entry-logs") ? filesOf(folder, "entry-logs") : [];
}

function pick(files: readonly string[], random: Random): string | undefined {
  return files.length === 0 ? undefined : files[random.integer(files.length)];
}

function flip(path: string | undefined, random: Random): string | undefined {
  if (path === undefined) return undefined;
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    if (size === 0) return undefined;
    const flips = 1 + random.integer(FLIPS_MAX);
    const byte = new Uint8Array(1);
    for (let i = 0; i < flips; i++) {
      const offset = random.integer(size);
      readSync(file, byte, 0, 1, offset);
      byte[0] = (byte[0] as number) ^ (1 + random.integer(255));
      writeSync(file, byte, 0, 1, offset);
    }
    return `${path}: ${flips} of ${size} bytes changed`;
  } finally {
    closeSync(file);
  }
}

function truncate(path: string | undefined, random: Random): string | undefined {
  if (path === undefined) return undefined;
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const left = random.integer(size + 1);
    ftruncateSync(file, left);
    return `${path}: cut from ${size} to ${left} bytes`;
  } finally {
    closeSync(file);
  }
}

function remove(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  rmSync(path, { recursive: true, force: true });
  return `${path}: removed`;
}
