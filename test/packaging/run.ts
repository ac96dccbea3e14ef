// Packs both packages, installs them into an empty project with scripts disabled, and uses them from there: ESM and
// CommonJS, types, the command line, Bun and Deno, and pages bundled by esbuild, webpack and vite, run in Chromium.
//   npm run test:packaging [-- PART_OF_A_NAME...]
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCluster } from "@pulsewire/server";
import { checkBundlers, servePages } from "./bundlers.ts";
import { check, counts, project, root, run, runBeside } from "./kit.ts";
import { checkRuntimes } from "./runtimes.ts";
import { checkTypes } from "./types.ts";

await check("prepare: both packages are packed, with nothing but JavaScript and types", async () => {
  const pack = (name: string): Promise<string> =>
    runBeside("npm", ["pack", "--silent", "--pack-destination", project], join(root, "packages", name));
  await Promise.all(["client", "server"].map(pack));
  const packed = readdirSync(project);
  for (const file of packed) {
    const listing = run("tar", ["tzf", file], project).split("\n");
    const strange = listing.filter((f) => f !== "" && !/\.(js|cjs|d\.ts|d\.cts|json|md)$|LICENSE$/.test(f));
    if (strange.length > 0) throw new Error(`${file} holds ${strange.join(", ")}`);
  }
  return packed.join(", ");
});

await check("publint finds nothing wrong", () => {
  for (const name of ["client", "server"]) run("npx", ["publint", "--strict"], join(root, "packages", name));
});

await check("the types are right for every way of resolving the client and its subpaths", () => {
  const file = readdirSync(project).find((f) => f.includes("client")) as string;
  run("npx", ["attw", join(project, file), "--profile", "node16"], root);
});

await check("prepare: an empty project installs them with scripts disabled", () => {
  writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
  const archives = readdirSync(project)
    .filter((f) => f.endsWith(".tgz"))
    .map((f) => `./${f}`);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  // the optional peers that the checks use
  run("npm", ["install", ...flags, ...archives, "rxjs@7", "@types/node@20"], project);
});

await checkTypes();
{
  await using cluster = await startCluster({ http: servePages });
  await checkRuntimes(cluster);
  await checkBundlers(cluster);
}

rmSync(project, { recursive: true, force: true });
console.log(`${counts.passed} passed, ${counts.failed} failed`);
if (counts.asked === 0) console.error("nothing was run");
process.exitCode = counts.failed === 0 && counts.asked > 0 ? 0 : 1;
