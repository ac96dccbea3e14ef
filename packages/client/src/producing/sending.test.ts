import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { isSettled, outcome, startFixture } from "../testing/fixture.ts";
import { numbers, start } from "../testing/producer-fixture.ts";

describe("a message", () => {
  it("names the clusters it is replicated to in an array, and no other way", async () => {
    const { broker, producer } = await start();
    for (const replicationClusters of [null, 5, "east", {}, [5], [""]]) {
      const message = { data: "x", replicationClusters: replicationClusters as never };
      expect(await outcome(producer.send(message))).toBe("InvalidConfiguration");
    }
    expect(await outcome(producer.send({ data: "x", disableReplication: 1 as never }))).toBe("InvalidConfiguration");
    expect(broker.sent).toEqual([]);
  });
});

describe("a send", () => {
  it("without a receipt in time rejects, those after it in their own time", async () => {
    const { broker, producer, clock, client } = await start({ batchingEnabled: false, sendTimeoutMs: 1000 });
    broker.autoReceipts = false;
    const first = outcome(producer.send("a"));
    await clock.advance(600);
    const second = producer.send("b");
    void second.catch(() => undefined);
    await clock.advance(500);
    expect(await first).toBe("Timeout");
    expect(await isSettled(second)).toBe(false);
    await clock.advance(500);
    expect(await outcome(second)).toBe("Timeout");
    expect([client.pendingBytes, clock.pendingTimers > 5]).toEqual([0, false]);
  });

  it("that is too big rejects, the next passes, and nothing is kept of it", async () => {
    const { broker, producer, client } = await start({ maxPendingMessages: 1, batchingEnabled: false });
    const size = broker.maxMessageSize + 1;
    for (let i = 0; i < 3; i++) expect(await outcome(producer.send(new Uint8Array(size)))).toBe("MessageTooBig");
    expect(await outcome(producer.send("small"))).toBe("resolved");
    expect(client.pendingBytes).toBe(0);
  });

  it.each([true, false])(
    "whose properties or key are too big rejects, batching %s, and the next passes",
    async (batchingEnabled) => {
      const { broker, producer, client } = await start({ batchingEnabled, batchingMaxMessages: 1 });
      const huge = "z".repeat(broker.maxMessageSize + 20_000);
      expect(await outcome(producer.send({ data: "x", properties: { huge } }))).toBe("MessageTooBig");
      expect(await outcome(producer.send({ data: "x", key: huge }))).toBe("MessageTooBig");
      expect(await outcome(producer.send("small"))).toBe("resolved");
      expect(client.pendingBytes).toBe(0);
    },
  );

  it("whose properties or key are too big takes none of its neighbours in the batch down", async () => {
    const { broker, producer, client, clock } = await start({});
    const huge = "z".repeat(broker.maxMessageSize + 20_000);
    const sends = [
      producer.send("before"),
      producer.send({ data: "x", properties: { huge } }),
      producer.send("between"),
      producer.send({ data: "x", key: huge }),
      producer.send("after"),
    ].map(outcome);
    await clock.advance(10);
    expect(await Promise.all(sends)).toEqual(["resolved", "MessageTooBig", "resolved", "MessageTooBig", "resolved"]);
    expect(client.pendingBytes).toBe(0);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", [1]],
    ["a buffer that is no Uint8Array", new Uint16Array(2)],
    ["an ArrayBuffer", new ArrayBuffer(3)],
    ["a misspelt field", { dta: "x" }],
    ["data of another kind", { data: 5 }],
  ])("that is none rejects instead of being stored empty: %s", async (_what, message) => {
    const { broker, producer } = await start({});
    expect(await outcome(producer.send(message as never))).toBe("InvalidMessage");
    expect(await outcome(producer.send({ data: "x", properties: null as never }))).toBe("InvalidConfiguration");
    expect(broker.sent).toEqual([]);
  });

  it("keeps its place while the codec is being loaded", async () => {
    const { broker, producer, runtime, clock } = await start({ compressionType: "ZSTD", batchingEnabled: false });
    const ids = Promise.all(numbers(5).map((t) => producer.send(t)));
    const late = await runtime.codec.compress("ZSTD", new TextEncoder().encode("loaded"));
    await clock.settle();
    const after = producer.send("5");
    await Promise.all([ids, after]);
    expect(late.length).toBeGreaterThan(0);
    expect(broker.sent.map((s) => s.body.sequenceId)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(broker.sent[0]?.entry.metadata).toMatchObject({ compression: 3, uncompressedSize: 1 });
  });

  it("with a misspelt field is refused, and told which one was meant", async () => {
    const { broker, producer } = await start({});
    const send = producer.send({ data: "x", orderinKey: "k" } as never);
    await expect(send).rejects.toMatchObject({
      code: "InvalidMessage",
      message: expect.stringContaining("did you mean orderingKey?"),
    });
    expect(broker.sent).toEqual([]);
  });

  it("that is too big only before compression passes", async () => {
    const { broker, producer } = await start({ compressionType: "ZLIB", batchingEnabled: false });
    expect(await outcome(producer.send(new Uint8Array(broker.maxMessageSize + 1)))).toBe("resolved");
    expect(broker.sent[0]?.entry.metadata.uncompressedSize).toBe(broker.maxMessageSize + 1);
  });

  it("that stays too big after compression rejects, the next passes", async () => {
    const { producer, broker, client, runtime } = await start({ compressionType: "ZLIB", batchingMaxMessages: 1 });
    const noise = runtime.random.bytes(broker.maxMessageSize + 1);
    const [big, small] = [producer.send(noise), producer.send("small")];
    expect([await outcome(big), await outcome(small)]).toEqual(["MessageTooBig", "resolved"]);
    expect(client.pendingBytes).toBe(0);
  });

  it("beyond the pending limit rejects, or waits where that is asked for", async () => {
    const failing = await start({ maxPendingMessages: 2 });
    const results = numbers(3).map((t) => outcome(failing.producer.send(t)));
    await failing.producer.flush();
    expect(await Promise.all(results)).toEqual(["resolved", "resolved", "ProducerQueueIsFull"]);
    const waiting = await start({ maxPendingMessages: 2, blockIfQueueFull: true, batchingMaxMessages: 2 });
    const sends = numbers(7).map((t) => waiting.producer.send(t));
    await waiting.producer.flush();
    await Promise.all(sends);
    expect(waiting.broker.sent.flatMap((s) => s.texts)).toEqual(numbers(7));
    expect(waiting.broker.sent.every((s) => s.texts.length <= 2)).toBe(true);
  });

  it("beyond the client's memory waits for another producer's receipts", async () => {
    const { client, broker, settle } = await startFixture({ memoryLimitBytes: 100 });
    broker.autoReceipts = false;
    const options = { topic: "t", batchingEnabled: false };
    const a = await client.createProducer(options);
    const b = await client.createProducer({ ...options, blockIfQueueFull: true });
    const first = a.send(new Uint8Array(150));
    expect(await outcome(a.send("x"))).toBe("MemoryBufferIsFull");
    const second = b.send(new Uint8Array(10));
    await settle();
    expect([broker.sent.length, client.pendingBytes]).toEqual([1, 150]);
    broker.autoReceipts = true;
    broker.connection.receipt(broker.sent[0]?.body.producerId ?? -1, 0, 0);
    await Promise.all([first, second]);
    expect(client.pendingBytes).toBe(0);
  });

  it("with a field no broker could take rejects", async () => {
    const { producer } = await start();
    for (const wrong of [
      { eventTime: -1 },
      { sequenceId: 1.5 },
      { key: 7 as never },
      { properties: { a: 1 as never } },
      { deliverAt: Number.NaN },
    ]) {
      expect(await outcome(producer.send({ data: "x", ...wrong }))).toBe("InvalidConfiguration");
    }
    expect(await outcome(producer.send({ data: 5 as never }))).toBe("InvalidMessage");
  });

  it("that the broker refuses for itself rejects alone", async () => {
    const { broker, producer, settle } = await start({ batchingEnabled: false });
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      if (sequenceId !== 1) return false;
      const body = { producerId, sequenceId, error: ServerError.NotAllowedError, message: "no" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const results = Promise.all(numbers(3).map((t) => outcome(producer.send(t))));
    await settle();
    expect(await results).toEqual(["resolved", "NotAllowedError", "resolved"]);
    expect(broker.connections.length).toBe(1);
  });

  it("that could not be persisted goes again, with the same sequence id, also before any receipt", async () => {
    const { broker, producer, clock } = await start({ batchingEnabled: false });
    let failures = 1;
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      if (failures-- <= 0) return false;
      const body = { producerId, sequenceId, error: ServerError.PersistenceError, message: "disk" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const send = producer.send("x");
    await clock.advance(500);
    expect((await send).entryId).toBe(0);
    expect(broker.sent.map((s) => s.body.sequenceId)).toEqual([0, 0]);
    await producer.send("y");
    expect(broker.sent.at(-1)?.body.sequenceId).toBe(1);
  });

  it("to a topic that was terminated rejects, and so do all after it", async () => {
    const { broker, producer, client, settle } = await start({ batchingEnabled: false });
    broker.on(CommandType.SEND, ({ producerId, sequenceId }, connection) => {
      const body = { producerId, sequenceId, error: ServerError.TopicTerminatedError, message: "over" };
      connection.send({ type: CommandType.SEND_ERROR, body });
      return true;
    });
    const results = Promise.all(numbers(3).map((t) => outcome(producer.send(t))));
    await settle();
    expect(await results).toEqual(Array(3).fill("TopicTerminatedError"));
    expect(await outcome(producer.send("x"))).toBe("TopicTerminatedError");
    expect(client.pendingBytes).toBe(0);
    await producer.close();
  });
});
