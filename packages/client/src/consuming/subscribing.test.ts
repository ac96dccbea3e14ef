import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { start, take } from "../testing/consumer-fixture.ts";
import { outcome, startFixture } from "../testing/fixture.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

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
