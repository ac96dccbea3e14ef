import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Consumer, type Producer, PulsarClient } from "@pulsewire/client";
import { CommandType, encodeEntry, encodeFrame } from "@pulsewire/protocol";
import { type Cluster, startCluster } from "@pulsewire/server";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawConnection } from "./raw-connection.ts";

let cluster: Cluster;
let client: PulsarClient;
let producer: Producer;
let consumer: Consumer;

beforeAll(async () => {
  cluster = await startCluster();
  client = new PulsarClient({ serviceUrl: cluster.serviceUrl });
  producer = await client.createProducer({ topic: "neighbour" });
  consumer = await client.subscribe({ topic: "neighbour", subscription: "s" });
});
afterAll(async () => {
  await client.close();
  await cluster.close();
});

let sent = 0;

/** The neighbour on the same broker goes on, on the connection it has had from the start. */
async function neighbourWorks(): Promise<void> {
  const text = `still here ${sent++}`;
  await producer.send(text);
  const message = await consumer.receive({ timeoutMs: 5000 });
  expect(message.text()).toBe(text);
  await consumer.acknowledge(message);
}

/** A broker serves a topic once it was looked up. */
async function lookUp(topic: string): Promise<void> {
  const response = await fetch(`${cluster.adminUrl}/lookup/v2/topic/${topic.replace("://", "/")}`);
  expect(response.status).toBe(200);
}

const recorded = (
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "protocol", "vectors", "frames.json"), "utf8")) as {
    from: string;
    hex: string;
  }[]
).map((v) => Buffer.from(v.hex, "hex"));

describe("hostile frames over a real socket", () => {
  it("recorded frames out of their place harm nobody", async () => {
    for (const greeted of [false, true]) {
      for (const frame of recorded) {
        const connection = await (greeted ? RawConnection.greeted : RawConnection.open)(cluster.serviceUrl);
        connection.bytes(frame);
        if (greeted) await connection.settled();
        connection.destroy();
      }
      await neighbourWorks();
    }
  });

  it("recorded frames with bytes changed harm nobody", async () => {
    const change = fc.record({
      frame: fc.nat(recorded.length - 1),
      flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      cut: fc.option(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const connection = await RawConnection.greeted(cluster.serviceUrl);
        for (const { frame, flips, cut } of changes) {
          const bytes = Uint8Array.from(recorded[frame] as Buffer);
          // the size is left as it is, so that the change reaches the command
          for (const [at, value] of flips) bytes[4 + (at % (bytes.length - 4))] = value;
          connection.bytes(cut === null ? bytes : bytes.subarray(0, cut % bytes.length));
        }
        connection.destroy();
      }),
      { numRuns: 150 },
    );
    await neighbourWorks();
  });

  it("a hundred connections that each announce 5 MB and send none cost no memory and no service", async () => {
    const before = process.memoryUsage().rss;
    const connections = await Promise.all(Array.from({ length: 100 }, () => RawConnection.greeted(cluster.serviceUrl)));
    for (const connection of connections) connection.bytes(Uint8Array.of(0, 0x50, 0, 0, 0, 0, 0, 40, 8, 6));
    await neighbourWorks();
    // 100 x 5 MB would be 500 MB; what the process itself does meanwhile stays far below a tenth of it
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
    for (const connection of connections) connection.destroy();
  });

  it("commands with absurd numbers are answered or end their connection", async () => {
    const topic = "persistent://public/default/absurd";
    const huge = 2 ** 53 - 1;
    const attempts: ((c: RawConnection) => void)[] = [
      (c) => c.send(CommandType.FLOW, { consumerId: 99, messagePermits: 0xffffffff }),
      (c) => c.send(CommandType.SUBSCRIBE, { topic, subscription: "s", subType: 99 as 0, consumerId: 1, requestId: 1 }),
      (c) => c.send(CommandType.SUBSCRIBE, { topic, subscription: "", subType: 0, consumerId: -1, requestId: huge }),
      (c) => c.send(CommandType.PRODUCER, { topic: "x".repeat(100_000), producerId: 1, requestId: 2 }),
      (c) => c.send(CommandType.PRODUCER, { topic: "a/b", producerId: 1, requestId: 3 }),
      (c) => c.send(CommandType.PRODUCER, { topic: "persistent://no/such/topic", producerId: huge, requestId: 4 }),
      (c) => c.send(CommandType.ACK, { consumerId: 7, ackType: 0, messageId: [{ ledgerId: huge, entryId: -5 }] }),
      (c) => c.send(CommandType.SEEK, { consumerId: 7, requestId: 5, messageId: { ledgerId: -9, entryId: huge } }),
      (c) => c.send(CommandType.LOOKUP, { topic: "\u0000\uffff/../..", requestId: 6 }),
      (c) => c.send(CommandType.GET_TOPICS_OF_NAMESPACE, { namespace: "../../etc", requestId: 7 }),
      (c) =>
        c.send(CommandType.WATCH_TOPIC_LIST, {
          requestId: 8,
          watcherId: 1,
          namespace: "public/default",
          topicsPattern: "(a+)+$",
        }),
      (c) =>
        c.send(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES, {
          consumerId: 3,
          messageIds: [{ ledgerId: 0, entryId: 0 }],
        }),
      (c) => c.send(CommandType.CONNECT, { clientVersion: "again", protocolVersion: -1 }),
    ];
    for (const attempt of attempts) {
      const connection = await RawConnection.greeted(cluster.serviceUrl);
      attempt(connection);
      await connection.settled();
      connection.destroy();
    }
    await neighbourWorks();
  });

  it("a subscriber that gives permits without end and reads nothing does not fill the memory", async () => {
    const topic = "persistent://public/default/greedy";
    await lookUp(topic);
    const greedy = await RawConnection.greeted(cluster.serviceUrl);
    greedy.send(CommandType.SUBSCRIBE, { topic, subscription: "s", subType: 1, consumerId: 1, requestId: 1 });
    expect(await greedy.until((c) => c.type === CommandType.SUCCESS)).toBeDefined();
    await using feeding = await client.createProducer({ topic, batchingEnabled: false, maxPendingMessages: 1000 });
    greedy.send(CommandType.FLOW, { consumerId: 1, messagePermits: 0x7fffffff });
    await Promise.all(Array.from({ length: 200 }, () => feeding.send(new Uint8Array(10_000))));
    await neighbourWorks();
    greedy.destroy();
  });

  it("an entry with a wrong checksum is refused, and not stored", async () => {
    const topic = "persistent://public/default/checksum";
    await lookUp(topic);
    const connection = await RawConnection.greeted(cluster.serviceUrl);
    connection.send(CommandType.PRODUCER, { topic, producerId: 1, requestId: 1 });
    expect(await connection.until((c) => c.type === CommandType.PRODUCER_SUCCESS)).toBeDefined();
    const entry = encodeEntry({ producerName: "p", sequenceId: 0, publishTime: 1 }, new Uint8Array(10));
    entry[entry.length - 1] = 1;
    connection.bytes(
      Buffer.concat([
        encodeFrame({ type: CommandType.SEND, body: { producerId: 1, sequenceId: 0 } }, entry.length),
        entry,
      ]),
    );
    const answer = await connection.until((c) => c.type === CommandType.SEND_ERROR);
    expect(answer?.body).toMatchObject({ error: 9, sequenceId: 0 });
    const stats = await fetch(`${cluster.adminUrl}/admin/v2/persistent/public/default/checksum/stats`);
    expect(await stats.json()).toMatchObject({ msgInCounter: 0, storageSize: 0 });
    connection.destroy();
  });
});
