import { CommandType, TopicName } from "@pulsewire/protocol";
import { createNodeRuntime } from "@pulsewire/runtime/node";
import { describe, expect, it } from "vitest";
import { ProtocolClient } from "../broker/connection/protocol-client-fixture.ts";
import { type Cluster, startCluster } from "./cluster.ts";

const runtime = createNodeRuntime();
const MESSAGES = 30;
const LOST = 17;

/** A topic of which copies of one entry are damaged, on some of three bookies. */
async function oneLost(cluster: Cluster, on: readonly number[] = [0, 1, 2]): Promise<ProtocolClient> {
  const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
  await client.producer("t", 1);
  for (let i = 0; i < MESSAGES; i++) client.publish(1, i);
  let ledgerId = -1;
  for (let i = 0; i < MESSAGES; i++) {
    ledgerId = Number((await client.next(CommandType.SEND_RECEIPT)).messageId?.ledgerId);
  }
  for (const i of on) expect(await cluster.faults.bookie(i).corrupt(ledgerId, LOST)).toBe(true);
  // what the broker has in memory is whole
  await cluster.admin.unloadTopic(TopicName.parse("t"));
  client.close();
  return ProtocolClient.connect(runtime, cluster.serviceUrl);
}

async function entryIds(client: ProtocolClient, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push(Number((await client.next(CommandType.MESSAGE)).messageId.entryId));
  return ids;
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe("an entry of which some copies are damaged", () => {
  it.each([[[0]], [[1, 1]], [[0, 2]]])("is read from the others: damaged on %j", async (on) => {
    await using cluster = await startCluster();
    const client = await oneLost(cluster, on);
    await client.consumer("t", 1, { initialPosition: 1 }, 1000);
    expect(await entryIds(client, MESSAGES)).toEqual(upTo(0, MESSAGES));
    client.close();
  });
});

describe("an entry of which every copy is damaged", () => {
  it.each([
    ["Exclusive", 0],
    ["Shared", 1],
  ] as const)(
    "%s: what is before it is served, what fails is told and counted, and what is behind it comes once it is skipped",
    async (_type, subType) => {
      const errors: string[] = [];
      await using cluster = await startCluster({ onError: (error) => errors.push(String(error)) });
      const client = await oneLost(cluster);
      await client.consumer("t", 1, { subType, initialPosition: 1 }, 1000);
      expect(await entryIds(client, LOST)).toEqual(upTo(0, LOST));
      await expect.poll(() => errors.length).toBe(1);
      const said = (bookie: number): string => `127.0.0.1:${3181 + bookie} has a damaged one, or lost it`;
      expect(errors[0]).toMatch(
        /^ManagedLedgerError: ReadFailed: persistent:\/\/public\/default\/t: subscription s cannot be served: .*; reading is tried again; where an entry is lost for good, skip it$/,
      );
      expect(errors[0]).toMatch(new RegExp(`no copy of entry ${LOST} of ledger \\d+ can be read: `));
      expect(errors[0]).toContain([0, 1, 2].map(said).join(", "));

      const metrics = await (await runtime.network.fetch(new Request(`${cluster.adminUrl}/metrics/`))).text();
      expect(metrics).toMatch(/pulsewire_subscription_read_failures_total\{.*subscription="s"\} [1-9]/);
      const topic = await cluster.admin.topic(TopicName.parse("t"), false);
      const reads = (): number => topic?.stats().subscriptions.get("s")?.readFailures ?? 0;
      // it is tried less and less often, and neither messages that come nor permits make it more
      const before = reads();
      for (let i = 0; i < 20; i++) client.send(CommandType.FLOW, { consumerId: 1, messagePermits: 1 });
      await client.producer("t", 2);
      for (let i = 0; i < 20; i++) client.publish(2, i);
      for (let i = 0; i < 20; i++) await client.next(CommandType.SEND_RECEIPT);
      expect(reads() - before).toBeLessThan(5);

      const path = `/admin/v2/persistent/public/default/t/subscription/s/skip/${LOST + 1}`;
      const skip = `${cluster.adminUrl}${path}`;
      expect((await runtime.network.fetch(new Request(skip, { method: "POST" }))).status).toBe(204);
      expect(await entryIds(client, MESSAGES - LOST - 1)).toEqual(upTo(LOST + 1, MESSAGES));
      expect(errors).toHaveLength(1);
      client.close();
    },
  );
});
