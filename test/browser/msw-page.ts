// Runs in the page: an application that knows its production URLs only, and a cluster inside the page that serves them.
import { PulsarClient } from "@pulsewire/client";
import { PulsarAdmin } from "@pulsewire/client/admin";
import { pulsarHandlers, startTestCluster } from "@pulsewire/server/msw";
import { setupWorker } from "msw/browser";

export interface MswPageResult {
  received: string[];
  topics: string[];
  late: string;
  error?: string;
}

declare global {
  interface Window {
    runMswCases(): Promise<MswPageResult>;
  }
}

const SERVICE_URL = "wss://pulsar.example.com/ws/binary";

window.runMswCases = async () => {
  const result: MswPageResult = { received: [], topics: [], late: "" };
  try {
    await using t = await startTestCluster({ clock: "virtual" });
    const handlers = pulsarHandlers(t, { webSocketUrl: SERVICE_URL, adminUrl: "https://pulsar.example.com" });
    const worker = setupWorker(...handlers);
    await worker.start({ quiet: true, onUnhandledRequest: "bypass" });
    await using client = new PulsarClient({ serviceUrl: SERVICE_URL });
    const consumer = await client.subscribe({ topic: "orders", subscription: "s", type: "Shared" });
    const producer = await client.createProducer({ topic: "orders" });
    await Promise.all(Array.from({ length: 20 }, (_, i) => producer.send(`order ${i}`)));
    for (let i = 0; i < 20; i++) {
      const message = await consumer.receive({ timeoutMs: 5000 });
      result.received.push(message.text());
      await consumer.acknowledge(message);
    }
    const admin = new PulsarAdmin({ serviceUrl: "https://pulsar.example.com" });
    result.topics = await admin.topics.list("public/default");
    await producer.send({ data: "in an hour", deliverAfterMs: 3_600_000 });
    await t.time.advance(3_610_000);
    result.late = (await consumer.receive({ timeoutMs: 5000 })).text();
    worker.stop();
  } catch (error) {
    result.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  return result;
};
