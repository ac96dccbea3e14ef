export * from "./managed-ledger.ts";
export { createManagedLedgerFactory } from "./managed-ledger-factory.ts";
export * from "./position.ts";
