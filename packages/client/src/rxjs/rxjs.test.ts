import { CommandType } from "@pulsewire/protocol";
import { concatMap, from, lastValueFrom, NEVER, type Observable, Subject, take, tap, toArray } from "rxjs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Consumer } from "../consuming/consumer.ts";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import { stringSchema } from "../schema/primitive-schemas.ts";
import { type Fixture, startFixture } from "../testing/fixture.ts";
import { acknowledging, type Delivery, mergeMapByKey, messages$, sendTo } from "./index.ts";

let fixture: Fixture;
afterEach(async () => {
  await fixture.client.close();
});

async function consumerOf(options: Record<string, unknown> = {}): Promise<Consumer> {
  fixture = await startFixture();
  return fixture.client.subscribe({ topic: "t", subscription: "s", type: "Shared", ...options });
}

function deliver(texts: readonly string[], metadata: readonly object[] = []): void {
  for (const [i, text] of texts.entries()) {
    fixture.broker.deliver({ entryId: i, texts: [text], metadata: metadata[i] ?? {} });
  }
}

/** Permits the broker was given. */
const permits = (): number =>
  fixture.broker.of(CommandType.FLOW).reduce((sum, { messagePermits }) => sum + messagePermits, 0);

const acknowledged = (): number[] =>
  fixture.broker
    .of(CommandType.ACK)
    .flatMap((ack) => (ack.messageId ?? []).map((id) => Number(id.entryId)))
    .sort((a, b) => a - b);

const deferred = (): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } => {
  let resolve = (): void => undefined;
  let reject = (_: Error): void => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

describe("messages$", () => {
  it("emits what the consumer receives, in order, and completes when it is closed", async () => {
    const consumer = await consumerOf();
    const all = lastValueFrom(messages$(consumer).pipe(toArray()));
    deliver(["a", "b", "c"]);
    await fixture.settle();
    await consumer.close();
    expect((await all).map((d) => d.message.text())).toEqual(["a", "b", "c"]);
  });

  it("emits no more than maxInFlight unsettled deliveries: a slow subscriber leaves the queue full and the broker waiting", async () => {
    const consumer = await consumerOf({ receiverQueueSize: 10 });
    const got: Delivery[] = [];
    messages$(consumer, { maxInFlight: 4 }).subscribe((d) => got.push(d));
    deliver(Array.from({ length: 10 }, (_, i) => `m${i}`));
    await fixture.settle();
    expect(got).toHaveLength(4);
    expect(consumer.queuedMessages).toBe(6);
    expect(permits()).toBe(10);
    for (const d of got.slice(0, 4)) d.release();
    await fixture.settle();
    expect(got).toHaveLength(8);
    expect(consumer.queuedMessages).toBe(2);
    expect(permits()).toBeGreaterThan(10);
  });

  it("leaves the consumer open when its subscriber leaves, and the rest of its messages in the queue", async () => {
    const consumer = await consumerOf();
    const first = lastValueFrom(messages$(consumer).pipe(take(2), toArray()));
    deliver(["a", "b", "c"]);
    expect((await first).map((d) => d.message.text())).toEqual(["a", "b"]);
    expect((await consumer.receive()).text()).toBe("c");
  });

  it("takes back its receive when its subscriber leaves: the next message is somebody else's", async () => {
    const consumer = await consumerOf();
    messages$(consumer).subscribe().unsubscribe();
    const subscription = messages$(consumer).subscribe();
    await fixture.settle();
    subscription.unsubscribe();
    await fixture.settle();
    const receiving = consumer.receive();
    deliver(["a"]);
    expect((await receiving).text()).toBe("a");
  });

  it("opens a consumer of its own for a client and options, and closes it when its subscriber leaves", async () => {
    fixture = await startFixture();
    const got: string[] = [];
    const subscription = messages$(fixture.client, { topic: "t", subscription: "s" }).subscribe((d) =>
      got.push(d.message.text()),
    );
    await fixture.settle();
    deliver(["a"]);
    await fixture.settle();
    expect(got).toEqual(["a"]);
    subscription.unsubscribe();
    await fixture.settle();
    expect(fixture.broker.types).toContain(CommandType.CLOSE_CONSUMER);
  });

  it("errors with what subscribing rejects with", async () => {
    fixture = await startFixture();
    fixture.broker.refuse(CommandType.SUBSCRIBE, 5);
    const failing = lastValueFrom(messages$(fixture.client, { topic: "t", subscription: "s" }));
    await expect(failing).rejects.toMatchObject({ code: "ConsumerBusy" });
  });

  it("refuses what is neither consumer, reader nor client, and options that are none", async () => {
    const consumer = await consumerOf();
    expect(() => messages$(null as unknown as Consumer)).toThrow(/InvalidConfiguration: messages\$ takes/);
    expect(() => messages$({} as Consumer)).toThrow(/InvalidConfiguration: messages\$ takes/);
    expect(() => messages$(consumer, { maxInFlight: 0 })).toThrow(/maxInFlight takes a whole number/);
  });
});

describe("acknowledging", () => {
  it("acknowledges what succeeded, negatively acknowledges what failed, and goes on", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const nack = vi.spyOn(consumer, "negativeAcknowledge");
    const errors: string[] = [];
    const out: string[] = [];
    messages$(consumer)
      .pipe(
        acknowledging(
          async (m: Message) => {
            if (m.text() === "bad") throw new Error("no good");
            return m.text().toUpperCase();
          },
          { onError: (error, m) => errors.push(`${m.text()}: ${(error as Error).message}`) },
        ),
      )
      .subscribe((text) => out.push(text));
    deliver(["a", "bad", "c"]);
    await fixture.settle();
    expect(out).toEqual(["A", "C"]);
    expect(errors).toEqual(["bad: no good"]);
    expect(acknowledged()).toEqual([0, 2]);
    expect(nack.mock.calls.map(([m]) => (m as Message).text())).toEqual(["bad"]);
  });

  it("treats a function that throws, or gives nothing back, as it treats promises", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const nack = vi.spyOn(consumer, "negativeAcknowledge");
    messages$(consumer)
      .pipe(
        acknowledging<never>((m) => {
          if (m.text() === "bad") throw new Error("thrown");
        }),
      )
      .subscribe();
    deliver(["bad", "good"]);
    await fixture.settle();
    expect(acknowledged()).toEqual([1]);
    expect(nack).toHaveBeenCalledTimes(1);
  });

  it("takes a function that gives a plain value for one that failed, and says what it takes", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const errors: string[] = [];
    const work = ((m: Message) => (m.text() === "good" ? undefined : m.text() === "5" ? 5 : m.text())) as never;
    messages$(consumer)
      .pipe(acknowledging(work, { onError: (error) => errors.push(String(error)) }))
      .subscribe();
    deliver(["5", "text", "good"]);
    await fixture.settle();
    expect(errors.length).toBe(2);
    expect(errors[0]).toMatch(/InvalidConfiguration: acknowledging takes .* promise or an observable, not 5/);
    expect(acknowledged()).toEqual([2]);
  });

  it("has acknowledged the last message that a subscriber takes, and acknowledges what was begun when it left", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const gate = deferred();
    const one = messages$(consumer).pipe(
      acknowledging(
        async (m) => {
          if (m.text() === "slow") await gate.promise;
          return m.text();
        },
        { concurrency: 2 },
      ),
      take(1),
    );
    const first = lastValueFrom(one);
    deliver(["slow", "quick"]);
    expect(await first).toBe("quick");
    await fixture.settle();
    expect(acknowledged()).toEqual([1]);
    gate.resolve();
    await fixture.settle();
    expect(acknowledged()).toEqual([0, 1]);
  });

  it("leaves a message unacknowledged whose observable was unsubscribed from", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const subscription = messages$(consumer)
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(["a"]);
    await fixture.settle();
    subscription.unsubscribe();
    await fixture.settle();
    expect(acknowledged()).toEqual([]);
  });

  it("gives back what it has not begun with when its subscriber leaves: that comes next, in order, and permits add up", async () => {
    const consumer = await consumerOf({ type: "Exclusive", receiverQueueSize: 20, acknowledgmentGroupTimeMs: 0 });
    deliver(Array.from({ length: 20 }, (_, i) => `m${i}`));
    const three = messages$(consumer).pipe(
      acknowledging(async (m) => m.text()),
      take(3),
      toArray(),
    );
    expect(await lastValueFrom(three)).toEqual(["m0", "m1", "m2"]);
    await fixture.settle();
    expect(consumer.queuedMessages).toBe(17);
    const rest: string[] = [];
    while (rest.length < 17) rest.push((await consumer.receive()).text());
    expect(rest).toEqual(Array.from({ length: 17 }, (_, i) => `m${i + 3}`));
    expect(acknowledged()).toEqual([0, 1, 2]);
    // what was taken twice is granted once
    expect(permits()).toBe(40);
  });

  it("gives back by key, what an observable was cut off at too, and to a receive that waits", async () => {
    const consumer = await consumerOf();
    const running = messages$(consumer)
      .pipe(acknowledging(() => NEVER, { order: "key" }))
      .subscribe();
    const [x, y] = [{ partitionKey: "x" }, { partitionKey: "y" }];
    deliver(["x1", "y1", "x2", "y2"], [x, y, x, y]);
    await fixture.settle();
    const waiting = consumer.receive();
    running.unsubscribe();
    expect((await waiting).text()).toBe("x1");
    await fixture.settle();
    const rest = [await consumer.receive(), await consumer.receive(), await consumer.receive()];
    expect(rest.map((m) => m.text())).toEqual(["y1", "x2", "y2"]);
  });

  it("gives back nothing that the broker delivers again by itself", async () => {
    const consumer = await consumerOf();
    const running = messages$(consumer)
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(["a", "b"]);
    await fixture.settle();
    consumer.redeliverUnacknowledgedMessages();
    running.unsubscribe();
    await fixture.settle();
    expect(consumer.queuedMessages).toBe(0);
  });

  it("gives back to a reader, which goes on there after its connection was lost", async () => {
    fixture = await startFixture();
    const reader = await fixture.client.createReader({ topic: "t", startMessageId: MessageId.earliest });
    const running = messages$(reader)
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(["a", "b", "c"]);
    await fixture.settle();
    running.unsubscribe();
    await fixture.settle();
    expect((await reader.readNext()).text()).toBe("a");
    fixture.broker.connection.drop();
    await fixture.clock.advance(1000);
    const again = fixture.broker.of(CommandType.SUBSCRIBE).at(-1)?.startMessageId;
    expect([again?.ledgerId, again?.entryId]).toEqual([1, 0]);
  });

  it("ends with the first failure where it is told to", async () => {
    const consumer = await consumerOf();
    const running = lastValueFrom(
      messages$(consumer).pipe(acknowledging(() => Promise.reject(new Error("enough")), { stopOnError: true })),
    );
    deliver(["a"]);
    await expect(running).rejects.toThrow("enough");
  });

  it("works on one message at a time by default, and on as many as it is told", async () => {
    const consumer = await consumerOf();
    const gates = Array.from({ length: 6 }, deferred);
    const started: string[] = [];
    messages$(consumer)
      .pipe(
        acknowledging(
          (m) => {
            started.push(m.text());
            return gates[started.length - 1]?.promise;
          },
          { concurrency: 2 },
        ),
      )
      .subscribe();
    deliver(["a", "b", "c"]);
    await fixture.settle();
    expect(started).toEqual(["a", "b"]);
    gates[0]?.resolve();
    await fixture.settle();
    expect(started).toEqual(["a", "b", "c"]);
  });

  it("keeps the order of each key while others run beside it", async () => {
    const consumer = await consumerOf();
    const gates = new Map<string, ReturnType<typeof deferred>>();
    const started: string[] = [];
    messages$(consumer)
      .pipe(
        acknowledging(
          (m) => {
            started.push(m.text());
            const gate = deferred();
            gates.set(m.text(), gate);
            return gate.promise;
          },
          { concurrency: 8, order: "key" },
        ),
      )
      .subscribe();
    const [x, y] = [{ partitionKey: "x" }, { partitionKey: "y" }];
    deliver(["x1", "x2", "y1", "x3", "free1", "free2"], [x, x, y, x, {}, {}]);
    await fixture.settle();
    expect(started).toEqual(["x1", "y1", "free1", "free2"]);
    gates.get("x1")?.reject(new Error("a failure does not hold its key up"));
    await fixture.settle();
    expect(started.at(-1)).toBe("x2");
    expect(started).not.toContain("x3");
  });

  it("leaves alone what the application has settled itself", async () => {
    const consumer = await consumerOf({ acknowledgmentGroupTimeMs: 0 });
    const nack = vi.spyOn(consumer, "negativeAcknowledge");
    messages$(consumer)
      .pipe(
        acknowledging<never>((_, delivery) => {
          delivery.negativeAcknowledge();
        }),
      )
      .subscribe();
    deliver(["a"]);
    await fixture.settle();
    expect(nack).toHaveBeenCalledTimes(1);
    expect(acknowledged()).toEqual([]);
  });

  it("keeps the queue bounded behind work that never ends", async () => {
    const consumer = await consumerOf({ receiverQueueSize: 10 });
    messages$(consumer, { maxInFlight: 3 })
      .pipe(acknowledging(() => NEVER))
      .subscribe();
    deliver(Array.from({ length: 10 }, (_, i) => `m${i}`));
    await fixture.settle();
    expect(consumer.queuedMessages).toBe(7);
    expect(permits()).toBe(10);
  });
});

describe("mergeMapByKey", () => {
  it("does a long queue of work that is done at once without overflowing the stack", async () => {
    fixture = await startFixture();
    const values = Array.from({ length: 50_000 }, (_, i) => i);
    const out = await lastValueFrom(
      from(values).pipe(
        mergeMapByKey((n) => [n], { keyOf: () => "one" }),
        toArray(),
      ),
    );
    expect(out).toEqual(values);
  });

  it("passes errors on, and stops what runs when its subscriber leaves", async () => {
    fixture = await startFixture();
    const failing = from([1]).pipe(
      mergeMapByKey(() => Promise.reject(new Error("no")), { keyOf: (n) => n, concurrency: 1 }),
    );
    await expect(lastValueFrom(failing)).rejects.toThrow("no");
    const inner = new Subject<number>();
    const subscription = from([1])
      .pipe(mergeMapByKey(() => inner, { keyOf: (n) => n }))
      .subscribe();
    expect(inner.observed).toBe(true);
    subscription.unsubscribe();
    expect(inner.observed).toBe(false);
  });
});

describe("sendTo", () => {
  it("has no more than maxInFlight sends without a receipt, and emits the ids", async () => {
    fixture = await startFixture();
    fixture.broker.autoReceipts = false;
    const producer = await fixture.client.createProducer({ topic: "t", batchingEnabled: false });
    const ids: string[] = [];
    let completed = false;
    from(["a", "b", "c"])
      .pipe(sendTo(producer, { maxInFlight: 2 }))
      .subscribe({ next: (id) => ids.push(String(id)), complete: () => (completed = true) });
    await fixture.settle();
    expect(fixture.broker.sent.flatMap((s) => s.texts)).toEqual(["a", "b"]);
    const { connection, sent } = fixture.broker;
    connection.receipt(sent[0]?.body.producerId as number, Number(sent[0]?.body.sequenceId), 7);
    await fixture.settle();
    expect(ids).toEqual(["1:7:-1"]);
    expect(fixture.broker.sent.flatMap((s) => s.texts)).toEqual(["a", "b", "c"]);
    for (const s of sent.slice(1)) connection.receipt(s.body.producerId, Number(s.body.sequenceId), 8);
    await fixture.settle();
    expect(completed).toBe(true);
  });

  it("errors with the first send that rejects", async () => {
    fixture = await startFixture();
    const producer = await fixture.client.createProducer({ topic: "t", batchingEnabled: false });
    const sending = lastValueFrom(from([{ data: 5 as unknown as string }, "b"]).pipe(sendTo(producer)));
    await expect(sending).rejects.toMatchObject({ code: "InvalidMessage" });
  });

  it("waits for a producer that may have fewer pending, and for one that others have filled", async () => {
    fixture = await startFixture();
    const { client, broker } = fixture;
    broker.autoReceipts = false;
    const producer = await client.createProducer({ topic: "t", batchingEnabled: false, maxPendingMessages: 2 });
    const own = producer.send("own");
    const ids: string[] = [];
    from(["a", "b", "c", "d"])
      .pipe(sendTo(producer))
      .subscribe((id) => ids.push(String(id)));
    const texts = (): string[] => broker.sent.flatMap((s) => s.texts);
    for (const so of [
      ["own", "a"],
      ["own", "a", "b"],
      ["own", "a", "b", "c"],
      ["own", "a", "b", "c", "d"],
    ]) {
      await fixture.settle();
      expect(texts()).toEqual(so);
      const { body } = broker.sent[so.length - 2] as (typeof broker.sent)[number];
      broker.connection.receipt(body.producerId, Number(body.sequenceId), so.length);
    }
    await own;
    const { body } = broker.sent[4] as (typeof broker.sent)[number];
    broker.connection.receipt(body.producerId, Number(body.sequenceId), 9);
    await fixture.settle();
    expect(ids).toEqual(["1:3:-1", "1:4:-1", "1:5:-1", "1:9:-1"]);
  });

  it("waits for memory that another producer's messages take", async () => {
    fixture = await startFixture({ memoryLimitBytes: 10 });
    const { client, broker } = fixture;
    broker.autoReceipts = false;
    const [producer, other] = [
      await client.createProducer({ topic: "t", batchingEnabled: false }),
      await client.createProducer({ topic: "u", batchingEnabled: false }),
    ];
    const sent = other.send("0123456789");
    const mine = lastValueFrom(from(["a"]).pipe(sendTo(producer)));
    await fixture.settle();
    expect(broker.sent.length).toBe(1);
    for (const i of [0, 1]) {
      const { body } = broker.sent[i] as (typeof broker.sent)[number];
      broker.connection.receipt(body.producerId, Number(body.sequenceId), i);
      await fixture.settle();
    }
    await Promise.all([sent, mine]);
    expect(broker.sent.flatMap((s) => s.texts)).toEqual(["0123456789", "a"]);
  });

  it("refuses options that there are none of, and names the nearest", async () => {
    const consumer = await consumerOf();
    const producer = await fixture.client.createProducer({ topic: "t" });
    const misspelt = (options: object): never => options as never;
    expect(() => sendTo(producer, misspelt({ maxInflight: 1 }))).toThrow(/sendTo has no option.*maxInFlight/);
    expect(() => messages$(consumer, misspelt({ maxInflight: 1 }))).toThrow(/messages\$ has no option.*maxInFlight/);
    expect(() => acknowledging(() => undefined, misspelt({ concurency: 1 }))).toThrow(/no option.*concurrency/);
    expect(() => mergeMapByKey(() => [], misspelt({ keyof: () => 1 }))).toThrow(/no option.*keyOf/);
    expect(() => acknowledging(() => undefined, misspelt([]))).toThrow(/takes an object with/);
  });

  it("errors when more wait than may", async () => {
    fixture = await startFixture();
    fixture.broker.autoReceipts = false;
    const producer = await fixture.client.createProducer({ topic: "t", batchingEnabled: false });
    const sending = lastValueFrom(from(["a", "b", "c"]).pipe(sendTo(producer, { maxInFlight: 1, maxBuffered: 1 })));
    await expect(sending).rejects.toMatchObject({ code: "ProducerQueueIsFull", retryable: true });
    await fixture.settle();
    const { connection, sent } = fixture.broker;
    for (const s of sent) connection.receipt(s.body.producerId, Number(s.body.sequenceId), 1);
  });

  it("takes values of the producer's type, and messages$ gives those of the consumer's", async () => {
    fixture = await startFixture();
    const { client } = fixture;
    const producer = await client.createProducer({ topic: "t", schema: stringSchema(), batchingEnabled: false });
    await lastValueFrom(from([{ value: "typed" }]).pipe(sendTo(producer)));
    const consumer = await client.subscribe({ topic: "t", subscription: "s", schema: stringSchema() });
    const values: string[] = [];
    messages$(consumer)
      .pipe(acknowledging(async (m) => m.value))
      .subscribe((value) => values.push(value));
    deliver(["typed"]);
    await fixture.settle();
    expect(values).toEqual(["typed"]);
    const own: Observable<string> = messages$(client, { topic: "u", subscription: "s", schema: stringSchema() }).pipe(
      acknowledging(async (m) => m.value),
    );
    const reader = await client.createReader({
      topic: "v",
      startMessageId: MessageId.earliest,
      schema: stringSchema(),
    });
    const read: Observable<string> = messages$(reader).pipe(acknowledging(async (m) => m.value));
    for (const typed of [own, read]) typed.subscribe().unsubscribe();
    await fixture.settle();
  });

  it("ends where the source does, with its sends done", async () => {
    fixture = await startFixture();
    const producer = await fixture.client.createProducer({ topic: "t", batchingEnabled: false });
    const seen: string[] = [];
    const ids = await lastValueFrom(
      from(["a", "b"]).pipe(
        tap((text) => seen.push(text)),
        concatMap((text) => [text]),
        sendTo(producer),
        toArray(),
      ),
    );
    expect(ids).toHaveLength(2);
  });
});
