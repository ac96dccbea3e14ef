import { PulsarClient } from "@pulsewire/client";
import { FaultProxy } from "../faults/fault-proxy.ts";

/** One thing done often enough for a leak to show. */
export interface LeakCase {
  readonly name: string;
  /** How much the heap may have grown over the second half of the work, in bytes. */
  readonly growthBytesMax: number;
  /** Does the work once at half its length; called twice, so that what a first time costs does not count. */
  half(client: PulsarClient, serviceUrl: string, part: number): Promise<void>;
}

const PRODUCERS = 10_000;
const CONSUMERS = 10_000;
const MESSAGES = 1_000_000;
const STORMS = 60;

/** Runs `count` pieces of work, so many at one time. */
async function pieces(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

const producers: LeakCase = {
  name: `${PRODUCERS} producers opened, used and closed`,
  growthBytesMax: 2_000_000,
  async half(client) {
    await pieces(PRODUCERS / 2, 16, async (i) => {
      const producer = await client.createProducer({ topic: `leaks-producers-${i % 8}` });
      await producer.send({ data: "x" });
      await producer.close();
    });
    check(client.pendingBytes === 0, `${client.pendingBytes} bytes are still counted as pending`);
  },
};

const consumers: LeakCase = {
  name: `${CONSUMERS} consumers opened, used and closed`,
  growthBytesMax: 2_000_000,
  async half(client, _, part) {
    const producer = await client.createProducer({ topic: "leaks-consumers" });
    await producer.send({ data: "x" });
    let received = 0;
    await pieces(CONSUMERS / 2, 16, async (i) => {
      const consumer = await client.subscribe({
        topic: "leaks-consumers",
        subscription: `s-${part}-${i % 16}-${i % 3}`,
        type: i % 2 === 0 ? "Shared" : "Key_Shared",
        initialPosition: "Earliest",
        negativeAckRedeliveryDelayMs: 60_000,
      });
      // what the one before it acknowledged does not come
      const message = await consumer.receive({ timeoutMs: 50 }).catch(() => undefined);
      if (message !== undefined) {
        received++;
        if (i % 3 === 0) await consumer.acknowledge(message);
        else consumer.negativeAcknowledge(message);
      }
      await consumer.close();
    });
    check(received > CONSUMERS / 4, `only ${received} of ${CONSUMERS / 2} consumers received a message`);
    await producer.close();
  },
};

const messages: LeakCase = {
  name: `${MESSAGES} messages produced, consumed and acknowledged`,
  growthBytesMax: 4_000_000,
  async half(client) {
    const topic = "leaks-messages";
    const consumer = await client.subscribe({ topic, subscription: "s", type: "Shared", ackTimeoutMs: 30_000 });
    const producer = await client.createProducer({ topic, blockIfQueueFull: true });
    const total = MESSAGES / 2;
    const data = new Uint8Array(100);
    const sending = (async () => {
      for (let n = 0; n < total; n += 1000) {
        await Promise.all(Array.from({ length: 1000 }, () => producer.send({ data, key: "k" })));
      }
    })();
    for (let n = 0; n < total; n++) await consumer.acknowledge(await consumer.receive());
    await sending;
    check(client.pendingBytes === 0, `${client.pendingBytes} bytes are still counted as pending`);
    await producer.close();
    await consumer.close();
  },
};

const storms: LeakCase = {
  name: `${STORMS} reconnections of 50 producers and 50 consumers`,
  growthBytesMax: 2_000_000,
  async half(_, serviceUrl, part) {
    const proxy = await FaultProxy.open(serviceUrl);
    const client = new PulsarClient({ serviceUrl: proxy.url });
    const topics = Array.from({ length: 50 }, (_unused, i) => `leaks-storm-${part}-${i}`);
    const opened = await Promise.all(
      topics.map(async (topic) => ({
        consumer: await client.subscribe({ topic, subscription: "s" }),
        producer: await client.createProducer({ topic, sendTimeoutMs: 0 }),
      })),
    );
    for (let storm = 0; storm < STORMS / 2; storm++) {
      const sending = opened.map(({ producer }) => producer.send({ data: `${storm}` }));
      proxy.resetAll();
      await Promise.all(sending);
    }
    check(client.pendingBytes === 0, `${client.pendingBytes} bytes are still counted as pending`);
    await client.close();
    check(proxy.connections <= 1, `${proxy.connections} connections are left open`);
    await proxy.close();
  },
};

const forgotten: LeakCase = {
  name: "a listening consumer nobody holds a reference to goes on",
  growthBytesMax: 2_000_000,
  async half(client, _, part) {
    const topic = `leaks-forgotten-${part}`;
    const got = new Set<string>();
    await client.subscribe({
      topic,
      subscription: "s",
      messageListener: async (message, consumer) => {
        await consumer.acknowledge(message);
        got.add(message.text());
      },
    });
    const producer = await client.createProducer({ topic });
    for (let n = 0; n < 20; n++) {
      globalThis.gc?.();
      await producer.send({ data: `${n}` });
    }
    for (const endMs = Date.now() + 20_000; got.size < 20 && Date.now() < endMs; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    check(got.size === 20, `only ${got.size} of 20 messages came`);
    await producer.close();
  },
};

export const CASES: readonly LeakCase[] = [producers, consumers, messages, storms, forgotten];
