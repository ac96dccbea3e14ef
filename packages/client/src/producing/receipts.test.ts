import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { isSettled } from "../testing/fixture.ts";
import { numbers, start } from "../testing/producer-fixture.ts";

describe("receipts", () => {
  it("settle sends in order, an older one is ignored", async () => {
    const { broker, producer, settle } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const sends = numbers(3).map((t) => producer.send(t));
    await settle();
    const id = broker.sent[0]?.body.producerId ?? -1;
    broker.connection.receipt(id, 0, 10);
    broker.connection.receipt(id, 0, 99);
    broker.connection.receipt(id, 1, 11);
    await settle();
    expect((await Promise.all(sends.slice(0, 2))).map((m) => m.entryId)).toEqual([10, 11]);
    expect(await isSettled(sends[2] as Promise<unknown>)).toBe(false);
    expect(producer.lastSequenceId).toBe(1);
    expect(broker.connections.length).toBe(1);
  });

  it("with a gap end the connection, and everything goes again", async () => {
    const { broker, producer, clock, settle } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const sends = Promise.all(numbers(3).map((t) => producer.send(t)));
    await settle();
    broker.connection.receipt(broker.sent[0]?.body.producerId ?? -1, 1, 11);
    await settle();
    broker.autoReceipts = true;
    await clock.advance(200);
    await sends;
    expect(broker.connections.length).toBe(2);
    expect(broker.sent.slice(3).map((s) => s.body.sequenceId)).toEqual([0, 1, 2]);
  });
});

describe("a lost connection", () => {
  it("has pending sends go again in order, with their sequence ids, before new ones", async () => {
    const { broker, producer, clock, settle } = await start({
      batchingMaxMessages: 2,
      batchingMaxPublishDelayMs: 1000,
    });
    broker.autoReceipts = false;
    const sends = numbers(6).map((t) => producer.send(t));
    await settle();
    broker.connection.drop();
    await settle();
    expect(producer.isConnected).toBe(false);
    sends.push(producer.send("6"), producer.send("7"));
    broker.autoReceipts = true;
    await clock.advance(200);
    await Promise.all(sends);
    expect(broker.sent.slice(3).map((s) => s.texts)).toEqual([
      ["0", "1"],
      ["2", "3"],
      ["4", "5"],
      ["6", "7"],
    ]);
    expect(broker.sent.slice(3).map((s) => s.body.sequenceId)).toEqual([0, 2, 4, 6]);
  });

  it("twice while sends are in flight settles every one of them", async () => {
    const { broker, producer, clock, client } = await start({ batchingEnabled: false });
    broker.autoReceipts = false;
    const sends = Promise.all(numbers(50).map((t) => producer.send(t)));
    for (let i = 0; i < 2; i++) {
      await clock.advance(500);
      broker.connection.drop();
    }
    await clock.advance(10);
    broker.autoReceipts = true;
    await clock.advance(1000);
    expect(new Set((await sends).map(String)).size).toBe(50);
    expect(client.pendingBytes).toBe(0);
    expect((await producer.send("new")).entryId).toBe(50);
  });

  it("brings the producer back under its name and with a higher epoch", async () => {
    const { broker, clock } = await start();
    broker.connection.drop();
    await clock.advance(200);
    const [first, second] = broker.of(CommandType.PRODUCER);
    expect([first?.producerName, first?.epoch, first?.userProvidedProducerName]).toEqual([undefined, 0, false]);
    expect([second?.producerName, second?.epoch, second?.userProvidedProducerName]).toEqual(["made-up", 1, false]);
  });

  it("is followed by attempts with growing delays", async () => {
    const { broker, clock, network } = await start();
    await broker.stop();
    broker.connection.drop();
    const times: number[] = [];
    const connect = network.connect.bind(network);
    network.connect = (address, options) => {
      times.push(clock.monotonicMs());
      return connect(address, options);
    };
    await clock.advance(20_000);
    const gaps = times.slice(1).map((t, i) => t - (times[i] as number));
    expect(gaps.length).toBeGreaterThan(4);
    gaps.forEach((gap, i) => {
      const full = 100 * 2 ** (i + 1);
      expect(gap).toBeGreaterThanOrEqual(full * 0.9 - 1);
      expect(gap).toBeLessThanOrEqual(full + 1);
    });
  });

  it("is not waited for where the broker names the next one", async () => {
    const { broker, producer, settle } = await start();
    const producerId = broker.of(CommandType.PRODUCER)[0]?.producerId ?? -1;
    const body = { producerId, requestId: 0, assignedBrokerServiceUrl: broker.url };
    broker.connection.send({ type: CommandType.CLOSE_PRODUCER, body });
    await settle();
    expect(broker.of(CommandType.PRODUCER).length).toBe(2);
    expect(broker.of(CommandType.LOOKUP).length).toBe(1);
    expect(producer.isConnected).toBe(true);
  });

  it("is noticed when it comes right behind the broker's answer", async () => {
    const { broker, producer, clock } = await start();
    let times = 0;
    broker.on(CommandType.PRODUCER, ({ requestId, producerId }, connection) => {
      if (times++ > 0) return false;
      connection.send({ type: CommandType.PRODUCER_SUCCESS, body: { requestId, producerName: "made-up" } });
      connection.send({ type: CommandType.CLOSE_PRODUCER, body: { requestId: 0, producerId } });
      return true;
    });
    broker.connection.drop();
    await clock.advance(1000);
    expect(times).toBe(2);
    expect(producer.isConnected).toBe(true);
  });
});
