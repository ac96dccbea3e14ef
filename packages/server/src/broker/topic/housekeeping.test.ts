import { CommandType, TopicName } from "@pulsewire/protocol";
import { afterEach, describe, expect, it } from "vitest";
import type { AdminTopic } from "../../admin/admin-context.ts";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { createTestRuntime, ProtocolClient, type TestRuntime } from "../connection/protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
afterEach(() => cluster.close());

const TOPIC = TopicName.parse("t");

async function start(settings: Record<string, number>): Promise<ProtocolClient> {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime, settings: { keepAliveIntervalSeconds: 1_000_000, ...settings } });
  const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
  await client.consumer("t", 1);
  await client.producer("t", 1);
  return client;
}

async function publish(client: ProtocolClient, sequenceId: number): Promise<void> {
  client.publish(1, sequenceId, "x", { publishTime: runtime.clock.now() });
  await client.next(CommandType.SEND_RECEIPT);
}

async function topic(): Promise<AdminTopic> {
  return (await cluster.admin.topic(TOPIC, false)) as AdminTopic;
}

const backlog = async (): Promise<number[]> =>
  [...(await topic()).subscriptions.values()].map((subscription) => subscription.cursor.backlogEntries);

describe("message TTL", () => {
  it("of the broker: what is older is acknowledged at the next look, and no sooner", async () => {
    const client = await start({ ttlDurationDefaultInSeconds: 100, messageExpiryCheckIntervalInMinutes: 1 });
    await publish(client, 0);
    await runtime.clock.advance(50_000);
    await publish(client, 1);
    await runtime.clock.advance(40_000);
    expect(await backlog()).toEqual([2]);
    await runtime.clock.advance(30_000);
    expect(await backlog()).toEqual([1]);
    await runtime.clock.advance(60_000);
    expect(await backlog()).toEqual([0]);
  });

  it("of the namespace, set while the topic is loaded", async () => {
    const client = await start({ messageExpiryCheckIntervalInMinutes: 1 });
    await publish(client, 0);
    await runtime.clock.advance(600_000);
    expect(await backlog()).toEqual([1]);
    await cluster.admin.resources.namespaces.update("public/default", (policies) => ({
      ...policies,
      message_ttl_in_seconds: 60,
    }));
    await runtime.clock.advance(60_000);
    expect(await backlog()).toEqual([0]);
  });
});

describe("retention", () => {
  it("lets ledgers go when their time is up, although nothing happens on the topic", async () => {
    const client = await start({ defaultRetentionTimeInMinutes: 10, defaultRetentionSizeInMB: -1 });
    await publish(client, 0);
    const { ledger, subscriptions } = await topic();
    for (const { cursor } of subscriptions.values()) cursor.clearBacklog();
    await ledger.rollover();
    await runtime.clock.advance(590_000);
    expect(ledger.entryCount).toBe(1);
    await runtime.clock.advance(130_000);
    expect(ledger.entryCount).toBe(0);
  });

  it("that is changed counts for topics that are loaded", async () => {
    const client = await start({});
    await cluster.admin.resources.namespaces.update("public/default", (policies) => ({
      ...policies,
      retention_policies: { retentionTimeInMinutes: -1, retentionSizeInMB: -1 },
    }));
    await runtime.clock.settle();
    await publish(client, 0);
    const { ledger, subscriptions } = await topic();
    for (const { cursor } of subscriptions.values()) cursor.clearBacklog();
    await ledger.rollover();
    await runtime.clock.advance(600_000);
    expect(ledger.entryCount).toBe(1);
    await cluster.admin.resources.namespaces.update("public/default", (policies) => ({
      ...policies,
      retention_policies: { retentionTimeInMinutes: 0, retentionSizeInMB: 0 },
    }));
    await runtime.clock.advance(120_000);
    expect(ledger.entryCount).toBe(0);
  });
});

describe("while the metadata store is away", () => {
  it("loaded topics serve, others cannot be asked for, and can once it is back", async () => {
    const client = await start({});
    const bundle = await cluster.admin.bundleOf(TOPIC);
    cluster.metadata.available = false;
    await publish(client, 0);
    client.send(CommandType.FLOW, { consumerId: 1, messagePermits: 10 });
    expect((await client.nextWithEntry(CommandType.MESSAGE)).body.consumerId).toBe(1);
    await publish(client, 1);
    const refused = await client.request(CommandType.LOOKUP, { topic: "another" });
    expect(refused.body).toMatchObject({ message: expect.stringContaining("metadata store cannot be reached") });
    const subscription = await client.request(CommandType.SUBSCRIBE, {
      topic: "t",
      subscription: "new",
      subType: 1,
      consumerId: 2,
    });
    expect(subscription.type).toBe(CommandType.ERROR);
    await expect(cluster.admin.unloadBundle("public/default", bundle)).rejects.toThrow("cannot be reached");

    cluster.metadata.available = true;
    await publish(client, 2);
    await client.producer("another", 3);
    await client.consumer("t", 3, { subscription: "new" });
    await cluster.admin.unloadBundle("public/default", bundle);
    await client.next(CommandType.CLOSE_PRODUCER);
  });

  it("a cluster can be closed", async () => {
    await start({});
    cluster.metadata.available = false;
    await cluster.close();
  });
});
