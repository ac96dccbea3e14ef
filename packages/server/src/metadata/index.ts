export type { MemoryMetadataOptions } from "./memory-metadata-state.ts";
export { createMemoryMetadata, type MemoryMetadata, type SessionOptions } from "./memory-metadata-store.ts";
export * from "./metadata-store.ts";
