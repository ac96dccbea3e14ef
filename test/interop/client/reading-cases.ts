import { type Message, MessageId } from "@pulsewire/client";
import {
  adminPath,
  type Case,
  check,
  equal,
  nothing,
  numbers,
  read,
  rejects,
  sendAll,
  sleep,
  take,
  texts,
  until,
} from "./kit.ts";

export const READING: readonly Case[] = [
  {
    name: "reader: earliest, latest, an id, inclusive",
    async run({ client, topic }) {
      const t = topic("reader");
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 30 });
      const ids = await sendAll(producer, numbers(0, 10));
      const open = (startMessageId: MessageId, startMessageIdInclusive = false) =>
        client.createReader({ topic: t, startMessageId, startMessageIdInclusive });
      equal(await read(await open(MessageId.earliest), 10), numbers(0, 10), "earliest");
      const latest = await open(MessageId.latest);
      await rejects(latest.readNext(500), ["Timeout"], "latest");
      const middle = ids[4] as MessageId;
      equal(await read(await open(middle), 5), numbers(5, 10), "behind an id inside a batch");
      equal(await read(await open(middle, true), 6), numbers(4, 10), "with it");
      const copy = MessageId.fromBytes(middle.toBytes());
      equal(await read(await open(copy, true), 6), numbers(4, 10), "a restored id");
      equal(await read(await open(MessageId.latest, true), 1), ["9"], "the last message");
      await producer.send("new");
      equal(await read(latest, 1), ["new"], "what comes later");
    },
  },
  {
    name: "reader: of messages without batches",
    async run({ client, topic }) {
      const t = topic("reader1");
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      const ids = await sendAll(producer, numbers(0, 10));
      const startMessageId = ids[4] as MessageId;
      equal(await read(await client.createReader({ topic: t, startMessageId }), 5), numbers(5, 10), "behind it");
      const inclusive = await client.createReader({ topic: t, startMessageId, startMessageIdInclusive: true });
      equal(await read(inclusive, 6), numbers(4, 10), "with it");
    },
  },
  {
    name: "has message available",
    async run({ client, topic }) {
      const t = topic("hma");
      const producer = await client.createProducer({ topic: t });
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
      check(!(await reader.hasMessageAvailable()), "an empty topic has messages");
      await sendAll(producer, numbers(0, 5));
      const got: string[] = [];
      while (await reader.hasMessageAvailable()) got.push((await reader.readNext(20_000)).text());
      equal(got, numbers(0, 5), "messages");
      const startMessageId = MessageId.latest;
      check(
        !(await (await client.createReader({ topic: t, startMessageId })).hasMessageAvailable()),
        "latest has some",
      );
      const last = await client.createReader({ topic: t, startMessageId, startMessageIdInclusive: true });
      check(await last.hasMessageAvailable(), "latest, inclusive, has none");
      equal(await read(last, 1), ["4"], "the last one");
      check(!(await last.hasMessageAvailable()), "after the last one");
    },
  },
  {
    name: "has message available: by id, after seeks",
    async run({ client, topic }) {
      const t = topic("hmaseek");
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 30 });
      const ids = await sendAll(producer, numbers(0, 5));
      const last = ids[4] as MessageId;
      const behind = await client.createReader({ topic: t, startMessageId: last });
      check(!(await behind.hasMessageAvailable()), "behind the last");
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
      await reader.seek(Date.now() + 60_000);
      check(!(await reader.hasMessageAvailable()), "after a seek to the future");
      await reader.seek(ids[2] as MessageId);
      check(await reader.hasMessageAvailable(), "a seek by id forgets the one by time");
      equal(await read(reader, 2), ["3", "4"], "messages");
      check(!(await reader.hasMessageAvailable()), "read to the end");
      await reader.seek(0);
      check(await reader.hasMessageAvailable(), "after a seek to time 0");
      equal(await read(reader, 5), numbers(0, 5), "all of them");
    },
  },
  {
    name: "reader: for await, and partitions",
    async run({ client, topic, admin }) {
      const t = topic("readparts");
      await admin("PUT", `${adminPath(t)}/partitions`, 3);
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 30));
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
      const got: string[] = [];
      for await (const message of reader) {
        got.push(message.text());
        if (!(await reader.hasMessageAvailable())) await reader.close();
      }
      equal(got.sort(), numbers(0, 30).sort(), "all partitions");
    },
  },
  {
    name: "seek by id",
    async run({ client, topic }) {
      const t = topic("seekid");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 20));
      const messages = await take(consumer, 20);
      const id = (messages[9] as Message).messageId;
      await consumer.seek(id);
      equal(texts(await take(consumer, 10)), numbers(10, 20), "behind the id");
      await consumer.seek(id, { inclusive: true });
      equal(texts(await take(consumer, 11)), numbers(9, 20), "with the id");
      await consumer.seek(MessageId.earliest);
      equal(texts(await take(consumer, 20)), numbers(0, 20), "earliest");
      await consumer.seek(MessageId.latest);
      await nothing(consumer);
      await producer.send("x");
      equal(texts(await take(consumer, 1)), ["x"], "latest");
    },
  },
  {
    name: "seek inside a batch, with messages in the queue",
    async run({ client, topic }) {
      const t = topic("seekbatch");
      const consumer = await client.subscribe({ topic: t, subscription: "s", type: "Shared" });
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 100 });
      const ids = await sendAll(producer, numbers(0, 10));
      await until("10 messages in the queue", 20_000, () => consumer.queuedMessages === 10);
      await consumer.seek(ids[6] as MessageId);
      equal(texts(await take(consumer, 3)), numbers(7, 10), "behind it, and nothing older");
      await consumer.seek(MessageId.fromBytes((ids[2] as MessageId).toBytes()));
      equal(texts(await take(consumer, 7)), numbers(3, 10), "by a restored id");
      await nothing(consumer, 300);
    },
  },
  {
    name: "seek by time",
    async run({ client, topic }) {
      const t = topic("seektime");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 10));
      await sleep(500);
      const middleMs = Date.now();
      await sleep(500);
      await sendAll(producer, numbers(10, 20));
      await take(consumer, 20);
      await consumer.seek(middleMs);
      equal(texts(await take(consumer, 10)), numbers(10, 20), "from the time on");
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
      await reader.seek(new Date(middleMs));
      equal(await read(reader, 1), ["10"], "reader");
    },
  },
  {
    name: "last message id",
    async run({ client, topic }) {
      const t = topic("lastid");
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      equal((await consumer.getLastMessageId()).entryId, -1, "of an empty topic");
      const producer = await client.createProducer({ topic: t, batchingMaxPublishDelayMs: 50 });
      const ids = await sendAll(producer, numbers(0, 10));
      equal(String(await consumer.getLastMessageId()), String(ids[9]), "the last of a batch");
      const id = await producer.send("y");
      equal(String(await consumer.getLastMessageId()), String(id), "a message alone");
    },
  },
  {
    name: "reader: from a time ago, and after a seek by time, keep their place over a lost connection",
    async run({ client, topic, admin }) {
      const t = topic("readago");
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 5));
      await sleep(6000);
      const middleMs = Date.now();
      await sendAll(producer, numbers(5, 10));
      const ago = await client.createReader({
        topic: t,
        startMessageFromRollbackDurationMs: 5000,
        receiverQueueSize: 1,
      });
      const sought = await client.createReader({ topic: t, startMessageId: MessageId.earliest, receiverQueueSize: 1 });
      await sought.seek(middleMs);
      for (let round = 0; round < 2; round++) {
        await admin("PUT", `${adminPath(t)}/unload`);
        await until("the readers to be back", 20_000, () => ago.isConnected && sought.isConnected);
        await sleep(300);
      }
      equal(await read(sought, 5), numbers(5, 10), "from the time sought");
      equal(await read(ago, 5), numbers(5, 10), "from a time ago");
      check(!(await ago.hasMessageAvailable()), "there is more");
    },
  },
  {
    name: "reader: key hash ranges, listener",
    async run({ client, topic }) {
      const t = topic("readkeys");
      const producer = await client.createProducer({ topic: t, batchingEnabled: false });
      await sendAll(producer, numbers(0, 40), (i) => ({ key: `key-${i}` }));
      const halves: string[][] = [[], []];
      const ranges = [[0, 32_767] as const, [32_768, 65_535] as const];
      for (const [i, range] of ranges.entries()) {
        await client.createReader({
          topic: t,
          startMessageId: MessageId.earliest,
          keyHashRanges: [range],
          readerListener: (message) => void halves[i]?.push(message.text()),
        });
      }
      await until("all messages", 20_000, () => halves.flat().length >= 40);
      equal(
        halves
          .flat()
          .map(Number)
          .sort((a, b) => a - b),
        Array.from({ length: 40 }, (_, i) => i),
        "together all",
      );
      check(
        halves.every((h) => h.length > 5),
        `uneven: ${halves.map((h) => h.length)}`,
      );
    },
  },
  {
    name: "reader and consumer: seek by a function of the partition",
    async run({ client, topic, admin }) {
      const t = topic("seekfn");
      await admin("PUT", `${adminPath(t)}/partitions`, 2);
      const consumer = await client.subscribe({ topic: t, subscription: "s" });
      const producer = await client.createProducer({ topic: t, messageRouter: (m) => Number(m.key) });
      for (const key of ["0", "1"])
        await sendAll(
          producer,
          numbers(0, 5).map((n) => key + n),
          () => ({ key }),
        );
      const got = await take(consumer, 10);
      const third = got.filter((m) => m.key === "0")[2] as Message;
      await consumer.seek((p) => (p.endsWith("-partition-0") ? third.messageId : MessageId.latest));
      equal(texts(await take(consumer, 2)), ["03", "04"], "one partition moved back, the other to its end");
      const reader = await client.createReader({ topic: t, startMessageId: MessageId.latest });
      await reader.seek((p) => (p.endsWith("-partition-1") ? MessageId.earliest : undefined));
      equal(
        await read(reader, 5),
        numbers(0, 5).map((n) => `1${n}`),
        "a reader",
      );
      check(!(await reader.hasMessageAvailable()), "the other partition was moved");
    },
  },
  {
    name: "has message available is true only where read next resolves, over partitions, batches, seeks",
    async run({ client, topic, admin }) {
      for (const batchingEnabled of [true, false]) {
        const t = topic(`hmaparts${batchingEnabled}`);
        await admin("PUT", `${adminPath(t)}/partitions`, 2);
        const producer = await client.createProducer({ topic: t, batchingEnabled, batchingMaxPublishDelayMs: 20 });
        await sendAll(producer, numbers(0, 20), (i) => ({ key: `k${i}` }));
        const reader = await client.createReader({ topic: t, startMessageId: MessageId.earliest });
        for (const position of [undefined, MessageId.earliest, 0]) {
          if (position !== undefined) await reader.seek(position);
          let got = 0;
          while (await reader.hasMessageAvailable()) {
            await reader.readNext(20_000);
            got++;
          }
          equal(got, 20, `batched ${batchingEnabled}, from ${position}`);
        }
        await reader.seek(MessageId.latest);
        check(!(await reader.hasMessageAvailable()), "after a seek to the end");
        await producer.send("more");
        check(await reader.hasMessageAvailable(), "after one more");
        equal(await read(reader, 1), ["more"], "it");
      }
    },
  },
];
