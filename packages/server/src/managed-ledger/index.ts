export { createLedgerLists } from "./ledger-lists.ts";
export * from "./managed-ledger.ts";
export { createManagedLedgerFactory } from "./managed-ledger-factory.ts";
export * from "./position.ts";
