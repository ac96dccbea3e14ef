import { CommandType, TopicName } from "@pulsewire/protocol";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { describe, expect, it } from "vitest";
import { createTestRuntime, ProtocolClient } from "../broker/connection/protocol-client-fixture.ts";
import { startCluster } from "./cluster.ts";
import type { ClusterOptions } from "./cluster-options.ts";

describe("startCluster", () => {
  it("serves real sockets: TCP and WebSocket", async () => {
    const runtime = createNodeRuntime();
    await using cluster = await startCluster();
    expect(cluster.serviceUrl).toMatch(/^pulsar:\/\/127\.0\.0\.1:\d+$/);
    expect(cluster.serviceUrlTls).toBeUndefined();
    for (const url of [cluster.serviceUrl, cluster.webSocketUrl]) {
      const client = await ProtocolClient.connect(runtime, url);
      await client.producer("t", 1);
      client.publish(1, 0);
      await client.next(CommandType.SEND_RECEIPT);
      client.close();
    }
  });

  it("has public/default and pulsar/system from the start", async () => {
    await using cluster = await startCluster({ runtime: createTestRuntime() });
    const { tenants, namespaces } = cluster.admin.resources;
    expect(await tenants.list()).toEqual(["public", "pulsar"]);
    expect(await namespaces.list("public")).toEqual(["public/default"]);
    expect(await namespaces.list("pulsar")).toEqual(["pulsar/system"]);
    expect((await namespaces.get("public/default"))?.bundles.numBundles).toBe(4);
  });

  it("lives beside another in one process, and they know nothing of each other", async () => {
    await using first = await startCluster();
    await using second = await startCluster();
    await first.admin.topic(TopicName.parse("t"), true);
    expect(await first.admin.resources.topics.list("public/default")).toHaveLength(1);
    expect(await second.admin.resources.topics.list("public/default")).toHaveLength(0);
  });

  it("serves TLS beside the plain listeners, and tells clients of it", async () => {
    const runtime = createTestRuntime();
    await using cluster = await startCluster({ runtime, tls: { cert: "", key: "" }, tlsPort: 6651, httpsPort: 8443 });
    expect(cluster.serviceUrlTls).toBe("pulsar+ssl://127.0.0.1:6651");
    expect(cluster.webSocketUrlTls).toBe("wss://127.0.0.1:8443/ws/binary");
    expect(cluster.adminUrlTls).toBe("https://127.0.0.1:8443");
    const client = await ProtocolClient.connect(runtime, "pulsar+ssl://127.0.0.1:6651");
    const answer = await client.request(CommandType.LOOKUP, { topic: "t" });
    expect(answer.body).toMatchObject({
      brokerServiceUrl: cluster.serviceUrl,
      brokerServiceUrlTls: cluster.serviceUrlTls,
    });
  });

  it.each([
    [{ host: "0.0.0.0" }, "localhost"],
    [{ host: "::1" }, "[::1]"],
    [{ host: "0.0.0.0", advertisedAddress: "pulsar.example" }, "pulsar.example"],
  ])("names itself to clients: %o as %s", async (options, address) => {
    await using cluster = await startCluster({ ...options, runtime: createTestRuntime(), port: 6650 });
    expect(cluster.serviceUrl).toBe(`pulsar://${address}:6650`);
  });

  it("closes twice and frees its ports", async () => {
    const first = await startCluster();
    const port = Number(new URL(first.serviceUrl).port);
    await first.close();
    await first.close();
    await using second = await startCluster({ port });
    expect(second.serviceUrl).toBe(`pulsar://127.0.0.1:${port}`);
  });

  it("closes where another owner took a cursor over, and frees its ports", async () => {
    const first = await startCluster({ brokers: 2 });
    const { network } = createNodeRuntime();
    const topic = `${first.adminUrl}/admin/v2/persistent/public/default/taken`;
    for (const url of [topic, `${topic}/subscription/s`]) {
      expect((await network.fetch(new Request(url, { method: "PUT" }))).status).toBe(204);
    }
    const other = first.metadata.session();
    const key = "/managed-ledgers/public/default/persistent/taken/s";
    await other.put(key, (await other.get(key))?.value ?? new Uint8Array(0));
    const { serviceUrl } = first;
    await first.close();
    await using second = await startCluster({ port: Number(new URL(serviceUrl).port) });
    expect(second.serviceUrl).toBe(serviceUrl.replace("localhost", "127.0.0.1"));
  });

  it.each(["port", "httpPort"] as const)("names the port in use for %s, and leaves nothing behind", async (option) => {
    await using first = await startCluster();
    const port = Number(new URL(option === "port" ? first.serviceUrl : first.adminUrl).port);
    await expect(startCluster({ [option]: port })).rejects.toMatchObject({
      code: "AddressInUse",
      message: expect.stringContaining(String(port)),
    });
  });

  it("answers HTTP by the handler it is given, and 404 with a reason without", async () => {
    const runtime = createTestRuntime();
    await using plain = await startCluster({ runtime });
    const missing = await runtime.network.fetch(new Request(`${plain.adminUrl}/nothing`));
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ reason: "HTTP 404 Not Found: GET /nothing" });

    const other = createTestRuntime();
    await using served = await startCluster({
      runtime: other,
      http: async (request, { broker }) => Response.json([new URL(request.url).pathname, broker.urls.brokerId]),
    });
    const answer = await other.network.fetch(new Request(`${served.adminUrl}/x`));
    expect(await answer.json()).toEqual(["/x", new URL(served.adminUrl).host]);
  });

  it.each<[unknown, RegExp]>([
    [{ brokers: 0 }, /^brokers takes an integer from 1 to 64, not 0$/],
    [{ bookies: 2, ensembleSize: 3 }, /^ensembleSize takes an integer from 1 to 2, not 3$/],
    [{ writeQuorum: 2, ackQuorum: 3 }, /^ackQuorum takes an integer from 1 to 2, not 3$/],
    [
      { settings: { managedLedgerDefaultEnsembleSize: 5 } },
      /^settings\.managedLedgerDefaultEnsembleSize takes an integer from 1 to 3, not 5$/,
    ],
    [
      { settings: { managedLedgerDefaultEnsembleSize: "2", managedLedgerDefaultWriteQuorum: "3" } },
      /^settings\.managedLedgerDefaultWriteQuorum takes an integer from 1 to 2, not 3$/,
    ],
    [
      { settings: { managedLedgerDefaultWriteQuorum: 2, managedLedgerDefaultAckQuorum: 3 } },
      /^settings\.managedLedgerDefaultAckQuorum takes an integer from 1 to 2, not 3$/,
    ],
    [
      { ensembleSize: 2, settings: { managedLedgerDefaultWriteQuorum: 3 } },
      /^settings\.managedLedgerDefaultWriteQuorum takes an integer from 1 to 2, not 3$/,
    ],
    [
      { writeQuorum: 3, settings: { managedLedgerDefaultEnsembleSize: 2 } },
      /^writeQuorum takes an integer from 1 to 2, not 3$/,
    ],
    [{ port: 70_000 }, /^port takes an integer from 0 to 65535/],
    [{ port: "6650" }, /^port takes an integer from 0 to 65535, not "6650"$/],
    [null as never, /^a cluster takes an object of options, or nothing, not null$/],
    ["x" as never, /^a cluster takes an object of options, or nothing, not "x"$/],
    [{ host: "" }, /^host takes a text/],
    [{ prot: 1 }, /^prot: there is no such option; there are runtime/],
    [{ settings: { maxMessageSizee: 1 } }, /^settings\.maxMessageSizee: there is no such setting$/],
    [{ settings: { maxMessageSize: "big" } }, /^settings\.maxMessageSize takes an integer from 1024/],
    [{ settings: { allowAutoTopicCreation: "yes" } }, /takes true or false, not "yes"$/],
    [{ settings: { allowAutoTopicCreationType: "some" } }, /takes one of non-partitioned, partitioned, not "some"$/],
  ])("names a wrong option and what it takes: %o", async (options, message) => {
    await expect(startCluster(options as ClusterOptions)).rejects.toThrow(message);
  });

  it("of which settings say the ensemble has fewer copies of each entry, unless they say how many", async () => {
    const settings = { managedLedgerDefaultEnsembleSize: "2" };
    await using cluster = await startCluster({ runtime: createTestRuntime(), settings });
    expect(cluster.brokers[0]?.settings).toMatchObject({
      managedLedgerDefaultEnsembleSize: 2,
      managedLedgerDefaultWriteQuorum: 2,
      managedLedgerDefaultAckQuorum: 2,
    });
  });

  it("runs with a single bookie", async () => {
    const runtime = createTestRuntime();
    await using cluster = await startCluster({ runtime, bookies: 1 });
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await client.producer("t", 1);
    client.publish(1, 0);
    await client.next(CommandType.SEND_RECEIPT);
  });
});
