import type { Disk } from "@pulsewire/runtime";
import { StorageError } from "./storage-error.ts";

/** Who a folder belongs to. */
export type Cookie = Readonly<Record<string, string | number>>;

/**
 * Makes sure that a folder is one's own: a new one is marked, with a file of this name, and one with other marks, or with
 * files and no mark, is refused. @param what What the folder is, for messages.
 * @throws StorageError Foreign.
 */
export async function claimFolder(disk: Disk, name: string, cookie: Cookie, what: string): Promise<void> {
  const names = await disk.list("");
  const found = names.includes(name) ? await readText(disk, name) : "";
  if (found !== "") return checkCookie(found, cookie, { name, what });
  const foreign = names.filter((other) => other !== name);
  if (foreign.length > 0) {
    throw new StorageError(
      "Foreign",
      `${what} has files (${foreign.slice(0, 3).join(", ")}) and no ${name}: it is not ours`,
    );
  }
  const file = await disk.open(name);
  try {
    await file.append(new TextEncoder().encode(JSON.stringify(cookie)));
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.syncFolder("");
}

async function readText(disk: Disk, name: string): Promise<string> {
  const file = await disk.open(name);
  try {
    return new TextDecoder().decode(await file.read(0, file.sizeBytes));
  } finally {
    await file.close();
  }
}

function checkCookie(found: string, cookie: Cookie, { name, what }: { name: string; what: string }): void {
  let stored: Record<string, unknown>;
  try {
    stored = JSON.parse(found) as Record<string, unknown>;
  } catch (cause) {
    throw new StorageError("Foreign", `${what}/${name} cannot be read: it is damaged`, { cause });
  }
  for (const [key, wanted] of Object.entries(cookie)) {
    if (stored[key] === wanted) continue;
    throw new StorageError("Foreign", `${what} is of ${key} ${String(stored[key])}, not ${wanted}`);
  }
}
