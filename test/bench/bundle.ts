import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** Programs as they ship: each in one file, without the TypeScript loader. */
export interface Bundles {
  cli: string;
  cliBytes: number;
  client: string;
  startCluster: string;
  remove(): Promise<void>;
}

/** Stays outside of any bundle; found from the repository's folder. */
const NATIVE = ["classic-level"];

async function bundle(entry: string, outfile: string): Promise<number> {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    conditions: ["source"],
    external: NATIVE,
    logLevel: "error",
    // CommonJS dependencies ask for Node's own modules by require
    banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
  });
  return Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
}

/** Makes them in a folder of their own, below the repository's. */
export async function makeBundles(): Promise<Bundles> {
  const cache = join(root, ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "bench-"));
  const [cli, client, startCluster] = ["cli.mjs", "client.mjs", "start-cluster.mjs"].map((name) => join(folder, name));
  const bundles = { cli: cli as string, client: client as string, startCluster: startCluster as string };
  const cliBytes = await bundle("packages/server/src/cli.ts", bundles.cli);
  await bundle("test/bench/programs/pulsewire-client.ts", bundles.client);
  await bundle("test/bench/programs/start-cluster.ts", bundles.startCluster);
  return { ...bundles, cliBytes, remove: () => rm(folder, { recursive: true }) };
}
