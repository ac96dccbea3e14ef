import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageId, PulsarClient } from "@pulsewire/client";
import { type Cluster, startCluster } from "@pulsewire/server";
import { afterEach, beforeEach, expect, test } from "vitest";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pulsewire-restart-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What a `kill -9` would leave: the files as they are while the cluster runs. */
function afterKill(dataDir: string): string {
  const copy = join(root, "killed");
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}

async function fill({ serviceUrl, adminUrl }: Cluster): Promise<void> {
  await using client = new PulsarClient({ serviceUrl });
  const consumer = await client.subscribe({
    topic: "orders",
    subscription: "billing",
    type: "Shared",
    ackReceiptEnabled: true,
    subscriptionProperties: { owner: "finance" },
  });
  const producer = await client.createProducer({ topic: "orders", batchingEnabled: false });
  for (let i = 0; i < 20; i++) await producer.send({ data: `order ${i}`, key: `k${i}` });
  for (let i = 0; i < 20; i++) {
    const message = await consumer.receive(5000);
    // all but two, so that there are holes
    if (i !== 4 && i !== 11) await consumer.acknowledge(message);
  }
  const put = (path: string, body: unknown, method = "PUT"): Promise<Response> =>
    fetch(`${adminUrl}/admin/v2/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await put("persistent/public/default/parts/partitions", 3);
  await put("tenants/acme", { adminRoles: [], allowedClusters: ["standalone"] });
  await put("namespaces/acme/eu", {});
  await put("schemas/public/default/typed/schema", { type: "STRING", schema: "", properties: {} }, "POST");
}

async function verify({ serviceUrl, adminUrl }: Cluster): Promise<void> {
  const get = async (path: string): Promise<unknown> => (await fetch(`${adminUrl}/admin/v2/${path}`)).json();
  expect(await get("tenants")).toContain("acme");
  expect(await get("namespaces/acme")).toEqual(["acme/eu"]);
  expect(await get("persistent/public/default/parts/partitions")).toMatchObject({ partitions: 3 });
  expect(await get("schemas/public/default/typed/schema")).toMatchObject({ version: 0, type: "STRING" });
  await using client = new PulsarClient({ serviceUrl });
  const reader = await client.createReader({ topic: "orders", startMessageId: MessageId.earliest });
  const texts: string[] = [];
  while (await reader.hasMessageAvailable()) texts.push((await reader.readNext(5000)).text());
  expect(texts).toEqual(Array.from({ length: 20 }, (_, i) => `order ${i}`));
  const consumer = await client.subscribe({ topic: "orders", subscription: "billing", type: "Shared" });
  const left = [await consumer.receive(5000), await consumer.receive(5000)];
  expect(left.map((message) => [message.text(), message.key])).toEqual([
    ["order 4", "k4"],
    ["order 11", "k11"],
  ]);
  await expect(consumer.receive(100)).rejects.toMatchObject({ code: "Timeout" });
  expect(await get("persistent/public/default/orders/stats")).toMatchObject({
    subscriptions: { billing: { msgBacklog: 2, subscriptionProperties: { owner: "finance" } } },
  });
}

test("what was acknowledged is there after a kill, after an orderly end, and after both again", async () => {
  let dataDir = join(root, "data");
  {
    await using cluster = await startCluster({ dataDir });
    await fill(cluster);
    dataDir = afterKill(dataDir);
  }
  for (let round = 0; round < 2; round++) {
    await using cluster = await startCluster({ dataDir, brokers: 1 + round });
    await verify(cluster);
  }
}, 60_000);
