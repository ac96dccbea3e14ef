import { main } from "../../packages/server/src/cli/main.ts";
import { SLOW_BOOKIE_VARIABLE } from "./slow-bookie.ts";

/** Everything to and from it takes so much longer, in ms. */
const SLOW_MS = 150;

/** The command line as it ships, in which one bookie may be slow: what it has not taken yet is confirmed by two others alone. */
const slow = process.env[SLOW_BOOKIE_VARIABLE];
process.exitCode = await main(process.argv.slice(2), async (cluster) => {
  if (slow !== undefined) cluster.faults.bookie(Number(slow)).slow(SLOW_MS);
});
