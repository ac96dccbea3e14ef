export * from "./managed-ledger.ts";
export * from "./position.ts";
