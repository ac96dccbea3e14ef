import { CommandType, ServerError } from "@pulsewire/protocol";
import { type Address, type Network, NetworkError } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { CoreClient } from "./client.ts";
import { MessageId } from "./message-id.ts";
import { isSettled, memoryRuntime, outcome, startFixture } from "./testing/fixture.ts";

describe("a client", () => {
  it.each([
    ["operationTimeoutMs", { operationTimeoutMs: 0 }],
    ["keepAliveIntervalMs", { keepAliveIntervalMs: -1 }],
    ["connectionsPerBroker", { connectionsPerBroker: 0 }],
    ["memoryLimitBytes", { memoryLimitBytes: "64M" as never }],
    ["listenerName", { listenerName: "" }],
  ])("with a wrong option is refused at once, by its name: %s", (name, options) => {
    const { runtime } = memoryRuntime();
    const make = (): CoreClient => new CoreClient({ serviceUrl: "pulsar://a", ...options }, runtime);
    expect(make).toThrow(`InvalidConfiguration: ${name}`);
  });

  it("connects when something is asked of it, and not before", async () => {
    const { broker, client, settle } = await startFixture();
    await settle();
    expect(broker.connections.length).toBe(0);
    await client.close();
  });

  it("closes everything it opened, and its connections, once", async () => {
    const { broker, client, clock, settle } = await startFixture();
    const producer = await client.createProducer({ topic: "t", batchingMaxPublishDelayMs: 60_000 });
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    const send = producer.send("x");
    const receive = outcome(consumer.receive());
    await Promise.all([client.close(), client.close()]);
    await client.close();
    expect([(await send).entryId, await receive]).toEqual([0, "AlreadyClosed"]);
    expect(broker.of(CommandType.CLOSE_PRODUCER).length).toBe(1);
    expect(broker.of(CommandType.CLOSE_CONSUMER).length).toBe(1);
    await settle();
    expect(clock.pendingTimers).toBe(0);
    for (const late of [
      client.createProducer({ topic: "t" }),
      client.subscribe({ topic: "t", subscription: "s" }),
      client.getPartitionsForTopic("t"),
    ]) {
      expect(await outcome(late)).toBe("AlreadyClosed");
    }
  });

  it("closes without a broker", async () => {
    const { broker, client, clock } = await startFixture();
    await client.createProducer({ topic: "t" });
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    const receive = outcome(consumer.receive());
    await broker.stop();
    broker.connection.drop();
    await clock.settle();
    await client.close();
    expect(await receive).toBe("AlreadyClosed");
    expect(clock.pendingTimers).toBe(0);
  });

  it("that is closed while something opens settles that too", async () => {
    const { broker, client, settle, clock } = await startFixture();
    broker.on(CommandType.PRODUCER, () => true);
    const opening = outcome(client.createProducer({ topic: "t" }));
    await settle();
    const closing = client.close();
    await clock.advance(40_000);
    await closing;
    expect(await opening).not.toBe("resolved");
    expect(clock.pendingTimers).toBe(0);
  });

  it("is closed at once while something waits to be tried again", async () => {
    const { broker, client, settle, clock } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    broker.refuse(CommandType.PRODUCER, ServerError.ServiceNotReady);
    broker.on(CommandType.SEEK, ({ requestId }, connection) => {
      const body = { requestId, error: ServerError.ServiceNotReady, message: "not now" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    const opening = [outcome(client.createProducer({ topic: "t" })), outcome(consumer.seek(5))];
    await clock.advance(3000);
    await broker.stop();
    broker.connection.drop();
    opening.push(outcome(client.createReader({ topic: "r", startMessageId: MessageId.earliest })));
    await clock.advance(3000);
    const closing = client.close();
    await settle();
    expect(await isSettled(closing)).toBe(true);
    expect(await Promise.all(opening)).toEqual(["AlreadyClosed", "AlreadyClosed", "AlreadyClosed"]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("rejects one promise for one failure, and no other", async () => {
    const { runtime, clock } = await startFixture();
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    globalThis.process.on("unhandledRejection", note);
    const client = new CoreClient({ serviceUrl: "pulsar://dead", operationTimeoutMs: 1000 }, runtime);
    const result = outcome(client.createProducer({ topic: "t" }));
    await clock.advance(5000);
    expect(await result).toBe("ConnectFailed");
    await client.close();
    await new Promise<void>((resolve) => globalThis.setImmediate(resolve));
    globalThis.process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("is disposed by await using", async () => {
    const { client, broker } = await startFixture();
    {
      await using producer = await client.createProducer({ topic: "t" });
      expect(producer.isConnected).toBe(true);
    }
    expect(broker.of(CommandType.CLOSE_PRODUCER).length).toBe(1);
  });
});

describe("an option of a client", () => {
  const make = (options: object): CoreClient => {
    const { runtime } = memoryRuntime();
    return new CoreClient({ serviceUrl: "pulsar://a", ...options }, runtime);
  };

  it("that there is none of is refused, with the nearest that there is", () => {
    expect(() => make({ operationTimeOutMs: 5 })).toThrow(
      'no option "operationTimeOutMs"; did you mean operationTimeoutMs?',
    );
    expect(() => make({ whatever: 5 })).toThrow('no option "whatever"');
  });

  it.each([
    ["tls", { tls: "yes" }],
    ["tls", { tls: { ca: 5 } }],
    ["tls.ca takes PEM text", { tls: { ca: "/etc/ca.pem" } }],
    ["tls.key takes PEM text", { tls: { key: "" } }],
    ["did you mean serviceUrl?", { url: "pulsar://a" }],
    ["did you mean operationTimeoutMs?", { operationTimeoutSeconds: 5 }],
    ["did you mean authentication?", { auth: {} }],
    ["did you mean tls?", { tlsTrustCertsFilePath: "ca.pem" }],
    ["did you mean verifyHostname", { tls: { verifyHostName: false } }],
    ["logger", { logger: {} }],
    ["runtime", { runtime: {} }],
  ])("of a wrong kind is refused by its name: %s", (name, options) => {
    expect(() => make(options)).toThrow(name);
  });
});

it.each([
  ["pulsar://a", 1],
  ["pulsar+ssl://a", 0],
])("says where tls has no effect: %s", (serviceUrl, warnings) => {
  const { runtime } = memoryRuntime();
  const texts: string[] = [];
  const ignore = (): void => undefined;
  const logger = { debug: ignore, info: ignore, error: ignore, warn: (text: string) => void texts.push(text) };
  new CoreClient({ serviceUrl, tls: { verifyHostname: false }, logger }, runtime);
  expect(texts).toEqual(Array(warnings).fill("tls has no effect on pulsar://"));
});

it("a client behind a proxy that goes by names connects to the proxy, and asks for the broker's name", async () => {
  const { runtime, network } = memoryRuntime();
  const asked: Address[] = [];
  const connect: Network["connect"] = (address) => {
    asked.push(address);
    return Promise.reject(new NetworkError("TlsFailed", "this is enough"));
  };
  const options = { serviceUrl: "pulsar+ssl://broker-1", proxyServiceUrl: "pulsar+ssl://proxy:4443" };
  const ports: Network = Object.assign(Object.create(network), { connect });
  const client = new CoreClient(options, { ...runtime, network: ports });
  expect(await outcome(client.createProducer({ topic: "t" }))).toBe("TlsFailed");
  expect(asked).toEqual([{ transport: "tls", host: "proxy", port: 4443, tls: { serverName: "broker-1" } }]);
  expect(() => new CoreClient({ ...options, proxyServiceUrl: "http://proxy" }, runtime)).toThrow("proxyServiceUrl");
});
