import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { type Fixture, outcome, startFixture } from "../testing/fixture.ts";
import type { Transaction } from "./transaction.ts";

/** A client and a broker that is the cluster's only transaction coordinator. */
async function start(): Promise<Fixture & { begin(timeoutMs?: number): Promise<Transaction> }> {
  const fixture = await startFixture();
  const { broker, client } = fixture;
  broker.on(CommandType.PARTITIONED_METADATA, ({ requestId, topic }, connection) => {
    const partitions = topic.includes("transaction_coordinator_assign") ? 1 : 0;
    const body = { requestId, partitions, response: 0 as const };
    connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
    return true;
  });
  let next = 0;
  broker.on(CommandType.NEW_TXN, ({ requestId }, connection) => {
    const body = { requestId, txnidMostBits: 0, txnidLeastBits: next++ };
    connection.send({ type: CommandType.NEW_TXN_RESPONSE, body });
    return true;
  });
  const answers = [
    [CommandType.TC_CLIENT_CONNECT_REQUEST, CommandType.TC_CLIENT_CONNECT_RESPONSE],
    [CommandType.ADD_PARTITION_TO_TXN, CommandType.ADD_PARTITION_TO_TXN_RESPONSE],
    [CommandType.ADD_SUBSCRIPTION_TO_TXN, CommandType.ADD_SUBSCRIPTION_TO_TXN_RESPONSE],
    [CommandType.END_TXN, CommandType.END_TXN_RESPONSE],
  ] as const;
  for (const [request, response] of answers) {
    broker.on(request, ({ requestId }, connection) => {
      connection.send({ type: response, body: { requestId } });
      return true;
    });
  }
  return { ...fixture, begin: (timeoutMs = 1000) => client.newTransaction({ timeoutMs }) };
}

const endings = ({ broker }: Fixture): unknown[] => broker.of(CommandType.END_TXN).map((end) => end.txnAction);

describe("a transaction", () => {
  it("tells the coordinator of a topic once, before the first message goes there", async () => {
    const { client, broker, begin, clock } = await start();
    const producer = await client.createProducer({ topic: "t" });
    const transaction = await begin();
    const sent = Promise.all([1, 2, 3].map(() => producer.send({ data: "x", transaction })));
    await clock.advance(10);
    await sent;
    await transaction.commit();
    const order = broker.types.filter((t) => t === CommandType.ADD_PARTITION_TO_TXN || t === CommandType.SEND);
    expect(order).toEqual([CommandType.ADD_PARTITION_TO_TXN, CommandType.SEND]);
    expect(broker.sent[0]?.body).toMatchObject({ txnidMostBits: 0, txnidLeastBits: 0, numMessages: 3 });
  });

  it("has its messages flushed, also those that wait for the coordinator", async () => {
    const { client, broker, begin } = await start();
    const producer = await client.createProducer({ topic: "t", batchingMaxPublishDelayMs: 5000 });
    const sent = producer.send({ data: "x", transaction: await begin(60_000) });
    await producer.flush();
    expect(broker.sent.map((s) => s.texts)).toEqual([["x"]]);
    await sent;
  });

  it("shares no batch with messages outside of it", async () => {
    const { client, broker, begin, clock } = await start();
    const producer = await client.createProducer({ topic: "t" });
    const transaction = await begin();
    await Promise.all([producer.send({ data: "first", transaction }), clock.advance(10)]);
    const sends = [producer.send("a"), producer.send({ data: "b", transaction }), producer.send("c")];
    await clock.advance(10);
    await Promise.all(sends);
    const entries = broker.sent.map((s) => [s.texts, s.body.txnidLeastBits !== undefined]);
    expect(entries).toEqual([
      [["first"], true],
      [["a", "c"], false],
      [["b"], true],
    ]);
  });

  it("waits with its commit for what was sent in it", async () => {
    const fixture = await start();
    const { client, broker, begin, clock, settle } = fixture;
    broker.autoReceipts = false;
    const producer = await client.createProducer({ topic: "t" });
    const transaction = await begin();
    void producer.send({ data: "x", transaction });
    await clock.advance(10);
    const committed = transaction.commit();
    await settle();
    expect([transaction.state, endings(fixture)]).toEqual(["COMMITTING", []]);
    broker.connection.receipt(0, 0, 0);
    await committed;
    expect([transaction.state, endings(fixture)]).toEqual(["COMMITTED", [0]]);
  });

  it("is aborted by a commit where something of it failed", async () => {
    const fixture = await start();
    const { client, broker, begin } = fixture;
    broker.on(CommandType.ACK, ({ requestId, consumerId }, connection) => {
      const error = ServerError.TransactionConflict;
      connection.send({ type: CommandType.ACK_RESPONSE, body: { requestId, consumerId, error, message: "taken" } });
      return true;
    });
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["x"] });
    const transaction = await begin();
    const message = await consumer.receive();
    expect(await outcome(consumer.acknowledge(message, { transaction }))).toBe("TransactionConflict");
    expect(await outcome(transaction.commit())).toBe("TransactionHasFailedOperation");
    expect([transaction.state, endings(fixture)]).toEqual(["ABORTED", [1]]);
  });

  it("acknowledges one message of a batch by its index", async () => {
    const { client, broker, begin } = await start();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c"] });
    const transaction = await begin();
    await consumer.receive();
    await consumer.acknowledge(await consumer.receive(), { transaction });
    const [ack] = broker.of(CommandType.ACK);
    expect(ack).toMatchObject({
      txnidLeastBits: 0,
      messageId: [{ entryId: 0, batchSize: 3, ackSet: [{ low: 5, high: 0 }] }],
    });
  });

  it("disposed of while it is open is aborted", async () => {
    const fixture = await start();
    {
      await using transaction = await fixture.begin();
      expect(transaction.state).toBe("OPEN");
    }
    expect(endings(fixture)).toEqual([1]);
  });

  it("takes nothing after its time, and says so", async () => {
    const { client, begin, clock } = await start();
    const producer = await client.createProducer({ topic: "t" });
    const transaction = await begin(500);
    await clock.advance(501);
    expect(transaction.state).toBe("TIMED_OUT");
    expect(await outcome(producer.send({ data: "x", transaction }))).toBe("InvalidTxnStatus");
    await expect(transaction.commit()).rejects.toThrow("timed out after 500 ms");
  });

  it("goes on with a coordinator whose connection ended", async () => {
    const fixture = await start();
    const { broker, begin, clock } = fixture;
    const transaction = await begin(60_000);
    broker.connection.drop();
    const committed = transaction.commit();
    await clock.advance(1000);
    await committed;
    expect(broker.of(CommandType.TC_CLIENT_CONNECT_REQUEST).length).toBe(2);
  });

  it("goes on with a coordinator that has moved", async () => {
    const { broker, begin, clock } = await start();
    let refusals = 1;
    broker.on(CommandType.TC_CLIENT_CONNECT_REQUEST, ({ requestId }, connection) => {
      const error = refusals-- > 0 ? ServerError.TransactionCoordinatorNotFound : undefined;
      connection.send({ type: CommandType.TC_CLIENT_CONNECT_RESPONSE, body: { requestId, error } });
      return true;
    });
    const beginning = begin();
    await clock.advance(1000);
    expect((await beginning).state).toBe("OPEN");
  });

  it("is refused where the cluster has no coordinators", async () => {
    const { client } = await startFixture();
    expect(await outcome(client.newTransaction())).toBe("TransactionCoordinatorNotFound");
    expect(await outcome(client.newTransaction({ timeoutMs: 0 }))).toBe("InvalidConfiguration");
  });

  it.each([
    ["a name of another client", (t: Transaction) => ({ txn: t }), "did you mean transaction?"],
    ["the transaction itself", (t: Transaction) => t, "takes { transaction }"],
    ["a misspelt name", (t: Transaction) => ({ transction: t }), "did you mean transaction?"],
    ["nothing", () => null, "takes an object"],
  ])("is not left out of an acknowledgement that gives it by %s", async (_how, options, text) => {
    const { client, broker, begin, clock, settle } = await start();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["a"] });
    const message = await consumer.receive();
    const wrong = options(await begin()) as never;
    await expect(consumer.acknowledge(message, wrong)).rejects.toThrow(text);
    await expect(consumer.acknowledge([message], wrong)).rejects.toThrow(text);
    await expect(consumer.acknowledgeCumulative(message, wrong)).rejects.toThrow(text);
    await clock.advance(200);
    await settle();
    expect(broker.of(CommandType.ACK)).toEqual([]);
  });

  it("must be one: anything else is refused and not sent outside of it", async () => {
    const { client, broker } = await start();
    const producer = await client.createProducer({ topic: "t" });
    const transaction = { id: 5 } as unknown as Transaction;
    expect(await outcome(producer.send({ data: "x", transaction }))).toBe("InvalidConfiguration");
    expect(broker.sent).toEqual([]);
  });
});
