export { Bookie, type BookieOptions, type BookieStats, startBookie } from "./bookie/bookie.ts";
export type { AddListener, LedgerStorage } from "./bookie/ledger-storage.ts";
export { MemoryLedgerStorage } from "./bookie/memory-ledger-storage.ts";
export {
  BookKeeperClient,
  type BookKeeperClientOptions,
  type CreateLedgerOptions,
  createBookKeeperClient,
} from "./client/bookkeeper-client.ts";
export { BookKeeperError, type BookKeeperErrorCode } from "./client/bookkeeper-error.ts";
