// Writes a backlog, or reads it from its start: entry by entry, one message each.
//   catch-up.ts URL TOPIC MESSAGES BYTES write | read
import { MessageId, PulsarClient } from "@pulsewire/client";

const [url = "", topic = "", messagesText = "", bytesText = "", mode = ""] = process.argv.slice(2);
const messages = Number(messagesText);
const payload = new Uint8Array(Number(bytesText)).fill(97);

const client = new PulsarClient({ serviceUrl: url, memoryLimitBytes: 256 * 1024 * 1024 });
const startMs = performance.now();
if (mode === "write") {
  const producer = await client.createProducer({ topic, batchingEnabled: false, blockIfQueueFull: true });
  let last: Promise<unknown> = Promise.resolve();
  for (let n = 0; n < messages; n++) {
    last = producer.send(payload);
    if (n % 1000 === 999) await last;
  }
  await producer.flush();
} else {
  const reader = await client.createReader({ topic, startMessageId: MessageId.earliest, receiverQueueSize: 10_000 });
  for (let n = 0; n < messages; n++) await reader.readNext();
}
const seconds = (performance.now() - startMs) / 1000;
await client.close();
console.log(JSON.stringify({ perSecond: messages / seconds }));
