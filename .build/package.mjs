// Builds what a package ships: its entries bundled with the private packages they use, as ESM (and CommonJS where
// asked for), and one declaration file each. Runtime dependencies stay imports.
//   node ../../.build/package.mjs   from a package's folder; what to build stands in its package.json under "build"
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

const folder = process.cwd();
const root = join(import.meta.dirname, "..");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const external = Object.keys(manifest.dependencies ?? {}).filter((name) => !name.startsWith("@pulsewire/"));
/** Loaded when first needed: a page's bundler makes a file of its own of it. */
const lazy = ["@hpcc-js/wasm-zstd"];
const isExternal = (id) => id.startsWith("node:") || external.some((name) => id === name || id.startsWith(`${name}/`));

async function code(entry, { platform, format, extension }) {
  const result = await build({
    absWorkingDir: folder,
    entryPoints: [`src/${entry}.ts`],
    outfile: `dist/${entry}.${extension}`,
    bundle: true,
    format,
    platform,
    target: platform === "browser" ? "es2022" : "node20",
    conditions: ["source"],
    external: platform === "browser" ? lazy : external,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  const [[file, { bytes }]] = Object.entries(result.metafile.outputs);
  console.log(`${manifest.name}: ${file} ${(bytes / 1024).toFixed(0)} KB`);
}

async function types(entry) {
  const bundle = await rollup({
    input: join(folder, "src", `${entry}.ts`),
    external: isExternal,
    plugins: [
      dts({
        includeExternal: ["@pulsewire/protocol", "@pulsewire/runtime"],
        tsconfig: join(root, "tsconfig.build.json"),
      }),
    ],
    onwarn(warning) {
      if (warning.code !== "CIRCULAR_DEPENDENCY" && warning.code !== "UNUSED_EXTERNAL_IMPORT")
        console.warn(warning.message);
    },
  });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  for (const extension of ["d.ts", "d.cts"])
    writeFileSync(join(folder, "dist", `${entry}.${extension}`), output[0].code);
}

rmSync(join(folder, "dist"), { recursive: true, force: true });
for (const { entry, platform = "node", formats = ["esm"], declarations = true } of manifest.build) {
  for (const format of formats) await code(entry, { platform, format, extension: format === "esm" ? "js" : "cjs" });
  if (declarations) await types(entry);
}
