import { join } from "node:path";
import { build, type Plugin } from "esbuild";

export const root: string = join(import.meta.dirname, "..");

export interface BundleOptions {
  /** From the root of the repository. */
  entry: string;
  outfile: string;
  plugins?: readonly Plugin[];
}

/**
 * Puts a program into one file, as it ships: it starts without the TypeScript loader. The file has to be below the
 * repository's folder, where what stays outside of it is found.
 * @returns Its bytes.
 */
export async function bundle({ entry, outfile, plugins = [] }: BundleOptions): Promise<number> {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    conditions: ["source"],
    // has a native addon, which no bundle takes
    external: ["classic-level"],
    plugins: [...plugins],
    logLevel: "warning",
    // CommonJS dependencies ask for Node's own modules by require
    banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
  });
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
}
