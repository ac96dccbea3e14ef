import { PulsarClient } from "@pulsewire/client";
import { PulsarAdmin } from "@pulsewire/client/admin";
import { createWebRuntime } from "@pulsewire/runtime/web";
import { setupServer } from "msw/node";
import { afterEach, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { pulsarHandlers, startTestCluster } from "./msw.ts";

// what a page has; Node 20 has none
vi.stubGlobal("WebSocket", globalThis.WebSocket ?? WebSocket);

const URL_OF_THE_APP = "wss://pulsar.example.com/ws/binary";

afterEach(() => {
  vi.restoreAllMocks();
});

it("an application's own URLs are served by a cluster that opens no port", async () => {
  await using t = await startTestCluster({ network: "memory" });
  const server = setupServer(
    ...pulsarHandlers(t, { webSocketUrl: URL_OF_THE_APP, adminUrl: "https://pulsar.example.com" }),
  );
  server.listen({ onUnhandledRequest: "error" });
  try {
    // what the application does, as it does it in a page
    const runtime = createWebRuntime();
    await using client = new PulsarClient({ serviceUrl: URL_OF_THE_APP, runtime });
    const consumer = await client.subscribe({ topic: "orders", subscription: "s" });
    const producer = await client.createProducer({ topic: "orders" });
    const sends = Array.from({ length: 50 }, (_, i) => producer.send(`order ${i}`));
    await Promise.all(sends);
    for (let i = 0; i < 50; i++) expect((await consumer.receive({ timeoutMs: 5000 })).text()).toBe(`order ${i}`);
    // the test sees the same cluster from behind
    const behind = await t.client.createProducer({ topic: "orders" });
    await behind.send("from the test");
    expect((await consumer.receive({ timeoutMs: 5000 })).text()).toBe("from the test");
    const admin = new PulsarAdmin({ serviceUrl: "https://pulsar.example.com" });
    expect(await admin.topics.list("public/default")).toEqual(["persistent://public/default/orders"]);
    await expect(admin.tenants.get("nobody")).rejects.toMatchObject({ status: 404 });
  } finally {
    server.close();
  }
});

it("a cluster that is gone closes the application's connection", async () => {
  const t = await startTestCluster({ network: "memory" });
  const server = setupServer(...pulsarHandlers(t, { webSocketUrl: URL_OF_THE_APP }));
  server.listen({ onUnhandledRequest: "bypass" });
  try {
    await t.close();
    const client = new PulsarClient({
      serviceUrl: URL_OF_THE_APP,
      runtime: createWebRuntime(),
      operationTimeoutMs: 300,
    });
    await expect(client.createProducer({ topic: "orders" })).rejects.toMatchObject({ retryable: true });
    await client.close();
  } finally {
    server.close();
  }
});
