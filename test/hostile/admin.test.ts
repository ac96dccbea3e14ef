import { type Cluster, startCluster } from "@pulsewire/server";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.close());

const METHODS = ["GET", "PUT", "POST", "DELETE"] as const;
const BASES = ["clusters", "tenants", "namespaces", "persistent", "non-persistent", "schemas", "brokers", "bookies"];
const WORDS = [
  "public",
  "default",
  "t",
  "partitions",
  "stats",
  "subscription",
  "s",
  "skip",
  "resetcursor",
  "unload",
  "-1",
];

/** Whether it is an answer of the kind Pulsar gives: never a failure of the server itself. */
async function expectAnswer(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${cluster.adminUrl}${path}`, init);
  const text = await response.text();
  expect({ path, init, status: response.status, text }).toMatchObject({
    status: expect.not.toBeOneOf([500, 501, 502]),
  });
  if (response.status >= 400) expect(JSON.parse(text)).toMatchObject({ reason: expect.any(String) });
}

describe("hostile administration", () => {
  it("answers any path and body with a status and a reason", async () => {
    const segment = fc.oneof(
      fc.constantFrom(...WORDS),
      fc.string({ minLength: 1, maxLength: 12 }).map(encodeURIComponent),
    );
    const body = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string({ maxLength: 40 }),
      fc.constantFrom("", "null", "{", "1e999"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...METHODS),
        fc.constantFrom(...BASES),
        fc.array(segment, { maxLength: 7 }),
        body,
        async (method, base, segments, text) => {
          const path = `/admin/v2/${[base, ...segments.filter((s) => s !== "." && s !== "..")].join("/")}`;
          await expectAnswer(path, method === "GET" ? { method } : { method, body: text });
        },
      ),
      { numRuns: 400 },
    );
    const health = await fetch(`${cluster.adminUrl}/admin/v2/brokers/health`);
    expect(await health.text()).toBe("ok");
  });

  it("refuses a body that is too large", async () => {
    const response = await fetch(`${cluster.adminUrl}/admin/v2/tenants/big`, {
      method: "PUT",
      body: JSON.stringify({ adminRoles: ["x".repeat(2_000_000)] }),
    });
    expect(response.status).toBe(413);
  });

  it.each([
    ["PUT", "/admin/v2/tenants/a%20b", '{"allowedClusters":["standalone"]}', 412],
    ["PUT", "/admin/v2/tenants/t", "[]", 400],
    ["PUT", "/admin/v2/tenants/t", '{"allowedClusters":["other"]}', 412],
    ["PUT", "/admin/v2/namespaces/public/n", '{"bundles":{"numBundles":-1}}', 412],
    ["PUT", "/admin/v2/persistent/public/default/p/partitions", "0", 406],
    ["PUT", "/admin/v2/persistent/public/default/x-partition-2/partitions", "3", 412],
    ["POST", "/admin/v2/namespaces/public/default/retention", '{"retentionTimeInMinutes":"x"}', 412],
    ["GET", "/admin/v2/persistent/public/default/none/stats", undefined, 404],
    ["GET", "/lookup/v2/topic/persistent/no/such/topic", undefined, 404],
    ["GET", "/admin/v2/nothing", undefined, 404],
  ] as const)("%s %s %s answers %i", async (method, path, body, status) => {
    const response = await fetch(`${cluster.adminUrl}${path}`, { method, ...(body === undefined ? {} : { body }) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ reason: expect.any(String) });
  });
});
