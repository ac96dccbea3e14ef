// Runs in the page: produces and consumes over the WebSocket, through the client's browser entry.
import { PulsarClient } from "@pulsewire/client";

export interface PageResult {
  received: string[];
  ids: string[];
  partitions: number;
  compressed: Record<string, boolean>;
  error?: string;
}

declare global {
  interface Window {
    runCases(serviceUrl: string, run: string): Promise<PageResult>;
  }
}

window.runCases = async (serviceUrl, run) => {
  const result: PageResult = { received: [], ids: [], partitions: 0, compressed: {} };
  try {
    await using client = new PulsarClient({ serviceUrl });
    const topic = `persistent://public/default/page-${run}`;
    const consumer = await client.subscribe({ topic, subscription: "page", type: "Shared" });
    const producer = await client.createProducer({ topic });
    const sent = Array.from({ length: 100 }, (_, i) =>
      producer.send({ data: `message ${i}`, properties: { i: String(i), umlaut: "grüß" }, key: `k${i % 5}` }),
    );
    result.ids = (await Promise.all(sent)).map(String);
    for (let i = 0; i < sent.length; i++) {
      const message = await consumer.receive({ timeoutMs: 10_000 });
      if (message.properties.umlaut !== "grüß") throw new Error("a property was changed on its way");
      result.received.push(message.text());
      await consumer.acknowledge(message);
    }
    for (const compressionType of ["LZ4", "ZLIB"] as const) {
      const compressing = await client.createProducer({ topic, compressionType });
      const text = "abc".repeat(20_000);
      await compressing.send(text);
      const message = await consumer.receive({ timeoutMs: 10_000 });
      result.compressed[compressionType] = message.text() === text;
      await consumer.acknowledge(message);
    }
    result.partitions = (await client.getPartitionsForTopic(topic)).length;
  } catch (error) {
    result.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  return result;
};
