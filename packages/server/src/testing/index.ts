export { type TestHooks, useTestCluster } from "./hooks.ts";
export { type SimulatedRun, type SimulatedWorld, type SimulateOptions, simulate } from "./simulate.ts";
export { startTestCluster } from "./start-test-cluster.ts";
export type { TestCluster, TestClusterOptions, VirtualTime } from "./test-cluster.ts";
