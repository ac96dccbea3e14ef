import { generateKeyPairSync, webcrypto } from "node:crypto";
import { CommandType, type MessageMetadata } from "@pulsewire/protocol";
import { deferred } from "@pulsewire/runtime";
import { createWebEncryption } from "@pulsewire/runtime/web";
import { describe, expect, it } from "vitest";
import type { ConsumerOptions } from "../consuming/consumer-options.ts";
import type { Producer } from "../producing/producer.ts";
import type { ProducerOptions } from "../producing/producer-options.ts";
import { type Fixture, outcome, startFixture } from "../testing/fixture.ts";
import { type CryptoKeyReader, type EncryptionKeyInfo, fixedKeys } from "./crypto-key-reader.ts";

function pair(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const [a, b] = [pair(), pair()];
const readerOf = (...names: ("a" | "b")[]): CryptoKeyReader => {
  const keys = { a, b };
  return fixedKeys({
    publicKeys: Object.fromEntries(names.map((n) => [n, keys[n].publicKey])),
    privateKeys: Object.fromEntries(names.map((n) => [n, keys[n].privateKey])),
  });
};

/** What a producer sends is delivered to a consumer of the same client. */
interface Loop extends Fixture {
  producer: Producer;
  /** Delivers what was sent and not delivered, and answers the texts. */
  texts(): Promise<string[]>;
  subscribe(options: Partial<ConsumerOptions>): ReturnType<Fixture["client"]["subscribe"]>;
  deliverSent(): Promise<void>;
}

async function start(options: Partial<ProducerOptions>): Promise<Loop> {
  const fixture = await startFixture();
  const { broker, client, settle } = fixture;
  const producer = await client.createProducer({
    topic: "t",
    encryptionKeys: ["a"],
    cryptoKeyReader: readerOf("a"),
    ...options,
  });
  let delivered = 0;
  let consumer: Awaited<ReturnType<typeof client.subscribe>> | undefined;
  const deliverSent = async (): Promise<void> => {
    for (; delivered < broker.sent.length; delivered++) {
      const { payload, metadata } = (broker.sent[delivered] as (typeof broker.sent)[0]).entry;
      broker.deliverEntry(delivered, metadata as MessageMetadata, payload);
    }
    await settle();
    await settle();
  };
  return {
    ...fixture,
    producer,
    deliverSent,
    async subscribe(consumerOptions) {
      consumer = await client.subscribe({
        topic: "t",
        subscription: "s",
        type: "Shared",
        acknowledgmentGroupTimeMs: 0,
        ...consumerOptions,
      });
      await settle();
      return consumer;
    },
    async texts() {
      await deliverSent();
      const texts: string[] = [];
      while (consumer !== undefined && consumer.queuedMessages > 0) texts.push((await consumer.receive()).text());
      return texts;
    },
  };
}

const sealed = ({ broker }: Fixture, text: string): boolean =>
  broker.sent.every((s) => s.entry.metadata.encryptionKeys.length > 0 && !s.texts.join("").includes(text));

describe("an encrypted message", () => {
  it.each([
    ["alone", { batchingEnabled: false }],
    ["in a batch", { batchingMaxPublishDelayMs: 5 }],
    ["compressed", { batchingMaxPublishDelayMs: 5, compressionType: "LZ4" }],
    ["in chunks", { chunkingEnabled: true, chunkMaxMessageSize: 7 }],
    ["compressed and in chunks", { chunkingEnabled: true, chunkMaxMessageSize: 7, compressionType: "SNAPPY" }],
  ] as const)("is read by whoever has the private key: %s", async (_how, options) => {
    const loop = await start(options);
    await loop.subscribe({ cryptoKeyReader: readerOf("a") });
    const texts = ["secret words", "secret deeds", "secret thoughts and more"];
    const sending = Promise.all(texts.map((t) => loop.producer.send({ data: t, key: "k" })));
    await loop.producer.flush();
    await sending;
    expect(sealed(loop, "secret")).toBe(true);
    expect(await loop.texts()).toEqual(texts);
  });

  it("keeps its order where the platform answers later", async () => {
    const loop = await start({ batchingEnabled: false });
    const web = createWebEncryption(webcrypto.subtle as SubtleCrypto);
    Object.assign(loop.runtime.codec, { encryption: web });
    const producer = await loop.client.createProducer({
      topic: "t",
      encryptionKeys: ["a"],
      cryptoKeyReader: readerOf("a"),
      batchingEnabled: false,
    });
    await loop.subscribe({ cryptoKeyReader: readerOf("a") });
    const texts = Array.from({ length: 20 }, (_, i) => `secret ${i}`);
    await Promise.all(texts.map((t) => producer.send(t)));
    expect(loop.broker.sent.map((s) => Number(s.body.sequenceId))).toEqual(texts.map((_, i) => i));
    const got: string[] = [];
    await loop.deliverSent();
    const consumer = await loop.subscribe({ subscription: "second", cryptoKeyReader: readerOf("a") });
    for (const [index, { entry }] of loop.broker.sent.entries()) {
      loop.broker.deliverEntry(index, entry.metadata as MessageMetadata, entry.payload);
    }
    for (const _ of texts) got.push((await consumer.receive()).text());
    expect(got).toEqual(texts);
  });

  it("can be read with any one of several keys, and brings their metadata to the key reader", async () => {
    const asked: unknown[] = [];
    const publicReader: CryptoKeyReader = {
      getPublicKey: (name) => ({ key: name === "a" ? a.publicKey : b.publicKey, metadata: { version: `${name}1` } }),
    };
    const loop = await start({ encryptionKeys: ["a", "b"], cryptoKeyReader: publicReader });
    const privateReader: CryptoKeyReader = {
      async getPrivateKey(name, metadata) {
        asked.push([name, metadata]);
        if (name === "a") throw new Error("not mine");
        return { key: new TextEncoder().encode(b.privateKey) };
      },
    };
    await loop.subscribe({ cryptoKeyReader: privateReader });
    await Promise.all([loop.producer.send("secret 1"), loop.producer.flush()]);
    await Promise.all([loop.producer.send("secret 2"), loop.producer.flush()]);
    expect(await loop.texts()).toEqual(["secret 1", "secret 2"]);
    // the second message came with the same data key, which is known by then
    expect(asked).toEqual([
      ["a", { version: "a1" }],
      ["b", { version: "b1" }],
    ]);
  });

  it("tells how it was encrypted", async () => {
    const loop = await start({ batchingEnabled: false });
    const consumer = await loop.subscribe({ cryptoKeyReader: readerOf("a") });
    await loop.producer.send("secret");
    await loop.deliverSent();
    const context = (await consumer.receive()).encryptionContext;
    expect(context).toMatchObject({ isEncrypted: false, algorithm: "", compressionType: "NONE" });
    expect(context?.keys.a?.value.length).toBe(256);
    expect(context?.param.length).toBe(12);
  });

  it("has a new data key every four hours", async () => {
    const loop = await start({ batchingEnabled: false, sendTimeoutMs: 0 });
    const wrapped = (): string[] => loop.broker.sent.map((s) => s.entry.metadata.encryptionKeys[0]?.value.join() ?? "");
    await loop.producer.send("1");
    await loop.clock.advance(4 * 60 * 60 * 1000 - 1);
    await loop.producer.send("2");
    await loop.clock.advance(1);
    await loop.producer.send("3");
    await loop.settle();
    await loop.producer.send("4");
    const [first, second, third, fourth] = wrapped();
    expect([second, third]).toEqual([first, first]);
    expect(fourth).not.toBe(first);
    expect(new Set(loop.broker.sent.map((s) => s.entry.metadata.encryptionParam?.join())).size).toBe(4);
  });

  it("keeps its data key while there is no new one, and asks for it again a minute later", async () => {
    let asked = 0;
    let answer: () => EncryptionKeyInfo | Promise<EncryptionKeyInfo> = () => ({ key: a.publicKey });
    const getPublicKey = (): EncryptionKeyInfo | Promise<EncryptionKeyInfo> => {
      asked++;
      return answer();
    };
    const loop = await start({ batchingEnabled: false, sendTimeoutMs: 0, cryptoKeyReader: { getPublicKey } });
    const keys = (): number =>
      new Set(loop.broker.sent.map((s) => s.entry.metadata.encryptionKeys[0]?.value.join())).size;
    const send = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) await loop.producer.send("x");
      await loop.settle();
    };
    await send(1);
    await loop.clock.advance(4 * 60 * 60 * 1000);
    answer = () => Promise.reject(new Error("the key store is down"));
    await send(3);
    expect([asked, keys()]).toEqual([2, 1]);
    await loop.clock.advance(60_000);
    answer = () => new Promise(() => undefined);
    await send(3);
    expect([asked, keys()]).toEqual([3, 1]);
    // the one that never answered is given up after operationTimeoutMs
    await loop.clock.advance(30_000 + 60_000);
    answer = () => ({ key: a.publicKey });
    await send(3);
    expect(asked).toBe(4);
    await send(1);
    expect(keys()).toBe(2);
  });

  it("tells the broker that the producer encrypts", async () => {
    const { broker } = await start({});
    expect(broker.of(CommandType.PRODUCER)[0]?.encrypted).toBe(true);
  });
});

describe("a producer whose keys cannot be had", () => {
  const bad: [string, CryptoKeyReader][] = [
    [
      "the reader throws",
      {
        getPublicKey: () => {
          throw new Error("the vault is sealed");
        },
      },
    ],
    ["the reader rejects", { getPublicKey: () => Promise.reject(new Error("the vault is sealed")) }],
    ["the reader has none", {}],
    [
      "the key is no key",
      { getPublicKey: () => ({ key: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----" }) },
    ],
    ["the key is a private one", { getPublicKey: () => ({ key: a.privateKey }) }],
    ["the answer is nothing", { getPublicKey: () => undefined as never }],
  ];

  it.each(bad)("is refused with CryptoError: %s", async (_why, cryptoKeyReader) => {
    const { client, broker } = await startFixture();
    const opening = client.createProducer({ topic: "t", encryptionKeys: ["a"], cryptoKeyReader });
    await expect(opening).rejects.toMatchObject({ code: "CryptoError", message: expect.stringContaining('"a"') });
    expect(broker.of(CommandType.PRODUCER)).toEqual([]);
  });

  it("sends unencrypted where it is told to", async () => {
    const { client, broker } = await startFixture();
    const cryptoKeyReader: CryptoKeyReader = {};
    const cryptoFailureAction = "SEND";
    const producer = await client.createProducer({
      topic: "t",
      encryptionKeys: ["a"],
      cryptoKeyReader,
      cryptoFailureAction,
    });
    await Promise.all([producer.send("open"), producer.flush()]);
    expect(broker.sent[0]?.texts).toEqual(["open"]);
    expect(broker.sent[0]?.entry.metadata.encryptionKeys).toEqual([]);
  });

  it.each(["FAIL", "SEND"] as const)("does as it is told where encrypting fails later: %s", async (action) => {
    const loop = await start({ batchingEnabled: false, cryptoFailureAction: action });
    const { encryption } = loop.runtime.codec;
    const broken = {
      ...encryption,
      dataKey: () => ({
        encrypt: () => Promise.reject(new Error("no")),
        decrypt: () => {
          throw new Error("no");
        },
      }),
    };
    Object.assign(loop.runtime.codec, { encryption: broken });
    const options = {
      topic: "t",
      encryptionKeys: ["a"],
      cryptoKeyReader: readerOf("a"),
      cryptoFailureAction: action,
      batchingEnabled: false,
    };
    const producer = await loop.client.createProducer(options);
    expect(await outcome(producer.send("x"))).toBe(action === "FAIL" ? "CryptoError" : "resolved");
    expect(loop.client.pendingBytes).toBe(0);
  });
});

describe("a message that cannot be decrypted", () => {
  const readers: [string, CryptoKeyReader | undefined][] = [
    ["without a key reader", undefined],
    ["with another key", fixedKeys({ privateKeys: { a: b.privateKey } })],
    [
      "with a reader that throws",
      {
        getPrivateKey: () => {
          throw new Error("no");
        },
      },
    ],
  ];

  describe.each(readers)("%s", (_why, cryptoKeyReader) => {
    const reader = cryptoKeyReader === undefined ? {} : { cryptoKeyReader };

    it.each([false, true])(
      "is delivered raw with CONSUME, once, with its context; batched and compressed: %s",
      async (batched) => {
        const loop = await start(
          batched ? { compressionType: "ZLIB", batchingMaxPublishDelayMs: 5 } : { batchingEnabled: false },
        );
        const consumer = await loop.subscribe({ ...reader, cryptoFailureAction: "CONSUME", receiverQueueSize: 10 });
        const count = batched ? 3 : 1;
        const sends = Promise.all(Array.from({ length: count }, (_, i) => loop.producer.send(`secret ${i}`)));
        await loop.producer.flush();
        await sends;
        await loop.deliverSent();
        expect(consumer.queuedMessages).toBe(1);
        const message = await consumer.receive();
        expect(message.data).toEqual(loop.broker.sent[0]?.entry.payload);
        expect(message.encryptionContext).toMatchObject({
          isEncrypted: true,
          compressionType: batched ? "ZLIB" : "NONE",
          batchSize: batched ? 3 : undefined,
        });
        if (batched) expect(message.encryptionContext?.uncompressedMessageSize).toBeGreaterThan(20);
        await consumer.acknowledge(message);
        await loop.settle();
        expect(loop.broker.of(CommandType.ACK).map((x) => x.messageId)).toMatchObject([[{ entryId: 0 }]]);
        expect(loop.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES)).toEqual([]);
      },
    );

    it("is acknowledged with the reason and dropped with DISCARD, and the next is delivered", async () => {
      const loop = await start({ batchingEnabled: false });
      const consumer = await loop.subscribe({ ...reader, cryptoFailureAction: "DISCARD", receiverQueueSize: 1 });
      await loop.producer.send("secret");
      await loop.deliverSent();
      loop.broker.deliver({ entryId: 5, texts: ["open"] });
      expect((await consumer.receive()).text()).toBe("open");
      expect(loop.broker.of(CommandType.ACK)).toMatchObject([{ validationError: 4, messageId: [{ entryId: 0 }] }]);
    });

    it("stays unacknowledged with FAIL, and the next is delivered", async () => {
      const loop = await start({ batchingEnabled: false });
      const consumer = await loop.subscribe({ ...reader, receiverQueueSize: 1 });
      await loop.producer.send("secret");
      await loop.deliverSent();
      loop.broker.deliver({ entryId: 5, texts: ["open"] });
      expect((await consumer.receive()).text()).toBe("open");
      expect(loop.broker.of(CommandType.ACK)).toEqual([]);
    });
  });

  it.each([
    ["Shared", "throws"],
    ["Exclusive", "throws"],
    ["Shared", "does not answer"],
  ] as const)("comes again after the ack timeout, and is read then: %s, a reader that %s", async (type, how) => {
    const loop = await start({ batchingEnabled: false });
    let asked = 0;
    const getPrivateKey: CryptoKeyReader["getPrivateKey"] = (name, metadata) => {
      if (asked++ > 0) return readerOf("a").getPrivateKey?.(name, metadata) as Promise<EncryptionKeyInfo>;
      if (how === "throws") throw new Error("the vault is sealed");
      return deferred<EncryptionKeyInfo>().promise;
    };
    const consumer = await loop.subscribe({ type, cryptoKeyReader: { getPrivateKey }, ackTimeoutMs: 1000 });
    await loop.producer.send("secret");
    await loop.deliverSent();
    if (how !== "throws") await loop.clock.advance(30_000);
    const asks = (): number => loop.broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES).length;
    expect([consumer.queuedMessages, asks()]).toEqual([0, 0]);
    await loop.clock.advance(1100);
    expect(asks()).toBe(1);
    const { payload, metadata } = (loop.broker.sent[0] as (typeof loop.broker.sent)[0]).entry;
    loop.broker.deliverEntry(0, metadata as MessageMetadata, payload);
    const message = await consumer.receive();
    expect(message.text()).toBe("secret");
    await consumer.acknowledge(message);
    await loop.clock.advance(5000);
    expect(asks()).toBe(1);
  });

  it("because it was changed on its way is not delivered", async () => {
    const loop = await start({ batchingEnabled: false });
    const consumer = await loop.subscribe({ cryptoKeyReader: readerOf("a") });
    await loop.producer.send("secret");
    const { entry } = loop.broker.sent[0] as (typeof loop.broker.sent)[0];
    const changed = entry.payload.slice();
    changed[0] = (changed[0] as number) ^ 1;
    loop.broker.deliverEntry(0, entry.metadata as MessageMetadata, changed);
    await loop.settle();
    expect(consumer.queuedMessages).toBe(0);
  });
});
