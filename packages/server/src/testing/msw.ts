export { type PulsarHandlersOptions, pulsarHandlers } from "./msw-handlers.ts";
export { startTestCluster } from "./start-test-cluster.ts";
export type { TestCluster, TestClusterOptions } from "./test-cluster.ts";
