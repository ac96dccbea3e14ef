import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { MessageId } from "../message-id.ts";
import type { FakeBroker } from "../testing/fake-broker.ts";
import { type Fixture, outcome, startFixture } from "../testing/fixture.ts";
import type { Reader } from "./reader.ts";
import type { ReaderOptions, ReaderSettings } from "./reader-options.ts";

const startMessageId = MessageId.earliest;

async function start(options: Partial<ReaderSettings> = { startMessageId }): Promise<Fixture & { reader: Reader }> {
  const fixture = await startFixture();
  const reader = await fixture.client.createReader({ topic: "t", ...options } as ReaderOptions);
  await fixture.settle();
  return { ...fixture, reader };
}

/** As a broker does: a seek detaches the consumer, before it is answered or after. */
function detachOnSeek(broker: FakeBroker, order: "before" | "after"): void {
  broker.on(CommandType.SEEK, ({ requestId, consumerId }, connection) => {
    const close = { type: CommandType.CLOSE_CONSUMER, body: { requestId: 0, consumerId } } as const;
    if (order === "before") connection.send(close);
    connection.send({ type: CommandType.SUCCESS, body: { requestId } });
    if (order === "after") connection.send(close);
    return true;
  });
}

const seeks = ({ broker }: Fixture): unknown[] =>
  broker.of(CommandType.SEEK).map((s) => s.messagePublishTime ?? s.messageId?.entryId);

describe("a reader that sought by time", () => {
  it.each(["before", "after"] as const)(
    "seeks again on a new connection, once (detached %s the answer)",
    async (order) => {
      const fixture = await start();
      const { broker, reader, clock } = fixture;
      detachOnSeek(broker, order);
      const seeking = reader.seek(1234);
      await clock.advance(1000);
      await seeking;
      expect(seeks(fixture)).toEqual([1234]);
      for (const times of [2, 3]) {
        broker.connection.drop();
        await clock.advance(5000);
        expect([seeks(fixture).length, reader.isConnected]).toEqual([times, true]);
      }
      expect(seeks(fixture)).toEqual([1234, 1234, 1234]);
      broker.deliver({ entryId: 7, texts: ["x"], metadata: { publishTime: 1234 } });
      expect((await reader.readNext()).text()).toBe("x");
    },
  );

  it("goes on behind what it has read, and seeks no more", async () => {
    const fixture = await start();
    const { broker, reader, clock } = fixture;
    detachOnSeek(broker, "before");
    const seeking = reader.seek(1234);
    await clock.advance(1000);
    await seeking;
    broker.deliver({ entryId: 7, texts: ["x"], metadata: { publishTime: 1234 } });
    await reader.readNext();
    broker.connection.drop();
    await clock.advance(5000);
    expect(seeks(fixture)).toEqual([1234]);
    expect(broker.of(CommandType.SUBSCRIBE).at(-1)?.startMessageId).toMatchObject({ entryId: 7 });
  });

  it("grants no permits before it is back in its place", async () => {
    const { broker, reader, clock } = await start();
    detachOnSeek(broker, "before");
    const seeking = reader.seek(1234);
    await clock.advance(1000);
    await seeking;
    broker.on(CommandType.SEEK, () => true);
    const before = broker.of(CommandType.FLOW).length;
    broker.connection.drop();
    await clock.advance(5000);
    expect(broker.of(CommandType.SEEK).length).toBe(2);
    expect(broker.of(CommandType.FLOW).length).toBe(before);
  });
});

describe("a reader whose subscription the broker lost between a move to a time and the next SUBSCRIBE", () => {
  const old = { entryId: 0, texts: ["old"], metadata: { publishTime: 1000 } };
  const due = { entryId: 5, texts: ["due"], metadata: { publishTime: 1234 } };

  it.each(["before", "after"] as const)(
    "is moved once more, and nothing from before the time comes out (detached %s the answer)",
    async (order) => {
      const fixture = await start({ startMessageId, receiverQueueSize: 2 });
      const { broker, reader, clock } = fixture;
      detachOnSeek(broker, order);
      const seeking = reader.seek(1234);
      await clock.advance(1000);
      await seeking;
      const closed = broker.of(CommandType.CLOSE_CONSUMER).length;
      broker.deliver(old);
      broker.deliver({ ...old, entryId: 1 });
      await clock.advance(5000);
      expect([seeks(fixture), reader.isConnected]).toEqual([[1234, 1234], true]);
      expect(broker.of(CommandType.CLOSE_CONSUMER).length - closed).toBe(1);
      broker.deliver(due);
      broker.deliver({ ...old, entryId: 6, texts: ["late"] });
      expect([(await reader.readNext()).text(), (await reader.readNext()).text()]).toEqual(["due", "late"]);
      expect(seeks(fixture).length).toBe(2);
    },
  );

  it("is moved once more where the move was for its start, on a new connection", async () => {
    const fixture = await start({ startMessageFromRollbackDurationMs: 2500 });
    const { broker, reader, clock } = fixture;
    const fromMs = clock.now() - 2500;
    detachOnSeek(broker, "before");
    broker.connection.drop();
    await clock.advance(5000);
    expect(seeks(fixture)).toEqual([fromMs]);
    broker.deliver({ ...old, metadata: { publishTime: fromMs - 1 } });
    await clock.advance(5000);
    expect(seeks(fixture)).toEqual([fromMs, fromMs]);
    broker.deliver({ ...due, metadata: { publishTime: fromMs } });
    expect((await reader.readNext()).text()).toBe("due");
  });

  it("takes what the broker finds at the time, where it is the same again and again", async () => {
    const fixture = await start();
    const { broker, reader, clock } = fixture;
    detachOnSeek(broker, "before");
    const seeking = reader.seek(1234);
    await clock.advance(1000);
    await seeking;
    const reading = reader.readNext();
    for (let times = 0; times < 4; times++) {
      broker.deliver(old);
      await clock.advance(5000);
    }
    expect((await reading).text()).toBe("old");
    expect(seeks(fixture)).toEqual([1234, 1234, 1234, 1234]);
  });

  it("goes by the broker's time where the broker stamps entries", async () => {
    const fixture = await start();
    const { broker, reader, clock } = fixture;
    detachOnSeek(broker, "before");
    const seeking = reader.seek(1234);
    await clock.advance(1000);
    await seeking;
    broker.deliver({ ...old, texts: ["stamped"], brokerTimestampMs: 1300 });
    expect((await reader.readNext()).text()).toBe("stamped");
    expect(seeks(fixture)).toEqual([1234]);
  });

  it("started from a time ago by the broker's clock takes what comes", async () => {
    const fixture = await start({ startMessageFromRollbackDurationMs: 2500 });
    fixture.broker.deliver({ ...old, metadata: { publishTime: 1 } });
    expect((await fixture.reader.readNext()).text()).toBe("old");
    expect(seeks(fixture)).toEqual([]);
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

  it("may start from a time ago, by the broker's clock, and later finds it by its own", async () => {
    const fixture = await start({ startMessageFromRollbackDurationMs: 2500 });
    const { broker, clock } = fixture;
    const startedMs = clock.now();
    detachOnSeek(broker, "before");
    expect(broker.of(CommandType.SUBSCRIBE)[0]?.startMessageRollbackDurationSec).toBe(3);
    expect(seeks(fixture)).toEqual([]);
    broker.connection.drop();
    await clock.advance(5000);
    expect(seeks(fixture)).toEqual([Math.max(0, startedMs - 2500)]);
    expect(broker.of(CommandType.SUBSCRIBE).at(-1)?.startMessageRollbackDurationSec).toBeUndefined();
  });

  it("may read some of the key hashes only", async () => {
    const { broker } = await start({ startMessageId, keyHashRanges: [[0, 99]] });
    const [subscribe] = broker.of(CommandType.SUBSCRIBE);
    expect([subscribe?.subType, subscribe?.keySharedMeta?.hashRanges]).toEqual([0, [{ start: 0, end: 99 }]]);
  });

  it("gives its messages to a listener, itself beside them", async () => {
    const got: [string, Reader][] = [];
    const { broker, reader, settle } = await start({
      startMessageId,
      readerListener: (message, from) => void got.push([message.text(), from]),
    });
    broker.deliver({ entryId: 0, texts: ["a", "b"] });
    await settle();
    expect(got).toEqual([
      ["a", reader],
      ["b", reader],
    ]);
  });

  it.each([
    ["a reader takes startMessageId, such as MessageId.earliest, or startMessageFromRollbackDurationMs", {}],
    ["startMessageId takes a MessageId", { startMessageId: "1:2:-1" as never }],
    ["startMessageId", { startMessageId, startMessageFromRollbackDurationMs: 5 }],
    ["startMessageFromRollbackDurationMs", { startMessageFromRollbackDurationMs: 0 }],
    ["keyHashRanges", { startMessageId, keyHashRanges: [[5, 1]] as never }],
    ["keyHashRanges", { startMessageId, keyHashRanges: [3] as never }],
    ["readerListener", { startMessageId, readerListener: 5 as never }],
    ["did you mean startMessageId?", { startMesageId: startMessageId } as never],
  ])("with a wrong option is refused by its name: %s", async (name, options) => {
    const { client } = await startFixture();
    await expect(client.createReader({ topic: "t", ...options } as ReaderOptions)).rejects.toThrow(name);
  });

  it("is refused without options, by what it takes", async () => {
    const { client } = await startFixture();
    await expect(client.createReader("t" as never)).rejects.toThrow("a reader takes options");
    await expect(client.createReader(undefined as never)).rejects.toThrow("a reader takes options");
  });
});

describe("wrong arguments at the call", () => {
  const WRONG: readonly unknown[] = [undefined, null, 5, "x", {}, [5], Symbol.iterator];

  it.each(WRONG)("acknowledge, negativeAcknowledge and seek refuse what is no message: %s", async (wrong) => {
    const { client } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    for (const call of [
      consumer.acknowledge(wrong as never),
      consumer.acknowledgeCumulative(wrong as never),
      consumer.reconsumeLater(wrong as never),
    ]) {
      expect(await outcome(call)).toBe("InvalidConfiguration");
    }
    expect(() => consumer.negativeAcknowledge(wrong as never)).toThrow("InvalidConfiguration");
    if (wrong !== 5) expect(await outcome(consumer.seek(wrong as never))).toBe("InvalidConfiguration");
  });

  it.each([
    [{ timeoutMs: -1 }],
    [{ timeoutMs: Number.NaN }],
    [{ timeoutMs: "5" }],
    [{ timeoutMs: 0 }],
    [null],
    ["x"],
    [0],
  ])("receive refuses a time that is none: %j", async (options) => {
    const { client } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    expect(await outcome(consumer.receive(options as never))).toBe("InvalidConfiguration");
  });

  it("the id of another topic's message is told apart, also by a consumer of one topic", async () => {
    const { client } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    const other = MessageId.of({ ledgerId: 1, entryId: 1, topic: "persistent://public/default/other" });
    await expect(consumer.acknowledge(other)).rejects.toThrow("persistent://public/default/other");
    await expect(consumer.seek(other)).rejects.toThrow("persistent://public/default/other");
    expect(() => consumer.negativeAcknowledge(other)).toThrow("persistent://public/default/other");
  });

  it("a misspelt option is refused with the nearest there is", async () => {
    const { client } = await startFixture();
    const options = { topic: "t", subscription: "s", subscriptionType: "Shared", recieverQueueSize: 5 };
    await expect(client.subscribe({ ...options, subscriptionType: undefined } as never)).rejects.toThrow(
      "has no option",
    );
    const { subscriptionType: _, ...misspelt } = options;
    await expect(client.subscribe(misspelt as never)).rejects.toThrow("did you mean receiverQueueSize?");
  });

  it.each([
    ["deadLetterPolicy", "maxRedeliverCount?", { type: "Shared", deadLetterPolicy: { maxRedeliveryCount: 3 } }],
    ["deadLetterPolicy", "takes { maxRedeliverCount }", { type: "Shared", deadLetterPolicy: 5 }],
    ["keySharedPolicy.mode", "AutoSplit, Sticky", { type: "Key_Shared", keySharedPolicy: { mode: "sticky" } }],
    ["keySharedPolicy", "takes { mode }", { type: "Key_Shared", keySharedPolicy: "Sticky" }],
    [
      "keySharedPolicy.ranges",
      "do not overlap",
      {
        type: "Key_Shared",
        keySharedPolicy: {
          mode: "Sticky",
          ranges: [
            [100, 399],
            [0, 100],
          ],
        },
      },
    ],
    ["batchReceivePolicy", "maxNumMessages?", { batchReceivePolicy: { maxMumMessages: 3 } }],
    ["batchReceivePolicy", "takes { maxNumMessages", { batchReceivePolicy: 5 }],
    ["autoScaledReceiverQueueSizeEnabled", "true or false", { autoScaledReceiverQueueSizeEnabled: 1 }],
  ])("a wrong %s is refused with what it takes: %s", async (name, takes, options) => {
    const { client } = await startFixture();
    const refusal = await client.subscribe({ topic: "t", subscription: "s", ...options } as never).catch((e) => e);
    expect([refusal.code, refusal.message.includes(name)]).toEqual(["InvalidConfiguration", true]);
    expect(refusal.message).toContain(takes);
  });

  it.each([["orders"], [undefined], [null], [5]])(
    "subscribe and createProducer say that they take options: %s",
    async (wrong) => {
      const { client } = await startFixture();
      await expect(client.subscribe(wrong as never)).rejects.toThrow("takes options, such as { topic");
      await expect(client.createProducer(wrong as never)).rejects.toThrow("takes options, such as { topic");
    },
  );
});
