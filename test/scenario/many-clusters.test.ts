import { startTestCluster } from "@pulsewire/server/testing";
import { expect, it } from "vitest";

const handles = (): string[] => process.getActiveResourcesInfo().filter((kind) => /TCP|Server|Timeout/.test(kind));

async function use(i: number): Promise<void> {
  await using t = await startTestCluster(i % 2 === 0 ? { network: "memory" } : {});
  const producer = await t.client.createProducer({ topic: t.topic() });
  await producer.send("hello");
}

it("two hundred clusters in one run leave no socket, listener or timer behind", async () => {
  await use(1);
  const before = handles().length;
  for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 10 }, (_, j) => use(j)));
  // the system takes a moment to let closed sockets go
  await expect.poll(() => handles().length, { timeout: 5000 }).toBeLessThanOrEqual(before + 1);
}, 60_000);
