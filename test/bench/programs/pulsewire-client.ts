// Our client as a peer of the benchmark: the same work and the same line of JSON as the other peers.
//   pulsewire-client.ts URL MESSAGES BYTES [produce,consume | produce | consume | single]
// `produce` and `consume` alone go on from nothing: against a server that only takes or only gives.
import { GCProfiler } from "node:v8";
import { type Consumer, PulsarClient } from "@pulsewire/client";

const [url = "", messagesText = "", bytesText = "", mode = "produce,consume"] = process.argv.slice(2);
const messages = Number(messagesText);
const payload = new Uint8Array(Number(bytesText)).fill(97);
/** Sends that are not settled. More of them only give the garbage collector more to carry from one round to the next. */
const WINDOW = 10_000;

export interface Phase {
  perSecond: number;
  cpuSecondsPerMillion: number;
  allocatedMbPerMillion: number;
}

/** Heap and external bytes that came into being, from what each collection found and left. */
function allocatedBytes(profile: ReturnType<GCProfiler["stop"]>, before: number, after: number): number {
  let left = before;
  let allocated = 0;
  for (const { beforeGC, afterGC } of profile.statistics) {
    const grown = beforeGC.heapStatistics;
    allocated += Math.max(0, grown.usedHeapSize + grown.externalMemory - left);
    left = afterGC.heapStatistics.usedHeapSize + afterGC.heapStatistics.externalMemory;
  }
  return allocated + Math.max(0, after - left);
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measured(work: () => Promise<void>): Promise<Phase> {
  const profiler = new GCProfiler();
  const before = heldBytes();
  profiler.start();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await work();
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const allocated = allocatedBytes(profiler.stop(), before, heldBytes());
  const millions = messages / 1e6;
  return {
    perSecond: messages / seconds,
    cpuSecondsPerMillion: (user + system) / 1e6 / millions,
    allocatedMbPerMillion: allocated / 1e6 / millions,
  };
}

/** Sends on, with at most WINDOW unsettled. */
function produce(send: (data: Uint8Array) => Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    let settled = 0;
    const onSent = (): void => {
      settled++;
      if (settled === messages) resolve();
      else if (sent < messages) one();
    };
    const one = (): void => {
      sent++;
      send(payload).then(onSent, reject);
    };
    for (let i = 0; i < WINDOW && sent < messages; i++) one();
  });
}

async function consume(consumer: Consumer): Promise<void> {
  for (let i = 0; i < messages; i++) {
    const message = await consumer.receive();
    void consumer.acknowledge(message);
  }
}

const client = new PulsarClient({ serviceUrl: url, memoryLimitBytes: 512 * 1024 * 1024 });
const topic = `persistent://public/default/bench-pulsewire-${process.pid}-${Math.round(performance.timeOrigin)}`;
const producing = { topic, maxPendingMessages: 50_000, blockIfQueueFull: true };
const consuming = {
  topic,
  subscription: "s",
  initialPosition: "Earliest",
  receiverQueueSize: 10_000,
} as const;

const phases: Record<string, Phase> = {};
if (mode === "single") {
  const producer = await client.createProducer({ ...producing, batchingEnabled: false });
  phases.single = await measured(async () => {
    for (let i = 0; i < messages; i++) await producer.send(payload);
  });
} else {
  const consumer = mode === "produce" ? undefined : await client.subscribe(consuming);
  if (mode !== "consume") {
    const producer = await client.createProducer(producing);
    phases.produced = await measured(() => produce((data) => producer.send(data)));
  }
  if (consumer !== undefined) phases.consumed = await measured(() => consume(consumer));
}
await client.close();
const { user, system } = process.cpuUsage();
const rates = Object.entries(phases).map(([name, { perSecond }]) => [`${name}_per_s`, perSecond]);
console.log(JSON.stringify({ ...Object.fromEntries(rates), cpu_s: (user + system) / 1e6, phases }));
