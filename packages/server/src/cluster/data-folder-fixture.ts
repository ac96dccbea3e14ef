import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every file below a folder, or the file itself, less the index: LevelDB writes to it at each start. */
export function listing(path: string): string[] {
  if (!statSync(path).isDirectory()) return [`${path} ${readFileSync(path, "utf8")}`];
  const own = readdirSync(path).filter((name) => name !== "index");
  return own.flatMap((name) => [name, ...listing(join(path, name))]);
}
