import { autoClusterFailover, PulsarClient } from "@pulsewire/client";
import { startCluster } from "@pulsewire/server";
import { expect, it } from "vitest";

it("a client of a cluster that ends goes to another one, with its producers and consumers", async () => {
  const east = await startCluster();
  await using west = await startCluster();
  const serviceUrlProvider = autoClusterFailover({
    primary: east.serviceUrl,
    secondaries: [west.serviceUrl],
    failoverDelayMs: 100,
    checkIntervalMs: 50,
  });
  await using client = new PulsarClient({ serviceUrlProvider });
  const consumer = await client.subscribe({ topic: "orders", subscription: "billing" });
  const producer = await client.createProducer({ topic: "orders" });
  await producer.send("in the east");
  expect((await consumer.receive(5000)).text()).toBe("in the east");
  await east.close();
  // the subscription begins at the end of the topic over there: it has to be there before the message
  await using observer = new PulsarClient({ serviceUrl: west.serviceUrl });
  await expect.poll(() => observer.getPartitionsForTopic("orders").catch(() => []), { timeout: 5000 }).toHaveLength(1);
  await expect.poll(() => consumer.isConnected, { timeout: 5000 }).toBe(true);
  await producer.send("in the west");
  expect((await consumer.receive(5000)).text()).toBe("in the west");
});
