import { readFile } from "node:fs/promises";
import { createMemoryMessenger } from "../memory/memory-messenger.ts";
import { type Network, NetworkError } from "../network.ts";
import type { ClientRuntime, ServerRuntime } from "../runtime.ts";
import { nodeClock } from "./node-clock.ts";
import { createNodeCodec } from "./node-codec.ts";
import { connect } from "./node-connect.ts";
import { nodeFetch } from "./node-fetch.ts";
import { listenHttp } from "./node-http.ts";
import { listenStream } from "./node-listeners.ts";
import { nodeRandom } from "./node-random.ts";

export { createNodeDisk } from "./node-disk.ts";
export { createQuickDrain, drainMicrotasks } from "./node-drain.ts";

const readTextFile = (path: string): Promise<string> => readFile(path, "utf8");

const noListening = (): Promise<never> =>
  Promise.reject(new NetworkError("Unsupported", "this runtime only connects; use createNodeRuntime to listen"));

/** The ports on Node (and Bun, and Deno): system time and randomness, sockets, zlib. */
export function createNodeRuntime(): ServerRuntime {
  const network: Network = { connect, fetch: nodeFetch, listen: listenStream, listenHttp };
  return {
    clock: nodeClock,
    random: nodeRandom,
    network,
    codec: createNodeCodec(),
    messenger: createMemoryMessenger(),
    readTextFile,
  };
}

/** The same for whoever only connects: a bundler leaves the listeners out. */
export function createNodeClientRuntime(): ClientRuntime {
  const network: Network = { connect, fetch: nodeFetch, listen: noListening, listenHttp: noListening };
  return { clock: nodeClock, random: nodeRandom, network, codec: createNodeCodec(), readTextFile };
}
