import { concatMap, from, lastValueFrom, type Observable, tap, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import { MessageId } from "../message-id.ts";
import { stringSchema } from "../schema/primitive-schemas.ts";
import { consumerOf, deliver, fixture, open } from "../testing/rxjs-fixture.ts";
import { acknowledging, mergeMapByKey, messages$, sendTo } from "./index.ts";

describe("sendTo", () => {
  it("has no more than maxInFlight sends without a receipt, and emits the ids", async () => {
    await open();
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
    await open();
    const producer = await fixture.client.createProducer({ topic: "t", batchingEnabled: false });
    const sending = lastValueFrom(from([{ data: 5 as unknown as string }, "b"]).pipe(sendTo(producer)));
    await expect(sending).rejects.toMatchObject({ code: "InvalidMessage" });
  });

  it("waits for a producer that may have fewer pending, and for one that others have filled", async () => {
    await open();
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
    await open({ memoryLimitBytes: 10 });
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
    await open();
    fixture.broker.autoReceipts = false;
    const producer = await fixture.client.createProducer({ topic: "t", batchingEnabled: false });
    const sending = lastValueFrom(from(["a", "b", "c"]).pipe(sendTo(producer, { maxInFlight: 1, maxBuffered: 1 })));
    await expect(sending).rejects.toMatchObject({ code: "ProducerQueueIsFull", retryable: true });
    await fixture.settle();
    const { connection, sent } = fixture.broker;
    for (const s of sent) connection.receipt(s.body.producerId, Number(s.body.sequenceId), 1);
  });

  it("takes values of the producer's type, and messages$ gives those of the consumer's", async () => {
    await open();
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
    await open();
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
