import { test as base, type TestAPI } from "vitest";
import { startTestCluster } from "./start-test-cluster.ts";
import type { TestCluster, TestClusterOptions } from "./test-cluster.ts";

/** What a test of `test` may ask for. */
export interface PulsarFixtures {
  /** How the cluster is started; change it by `test.extend({ pulsarOptions: { ... } })`. */
  pulsarOptions: TestClusterOptions;
  /** A cluster of the test's own, closed behind it. */
  pulsar: TestCluster;
}

/**
 * `test` of vitest with a cluster for each test that asks for one. For one cluster a file, see `useTestCluster`.
 *
 * @example
 * import { test } from "@pulsewire/server/vitest";
 * test("orders", async ({ pulsar, expect }) => {
 *   const producer = await pulsar.client.createProducer({ topic: pulsar.topic() });
 *   expect((await producer.send("hello")).entryId).toBe(0);
 * });
 */
export const test: TestAPI<PulsarFixtures> = base.extend<PulsarFixtures>({
  pulsarOptions: [{}, { injected: false }],
  pulsar: async ({ pulsarOptions }, use) => {
    const cluster = await startTestCluster(pulsarOptions);
    try {
      await use(cluster);
    } finally {
      await cluster.close();
    }
  },
});

export { startTestCluster } from "./start-test-cluster.ts";
export type { TestCluster, TestClusterOptions } from "./test-cluster.ts";
