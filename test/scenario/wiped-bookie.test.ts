import { MessageId, PulsarClient } from "@pulsewire/client";
import { startCluster } from "@pulsewire/server";
import { expect, test } from "vitest";

test("a bookie that lost everything under a topic that is written has it all again, and the topic goes on in another ledger", async () => {
  await using cluster = await startCluster({ settings: { openLedgerRereplicationGracePeriod: 100 } });
  await using client = new PulsarClient({ serviceUrl: cluster.serviceUrl });
  // without anybody who needs them, ledgers that are full would go
  await using _keeper = await client.subscribe({ topic: "t", subscription: "keeper" });
  const producer = await client.createProducer({ topic: "t", batchingEnabled: false });
  const sent: string[] = [];
  const ledgers = new Set<string>();
  const send = async (): Promise<void> => {
    const text = `message ${sent.length}`;
    const { ledgerId } = await producer.send(text);
    sent.push(text);
    ledgers.add(String(ledgerId));
  };
  const inDoubt = async (): Promise<number> => {
    const damage = await (await fetch(`${cluster.adminUrl}/api/v1/bookie/damage`)).json();
    return (damage as Record<string, { ledgersInDoubt: number }>)["127.0.0.1:3181"]?.ledgersInDoubt ?? -1;
  };
  for (let i = 0; i < 50; i++) await send();
  await cluster.faults.bookie(0).restart({ wipe: true });
  expect(await inDoubt()).toBeGreaterThan(0);
  while ((await inDoubt()) > 0) await send();
  for (let i = 0; i < 50; i++) await send();
  expect(ledgers.size).toBeGreaterThan(1);
  // now another one may lose everything, and nothing is in a broker's memory
  await cluster.recovery.checkAllLedgers();
  await expect.poll(async () => (await cluster.recovery.progress()).underReplicated).toEqual([]);
  await cluster.faults.bookie(1).restart({ wipe: true });
  await fetch(`${cluster.adminUrl}/admin/v2/persistent/public/default/t/unload`, { method: "PUT" });
  const reader = await client.createReader({ topic: "t", startMessageId: MessageId.earliest });
  const got: string[] = [];
  while (await reader.hasMessageAvailable()) got.push((await reader.readNext(10_000)).text());
  expect([...new Set(got)]).toEqual(sent);
});
