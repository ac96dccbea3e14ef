export * from "./managed-ledger.ts";
export { createManagedLedgerFactory, type ManagedLedgerFactoryOptions } from "./managed-ledger-factory.ts";
export * from "./position.ts";
