// Installs the dependencies when they are missing or older than the lock file, so that `npm start` and `npm test`
// work in a fresh clone. Plain JavaScript with no import from outside Node: nothing is installed yet.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const installed = join(root, "node_modules", ".package-lock.json");
const wanted = join(root, "package-lock.json");

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs - 1000) {
  console.error("Installing dependencies ...");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
