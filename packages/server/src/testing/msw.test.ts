import { PulsarClient } from "@pulsewire/client";
import { PulsarAdmin } from "@pulsewire/client/admin";
import { setupServer } from "msw/node";
import { afterEach, expect, it, vi } from "vitest";
import { pageRuntime, pulsarHandlers, startTestCluster } from "./msw.ts";

const nothing = (): void => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };
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
    const runtime = pageRuntime();
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
      runtime: pageRuntime(),
      operationTimeoutMs: 300,
    });
    await expect(client.createProducer({ topic: "orders" })).rejects.toMatchObject({ retryable: true });
    await client.close();
  } finally {
    server.close();
  }
});

it("a client with sockets of Node's own is refused at once and told what to do, and nothing is printed", async () => {
  await using t = await startTestCluster({ network: "memory" });
  const server = setupServer(...pulsarHandlers(t, { webSocketUrl: URL_OF_THE_APP }));
  server.listen({ onUnhandledRequest: "error" });
  const printed = vi.spyOn(console, "error");
  try {
    await using client = new PulsarClient({ serviceUrl: URL_OF_THE_APP, operationTimeoutMs: 300, logger: SILENT });
    const failing = client.createProducer({ topic: "orders" });
    await expect(failing).rejects.toThrow(/426/);
    expect(printed).not.toHaveBeenCalled();
  } finally {
    server.close();
  }
});

it("handlers refuse what is no cluster, and options that there are none of", async () => {
  await using t = await startTestCluster({ network: "memory" });
  const wrong = (options: object): never => options as never;
  expect(() => pulsarHandlers(t, wrong({ websocketUrl: "ws://a" }))).toThrow(/no option "websocketUrl".*webSocketUrl/);
  expect(() => pulsarHandlers(t, { webSocketUrl: "https://a" })).toThrow(/webSocketUrl takes a URL with ws:/);
  expect(() => pulsarHandlers(t, wrong({ adminUrl: 5 }))).toThrow(/adminUrl takes a URL with http:/);
  expect(() => pulsarHandlers(undefined as never)).toThrow(/takes a cluster of startTestCluster/);
});
