import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { bundle, root } from "../bundle.ts";

/** Programs as they ship: each in one file, without the TypeScript loader. */
export interface Bundles {
  cli: string;
  cliBytes: number;
  client: string;
  startCluster: string;
  simulatedSeconds: string;
  remove(): Promise<void>;
}

/** Makes them in a folder of their own, below the repository's. */
export async function makeBundles(): Promise<Bundles> {
  const cache = join(root, ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "bench-"));
  const make = async (entry: string): Promise<{ outfile: string; bytes: number }> => {
    const outfile = join(folder, basename(entry).replace(/ts$/, "mjs"));
    return { outfile, bytes: await bundle({ entry, outfile }) };
  };
  const { outfile: cli, bytes: cliBytes } = await make("packages/server/src/cli.ts");
  const { outfile: client } = await make("test/bench/programs/pulsewire-client.ts");
  const { outfile: startCluster } = await make("test/bench/programs/start-cluster.ts");
  const { outfile: simulatedSeconds } = await make("test/bench/programs/simulated-seconds.ts");
  return { cli, cliBytes, client, startCluster, simulatedSeconds, remove: () => rm(folder, { recursive: true }) };
}
