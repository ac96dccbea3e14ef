import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { start, take } from "../testing/consumer-fixture.ts";
import { outcome, startFixture } from "../testing/fixture.ts";

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
