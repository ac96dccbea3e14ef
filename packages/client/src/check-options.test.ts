import { describe, expect, it } from "vitest";
import { basicAuthentication } from "./auth/authentication.ts";
import { tlsAuthentication } from "./auth/authentication-files.ts";
import { oauth2Authentication } from "./auth/oauth2-authentication.ts";
import type { Consumer } from "./consuming/consumer.ts";
import { multiplierRedeliveryBackoff } from "./consuming/redelivery-backoff.ts";
import { fixedKeys } from "./crypto/crypto-key-reader.ts";
import { MessageId } from "./message-id.ts";
import { jsonSchema } from "./schema/json-schema.ts";
import { keyValueSchema } from "./schema/key-value-schema.ts";
import { stringSchema } from "./schema/primitive-schemas.ts";
import { startFixture } from "./testing/fixture.ts";

const refused = (text: string) => ({ code: "InvalidConfiguration", message: expect.stringContaining(text) });

describe("an option that there is none of", () => {
  const calls: readonly [string, (consumer: Consumer) => Promise<unknown>, string][] = [
    ["receive", (c) => c.receive({ timeout: 500 } as never), "did you mean timeoutMs?"],
    ["receive, a signal itself", (c) => c.receive(new AbortController().signal as never), "takes { signal }"],
    ["batchReceive", (c) => c.batchReceive({ maxMessages: 5 } as never), "batchReceive has no option"],
    ["batchReceive, a number", (c) => c.batchReceive(5 as never), "batchReceive takes"],
    ["acknowledge", async (c) => c.acknowledge(await c.receive(), { transactions: 1 } as never), "transaction?"],
    ["seek", (c) => c.seek(MessageId.earliest, { inclusiv: true } as never), "did you mean inclusive?"],
    ["unsubscribe", (c) => c.unsubscribe({ forced: true } as never), "did you mean force?"],
    ["unsubscribe, a value", (c) => c.unsubscribe({ force: "yes" } as never), "force takes true or false"],
    ["unsubscribe, no object", (c) => c.unsubscribe(true as never), "unsubscribe takes an object"],
    ["reconsumeLater", async (c) => c.reconsumeLater(await c.receive(), { delay: 5 } as never), "delayMs?"],
  ];

  it.each(calls)("of a consumer's call is refused: %s", async (_call, call, text) => {
    const { client, broker } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s", type: "Shared", retryEnable: true });
    broker.deliver({ entryId: 0, texts: ["a"] });
    await expect(call(consumer)).rejects.toMatchObject(refused(text));
  });

  const nested: readonly [object, string][] = [
    [{ deadLetterPolicy: { maxRedeliverCount: 1, deadLetterTopc: "d" } }, "did you mean deadLetterTopic?"],
    [{ deadLetterPolicy: { maxRedeliveries: 1 } }, "did you mean maxRedeliverCount?"],
    [{ batchReceivePolicy: { timeout: 1 } }, "batchReceivePolicy has no option"],
    [{ type: "Key_Shared", keySharedPolicy: { mode: "AutoSplit", allowOutOfOrder: true } }, "keySharedPolicy has no"],
    [{ interceptors: [{ beforeConsumed: () => undefined }] }, "did you mean beforeConsume?"],
    [{ cryptoKeyReader: { getPrivatKey: () => undefined } }, "did you mean getPrivateKey?"],
    [{ subscriptionType: "Shared" }, "did you mean type?"],
    [{ listener: () => undefined }, "did you mean messageListener?"],
    [{ subscriptionInitialPosition: "Earliest" }, "did you mean initialPosition?"],
  ];

  it.each(nested)("of a consumer is refused: %j", async (options, text) => {
    const { client } = await startFixture();
    const subscribing = client.subscribe({ topic: "t", subscription: "s", type: "Shared", ...options });
    await expect(subscribing).rejects.toMatchObject(refused(text));
  });

  it("of a transaction is refused", async () => {
    const { client } = await startFixture();
    await expect(client.newTransaction({ timeout: 5 } as never)).rejects.toMatchObject(refused("timeoutMs?"));
    await expect(client.newTransaction(5 as never)).rejects.toMatchObject(refused("newTransaction takes an object"));
  });

  it("of a message with nothing at all is refused, and one with an empty payload is not", async () => {
    const { client } = await startFixture();
    const producer = await client.createProducer({ topic: "t", batchingEnabled: false });
    for (const nothing of [{}, { value: undefined } as never]) {
      await expect(producer.send(nothing)).rejects.toMatchObject({ code: "InvalidMessage" });
    }
    for (const empty of ["", { data: "" }, { data: null }, { key: "k" }]) await producer.send(empty);
  });

  it("of a message is refused, and another client's name understood", async () => {
    const { client } = await startFixture();
    const producer = await client.createProducer({ topic: "t" });
    await expect(producer.send({ data: "x", partitionKey: "k" } as never)).rejects.toThrow("did you mean key?");
  });

  const validator = { "~standard": { version: 1, vendor: "v", validate: (value: unknown) => ({ value }) } } as never;
  const makers: readonly [string, () => unknown, string][] = [
    ["fixedKeys", () => fixedKeys({ publicKey: { a: "k" } } as never), "did you mean publicKeys?"],
    ["fixedKeys without keys", () => fixedKeys({}), "takes publicKeys, privateKeys or both"],
    ["fixedKeys without an argument", () => fixedKeys(undefined as never), "fixedKeys takes an object"],
    ["fixedKeys, no keys", () => fixedKeys({ privateKeys: "pem" } as never), "privateKeys takes an object"],
    ["fixedKeys, no key", () => fixedKeys({ privateKeys: { a: 5 } } as never), 'the key "a" takes a text'],
    ["jsonSchema", () => jsonSchema(validator, { definitions: false } as never), "did you mean definition?"],
    ["jsonSchema, null", () => jsonSchema(validator, null as never), "jsonSchema takes an object"],
    ["keyValueSchema", () => keyValueSchema(stringSchema(), stringSchema(), { encodin: 1 } as never), "encoding?"],
    ["a backoff", () => multiplierRedeliveryBackoff({ minDelay: 1 } as never), "did you mean minDelayMs?"],
    ["basicAuthentication", () => basicAuthentication({ userid: "u", password: "p" } as never), "userId?"],
    ["tlsAuthentication", () => tlsAuthentication({ certificatPath: "c" } as never), "certificatePath?"],
    ["oauth2Authentication", () => oauth2Authentication({ issuerUri: "https://i" } as never), "issuerUrl?"],
  ];

  it.each(makers)("of what is made beforehand is refused: %s", (_maker, make, text) => {
    expect(make).toThrow(expect.objectContaining(refused(text)));
  });
});
