import { generateKeyPairSync } from "node:crypto";
import { type Consumer, fixedKeys, type Message, MessageId } from "@pulsewire/client";
import { type Case, check, equal, nothing, numbers, rejects, take, texts } from "./kit.ts";

const KIB = 1024;

/** A text that no codec makes small. */
function noise(length: number, seed: number): string {
  let state = seed;
  let out = "";
  while (out.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    out += (state >>> 0).toString(36);
  }
  return out.slice(0, length);
}

async function one(consumer: Consumer): Promise<Message> {
  return (await take(consumer, 1, { ack: false }))[0] as Message;
}

function keys(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

export const PAYLOADS: readonly Case[] = [
  {
    name: "chunks: larger than the broker takes, acknowledged as one",
    async run({ client, topic }) {
      const t = topic("chunks");
      const subscribe = (): Promise<Consumer> =>
        client.subscribe({ topic: t, subscription: "s", type: "Shared", ackReceiptEnabled: true });
      const consumer = await subscribe();
      const producer = await client.createProducer({ topic: t, chunkingEnabled: true });
      const big = noise(11_000_000, 1);
      const id = await producer.send({ data: big, key: "k", properties: { a: "b" } });
      check((id.chunks?.length ?? 0) >= 3, `${id.chunks?.length} chunks`);
      await producer.send("small");
      const message = await one(consumer);
      check(message.text() === big, "the payload differs");
      equal([message.key, message.properties], ["k", { a: "b" }], "fields");
      equal(String(message.messageId), String(id), "id");
      equal(message.messageId.chunks, id.chunks, "chunks");
      await consumer.acknowledge(message);
      await consumer.close();
      const again = await subscribe();
      equal(texts(await take(again, 1)), ["small"], "what is left after the acknowledgement");
      await nothing(again, 300);
    },
  },
  {
    name: "chunks: negative acknowledgement brings all of them again",
    async run({ client, topic }) {
      const t = topic("chunknack");
      const options = { type: "Shared", negativeAckRedeliveryDelayMs: 200 } as const;
      const consumer = await client.subscribe({ topic: t, subscription: "s", ...options });
      const producer = await client.createProducer({ topic: t, chunkingEnabled: true, chunkMaxMessageSize: 50 * KIB });
      const big = noise(220 * KIB, 2);
      await producer.send(big);
      consumer.negativeAcknowledge(await one(consumer));
      const [again] = await take(consumer, 1);
      check(again?.text() === big, "the payload differs");
      equal(again?.redeliveryCount, 1, "redelivery count");
      await nothing(consumer, 500);
    },
  },
  {
    name: "chunks: of two producers at once",
    async run({ client, topic }) {
      const t = topic("chunkmix");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const open = () => client.createProducer({ topic: t, chunkingEnabled: true, chunkMaxMessageSize: 10 * KIB });
      const producers = [await open(), await open()];
      const sends = producers.flatMap((p, who) =>
        Array.from({ length: 5 }, (_, i) => p.send(`${who}-${i}-${noise(100 * KIB, who * 10 + i)}`)),
      );
      await Promise.all(sends);
      const got = texts(await take(consumer, 10));
      for (const who of [0, 1]) {
        const of = got.filter((text) => text.startsWith(`${who}-`));
        equal(
          of.map((text) => text.slice(0, 3)),
          [0, 1, 2, 3, 4].map((i) => `${who}-${i}`),
          "order of one producer",
        );
        check(
          of.every((text, i) => text === `${who}-${i}-${noise(100 * KIB, who * 10 + i)}`),
          "a payload differs",
        );
      }
    },
  },
  {
    name: "chunks: seek to one, and read from one",
    async run({ client, topic }) {
      const t = topic("chunkseek");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t, chunkingEnabled: true, chunkMaxMessageSize: 10 * KIB });
      const ids = [];
      for (const i of [0, 1, 2, 3]) ids.push(await producer.send(`${i}-${noise(35 * KIB, i)}`));
      const starts = (messages: readonly Message[]): string[] => texts(messages).map((text) => text.slice(0, 2));
      equal(starts(await take(consumer, 4)), ["0-", "1-", "2-", "3-"], "all");
      const copy = MessageId.fromBytes((ids[1] as MessageId).toBytes());
      await consumer.seek(copy, { inclusive: true });
      equal(starts(await take(consumer, 3)), ["1-", "2-", "3-"], "inclusive");
      await consumer.seek(copy);
      equal(starts(await take(consumer, 2)), ["2-", "3-"], "exclusive");
      const reader = await client.createReader({ topic: t, startMessageId: copy, startMessageIdInclusive: true });
      const read = [await reader.readNext(20_000), await reader.readNext(20_000), await reader.readNext(20_000)];
      equal(starts(read), ["1-", "2-", "3-"], "reader");
      equal(await reader.hasMessageAvailable(), false, "at the end");
    },
  },
  {
    name: "chunks: with deduplication",
    async run({ client, topic, namespace }) {
      const t = topic("chunkdedup", await namespace("dedup"));
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const options = { topic: t, producerName: "d", chunkingEnabled: true, chunkMaxMessageSize: 10 * KIB };
      const producer = await client.createProducer(options);
      await producer.send({ data: `a-${noise(35 * KIB, 1)}`, sequenceId: 5 });
      await producer.send({ data: `b-${noise(35 * KIB, 2)}`, sequenceId: 5 });
      await producer.send({ data: `c-${noise(35 * KIB, 3)}`, sequenceId: 6 });
      equal(
        texts(await take(consumer, 2)).map((text) => text.slice(0, 2)),
        ["a-", "c-"],
        "the copy is left out",
      );
    },
  },
  {
    name: "a payload above the limit that compresses well",
    async run({ client, topic }) {
      const t = topic("zbig");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      for (const compressionType of ["LZ4", "ZLIB", "ZSTD", "SNAPPY"] as const) {
        const producer = await client.createProducer({ topic: t, compressionType });
        await producer.send(new Uint8Array(7_000_000));
        const [message] = await take(consumer, 1);
        equal(message?.data.length, 7_000_000, compressionType);
        await producer.close();
      }
    },
  },
  {
    name: "encryption: batched, compressed, in chunks",
    async run({ client, topic }) {
      const t = topic("enc");
      const { publicKey, privateKey } = keys();
      const cryptoKeyReader = fixedKeys({ publicKeys: { k: publicKey }, privateKeys: { k: privateKey } });
      const consumer = await client.subscribe({ topic: t, subscription: "s", cryptoKeyReader });
      const ways = [
        { batchingEnabled: false },
        { batchingMaxPublishDelayMs: 20, compressionType: "ZSTD" },
        { chunkingEnabled: true, chunkMaxMessageSize: 100, compressionType: "LZ4" },
      ] as const;
      for (const way of ways) {
        const producer = await client.createProducer({ topic: t, encryptionKeys: ["k"], cryptoKeyReader, ...way });
        const bodies = numbers(0, 10).map((i) => `secret ${i} ${noise(300, Number(i))}`);
        await Promise.all(bodies.map((body) => producer.send(body)));
        equal(texts(await take(consumer, 10)), bodies, JSON.stringify(way));
        await producer.close();
      }
    },
  },
  {
    name: "encryption: what cannot be decrypted fails, is discarded or is delivered raw",
    async run({ client, topic, admin }) {
      const t = topic("encfail");
      const { publicKey } = keys();
      const encryptionKeys = ["k"];
      const cryptoKeyReader = fixedKeys({ publicKeys: { k: publicKey }, privateKeys: { k: keys().privateKey } });
      const open = (subscription: string, cryptoFailureAction: "FAIL" | "DISCARD" | "CONSUME"): Promise<Consumer> =>
        client.subscribe({ topic: t, subscription, cryptoKeyReader, cryptoFailureAction, ackReceiptEnabled: true });
      const consumers = [
        await open("fail", "FAIL"),
        await open("discard", "DISCARD"),
        await open("raw", "CONSUME"),
      ] as const;
      const compressionType = "ZLIB";
      const secret = await client.createProducer({ topic: t, encryptionKeys, cryptoKeyReader, compressionType });
      await Promise.all([secret.send("secret 1"), secret.send("secret 2")]);
      await secret.close();
      await (await client.createProducer({ topic: t })).send("open");
      const [raw, plain] = await take(consumers[2], 2);
      check(raw?.encryptionContext?.isEncrypted === true && !raw.text().includes("secret"), "raw");
      equal(raw?.encryptionContext?.batchSize, 2, "batch size");
      equal(plain?.text(), "open", "after the raw one");
      equal(texts(await take(consumers[0], 1)), ["open"], "after the failure");
      equal(texts(await take(consumers[1], 1)), ["open"], "after the discarded one");
      for (const consumer of consumers) await consumer.close();
      const stats = (await admin("GET", `/admin/v2/${t.replace("://", "/")}/stats`)) as {
        subscriptions: Record<string, { msgBacklog: number }>;
      };
      check((stats.subscriptions.fail?.msgBacklog ?? 0) > 0, "the failed one was acknowledged");
      equal([stats.subscriptions.discard?.msgBacklog, stats.subscriptions.raw?.msgBacklog], [0, 0], "backlogs");
      await rejects(
        client.createProducer({ topic: t, encryptionKeys: ["other"], cryptoKeyReader }),
        ["CryptoError"],
        "a key that is not there",
      );
    },
  },
];
