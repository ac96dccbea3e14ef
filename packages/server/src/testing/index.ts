export { type TestHooks, useTestCluster } from "./hooks.ts";
export { type SimulatedRun, type SimulatedWorld, type SimulateOptions, simulate } from "./simulate.ts";
export { startTestCluster, TestCluster, type TestClusterOptions, type VirtualTime } from "./test-cluster.ts";
