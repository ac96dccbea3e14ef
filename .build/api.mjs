// The public surface of the packages as text, checked in beside them.
//   npm run api            writes packages/*/api/*.api.d.ts
//   npm run api -- --check fails where they are not what the sources say
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { declarations } from "./declarations.mjs";

const root = resolve(import.meta.dirname, "..");
const checking = process.argv.includes("--check");
let wrong = 0;

/** What a reader of a change wants to see: no comments, no empty lines. */
function essence(text) {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !line.trimStart().startsWith("//"))
    .join("\n");
}

async function surfaceOf(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = {};
  for (const { source, import: esm, default: otherwise } of Object.values(manifest.exports)) {
    const target = esm?.default ?? otherwise;
    if (source === undefined || target === undefined) continue;
    entries[basename(target, ".js")] = typeof source === "string" ? source : source.default;
  }
  const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const declared = await declarations({ folder, entries, external: external.filter((name) => name !== manifest.name) });
  return new Map(declared.map(({ name, text }) => [`${name}.api.d.ts`, `${essence(text)}\n`]));
}

for (const name of ["client", "server"]) {
  const folder = join(root, "packages", name);
  const place = join(folder, "api");
  const surface = await surfaceOf(folder);
  mkdirSync(place, { recursive: true });
  const old = new Map(readdirSync(place).map((file) => [file, readFileSync(join(place, file), "utf8")]));
  for (const file of new Set([...surface.keys(), ...old.keys()])) {
    if (surface.get(file) === old.get(file)) continue;
    wrong++;
    console.log(`packages/${name}/api/${file} ${checking ? "is not what the sources say" : "written"}`);
    if (checking) continue;
    if (surface.has(file)) writeFileSync(join(place, file), surface.get(file));
    else rmSync(join(place, file));
  }
}
if (checking && wrong > 0) {
  console.log("review the change of the public surface, then: npm run api");
  process.exitCode = 1;
}
