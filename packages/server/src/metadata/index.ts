export { createMemoryMetadata, type MemoryMetadata } from "./memory-metadata-store.ts";
export * from "./metadata-store.ts";
