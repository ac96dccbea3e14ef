import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { MessageId } from "../message-id.ts";
import { outcome, startFixture } from "../testing/fixture.ts";

const failing = (): never => {
  throw new Error("on purpose");
};

describe("a subscription that is not durable", () => {
  it.each([
    ["Earliest", MessageId.earliest],
    ["Latest", MessageId.latest],
  ] as const)("starts at its initial position: %s", async (initialPosition, id) => {
    const { client, broker } = await startFixture();
    await client.subscribe({ topic: "t", subscription: "s", subscriptionMode: "NonDurable", initialPosition });
    const [subscribe] = broker.of(CommandType.SUBSCRIBE);
    expect([subscribe?.durable, subscribe?.startMessageId?.entryId]).toEqual([false, id.entryId]);
  });

  it("goes on behind what was received when it is attached again", async () => {
    const { client, broker, clock } = await startFixture();
    const options = { topic: "t", subscription: "s", subscriptionMode: "NonDurable" as const };
    const consumer = await client.subscribe(options);
    broker.deliver({ entryId: 4, texts: ["a"] });
    await consumer.receive();
    broker.connection.drop();
    await clock.advance(1000);
    expect(broker.of(CommandType.SUBSCRIBE).at(-1)?.startMessageId?.entryId).toBe(4);
  });
});

describe("an event listener of a consumer", () => {
  it("hears which partition became active and inactive; one that throws harms nobody", async () => {
    const { client, broker, settle } = await startFixture();
    const heard: unknown[] = [];
    const consumerEventListener = {
      becameActive: (_: unknown, partition: number) => void heard.push(["active", partition]),
      becameInactive: failing,
    };
    await client.subscribe({ topic: "t-partition-3", subscription: "s", type: "Failover", consumerEventListener });
    const consumerId = broker.of(CommandType.SUBSCRIBE)[0]?.consumerId as number;
    for (const isActive of [true, false, true]) {
      broker.connection.send({ type: CommandType.ACTIVE_CONSUMER_CHANGE, body: { consumerId, isActive } });
    }
    await settle();
    expect(heard).toEqual([
      ["active", 3],
      ["active", 3],
    ]);
    const wrong = { topic: "t", subscription: "s", consumerEventListener: {} as never };
    expect(await outcome(client.subscribe(wrong))).toBe("InvalidConfiguration");
  });
});

describe("the size of acknowledgement groups", () => {
  it("sends as many as it says before the time is up", async () => {
    const { client, broker, settle } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s", maxAcknowledgmentGroupSize: 2 });
    for (let entryId = 0; entryId < 3; entryId++) broker.deliver({ entryId, texts: ["a"] });
    for (let i = 0; i < 3; i++) await consumer.acknowledge(await consumer.receive());
    await settle();
    expect(broker.of(CommandType.ACK).map((a) => a.messageId?.length)).toEqual([2]);
  });
});

describe("a receiver queue that scales", () => {
  it("doubles as long as the application is faster, up to its size, and no further", async () => {
    const { client, broker, settle } = await startFixture();
    const options = { topic: "t", subscription: "s", receiverQueueSize: 4, autoScaledReceiverQueueSizeEnabled: true };
    const consumer = await client.subscribe(options);
    let entryId = 0;
    for (const size of [1, 2, 4, 4, 4]) {
      for (let i = 0; i < size; i++) broker.deliver({ entryId: entryId++, texts: ["x"] });
      await settle();
      for (let i = 0; i < size; i++) await consumer.receive();
      await settle();
    }
    const granted = broker.of(CommandType.FLOW).reduce((sum, f) => sum + f.messagePermits, 0);
    expect(granted - entryId).toBe(4);
  });

  it("stays small where the application is slow", async () => {
    const { client, broker, settle } = await startFixture();
    const options = {
      topic: "t",
      subscription: "s",
      receiverQueueSize: 1000,
      autoScaledReceiverQueueSizeEnabled: true,
    };
    await client.subscribe(options);
    broker.deliver({ entryId: 0, texts: ["x"] });
    await settle();
    expect(broker.of(CommandType.FLOW).map((f) => f.messagePermits)).toEqual([1]);
  });
});

describe("a cumulative acknowledgement that is lost with its connection", () => {
  it("lets what comes again through, and is sent again where it was not sent yet", async () => {
    const { client, broker, clock, settle } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    for (const entryId of [0, 1, 2]) broker.deliver({ entryId, texts: [String(entryId)] });
    for (let i = 0; i < 2; i++) await consumer.acknowledgeCumulative(await consumer.receive());
    broker.connection.drop();
    await clock.advance(1000);
    expect(broker.of(CommandType.ACK).map((a) => a.messageId?.[0]?.entryId)).toEqual([1]);
    // the broker had not heard of it when it chose where to go on
    for (const entryId of [0, 1, 2]) broker.deliver({ entryId, texts: [String(entryId)] });
    await settle();
    const again = [await consumer.receive(), await consumer.receive(), await consumer.receive()];
    expect(again.map((m) => m.text())).toEqual(["0", "1", "2"]);
  });
});
