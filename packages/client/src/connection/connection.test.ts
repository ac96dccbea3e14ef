import { CommandType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { tokenAuthentication } from "../auth/authentication.ts";
import { CoreClient } from "../client.ts";
import { MessageId } from "../message-id.ts";
import { outcome, startFixture } from "../testing/fixture.ts";

describe("the handshake", () => {
  it("tells the protocol version, the features and the credentials", async () => {
    const tokens = ["first", "second"];
    const authentication = tokenAuthentication(() => tokens.shift() ?? "none left");
    const { client, broker } = await startFixture({ authentication });
    await client.createProducer({ topic: "t" });
    const [connect] = broker.of(CommandType.CONNECT);
    expect(connect?.protocolVersion).toBe(21);
    expect(connect?.featureFlags?.supportsAuthRefresh).toBe(true);
    expect([connect?.authMethodName, new TextDecoder().decode(connect?.authData)]).toEqual(["token", "first"]);
  });

  it("asks for credentials again when it is challenged", async () => {
    const authentication = tokenAuthentication(async () => "again");
    const { client, broker, settle } = await startFixture({ authentication });
    await client.createProducer({ topic: "t" });
    const challenge = { authMethodName: "token", authData: Uint8Array.of(1) };
    broker.connection.send({ type: CommandType.AUTH_CHALLENGE, body: { challenge } });
    await settle();
    const [response] = broker.of(CommandType.AUTH_RESPONSE);
    expect(new TextDecoder().decode(response?.response?.authData)).toBe("again");
  });

  it("that is refused rejects with the broker's error, at once", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.CONNECT, (_, connection) => {
      const body = { requestId: 0, error: ServerError.AuthenticationError, message: "who are you" };
      connection.send({ type: CommandType.ERROR, body });
      return true;
    });
    const error = await client.createProducer({ topic: "t" }).catch((e) => e);
    expect(error.message).toBe("AuthenticationError: who are you");
    expect([error.code, error.serverError, error.retryable]).toEqual([
      "AuthenticationError",
      "AuthenticationError",
      false,
    ]);
  });

  it.each([
    ["HTTP", "HTTP/1.1 400 Bad Request", "it answers in HTTP"],
    ["TLS", "\x15\x03\x03\x00\x02\x02\x50", "it answers in TLS, which takes pulsar+ssl://"],
    ["something else", "SSH-2.0-OpenSSH_9.6", "FrameTooLarge"],
  ])("that is answered in %s names the place that speaks another protocol", async (_what, answer, why) => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.CONNECT, (_, connection) => {
      connection.channel.write(new TextEncoder().encode(answer));
      return true;
    });
    const error = await client.createProducer({ topic: "t" }).catch((e) => e);
    const [, remote] = broker.url.split("//");
    expect(error.code).toBe("ProtocolViolation");
    expect(error.message).toContain(`${remote} does not speak Pulsar's binary protocol: `);
    expect(error.message).toContain(why === "FrameTooLarge" ? "a frame of" : why);
  });

  it("without an answer is given up, and tried again until the operation's time is up", async () => {
    const { client, broker, clock } = await startFixture({ connectionTimeoutMs: 1000, operationTimeoutMs: 5000 });
    broker.on(CommandType.CONNECT, () => true);
    const result = outcome(client.createProducer({ topic: "t" }));
    await clock.advance(10_000);
    expect(await result).toBe("ConnectTimeout");
    expect(broker.connections.length).toBeGreaterThan(2);
  });

  it("takes the size limit from the broker", async () => {
    const { client, broker } = await startFixture();
    broker.maxMessageSize = 100;
    const producer = await client.createProducer({ topic: "t" });
    expect(await outcome(producer.send(new Uint8Array(101)))).toBe("MessageTooBig");
  });
});

describe("a connection", () => {
  it("answers a ping", async () => {
    const { client, broker, settle } = await startFixture();
    await client.createProducer({ topic: "t" });
    broker.connection.send({ type: CommandType.PING, body: {} });
    await settle();
    expect(broker.of(CommandType.PONG).length).toBe(1);
  });

  it("pings, and is replaced when a ping stays without an answer", async () => {
    const { client, broker, clock } = await startFixture({ keepAliveIntervalMs: 1000 });
    const producer = await client.createProducer({ topic: "t" });
    await clock.advance(5500);
    expect(broker.of(CommandType.PING).length).toBe(5);
    expect(broker.connections.length).toBe(1);
    broker.on(CommandType.PING, () => true);
    await clock.advance(2500);
    expect(broker.connections.length).toBe(2);
    expect(producer.isConnected).toBe(true);
  });

  it("is shared, or has as many beside it as asked for", async () => {
    const one = await startFixture();
    for (let i = 0; i < 4; i++) await one.client.createProducer({ topic: `t${i}` });
    expect(one.broker.connections.length).toBe(1);
    const three = await startFixture({ connectionsPerBroker: 3 });
    for (let i = 0; i < 6; i++) await three.client.createProducer({ topic: `t${i}` });
    expect(three.broker.connections.length).toBe(3);
  });

  it("that brings nonsense is ended, and a new one is made", async () => {
    const { client, broker, clock } = await startFixture();
    const producer = await client.createProducer({ topic: "t" });
    broker.connection.channel.write(Uint8Array.of(0, 0, 0, 0, 1, 2, 3));
    await clock.advance(200);
    expect(broker.connections.length).toBe(2);
    expect(await outcome(Promise.all([producer.send("x"), clock.advance(10)]))).toBe("resolved");
  });

  it("to the next host is made where one is dead", async () => {
    const { broker, runtime } = await startFixture();
    const client = new CoreClient({ serviceUrl: `pulsar://dead:6650,${broker.url.slice(9)}` }, runtime);
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("resolved");
  });

  it("that nobody answers for rejects with what it was when the time is up", async () => {
    const { runtime, clock } = await startFixture();
    const client = new CoreClient({ serviceUrl: "pulsar://dead:6650", operationTimeoutMs: 3000 }, runtime);
    const result = outcome(client.subscribe({ topic: "t", subscription: "s" }));
    await clock.advance(5000);
    expect(await result).toBe("ConnectFailed");
    expect(clock.pendingTimers).toBe(0);
  });

  it("leaves a request without an answer to time out", async () => {
    const { client, broker, clock } = await startFixture({ operationTimeoutMs: 3000 });
    broker.on(CommandType.SUBSCRIBE, () => true);
    const result = outcome(client.subscribe({ topic: "t", subscription: "s" }));
    await clock.advance(5000);
    expect(await result).toBe("Timeout");
    expect(broker.of(CommandType.CLOSE_CONSUMER).length).toBe(1);
  });
});

describe("a request", () => {
  it("that has no form on the wire rejects, and nothing waits for its answer", async () => {
    const { client, clock } = await startFixture({ operationTimeoutMs: 1000 });
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    const before = clock.pendingTimers;
    const id = new MessageId(1, 10n as unknown as number, -1, -1, 0, undefined);
    expect(await outcome(consumer.seek(id))).toBe("UnknownError");
    expect(clock.pendingTimers).toBe(before);
  });
});
