import { startTestCluster } from "./start-test-cluster.ts";
import type { TestCluster, TestClusterOptions } from "./test-cluster.ts";

/** What a test framework gives: `before` and `after` of `node:test`, `beforeAll` and `afterAll` of jest and vitest. */
export interface TestHooks {
  before?: Hook;
  after?: Hook;
  beforeAll?: Hook;
  afterAll?: Hook;
}

type Hook = (work: () => Promise<void>) => unknown;

/**
 * One cluster for the tests of a file, or of a `describe`: started before them, closed behind them. Answers a function
 * that gives the cluster inside a test.
 *
 * @example
 * import { after, before, test } from "node:test";
 * const cluster = useTestCluster({ before, after });
 * test("orders", async () => {
 *   const producer = await cluster().client.createProducer({ topic: cluster().topic() });
 * });
 *
 * @example
 * // jest
 * const cluster = useTestCluster({ beforeAll, afterAll }, { clock: "virtual" });
 */
export function useTestCluster(hooks: TestHooks, options: TestClusterOptions = {}): () => TestCluster {
  const before = hooks?.before ?? hooks?.beforeAll;
  const after = hooks?.after ?? hooks?.afterAll;
  if (typeof before !== "function" || typeof after !== "function") {
    throw new TypeError("useTestCluster takes { before, after } of node:test, or { beforeAll, afterAll }");
  }
  let cluster: TestCluster | undefined;
  before(async () => {
    cluster = await startTestCluster(options);
  });
  after(async () => {
    await cluster?.close();
    cluster = undefined;
  });
  return () => {
    if (cluster === undefined) throw new TypeError("the cluster is there inside tests only, between before and after");
    return cluster;
  };
}
