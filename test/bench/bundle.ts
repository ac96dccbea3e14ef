import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { bundle, root } from "../bundle.ts";

/** Programs as they ship: each in one file, without the TypeScript loader. */
export interface Bundles {
  cli: string;
  cliBytes: number;
  client: string;
  startCluster: string;
  remove(): Promise<void>;
}

/** Makes them in a folder of their own, below the repository's. */
export async function makeBundles(): Promise<Bundles> {
  const cache = join(root, ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "bench-"));
  const [cli, client, startCluster] = ["cli.mjs", "client.mjs", "start-cluster.mjs"].map((name) => join(folder, name));
  const bundles = { cli: cli as string, client: client as string, startCluster: startCluster as string };
  const cliBytes = await bundle({ entry: "packages/server/src/cli.ts", outfile: bundles.cli });
  await bundle({ entry: "test/bench/programs/pulsewire-client.ts", outfile: bundles.client });
  await bundle({ entry: "test/bench/programs/start-cluster.ts", outfile: bundles.startCluster });
  return { ...bundles, cliBytes, remove: () => rm(folder, { recursive: true }) };
}
