import { createMemoryMessenger } from "@pulsewire/runtime";
import { createWebRuntime } from "@pulsewire/runtime/web";
import { startTestClusterOn, type TestCluster, type TestClusterOptions } from "./test-cluster.ts";

export { type PulsarHandlersOptions, pulsarHandlers } from "./msw-handlers.ts";
export { pageRuntime } from "./page-runtime.ts";
export type { TestCluster, TestClusterOptions } from "./test-cluster.ts";

/** Starts a cluster inside this page. There are no ports in one: `network` is `memory`. */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const platform = { ...createWebRuntime(), messenger: createMemoryMessenger() };
  return startTestClusterOn(platform, { network: "memory", ...options });
}
