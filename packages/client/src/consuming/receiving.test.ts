import { inspect } from "node:util";
import { CommandType } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Message } from "../message.ts";
import { raise, start, take } from "../testing/consumer-fixture.ts";
import { isSettled, outcome, startFixture } from "../testing/fixture.ts";

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
