import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Pulsar from "@pulsewire/client/compat";
import { type Case, check, equal, numbers, sleep, sorted, until } from "./kit.ts";

const SERVICE_URL = process.env.PULSAR_URL ?? "pulsar://127.0.0.1:6650";

/** Programs in the shape of those written for the official Node client, with a client that is closed behind each. */
async function withClient(run: (client: Pulsar.Client) => Promise<void>): Promise<void> {
  const client = new Pulsar.Client({ serviceUrl: SERVICE_URL, operationTimeoutSeconds: 20 });
  try {
    await run(client);
  } finally {
    equal(await client.close(), null, "close");
  }
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "resolved",
    (error: Error) => error.message,
  );
}

export const COMPAT: readonly Case[] = [
  {
    name: "official Node API: produce, receive, acknowledge",
    run: ({ topic }) =>
      withClient(async (client) => {
        const t = topic("compat");
        const consumer = await client.subscribe({ topic: t, subscription: "sub1", subscriptionType: "Exclusive" });
        const producer = await client.createProducer({ topic: t, sendTimeoutMs: 30_000, batchingEnabled: true });
        for (const text of numbers(0, 10)) {
          void producer.send({ data: Buffer.from(`my-message-${text}`), properties: { n: text }, partitionKey: "k" });
        }
        await producer.flush();
        for (const text of numbers(0, 10)) {
          const msg = await consumer.receive(20_000);
          equal(msg.getData().toString(), `my-message-${text}`, "data");
          equal([msg.getProperties(), msg.getPartitionKey()], [{ n: text }, "k"], "properties and key");
          await consumer.acknowledge(msg);
        }
        equal(await messageOf(consumer.receive(300)), "Failed to receive message: TimeOut", "nothing more");
        equal(
          await messageOf(client.subscribe({ topic: t, subscription: "sub1" })),
          "Failed to create consumer: ConsumerBusy",
          "a second exclusive consumer",
        );
        await consumer.close();
        await producer.close();
      }),
  },
  {
    name: "official Node API: reader with hasNext, seek by id and time",
    run: ({ topic }) =>
      withClient(async (client) => {
        const t = topic("compat-reader");
        const producer = await client.createProducer({ topic: t, batchingEnabled: false });
        const ids: Pulsar.MessageId[] = [];
        for (const text of numbers(0, 5)) ids.push(await producer.send({ data: Buffer.from(text) }));
        const reader = await client.createReader({ topic: t, startMessageId: Pulsar.MessageId.earliest() });
        const read: string[] = [];
        while (reader.hasNext()) read.push((await reader.readNext()).getData().toString());
        equal(read, numbers(0, 5), "everything, and then an end");
        await reader.seek(ids[2] as Pulsar.MessageId);
        check(reader.hasNext(), "there is more behind a seek");
        equal((await reader.readNext(20_000)).getData().toString(), "3", "behind the id");
        await reader.seekTimestamp(0);
        equal((await reader.readNext(20_000)).getData().toString(), "0", "from the start");
        const copy = Pulsar.MessageId.deserialize((ids[3] as Pulsar.MessageId).serialize());
        const other = await client.createReader({ topic: t, startMessageId: copy });
        equal((await other.readNext(20_000)).getData().toString(), "4", "behind a restored id");
        await reader.close();
        equal(await messageOf(reader.readNext(100)), "Failed to receive message: AlreadyClosed", "after close");
        await other.close();
        const empty = await client.createReader({ topic: t, startMessageId: Pulsar.MessageId.latest() });
        check(!empty.hasNext(), "nothing behind the end");
      }),
  },
  {
    name: "official Node API: listener, negative acknowledgement, dead letters",
    run: ({ topic }) =>
      withClient(async (client) => {
        const t = topic("compat-listener");
        const seen: [string, number][] = [];
        await client.subscribe({
          topic: t,
          subscription: "sub1",
          subscriptionType: "Shared",
          nAckRedeliverTimeoutMs: 100,
          deadLetterPolicy: { deadLetterTopic: `${t}-dead`, maxRedeliverCount: 2 },
          listener: (msg, consumer) => {
            seen.push([msg.getData().toString(), msg.getRedeliveryCount()]);
            if (msg.getData().toString() === "bad") consumer.negativeAcknowledge(msg);
            else void consumer.acknowledge(msg);
          },
        });
        const dead = await client.subscribe({ topic: `${t}-dead`, subscription: "s" });
        const producer = await client.createProducer({ topic: t, batchingEnabled: false });
        await producer.send({ data: Buffer.from("good") });
        await producer.send({ data: Buffer.from("bad") });
        equal((await dead.receive(20_000)).getData().toString(), "bad", "the dead letter");
        equal(
          seen.filter(([text]) => text === "bad").map(([, count]) => count),
          [0, 1, 2],
          "deliveries before",
        );
      }),
  },
  {
    name: "official Node API: partitions, routing, cumulative acknowledgement, batchReceive",
    run: ({ topic, admin }) =>
      withClient(async (client) => {
        const t = topic("compat-parts");
        await admin("PUT", `/admin/v2/${t.replace("://", "/")}/partitions`, 3);
        equal(
          await client.getPartitionsForTopic(t),
          [0, 1, 2].map((i) => `${t}-partition-${i}`),
          "partitions",
        );
        const consumer = await client.subscribe({
          topic: t,
          subscription: "sub1",
          subscriptionType: "Failover",
          batchReceivePolicy: { maxNumMessages: 6, timeoutMs: 5000 },
        });
        const routed: number[] = [];
        const producer = await client.createProducer({
          topic: t,
          messageRoutingMode: "CustomPartition",
          messageRouter: (message, { numPartitions }) => {
            routed.push(numPartitions);
            return Number(message.getPartitionKey());
          },
        });
        for (const text of numbers(0, 6)) {
          await producer.send({ data: Buffer.from(text), partitionKey: String(Number(text) % 3) });
        }
        equal(new Set(routed), new Set([3]), "what the router was told");
        const messages = await consumer.batchReceive();
        equal(sorted(messages.map((m) => m.getData().toString())), numbers(0, 6), "all in one");
        for (const m of messages) {
          equal(m.getTopicName(), `${t}-partition-${Number(m.getData().toString()) % 3}`, "where the router put it");
          await consumer.acknowledgeCumulative(m);
        }
      }),
  },
  {
    name: "official Node API: delayed delivery, KeyShared, schema",
    run: ({ topic, admin }) =>
      withClient(async (client) => {
        const t = topic("compat-more");
        const schema = JSON.stringify({ type: "record", name: "R", fields: [{ name: "a", type: "string" }] });
        const info: Pulsar.SchemaInfo = { schemaType: "Json", name: "r", schema, properties: { key: "value" } };
        const consumer = await client.subscribe({
          topic: t,
          subscription: "sub1",
          subscriptionType: "KeyShared",
          schema: info,
        });
        const producer = await client.createProducer({ topic: t, schema: info });
        const startMs = Date.now();
        await producer.send({ data: Buffer.from('{"a":"late"}'), deliverAfter: 1000, partitionKey: "k" });
        const msg = await consumer.receive(20_000);
        check(Date.now() - startMs >= 900, `it came after ${Date.now() - startMs} ms`);
        equal(msg.getData().toString(), '{"a":"late"}', "the bytes are the application's");
        await consumer.acknowledgeId(msg.getMessageId());
        const path = `/admin/v2/schemas/${t.slice("persistent://".length)}/schema`;
        equal(((await admin("GET", path)) as { type: string }).type, "JSON", "what is registered");
        await until("unsubscribed", 20_000, async () => (await messageOf(consumer.unsubscribe())) === "resolved");
        await sleep(0);
      }),
  },
  {
    name: "official Node API: encryption by files of keys and by a reader of keys",
    run: ({ topic }) =>
      withClient(async (client) => {
        const t = topic("compat-crypto");
        const { publicKey, privateKey } = generateKeyPairSync("rsa", {
          modulusLength: 2048,
          publicKeyEncoding: { type: "spki", format: "pem" },
          privateKeyEncoding: { type: "pkcs8", format: "pem" },
        });
        const folder = mkdtempSync(join(tmpdir(), "keys-"));
        try {
          const [publicKeyPath, privateKeyPath] = [join(folder, "public.pem"), join(folder, "private.pem")];
          writeFileSync(publicKeyPath, publicKey);
          writeFileSync(privateKeyPath, privateKey);
          const producer = await client.createProducer({ topic: t, publicKeyPath, encryptionKey: "k" });
          const readable = await client.subscribe({ topic: t, subscription: "a", privateKeyPath });
          class Keys extends Pulsar.CryptoKeyReader {
            override getPrivateKey(
              _name: string,
              metadata: { [key: string]: string },
            ): ReturnType<Pulsar.CryptoKeyReader["getPrivateKey"]> {
              return { key: Buffer.from(privateKey), metadata };
            }
          }
          const byReader = await client.subscribe({ topic: t, subscription: "b", cryptoKeyReader: new Keys() });
          const blind = await client.subscribe({ topic: t, subscription: "c", cryptoFailureAction: "CONSUME" });
          await producer.send({ data: Buffer.from("secret") });
          for (const consumer of [readable, byReader]) {
            equal((await consumer.receive(20_000)).getData().toString(), "secret", "decrypted");
          }
          const raw = await blind.receive(20_000);
          check(raw.getData().toString() !== "secret", "it was not encrypted");
          const context = raw.getEncryptionContext();
          equal([context?.keys[0]?.key, context?.isDecryptionFailed], ["k", true], "the context");
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
  },
  {
    name: "official Node API: topicsPattern, chunks",
    run: ({ topic }) =>
      withClient(async (client) => {
        const [one, two] = [topic("compat-pattern-1"), topic("compat-pattern-2")];
        const producers = await Promise.all(
          [one, two].map((t) => client.createProducer({ topic: t, chunkingEnabled: true })),
        );
        const topicsPattern = one.replace("pattern-1", "pattern-.");
        const consumer = await client.subscribe({ topicsPattern, subscription: "s", subscriptionType: "Exclusive" });
        const large = Buffer.alloc(6 * 1024 * 1024, "x");
        await Promise.all(producers.map((producer) => producer.send({ data: large })));
        const seen = [await consumer.receive(20_000), await consumer.receive(20_000)];
        equal(sorted(seen.map((m) => m.getTopicName())), sorted([one, two]), "both topics");
        check(
          seen.every((m) => m.getData().equals(large)),
          "the chunks are not put together",
        );
      }),
  },
];
