import { CommandType, ServerError } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../../cluster/cluster.ts";
import { besides, createTestRuntime, ProtocolClient, type TestRuntime } from "./protocol-client-fixture.ts";

let runtime: TestRuntime;
let cluster: Cluster;
beforeEach(async () => {
  runtime = createTestRuntime();
  cluster = await startCluster({ runtime });
});
afterEach(() => cluster.close());

const hello = { clientVersion: "test", protocolVersion: 21 };

describe("handshake", () => {
  it("answers CONNECT with version, largest message and features", async () => {
    const client = await ProtocolClient.open(runtime, cluster.serviceUrl);
    client.send(CommandType.CONNECT, hello);
    expect(await client.next(CommandType.CONNECTED)).toMatchObject({
      protocolVersion: 21,
      maxMessageSize: 5 * 1024 * 1024,
      featureFlags: { supportsTopicWatchers: true, supportsGetPartitionedMetadataWithoutAutoCreation: true },
    });
  });

  it.each([
    [10, 10],
    [21, 21],
    [99, 21],
  ])("speaks the lower of both versions: a client of %i gets %i", async (theirs, agreed) => {
    const client = await ProtocolClient.open(runtime, cluster.serviceUrl);
    client.send(CommandType.CONNECT, { ...hello, protocolVersion: theirs });
    expect((await client.next(CommandType.CONNECTED)).protocolVersion).toBe(agreed);
  });

  it("ends a connection whose first command is not CONNECT", async () => {
    const client = await ProtocolClient.open(runtime, cluster.serviceUrl);
    client.send(CommandType.LOOKUP, { topic: "t", requestId: 1 });
    await runtime.clock.settle();
    expect(client.closed).toBe(true);
    expect(client.pending).toEqual([]);
  });

  it("ends a connection that says CONNECT twice", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    client.send(CommandType.CONNECT, hello);
    await runtime.clock.settle();
    expect(client.closed).toBe(true);
  });

  it("ends a connection that says nothing for 30 s", async () => {
    const client = await ProtocolClient.open(runtime, cluster.serviceUrl);
    await runtime.clock.advance(29_999);
    expect(client.closed).toBe(false);
    await runtime.clock.advance(1);
    expect(client.closed).toBe(true);
  });

  it("refuses who is to be routed to a broker that is not here", async () => {
    const client = await ProtocolClient.open(runtime, cluster.serviceUrl);
    client.send(CommandType.CONNECT, { ...hello, proxyToBrokerUrl: "elsewhere:6650" });
    expect(await client.next(CommandType.ERROR)).toMatchObject({ error: ServerError.ServiceNotReady });
    await runtime.clock.settle();
    expect(client.closed).toBe(true);
  });

  it("asks an authenticator, and ends a connection whose credentials it refuses", async () => {
    await using guarded = await startCluster({
      runtime: besides(runtime),
      authenticator: {
        authenticate: async (method, data) => {
          if (method === "token" && new TextDecoder().decode(data) === "good") return "role";
          throw new Error("a bad token");
        },
      },
    });
    const token = (text: string): { authMethodName: string; authData: Uint8Array } => ({
      authMethodName: "token",
      authData: new TextEncoder().encode(text),
    });
    await ProtocolClient.connect(runtime, guarded.serviceUrl, token("good"));
    const refused = await ProtocolClient.open(runtime, guarded.serviceUrl);
    refused.send(CommandType.CONNECT, { ...hello, ...token("bad") });
    expect(await refused.next(CommandType.ERROR)).toMatchObject({
      message: "a bad token",
      error: ServerError.AuthenticationError,
    });
    await runtime.clock.settle();
    expect(refused.closed).toBe(true);
  });

  describe("with an authenticator that asks back", () => {
    const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
    const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
    const credentials = (value: string) => ({ authMethodName: "token", authData: bytes(value) });
    let guarded: Cluster;
    beforeEach(async () => {
      guarded = await startCluster({
        runtime: besides(runtime),
        settings: { keepAliveIntervalSeconds: 3600 },
        authenticator: {
          async authenticate(_method, data) {
            if (text(data) === "hello") return { challenge: bytes("and?") };
            if (text(data) === "other") return "somebody else";
            if (text(data) !== "secret") throw new Error("a bad answer");
            return { role: "app", expiresAtMs: runtime.clock.now() + 10_000 };
          },
        },
      });
    });
    afterEach(() => guarded.close());

    async function challenged(features = {}): Promise<ProtocolClient> {
      const client = await ProtocolClient.open(runtime, guarded.serviceUrl);
      client.send(CommandType.CONNECT, { ...hello, ...credentials("hello"), featureFlags: features });
      expect(text((await client.next(CommandType.AUTH_CHALLENGE)).challenge?.authData)).toBe("and?");
      return client;
    }

    it("passes its challenge on, and welcomes who answers it", async () => {
      const client = await challenged();
      client.send(CommandType.AUTH_RESPONSE, { response: credentials("secret") });
      await client.next(CommandType.CONNECTED);
    });

    it("ends the connection of who answers wrong, or does something else first", async () => {
      const wrong = await challenged();
      wrong.send(CommandType.AUTH_RESPONSE, { response: credentials("guess") });
      expect((await wrong.next(CommandType.ERROR)).error).toBe(ServerError.AuthenticationError);
      const hasty = await challenged();
      hasty.send(CommandType.PING, {});
      await runtime.clock.settle();
      expect([wrong.closed, hasty.closed]).toEqual([true, true]);
    });

    it("ends the connection of who does not answer", async () => {
      const client = await challenged();
      await runtime.clock.advance(60_000);
      expect(client.closed).toBe(true);
    });

    it("asks again when credentials run out, and goes on with new ones", async () => {
      const client = await challenged({ supportsAuthRefresh: true });
      client.send(CommandType.AUTH_RESPONSE, { response: credentials("secret") });
      await client.next(CommandType.CONNECTED);
      for (let round = 0; round < 2; round++) {
        await runtime.clock.advance(10_000);
        expect(text((await client.next(CommandType.AUTH_CHALLENGE)).challenge?.authData)).toBe("PulsarAuthRefresh");
        client.send(CommandType.AUTH_RESPONSE, { response: credentials("secret") });
        await runtime.clock.settle();
      }
      expect(client.closed).toBe(false);
      await runtime.clock.advance(10_000);
      client.send(CommandType.AUTH_RESPONSE, { response: credentials("other") });
      await runtime.clock.settle();
      expect(client.closed).toBe(true);
    });

    it("ends the connection of a client that cannot be asked again", async () => {
      const client = await challenged();
      client.send(CommandType.AUTH_RESPONSE, { response: credentials("secret") });
      await client.next(CommandType.CONNECTED);
      await runtime.clock.advance(10_000);
      expect(client.closed).toBe(true);
    });
  });
});

describe("keep-alive", () => {
  it("answers PING with PONG", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    client.send(CommandType.PING, {});
    await client.next(CommandType.PONG);
  });

  it("pings every 30 s and ends a connection that missed one", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    await runtime.clock.advance(30_000);
    await client.next(CommandType.PING);
    client.send(CommandType.PONG, {});
    await runtime.clock.advance(30_000);
    await client.next(CommandType.PING);
    expect(client.closed).toBe(false);
    await runtime.clock.advance(30_000);
    expect(client.closed).toBe(true);
  });
});

describe("commands that are not served", () => {
  it("names a command it does not serve, with its request id", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    const answer = await client.request(CommandType.SCALABLE_TOPIC_UNSUBSCRIBE, { consumerId: 1 });
    expect(answer).toEqual({
      type: CommandType.ERROR,
      body: {
        requestId: 1,
        error: ServerError.NotAllowedError,
        message: "SCALABLE_TOPIC_UNSUBSCRIBE is not served by this broker",
      },
    });
  });

  it.each([
    ["NEW_TXN", CommandType.NEW_TXN, CommandType.NEW_TXN_RESPONSE],
    ["TC_CLIENT_CONNECT_REQUEST", CommandType.TC_CLIENT_CONNECT_REQUEST, CommandType.TC_CLIENT_CONNECT_RESPONSE],
    ["END_TXN", CommandType.END_TXN, CommandType.END_TXN_RESPONSE],
    ["ADD_PARTITION_TO_TXN", CommandType.ADD_PARTITION_TO_TXN, CommandType.ADD_PARTITION_TO_TXN_RESPONSE],
  ] as const)("answers %s by its own response", async (_name, request, response) => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    const answer = await client.request(request, {});
    expect(answer.type).toBe(response);
    expect(answer.body).toMatchObject({ error: ServerError.TransactionCoordinatorNotFound });
  });

  it("answers a scalable topic lookup by its session id", async () => {
    const client = await ProtocolClient.connect(runtime, cluster.serviceUrl);
    client.send(CommandType.SCALABLE_TOPIC_LOOKUP, { sessionId: 7, topic: "t" });
    expect(await client.next(CommandType.SCALABLE_TOPIC_UPDATE)).toMatchObject({
      sessionId: 7,
      error: ServerError.NotAllowedError,
    });
  });
});
