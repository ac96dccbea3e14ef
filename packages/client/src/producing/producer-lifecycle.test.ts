import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { isSettled, outcome, startFixture } from "../testing/fixture.ts";
import { start } from "../testing/producer-fixture.ts";

describe("attaching", () => {
  it("that is refused rejects once, and leaves nothing behind", async () => {
    const { client, broker, clock } = await startFixture();
    broker.refuse(CommandType.PRODUCER, ServerError.ProducerBusy);
    expect(await outcome(client.createProducer({ topic: "t", producerName: "n" }))).toBe("ProducerBusy");
    expect(broker.of(CommandType.PRODUCER).length).toBe(1);
    await client.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("that was fenced off for good ends the producer and its sends", async () => {
    const { broker, producer, clock, client } = await start({ accessMode: "Exclusive" });
    broker.autoReceipts = false;
    const send = outcome(producer.send("x"));
    broker.refuse(CommandType.PRODUCER, ServerError.ProducerFenced);
    broker.connection.drop();
    await clock.advance(500);
    expect(await send).toBe("ProducerFenced");
    expect(await outcome(producer.send("y"))).toBe("ProducerFenced");
    expect(client.pendingBytes).toBe(0);
  });

  it("again waits out a broker that still knows the old connection", async () => {
    const { broker, producer, clock } = await start({ producerName: "n" });
    broker.refuse(CommandType.PRODUCER, ServerError.ProducerBusy);
    broker.connection.drop();
    await clock.advance(2000);
    expect(producer.isConnected).toBe(false);
    broker.off(CommandType.PRODUCER);
    await clock.advance(3000);
    expect(producer.isConnected).toBe(true);
  });

  it("with WaitForExclusive takes as long as it takes", async () => {
    const { client, broker, clock } = await startFixture({ operationTimeoutMs: 1000 });
    let ready: () => void = () => undefined;
    broker.on(CommandType.PRODUCER, ({ requestId }, connection) => {
      const answer = (producerReady: boolean): void =>
        connection.send({ type: CommandType.PRODUCER_SUCCESS, body: { requestId, producerName: "n", producerReady } });
      answer(false);
      ready = () => answer(true);
      return true;
    });
    const opening = client.createProducer({ topic: "t", accessMode: "WaitForExclusive" });
    await clock.advance(60_000);
    expect(await isSettled(opening)).toBe(false);
    ready();
    expect((await opening).producerName).toBe("n");
  });

  it("goes on from the sequence id the broker knows, and only the first time", async () => {
    const { client, broker, clock } = await startFixture();
    broker.lastSequenceId = 41;
    const producer = await client.createProducer({ topic: "t", producerName: "n", batchingEnabled: false });
    expect(producer.lastSequenceId).toBe(41);
    await producer.send("a");
    broker.lastSequenceId = 7;
    broker.connection.drop();
    await clock.advance(200);
    await producer.send("b");
    expect(broker.sent.map((s) => s.body.sequenceId)).toEqual([42, 43]);
  });
});

describe("closing", () => {
  it("sends what is collected and waits for its receipts", async () => {
    const { broker, producer } = await start({ batchingMaxPublishDelayMs: 60_000 });
    const send = producer.send("x");
    await producer.close();
    expect((await send).entryId).toBe(0);
    expect(broker.types.slice(-2)).toEqual([CommandType.SEND, CommandType.CLOSE_PRODUCER]);
    expect(await outcome(producer.send("y"))).toBe("AlreadyClosed");
    await producer.close();
  });

  it("without a connection rejects what has no receipt", async () => {
    const { broker, producer, client, settle, clock } = await start();
    broker.autoReceipts = false;
    const sent = outcome(producer.send("x"));
    await clock.advance(5);
    await broker.stop();
    broker.connection.drop();
    await settle();
    const waiting = outcome(producer.send("y"));
    await producer.close();
    expect([await sent, await waiting]).toEqual(["AlreadyClosed", "AlreadyClosed"]);
    await client.close();
    expect([client.pendingBytes, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("ends when the connection does, with every send settled", async () => {
    const { broker, producer, settle } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const send = outcome(producer.send("x"));
    const closing = producer.close();
    await settle();
    expect(await isSettled(closing)).toBe(false);
    broker.connection.drop();
    await closing;
    expect(await send).toBe("AlreadyClosed");
  });
});
