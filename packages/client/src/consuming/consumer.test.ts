import { inspect } from "node:util";
import { CommandAckAckType, CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { type Fixture, isSettled, outcome, startFixture } from "../testing/fixture.ts";
import type { Consumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

interface WithConsumer extends Fixture {
  consumer: Consumer;
  /** The permits granted so far, one number a FLOW. */
  flows(): number[];
  /** Texts of the messages that are there. */
  drain(): Promise<string[]>;
}

async function start(options: Partial<ConsumerOptions> = {}): Promise<WithConsumer> {
  const fixture = await startFixture();
  const consumer = await fixture.client.subscribe({ topic: "t", subscription: "s", ...options });
  await fixture.settle();
  const drain = async (): Promise<string[]> => {
    await fixture.settle();
    const texts: string[] = [];
    while (consumer.queuedMessages > 0) texts.push((await consumer.receive()).text());
    return texts;
  };
  return { ...fixture, consumer, drain, flows: () => fixture.broker.of(CommandType.FLOW).map((f) => f.messagePermits) };
}

function raise(): never {
  throw new Error("on purpose");
}

async function take(consumer: Consumer, count: number): Promise<Message[]> {
  const messages: Message[] = [];
  for (let i = 0; i < count; i++) messages.push(await consumer.receive());
  return messages;
}

const acks = ({ broker }: Fixture): unknown[] =>
  broker
    .of(CommandType.ACK)
    .map((a) => [
      a.ackType === CommandAckAckType.Cumulative ? "cumulative" : "individual",
      ...(a.messageId ?? []).map((id) => [id.entryId, ...(id.ackSet ?? []).map((w) => w.low)].join("/")),
    ]);

const redelivered = ({ broker }: Fixture): number[][] =>
  broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES).map((r) => (r.messageIds ?? []).map((id) => id.entryId));

describe("permits", () => {
  it("are granted for the whole queue, and again at half of it", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 10 });
    for (let entryId = 0; entryId < 10; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    await settle();
    await take(consumer, 4);
    await settle();
    expect(flows()).toEqual([10]);
    await take(consumer, 1);
    await settle();
    expect(flows()).toEqual([10, 5]);
  });

  it("count messages and not entries", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 5 });
    for (let entryId = 0; entryId < 4; entryId++) {
      broker.deliver({ entryId, texts: ["a", "b", "c", "d", "e"] });
      await settle();
      await take(consumer, 5);
    }
    await settle();
    expect(flows().reduce((sum, n) => sum + n)).toBeGreaterThanOrEqual(5 + 20 - 1);
  });

  it("are given back for messages of a batch that nobody gets", async () => {
    const { broker, flows, settle } = await start({ receiverQueueSize: 4 });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"], corrupt: false, ackSet: [{ low: 0b0001, high: 0 }] });
    await settle();
    expect(flows()).toEqual([4]);
  });

  it("are not granted while paused", async () => {
    const { consumer, flows, settle } = await start({ startPaused: true, receiverQueueSize: 7 });
    expect(flows()).toEqual([]);
    consumer.resume();
    await settle();
    expect(flows()).toEqual([7]);
  });

  it("without a receiver queue are granted one for each receive that waits", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 0 });
    expect(flows()).toEqual([]);
    const first = consumer.receive();
    const second = consumer.receive();
    await settle();
    expect(flows()).toEqual([1, 1]);
    broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"] });
    expect([(await first).text(), (await second).text()]).toEqual(["a", "b"]);
    await take(consumer, 2);
    await settle();
    expect(flows()).toEqual([1, 1]);
    void consumer.receive().catch(() => undefined);
    await settle();
    // the batch of 4 was two more than had been granted
    expect(flows()).toEqual([1, 1, 3]);
  });

  it("without a receiver queue are granted again for what came and cannot be given", async () => {
    const { broker, consumer, flows, settle } = await start({ receiverQueueSize: 0 });
    const receiving = consumer.receive();
    await settle();
    broker.deliver({ entryId: 0, texts: ["broken"], corrupt: true });
    await settle();
    expect(flows()).toEqual([1, 1]);
    broker.deliver({ entryId: 1, texts: ["broken"], metadata: { compression: 1, uncompressedSize: 2 ** 31 } });
    await settle();
    expect(flows()).toEqual([1, 1, 1]);
    consumer.redeliverUnacknowledgedMessages();
    broker.deliver({ entryId: 2, texts: ["sent before the broker knew"], consumerEpoch: 0 });
    await settle();
    expect(flows()).toEqual([1, 1, 1, 1]);
    broker.deliver({ entryId: 3, texts: ["a"], consumerEpoch: 1 });
    expect((await receiving).text()).toBe("a");
  });

  it("without a receiver queue are not granted while a listener is busy", async () => {
    let release: () => void = () => undefined;
    const messageListener = (): Promise<void> =>
      new Promise((resolve) => {
        release = resolve;
      });
    const { broker, flows, settle } = await start({ receiverQueueSize: 0, messageListener });
    expect(flows()).toEqual([1]);
    broker.deliver({ entryId: 0, texts: ["a"] });
    await settle();
    expect(flows()).toEqual([1]);
    release();
    await settle();
    expect(flows()).toEqual([1, 1]);
  });

  it("without a receiver queue are granted again after a lost connection", async () => {
    const { broker, consumer, clock, flows } = await start({ receiverQueueSize: 0 });
    const receiving = consumer.receive();
    await clock.settle();
    broker.connection.drop();
    await clock.advance(200);
    expect(flows()).toEqual([1, 1]);
    broker.deliver({ entryId: 0, texts: ["a"] });
    expect((await receiving).text()).toBe("a");
  });
});

describe("receiving", () => {
  it("shows all of a message that came alone and of one that came in a batch", async () => {
    const { broker, consumer } = await start();
    const metadata = { properties: [{ key: "a", value: "b" }], eventTime: 9, partitionKey: "k" };
    broker.deliver({ entryId: 3, texts: ["alone"], redeliveryCount: 2, metadata });
    broker.deliver({ entryId: 4, texts: ["x", "y"] });
    const [alone, , y] = (await take(consumer, 3)) as [Message, Message, Message];
    expect([alone.text(), alone.properties, alone.eventTime, alone.key]).toEqual(["alone", { a: "b" }, 9, "k"]);
    expect([alone.redeliveryCount, alone.publishTime, alone.producerName, alone.sequenceId]).toEqual([2, 5, "p", 3]);
    expect([String(alone.messageId), String(y.messageId), y.messageId.batchSize]).toEqual(["1:3:-1", "1:4:-1:1", 2]);
    expect([y.text(), y.sequenceId, y.topic]).toEqual(["y", 1, "persistent://public/default/t"]);
  });

  it("leaves out messages of a batch that are acknowledged already", async () => {
    const { broker, drain } = await start();
    broker.deliver({ entryId: 0, texts: ["a", "b", "c"], ackSet: [{ low: 0b101, high: 0 }] });
    expect(await drain()).toEqual(["a", "c"]);
  });

  it("tells the broker of an entry that is broken and goes on", async () => {
    const fixture = await start();
    fixture.broker.deliver({ entryId: 0, texts: ["bad"], corrupt: true });
    fixture.broker.deliver({ entryId: 1, texts: ["good"] });
    expect(await fixture.drain()).toEqual(["good"]);
    expect(fixture.broker.of(CommandType.ACK)[0]).toMatchObject({ validationError: 2, messageId: [{ entryId: 0 }] });
  });

  it("keeps the order where decompression takes its time", async () => {
    const { broker, runtime, drain, consumer, clock } = await start();
    const slow: (() => void)[] = [];
    const { codec } = runtime;
    codec.decompress = (_type, bytes) => new Promise((resolve) => slow.push(() => resolve(bytes)));
    const compressed = { compression: 2 as const, uncompressedSize: 1 };
    broker.deliver({ entryId: 0, texts: ["a"], metadata: compressed });
    broker.deliver({ entryId: 1, texts: ["b"] });
    broker.deliver({ entryId: 2, texts: ["c"], metadata: compressed });
    await clock.settle();
    expect(consumer.queuedMessages).toBe(0);
    slow.shift()?.();
    await clock.settle();
    slow.shift()?.();
    expect(await drain()).toEqual(["a", "b", "c"]);
  });

  it("ends by time, by a signal, and by closing", async () => {
    const { consumer, clock } = await start();
    const timed = outcome(consumer.receive(100));
    await clock.advance(100);
    expect(await timed).toBe("Timeout");
    const controller = new AbortController();
    const abortable = outcome(consumer.receive({ signal: controller.signal }));
    controller.abort();
    expect(await abortable).toBe("Aborted");
    expect(await outcome(consumer.receive({ signal: controller.signal }))).toBe("Aborted");
    const waiting = outcome(consumer.receive());
    await consumer.close();
    expect([await waiting, await outcome(consumer.receive())]).toEqual(["AlreadyClosed", "AlreadyClosed"]);
  });

  it("that was given up leaves the message to the next", async () => {
    const { broker, consumer, clock } = await start();
    const first = outcome(consumer.receive(10));
    const second = consumer.receive();
    await clock.advance(10);
    broker.deliver({ entryId: 0, texts: ["a"] });
    expect([await first, (await second).text()]).toEqual(["Timeout", "a"]);
  });

  it("shows a message in few words", async () => {
    const { broker, consumer } = await start();
    broker.deliver({ entryId: 3, texts: ["secret"], metadata: { partitionKey: "k" } });
    const message = await consumer.receive();
    expect(String(message)).toBe("message 1:3:-1 of persistent://public/default/t");
    const shown = inspect(message);
    expect(shown).toMatch(/^Message \{/);
    for (const part of ["'1:3:-1'", "'persistent://public/default/t'", "key: 'k'", "bytes: 6"])
      expect(shown).toContain(part);
    expect(shown.split("\n").length).toBeLessThan(12);
  });

  it("in batches ends at the count, the bytes or the time", async () => {
    const { broker, consumer, clock, settle } = await start();
    for (let entryId = 0; entryId < 5; entryId++) broker.deliver({ entryId, texts: ["xxxx"] });
    await settle();
    expect((await consumer.batchReceive({ maxNumMessages: 2 })).length).toBe(2);
    expect((await consumer.batchReceive({ maxNumBytes: 9 })).length).toBe(2);
    const rest = consumer.batchReceive({ maxNumMessages: 9, timeoutMs: 50 });
    await clock.advance(49);
    expect(await isSettled(rest)).toBe(false);
    await clock.advance(1);
    expect((await rest).length).toBe(1);
  });

  it("by for await ends when the consumer is closed", async () => {
    const { broker, consumer } = await start();
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    const texts: string[] = [];
    for await (const message of consumer) {
      texts.push(message.text());
      if (texts.length === 2) void consumer.close();
    }
    expect(texts).toEqual(["a", "b"]);
  });

  it.each([
    ["throws", () => raise()],
    ["rejects", async () => raise()],
  ])("by a listener that %s is told as an error, with the message that stays", async (_how, messageListener) => {
    const errors: string[] = [];
    const ignore = (): void => undefined;
    const logger = { debug: ignore, info: ignore, warn: ignore, error: (text: string) => void errors.push(text) };
    const { broker, client, settle } = await startFixture({ logger });
    await client.subscribe({ topic: "t", subscription: "s", messageListener });
    broker.deliver({ entryId: 4, texts: ["a"] });
    await settle();
    expect(errors).toEqual([
      "persistent://public/default/t: the message listener failed with 1:4:-1, it stays unacknowledged: Error: on purpose",
    ]);
  });

  it("by a listener goes one by one, and on after a failure", async () => {
    const seen: string[] = [];
    let release: () => void = () => undefined;
    const { broker, settle } = await start({
      messageListener: (m) => {
        seen.push(m.text());
        if (m.text() === "throws") throw new Error("on purpose");
        if (m.text() === "rejects") return Promise.reject(new Error("on purpose"));
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });
    broker.deliver({ entryId: 0, texts: ["throws", "rejects", "slow", "last"] });
    await settle();
    expect(seen).toEqual(["throws", "rejects", "slow"]);
    release();
    await settle();
    expect(seen).toEqual(["throws", "rejects", "slow", "last"]);
  });
});

describe("acknowledging", () => {
  it("is collected for 100 ms into one command", async () => {
    const fixture = await start();
    const { broker, consumer, clock } = fixture;
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: ["x"] });
    for (const m of await take(consumer, 3)) await consumer.acknowledge(m);
    await clock.advance(99);
    expect(acks(fixture)).toEqual([]);
    await clock.advance(1);
    expect(acks(fixture)).toEqual([["individual", "0", "1", "2"]]);
  });

  it("of every message of a batch is one of its entry, of a part a bit set", async () => {
    const fixture = await start();
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    broker.deliver({ entryId: 1, texts: ["c", "d", "e"] });
    const messages = await take(consumer, 5);
    for (const m of messages.filter((_, i) => i !== 3)) await consumer.acknowledge(m);
    await clock.advance(100);
    expect(acks(fixture)).toEqual([["individual", "0", "1/2"]]);
    await consumer.acknowledge((messages[3] as Message).messageId);
    await clock.advance(100);
    expect(acks(fixture)[1]).toEqual(["individual", "1"]);
  });

  it("of a part is kept to itself where that is asked for", async () => {
    const fixture = await start({ batchIndexAckEnabled: false });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 5, texts: ["a", "b"] });
    const [a, b] = (await take(consumer, 2)) as [Message, Message];
    await consumer.acknowledge(a);
    await clock.advance(100);
    await consumer.acknowledgeCumulative(a);
    await clock.advance(100);
    expect(acks(fixture)).toEqual([["cumulative", "4"]]);
    await consumer.acknowledge(b);
    await clock.advance(100);
    expect(acks(fixture)[1]).toEqual(["individual", "5"]);
  });

  it("cumulatively sends the furthest only, inside a batch what is left of it", async () => {
    const fixture = await start();
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    broker.deliver({ entryId: 1, texts: ["b", "c", "d"] });
    const [a, b, c] = (await take(consumer, 4)) as [Message, Message, Message];
    for (const m of [b, c, a]) await consumer.acknowledgeCumulative(m);
    await clock.advance(100);
    expect(acks(fixture)).toEqual([["cumulative", "1/4"]]);
  });

  it("cumulatively is refused where there is no order", async () => {
    const { consumer } = await start({ type: "Shared" });
    const id = MessageId.of({ ledgerId: 1, entryId: 1 });
    expect(await outcome(consumer.acknowledgeCumulative(id))).toBe("CumulativeAcknowledgementNotAllowed");
  });

  it("with receipts resolves when the broker has confirmed, and rejects when it could not", async () => {
    const { broker, consumer, clock, settle } = await start({ ackReceiptEnabled: true });
    broker.on(CommandType.ACK, () => true);
    broker.deliver({ entryId: 0, texts: ["a"] });
    const ack = consumer.acknowledge(await consumer.receive());
    await clock.advance(200);
    expect(await isSettled(ack)).toBe(false);
    const { requestId, consumerId } = broker.of(CommandType.ACK)[0] ?? { requestId: 0, consumerId: 0 };
    broker.connection.send({ type: CommandType.ACK_RESPONSE, body: { requestId, consumerId } });
    await settle();
    expect(await outcome(ack)).toBe("resolved");
    const lost = outcome(consumer.acknowledge(MessageId.of({ ledgerId: 1, entryId: 1 })));
    await clock.advance(100);
    broker.connection.drop();
    expect(await lost).toBe("ConnectionClosed");
  });

  it("right before closing is sent before CLOSE_CONSUMER", async () => {
    const fixture = await start();
    const { broker, consumer } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    await consumer.acknowledge(await consumer.receive());
    await consumer.close();
    expect(broker.types.slice(-2)).toEqual([CommandType.ACK, CommandType.CLOSE_CONSUMER]);
    expect(await outcome(consumer.acknowledge(MessageId.earliest))).toBe("AlreadyClosed");
  });

  it("without a connection is sent after the next one, before the permits", async () => {
    const { broker, consumer, clock } = await start();
    broker.deliver({ entryId: 7, texts: ["a"] });
    const message = await consumer.receive();
    broker.connection.drop();
    await clock.advance(10);
    await consumer.acknowledge(message);
    await clock.advance(200);
    expect(broker.types.slice(-3)).toEqual([CommandType.SUBSCRIBE, CommandType.ACK, CommandType.FLOW]);
  });

  it("takes several messages at once, all of them or none", async () => {
    const fixture = await start({ type: "Shared" });
    const { broker, consumer, clock } = fixture;
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: ["a"] });
    const messages = await consumer.batchReceive({ maxNumMessages: 3 });
    expect(await outcome(consumer.acknowledge([...messages, "x" as never]))).toBe("InvalidConfiguration");
    await clock.advance(200);
    expect(acks(fixture)).toEqual([]);
    await consumer.acknowledge([]);
    await consumer.acknowledge(messages);
    await clock.advance(200);
    expect(acks(fixture)).toEqual([["individual", "0", "1", "2"]]);
  });

  it("of another consumer's message is refused", async () => {
    const { broker, client, consumer, settle } = await start();
    const other = await client.subscribe({ topic: "u", subscription: "s" });
    await settle();
    broker.deliver({ entryId: 0, texts: ["a"] });
    const message = await other.receive();
    expect(await outcome(consumer.acknowledge(message))).toBe("InvalidConfiguration");
  });
});

describe("a lost connection", () => {
  it("empties the queue, grants permits anew, and lets redelivered messages through", async () => {
    const { broker, consumer, clock, drain, flows } = await start({ receiverQueueSize: 10 });
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    const [first] = await take(consumer, 1);
    // this acknowledgement is written and lost with the socket
    await consumer.acknowledgeCumulative(first as Message);
    await clock.advance(100);
    broker.connection.drop();
    await clock.advance(200);
    expect([consumer.queuedMessages, flows()]).toEqual([0, [10, 10]]);
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    expect(await drain()).toEqual(["0", "1", "2"]);
  });

  it("that cannot be replaced for good ends the consumer and its receives", async () => {
    const { broker, consumer, clock } = await start();
    const receiving = outcome(consumer.receive());
    broker.refuse(CommandType.SUBSCRIBE, ServerError.SubscriptionNotFound);
    broker.connection.drop();
    await clock.advance(500);
    expect(await receiving).toBe("SubscriptionNotFound");
    await consumer.close();
  });

  it("brings back a reader behind the last message it gave", async () => {
    const { client, broker, clock, settle } = await startFixture();
    const reader = await client.createReader({ topic: "t", startMessageId: MessageId.earliest });
    await settle();
    broker.deliver({ entryId: 4, texts: ["a", "b", "c"] });
    expect([(await reader.readNext()).text(), (await reader.readNext()).text()]).toEqual(["a", "b"]);
    broker.connection.drop();
    await clock.advance(200);
    const subscribe = broker.of(CommandType.SUBSCRIBE)[1];
    expect(subscribe?.startMessageId).toMatchObject({ ledgerId: 1, entryId: 4, batchIndex: 1 });
    broker.deliver({ entryId: 4, texts: ["a", "b", "c"] });
    expect((await reader.readNext()).text()).toBe("c");
  });
});

describe("negative acknowledgement", () => {
  it("asks for the entry after its delay, once for a batch, and not before", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 10_000 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(9999);
    expect(redelivered(fixture)).toEqual([]);
    await clock.advance(1);
    expect(redelivered(fixture)).toEqual([[0]]);
  });

  it("of two messages of a batch keeps each one's own delay", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryBackoff: () => delays.shift() ?? 0 });
    const delays = [10_000, 20_000];
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(10_000);
    expect(redelivered(fixture)).toEqual([[0]]);
    await clock.advance(10_000);
    expect(redelivered(fixture)).toEqual([[0], [0]]);
  });

  it("of two messages of a batch gives each at its own time, though the broker sends both at once", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryBackoff: () => delays.shift() ?? 0 });
    const delays = [10_000, 20_000];
    const { broker, consumer, clock, drain } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(10_000);
    broker.deliver({ entryId: 0, texts: ["a", "b"], redeliveryCount: 1 });
    expect(await drain()).toEqual(["a"]);
    await clock.advance(10_000);
    // the second is there already: asked for again it would count twice for one failure
    expect([await drain(), redelivered(fixture)]).toEqual([["b"], [[0]]]);
  });

  it("of messages of a batch that fall due a moment apart asks for the batch once", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 50 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) {
      consumer.negativeAcknowledge(m);
      await clock.advance(2);
    }
    await clock.advance(100);
    expect(redelivered(fixture)).toEqual([[0]]);
  });

  it("counts what waits for its time to what has come: a seek grants its permits again", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryBackoff: () => delays.shift() ?? 0 });
    const delays = [10, 20_000];
    const { broker, consumer, clock, flows, settle } = fixture;
    broker.on(CommandType.SEEK, ({ requestId }, connection) => {
      connection.send({ type: CommandType.SUCCESS, body: { requestId } });
      return true;
    });
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    for (const m of await take(consumer, 2)) consumer.negativeAcknowledge(m);
    await clock.advance(10);
    broker.deliver({ entryId: 0, texts: ["a", "b"], redeliveryCount: 1 });
    await settle();
    const seeking = consumer.seek(MessageId.earliest);
    await settle();
    await seeking;
    for (let entryId = 1; entryId < 497; entryId++) broker.deliver({ entryId, texts: ["x"] });
    await settle();
    await take(consumer, 496);
    await settle();
    expect(flows()).toEqual([1000, 500]);
  });

  it("backs off by the redelivery count", async () => {
    const counts: number[] = [];
    const { broker, consumer } = await start({
      type: "Shared",
      negativeAckRedeliveryBackoff: (n) => {
        counts.push(n);
        return 1;
      },
    });
    broker.deliver({ entryId: 0, texts: ["a"], redeliveryCount: 7 });
    consumer.negativeAcknowledge(await consumer.receive());
    expect(counts).toEqual([7]);
  });

  it("sends acknowledgements of the same batch first, and takes its messages out of the queue", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 50, receiverQueueSize: 4 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b", "c", "d"] });
    const [a, b] = (await take(consumer, 2)) as [Message, Message];
    await consumer.acknowledge(a);
    consumer.negativeAcknowledge(b);
    await clock.advance(50);
    const { ACK, REDELIVER_UNACKNOWLEDGED_MESSAGES: REDELIVER } = CommandType;
    expect(broker.types.filter((t) => t === ACK || t === REDELIVER)).toEqual([ACK, REDELIVER]);
    expect(acks(fixture)).toEqual([["individual", "0/14"]]);
    expect(consumer.queuedMessages).toBe(0);
  });

  it("is taken back by an acknowledgement", async () => {
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 50 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    const message = await consumer.receive();
    consumer.negativeAcknowledge(message);
    await consumer.acknowledge(message);
    await clock.advance(500);
    expect(redelivered(fixture)).toEqual([]);
  });

  it("of an exclusive consumer goes back to the first that is not acknowledged, in a new epoch", async () => {
    const { broker, consumer, clock, drain } = await start({ negativeAckRedeliveryDelayMs: 50 });
    broker.deliver({ entryId: 0, texts: ["a"], consumerEpoch: 0 });
    broker.deliver({ entryId: 1, texts: ["b"], consumerEpoch: 0 });
    consumer.negativeAcknowledge(await consumer.receive());
    await clock.advance(50);
    const [redeliver] = broker.of(CommandType.REDELIVER_UNACKNOWLEDGED_MESSAGES);
    expect([redeliver?.consumerEpoch, redeliver?.messageIds]).toEqual([1, []]);
    // one that was on its way from before must not come between
    broker.deliver({ entryId: 2, texts: ["stale"], consumerEpoch: 0 });
    broker.deliver({ entryId: 0, texts: ["a"], consumerEpoch: 1 });
    broker.deliver({ entryId: 1, texts: ["b"], consumerEpoch: 1 });
    expect(await drain()).toEqual(["a", "b"]);
  });
});

describe("the acknowledgement timeout", () => {
  it("runs from when the application receives, and fires once, on time", async () => {
    const fixture = await start({ type: "Shared", ackTimeoutMs: 1500 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a"] });
    broker.deliver({ entryId: 1, texts: ["b"] });
    await clock.advance(60_000);
    await consumer.receive();
    await clock.advance(1499);
    expect(redelivered(fixture)).toEqual([]);
    await clock.advance(1);
    expect(redelivered(fixture)).toEqual([[0]]);
    await clock.advance(60_000);
    expect(redelivered(fixture)).toEqual([[0]]);
  });

  it("does not fire for what was acknowledged, also cumulatively", async () => {
    const fixture = await start({ type: "Failover", ackTimeoutMs: 1000 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    broker.deliver({ entryId: 1, texts: ["c"] });
    const [, b, c] = (await take(consumer, 3)) as [Message, Message, Message];
    await consumer.acknowledgeCumulative(b);
    await consumer.acknowledge(c);
    await clock.advance(5000);
    expect(redelivered(fixture)).toEqual([]);
  });

  it("that has fired makes a later negative acknowledgement of the same delivery nothing", async () => {
    const fixture = await start({ type: "Shared", ackTimeoutMs: 1001, negativeAckRedeliveryDelayMs: 10 });
    const { broker, consumer, clock } = fixture;
    for (let count = 0; count < 10; count++) {
      broker.deliver({ entryId: 0, texts: ["a"], redeliveryCount: count });
      const message = await consumer.receive();
      await clock.advance(1200);
      consumer.negativeAcknowledge(message);
      await clock.advance(100);
    }
    expect(redelivered(fixture)).toEqual(Array(10).fill([0]));
  });
});

describe("the acknowledgement timeout of a batch", () => {
  it("that came again ended for all its messages: each runs anew from when it is taken", async () => {
    const fixture = await start({ type: "Shared", ackTimeoutMs: 1000 });
    const { broker, consumer, clock } = fixture;
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    await consumer.receive();
    await clock.advance(5);
    await consumer.receive();
    await clock.advance(995);
    broker.deliver({ entryId: 0, texts: ["a", "b"], redeliveryCount: 1 });
    await clock.advance(0);
    await consumer.acknowledge(await consumer.receive());
    await clock.advance(500);
    expect(redelivered(fixture)).toEqual([[0]]);
    await consumer.receive();
    await clock.advance(999);
    expect(redelivered(fixture)).toEqual([[0]]);
    await clock.advance(1);
    expect(redelivered(fixture)).toEqual([[0], [0]]);
  });
});

describe("dead letters", () => {
  it("take the message when it would be delivered once more, with where it comes from", async () => {
    const deadLetterPolicy = { maxRedeliverCount: 2 };
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 10, deadLetterPolicy });
    const { broker, consumer, clock } = fixture;
    const metadata = { properties: [{ key: "mine", value: "kept" }], partitionKey: "k", eventTime: 9 };
    for (let redeliveryCount = 0; redeliveryCount <= 2; redeliveryCount++) {
      broker.deliver({ entryId: 8, texts: ["a"], redeliveryCount, metadata });
      consumer.negativeAcknowledge(await consumer.receive());
      await clock.advance(10);
    }
    await clock.advance(200);
    expect(redelivered(fixture)).toEqual([[8], [8]]);
    expect(broker.of(CommandType.PRODUCER)[0]?.topic).toBe("persistent://public/default/t-s-DLQ");
    expect(broker.sent.map((s) => s.texts)).toEqual([["a"]]);
    const sent = broker.sent[0]?.entry.metadata;
    expect(Object.fromEntries((sent?.properties ?? []).map((p) => [p.key, p.value]))).toEqual({
      mine: "kept",
      REAL_TOPIC: "persistent://public/default/t",
      ORIGIN_MESSAGE_ID: "1:8:-1",
      ORIGIN_MESSAGE_IDY_TIME: "1:8:-1",
      REAL_SUBSCRIPTION: "s",
    });
    expect([sent?.partitionKey, sent?.eventTime]).toEqual(["k", 9]);
    expect(acks(fixture)).toEqual([["individual", "8"]]);
  });

  it("of a batch that are on their way neither come again nor bring the batch again", async () => {
    const deadLetterPolicy = { maxRedeliverCount: 1 };
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 1000, deadLetterPolicy });
    const { broker, consumer, clock } = fixture;
    let answer = (): void => undefined;
    broker.on(CommandType.PRODUCER, ({ requestId }, connection) => {
      const body = { requestId, producerName: "p", lastSequenceId: -1, schemaVersion: new Uint8Array(0) };
      answer = () => connection.send({ type: CommandType.PRODUCER_SUCCESS, body });
      return true;
    });
    broker.deliver({ entryId: 8, texts: ["a", "b"], redeliveryCount: 1 });
    const [a, b] = [await consumer.receive(), await consumer.receive()];
    consumer.negativeAcknowledge(a);
    await clock.advance(600);
    consumer.negativeAcknowledge(b);
    await clock.advance(600);
    // "a" waits for the dead-letter producer; told again of it, the consumer asks for nothing and delivers nothing
    consumer.negativeAcknowledge(a);
    broker.deliver({ entryId: 8, texts: ["a", "b"], redeliveryCount: 2 });
    await clock.settle();
    // nor does "b", which was refused at its last chance and waits for its own time
    expect(consumer.queuedMessages).toBe(0);
    await clock.advance(2000);
    answer();
    await clock.advance(500);
    expect(redelivered(fixture)).toEqual([]);
    expect(broker.sent.flatMap((s) => s.texts).sort()).toEqual(["a", "b"]);
  });

  it("that cannot be sent leave the message to be delivered again", async () => {
    const deadLetterPolicy = { maxRedeliverCount: 1 };
    const fixture = await start({ type: "Shared", negativeAckRedeliveryDelayMs: 10, deadLetterPolicy });
    const { broker, consumer, clock } = fixture;
    broker.refuse(CommandType.PRODUCER, ServerError.AuthorizationError);
    broker.deliver({ entryId: 8, texts: ["a"], redeliveryCount: 1 });
    consumer.negativeAcknowledge(await consumer.receive());
    await clock.advance(100);
    expect([redelivered(fixture), acks(fixture)]).toEqual([[[8]], []]);
  });
});

describe("a seek", () => {
  /** As a broker does: drop the consumer, then answer. */
  function dropOnSeek({ broker }: Fixture): void {
    broker.on(CommandType.SEEK, ({ consumerId, requestId }, connection) => {
      connection.send({ type: CommandType.CLOSE_CONSUMER, body: { consumerId, requestId: 0 } });
      connection.send({ type: CommandType.SUCCESS, body: { requestId } });
      return true;
    });
  }

  async function seek(fixture: WithConsumer, ...to: Parameters<Consumer["seek"]>): Promise<void> {
    const seeking = fixture.consumer.seek(...to);
    await fixture.settle();
    await seeking;
  }

  it("resolves when subscribed again, and nothing from before comes out", async () => {
    const fixture = await start();
    const { broker, consumer, drain, settle } = fixture;
    dropOnSeek(fixture);
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    await settle();
    const seeking = consumer.seek(MessageId.of({ ledgerId: 1, entryId: 1 }));
    broker.deliver({ entryId: 3, texts: ["on its way"] });
    await settle();
    await seeking;
    expect([consumer.queuedMessages, broker.of(CommandType.SUBSCRIBE).length]).toEqual([0, 2]);
    for (let entryId = 1; entryId < 4; entryId++) broker.deliver({ entryId, texts: [String(entryId)] });
    expect(await drain()).toEqual(["2", "3"]);
  });

  it("inside a batch starts behind the message, or with it", async () => {
    const fixture = await start();
    const { broker, drain } = fixture;
    dropOnSeek(fixture);
    const id = MessageId.fromBytes(MessageId.of({ ledgerId: 1, entryId: 4, batchIndex: 1, batchSize: 4 }).toBytes());
    await seek(fixture, id);
    broker.deliver({ entryId: 4, texts: ["a", "b", "c", "d"] });
    expect(await drain()).toEqual(["c", "d"]);
    await seek(fixture, id, { inclusive: true });
    broker.deliver({ entryId: 4, texts: ["a", "b", "c", "d"] });
    expect(await drain()).toEqual(["b", "c", "d"]);
    expect(broker.of(CommandType.SEEK).map((s) => s.messageId?.ackSet?.[0]?.low)).toEqual([0b1100, 0b1110]);
  });

  it("by time forgets one by id", async () => {
    const fixture = await start();
    const { broker, drain } = fixture;
    dropOnSeek(fixture);
    await seek(fixture, MessageId.of({ ledgerId: 1, entryId: 4 }));
    await seek(fixture, new Date(77));
    expect(broker.of(CommandType.SEEK)[1]?.messagePublishTime).toBe(77);
    broker.deliver({ entryId: 4, texts: ["a"] });
    expect(await drain()).toEqual(["a"]);
  });

  it("on a connection that is lost meanwhile is done on the next", async () => {
    const { broker, consumer, clock } = await start();
    let times = 0;
    broker.on(CommandType.SEEK, (_, connection) => {
      if (times++ > 0) return false;
      connection.drop();
      return true;
    });
    const seeking = outcome(consumer.seek(5));
    await clock.advance(1000);
    expect([await seeking, times]).toEqual(["resolved", 2]);
  });

  it("that is refused rejects, and the consumer goes on", async () => {
    const { broker, consumer, drain } = await start();
    broker.on(CommandType.SEEK, ({ requestId }, connection) => {
      const body = { requestId, error: ServerError.NotAllowedError, message: "no" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    expect(await outcome(consumer.seek(5))).toBe("NotAllowedError");
    broker.deliver({ entryId: 4, texts: ["a"] });
    expect(await drain()).toEqual(["a"]);
  });

  it("is refused while another one is under way, from the moment that one was asked for", async () => {
    const fixture = await start();
    dropOnSeek(fixture);
    const seeks = [fixture.consumer.seek(MessageId.earliest), fixture.consumer.seek(MessageId.latest)].map(outcome);
    await fixture.settle();
    expect(await Promise.all(seeks)).toEqual(["resolved", "NotAllowedError"]);
    expect(fixture.broker.of(CommandType.SEEK).length).toBe(1);
    await seek(fixture, MessageId.latest);
    expect(fixture.broker.of(CommandType.SEEK).length).toBe(2);
  });

  it("without a connection gives up in time", async () => {
    const { broker, consumer, clock } = await start();
    await broker.stop();
    broker.connection.drop();
    await clock.settle();
    const seeking = outcome(consumer.seek(5));
    await clock.advance(60_000);
    expect(await seeking).toBe("Timeout");
  });
});

describe("a reader", () => {
  it("knows whether there is a message, from where it stands", async () => {
    const { client, broker, settle } = await startFixture();
    let last = { ledgerId: 1, entryId: -1, batchIndex: -1 };
    let markDelete = { ledgerId: 1, entryId: -1 };
    broker.on(CommandType.GET_LAST_MESSAGE_ID, ({ requestId }, connection) => {
      const body = { requestId, lastMessageId: last, consumerMarkDeletePosition: markDelete };
      connection.send({ type: CommandType.GET_LAST_MESSAGE_ID_RESPONSE, body });
      return true;
    });
    const open = (startMessageId: MessageId, startMessageIdInclusive = false) =>
      client.createReader({ topic: "t", startMessageId, startMessageIdInclusive });
    const earliest = await open(MessageId.earliest);
    expect(await earliest.hasMessageAvailable()).toBe(false);
    last = { ledgerId: 1, entryId: 4, batchIndex: 2 };
    markDelete = { ledgerId: 1, entryId: 4 };
    expect(await earliest.hasMessageAvailable()).toBe(true);
    expect(await (await open(MessageId.latest)).hasMessageAvailable()).toBe(false);
    const at = (batchIndex: number): MessageId => MessageId.of({ ledgerId: 1, entryId: 4, batchIndex, batchSize: 3 });
    const answers: boolean[] = [];
    for (const [index, inclusive] of [
      [1, false],
      [2, false],
      [2, true],
    ] as const) {
      answers.push(await (await open(at(index), inclusive)).hasMessageAvailable());
    }
    expect(answers).toEqual([true, false, true]);
    const reader = await open(MessageId.earliest);
    await settle();
    broker.deliver({ entryId: 4, texts: ["a", "b", "c"] });
    for (const more of [true, true, false]) {
      await reader.readNext();
      expect(await reader.hasMessageAvailable()).toBe(more);
    }
  });

  it("has a subscription of its own that does not outlive it", async () => {
    const { client, broker } = await startFixture();
    await client.createReader({ topic: "t", startMessageId: MessageId.latest });
    const [subscribe] = broker.of(CommandType.SUBSCRIBE);
    expect([subscribe?.durable, subscribe?.subType, subscribe?.subscription.startsWith("reader-")]).toEqual([
      false,
      0,
      true,
    ]);
  });
});

describe("subscribing", () => {
  it("tells everything that was asked for", async () => {
    const { broker } = await start({
      type: "Key_Shared",
      initialPosition: "Earliest",
      consumerName: "c",
      priorityLevel: 3,
      keySharedPolicy: {
        mode: "Sticky",
        ranges: [
          [0, 99],
          [400, 65_535],
        ],
      },
      properties: { a: "b" },
      subscriptionProperties: { c: "d" },
      readCompacted: true,
    });
    expect(broker.of(CommandType.SUBSCRIBE)[0]).toMatchObject({
      subType: 3,
      initialPosition: 1,
      consumerName: "c",
      priorityLevel: 3,
      durable: true,
      keySharedMeta: {
        keySharedMode: 1,
        hashRanges: [
          { start: 0, end: 99 },
          { start: 400, end: 65_535 },
        ],
      },
      metadata: [{ key: "a", value: "b" }],
      subscriptionProperties: [{ key: "c", value: "d" }],
      readCompacted: true,
    });
  });

  it("to several topics sends each acknowledgement to its own, cumulative ones too", async () => {
    const { client, broker, settle, clock } = await startFixture();
    const consumer = await client.subscribe({ topics: ["a", "b"], subscription: "s" });
    await settle();
    const ids = broker.of(CommandType.SUBSCRIBE).map((s) => s.consumerId);
    for (const consumerId of ids) broker.deliver({ consumerId, entryId: consumerId, texts: ["x"] });
    const [first] = (await take(consumer, 2)) as [Message];
    await consumer.acknowledgeCumulative(first.messageId);
    await clock.advance(100);
    expect(broker.of(CommandType.ACK).map((a) => [a.consumerId, a.messageId?.[0]?.entryId])).toEqual([
      [ids[0], ids[0]],
    ]);
    expect(consumer.topics.length).toBe(2);
  });

  it("that is refused says which topic and subscription, beside the broker's words", async () => {
    const { client, broker } = await startFixture();
    broker.refuse(CommandType.SUBSCRIBE, ServerError.ConsumerAssignError);
    const error = await client.subscribe({ topic: "t", subscription: "billing" }).catch((e) => e);
    expect([error.code, error.serverError]).toEqual(["ConsumerAssignError", "ConsumerAssignError"]);
    expect(error.message).toBe(
      "ConsumerAssignError: subscribing to persistent://public/default/t as billing: on purpose",
    );
  });

  it("with a name that is none says so once", async () => {
    const { client } = await startFixture();
    const error = await client.subscribe({ topic: "a/b", subscription: "s" }).catch((e) => e);
    expect(error.message).toMatch(/^InvalidTopicName: "a\/b" is not a topic name/);
  });

  it("that is refused for one topic closes the others", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.SUBSCRIBE, ({ requestId, topic }, connection) => {
      if (topic.endsWith("a")) return false;
      const body = { requestId, error: ServerError.ConsumerBusy, message: "no" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    expect(await outcome(client.subscribe({ topics: ["a", "b"], subscription: "s" }))).toBe("ConsumerBusy");
    expect(broker.of(CommandType.CLOSE_CONSUMER).length).toBe(1);
  });

  it.each([
    ["topic", { topic: undefined as never }],
    ["topic", { topics: ["x"] }],
    ["subscription", { subscription: "" }],
    ["type", { type: "shared" as never }],
    ["ackTimeoutMs", { ackTimeoutMs: 999 }],
    ["receiverQueueSize", { receiverQueueSize: -1 }],
    ["keySharedPolicy", { keySharedPolicy: { mode: "AutoSplit" as const } }],
    ["deadLetterPolicy.maxRedeliverCount", { type: "Shared" as const, deadLetterPolicy: { maxRedeliverCount: 0 } }],
    ["batchReceivePolicy", { batchReceivePolicy: { timeoutMs: 0 } }],
    ["messageListener", { messageListener: 5 as never }],
  ])("with a wrong option is refused by its name: %s", async (name, options) => {
    const { client } = await startFixture();
    const { topic = "t", ...rest } = { topic: "t", ...options };
    const whole = "topic" in options ? { subscription: "s" } : { topic, subscription: "s", ...rest };
    const error = await client.subscribe(whole as ConsumerOptions).catch((e) => e);
    expect(error.message).toMatch(/^InvalidConfiguration: /);
    expect(error.message).toContain(name);
  });

  it("refuses options of a call that it does not know, and what are none", async () => {
    const { broker, consumer } = await start();
    broker.deliver({ entryId: 0, texts: ["a"] });
    const message = await consumer.receive();
    const calls: ((options: never) => Promise<unknown>)[] = [
      (options) => consumer.acknowledge(message, options),
      (options) => consumer.acknowledgeCumulative(message, options),
      (options) => consumer.seek(5, options),
      (options) => consumer.unsubscribe(options),
    ];
    for (const call of calls) {
      for (const options of [null, 5, "x", { transactoin: 1 }, { inclusive: 1, force: 1, transaction: 1 }]) {
        expect(await outcome(call(options as never))).toBe("InvalidConfiguration");
      }
    }
    expect([broker.of(CommandType.ACK), broker.of(CommandType.SEEK)]).toEqual([[], []]);
  });

  it("ends with unsubscribing", async () => {
    const { broker, consumer } = await start();
    await consumer.unsubscribe({ force: true });
    expect(broker.of(CommandType.UNSUBSCRIBE)[0]?.force).toBe(true);
    expect(broker.of(CommandType.CLOSE_CONSUMER)).toEqual([]);
    expect(await outcome(consumer.receive())).toBe("AlreadyClosed");
    expect(await outcome(consumer.unsubscribe())).toBe("AlreadyClosed");
  });

  it("as Failover tells when it becomes active, and that a topic has ended", async () => {
    const told: string[] = [];
    const { broker, consumer, settle } = await start({
      type: "Failover",
      onActiveConsumerChange: (_topic, active) => void told.push(`active ${active}`),
      onReachedEndOfTopic: () => {
        told.push("end");
        throw new Error("on purpose");
      },
    });
    const consumerId = broker.of(CommandType.SUBSCRIBE)[0]?.consumerId ?? -1;
    broker.connection.send({ type: CommandType.ACTIVE_CONSUMER_CHANGE, body: { consumerId, isActive: true } });
    broker.connection.send({ type: CommandType.REACHED_END_OF_TOPIC, body: { consumerId } });
    await settle();
    expect(told).toEqual(["active true", "end"]);
    expect([consumer.isActive, consumer.hasReachedEndOfTopic, broker.connections.length]).toEqual([true, true, 1]);
  });
});
