// Runs in the page: produces and consumes over the WebSocket, through the client's browser entry.
import { type Consumer, fixedKeys, PulsarClient } from "@pulsewire/client";

export interface PageResult {
  received: string[];
  ids: string[];
  partitions: number;
  compressed: Record<string, boolean>;
  /** Of a message that was compressed, cut into chunks and encrypted. */
  secret: boolean;
  error?: string;
}

declare global {
  interface Window {
    runCases(serviceUrl: string, run: string): Promise<PageResult>;
  }
}

async function pem(format: "spki" | "pkcs8", key: CryptoKey): Promise<string> {
  const label = format === "spki" ? "PUBLIC KEY" : "PRIVATE KEY";
  const der = new Uint8Array(await crypto.subtle.exportKey(format, key));
  return `-----BEGIN ${label}-----\n${btoa(String.fromCharCode(...der))}\n-----END ${label}-----`;
}

async function sendSecret(client: PulsarClient, topic: string): Promise<boolean> {
  const algorithm = { name: "RSA-OAEP", hash: "SHA-1", modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["encrypt", "decrypt"]);
  const cryptoKeyReader = fixedKeys({
    publicKeys: { page: await pem("spki", pair.publicKey) },
    privateKeys: { page: await pem("pkcs8", pair.privateKey) },
  });
  const consumer: Consumer = await client.subscribe({ topic, subscription: "page", cryptoKeyReader });
  const producer = await client.createProducer({
    topic,
    encryptionKeys: ["page"],
    cryptoKeyReader,
    compressionType: "ZSTD",
    chunkingEnabled: true,
    chunkMaxMessageSize: 50,
  });
  const texts = Array.from({ length: 10 }, (_, i) =>
    Array.from({ length: 100 }, (_, k) => `secret ${(i + 1) * k * 7919}`).join(),
  );
  const ids = await Promise.all(texts.map((text) => producer.send(text)));
  for (const text of texts) if ((await consumer.receive({ timeoutMs: 10_000 })).text() !== text) return false;
  return ids.every((id) => (id.chunks?.length ?? 0) > 2);
}

window.runCases = async (serviceUrl, run) => {
  const result: PageResult = { received: [], ids: [], partitions: 0, compressed: {}, secret: false };
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
    for (const compressionType of ["LZ4", "ZLIB", "ZSTD", "SNAPPY"] as const) {
      const compressing = await client.createProducer({ topic, compressionType });
      const text = "abc".repeat(20_000);
      await compressing.send(text);
      const message = await consumer.receive({ timeoutMs: 10_000 });
      result.compressed[compressionType] = message.text() === text;
      await consumer.acknowledge(message);
    }
    result.secret = await sendSecret(client, `${topic}-secret`);
    result.partitions = (await client.getPartitionsForTopic(topic)).length;
  } catch (error) {
    result.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  return result;
};
