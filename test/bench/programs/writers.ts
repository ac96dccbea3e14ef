// Writers of one topic, each of which awaits its receipt before it sends again.
//   writers.ts URL TOPIC WRITERS BYTES SECONDS
import { PulsarClient } from "@pulsewire/client";

const [url = "", topic = "", writersText = "", bytesText = "", secondsText = ""] = process.argv.slice(2);
const payload = new Uint8Array(Number(bytesText)).fill(97);
/** Not measured at first: both sides are slow until their code is warm. */
const WARM_MS = 1000;

const client = new PulsarClient({ serviceUrl: url });
const producers = await Promise.all(
  Array.from({ length: Number(writersText) }, () => client.createProducer({ topic, batchingEnabled: false })),
);
const startMs = performance.now() + WARM_MS;
const endMs = startMs + Number(secondsText) * 1000;
const waitedMs: number[] = [];
await Promise.all(
  producers.map(async (producer) => {
    for (;;) {
      const sentMs = performance.now();
      await producer.send(payload);
      const nowMs = performance.now();
      if (nowMs >= endMs) return;
      if (nowMs >= startMs) waitedMs.push(nowMs - sentMs);
    }
  }),
);
await client.close();
waitedMs.sort((a, b) => a - b);
const p99Ms = waitedMs[Math.floor(waitedMs.length * 0.99)] ?? Number.NaN;
console.log(JSON.stringify({ perSecond: waitedMs.length / Number(secondsText), p99Ms }));
