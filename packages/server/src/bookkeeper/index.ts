export { type Bookie, startBookie } from "./bookie/bookie.ts";
export { createBookKeeperClient } from "./client/bookkeeper-client.ts";
