// Builds what a package ships, from the "exports" (and "bin") of its package.json: every entry that has a "source", as
// ESM with what they share in chunks, as CommonJS where an entry has a "require", and declarations. The private packages
// are bundled, dependencies stay imports.
//   node ../../.build/package.mjs   from a package's folder
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";
import { declarations } from "./declarations.mjs";

const folder = process.cwd();
const dist = join(folder, "dist");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
  (name) => name !== manifest.name,
);
const nameOf = (file) => basename(file, ".js");

/** Modules that no page can run, by their specifiers. With them, entries for pages are built by themselves. */
const pageStubs = manifest.build?.pageStubs ?? [];

/** Source files by the names of what is made of them. */
function entries() {
  const code = {};
  const pages = pageStubs.length > 0 ? {} : code;
  const types = {};
  let commonJs = false;
  for (const target of Object.values(manifest.exports)) {
    const source = target?.source;
    if (source === undefined) continue;
    const node = target.import?.default ?? target.default;
    if (node === undefined) continue;
    const file = typeof source === "string" ? source : source.default;
    if (!existsSync(join(folder, file))) {
      // publint has the last word: an export that is not there fails its check
      console.warn(`${manifest.name}: ${file} is not there`);
      continue;
    }
    code[nameOf(node)] = file;
    types[nameOf(node)] = file;
    if (target.browser !== undefined) pages[nameOf(target.browser.default)] = source.browser;
    commonJs ||= target.require !== undefined;
  }
  for (const file of Object.values(manifest.bin ?? {})) code[nameOf(file)] = `./src/${nameOf(file)}.ts`;
  return { code, pages: pages === code ? {} : pages, types, commonJs };
}

/** Puts a module that throws in the place of one that a page cannot have. */
const stubs = {
  name: "page-stubs",
  setup(setup) {
    const names = new Set(pageStubs);
    setup.onResolve({ filter: /.*/ }, ({ path }) => (names.has(path) ? { path, namespace: "stub" } : undefined));
    setup.onLoad({ filter: /.*/, namespace: "stub" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not available in a page`)});`,
    }));
  },
};

async function bundle(entryPoints, plugins = []) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    external,
    chunkNames: "chunk-[hash]",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false,
    plugins,
  });
  return result.outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
}

/** CommonJS has no chunks of esbuild's own: each file of the ESM build is turned into one, so that classes stay single. */
async function commonJsOf({ name, text }) {
  const options = { format: "cjs", platform: "node", target: "node20", supported: { "dynamic-import": false } };
  const { code } = await transform(text, options);
  writeFileSync(
    join(dist, name.replace(/\.js$/, ".cjs")),
    code.replaceAll(/(require\("\.\/[\w-]+)\.js"\)/g, '$1.cjs")'),
  );
}

const { code, pages, types, commonJs } = entries();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const files = await bundle(code);
if (Object.keys(pages).length > 0) files.push(...(await bundle(pages, [stubs])));
for (const { name, text } of files) writeFileSync(join(dist, name), text);
if (commonJs) await Promise.all(files.map(commonJsOf));
const declared = await declarations({ folder, entries: types, external });
for (const { name, text } of declared) {
  writeFileSync(join(dist, `${name}.d.ts`), text);
  if (commonJs) writeFileSync(join(dist, `${name}.d.cts`), text.replaceAll(/(["']\.\/[\w-]+)\.js(["'])/g, "$1.cjs$2"));
}
const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
console.log(
  `${manifest.name}: ${files.length} files, ${(bytes / 1024).toFixed(0)} KB, ${declared.length} declarations`,
);
