export { createMemoryMetadata, type MemoryMetadata } from "./memory-metadata-store.ts";
export { MetadataStatistics, MeteredMetadata } from "./metadata-statistics.ts";
export * from "./metadata-store.ts";
export { RenewingMetadata } from "./renewing-metadata.ts";
