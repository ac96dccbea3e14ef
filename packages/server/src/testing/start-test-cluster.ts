import { platformRuntime } from "./platform.ts";
import { startTestClusterOn, type TestCluster, type TestClusterOptions } from "./test-cluster.ts";

/**
 * Starts a cluster for a test.
 *
 * @example
 * await using t = await startTestCluster({ clock: "virtual" });
 * const producer = await t.client.createProducer({ topic: t.topic() });
 * await producer.send({ data: "in an hour", deliverAfterMs: 3_600_000 });
 * await t.time.advance(3_600_000);
 *
 * @throws TypeError that names a wrong option and what it takes.
 */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  return startTestClusterOn(platformRuntime(), options);
}
