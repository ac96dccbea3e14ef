import { CommandType, CommandLookupTopicResponseLookupType as LookupType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { CoreClient } from "../client.ts";
import { FakeBroker } from "../testing/fake-broker.ts";
import { memoryRuntime, outcome, startFixture } from "../testing/fixture.ts";

function redirect(from: FakeBroker, to: FakeBroker, authoritative: boolean): void {
  from.on(CommandType.LOOKUP, ({ requestId }, connection) => {
    const body = { requestId, response: LookupType.Redirect, brokerServiceUrl: to.url, authoritative };
    connection.send({ type: CommandType.LOOKUP_RESPONSE, body });
    return true;
  });
}

describe("a lookup", () => {
  it("follows a redirect and says then what the redirect said of authority", async () => {
    const { client, broker, network } = await startFixture();
    const other = await FakeBroker.start(network, "other");
    redirect(broker, other, true);
    await client.createProducer({ topic: "t" });
    expect(broker.of(CommandType.LOOKUP).map((l) => l.authoritative)).toEqual([false]);
    expect(other.of(CommandType.LOOKUP).map((l) => l.authoritative)).toEqual([true]);
    expect(other.of(CommandType.PRODUCER).length).toBe(1);
    expect(broker.of(CommandType.PRODUCER).length).toBe(0);
  });

  it("that goes round in circles ends with a clear error", async () => {
    const { client, broker, network, clock } = await startFixture({ maxLookupRedirects: 5, operationTimeoutMs: 1000 });
    const other = await FakeBroker.start(network, "other");
    redirect(broker, other, false);
    redirect(other, broker, false);
    const error = client.createProducer({ topic: "t" }).catch((e) => e.message);
    await clock.advance(2000);
    expect(await error).toMatch(/^TooManyLookupRedirects: .*redirected more than 5 times/);
    const lookups = broker.of(CommandType.LOOKUP).length + other.of(CommandType.LOOKUP).length;
    expect(lookups % 6).toBe(0);
  });

  it("is asked again while the broker is busy, and not when it refuses", async () => {
    const { client, broker, clock } = await startFixture();
    const answers: ServerError[] = [ServerError.ServiceNotReady, ServerError.TooManyRequests];
    broker.on(CommandType.LOOKUP, ({ requestId }, connection) => {
      const error = answers.shift();
      if (error === undefined) return false;
      const body = { requestId, response: LookupType.Failed, error, message: "later" };
      connection.send({ type: CommandType.LOOKUP_RESPONSE, body });
      return true;
    });
    const opening = outcome(client.createProducer({ topic: "t" }));
    await clock.advance(1000);
    expect(await opening).toBe("resolved");
    answers.push(ServerError.AuthorizationError);
    expect(await outcome(client.createProducer({ topic: "t" }))).toBe("AuthorizationError");
  });

  it("names the listener to be reached by", async () => {
    const { client, broker } = await startFixture({ listenerName: "external" });
    await client.createProducer({ topic: "t" });
    expect(broker.of(CommandType.LOOKUP)[0]?.advertisedListenerName).toBe("external");
  });

  it("through a proxy leads to a further connection that names the broker", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.LOOKUP, ({ requestId }, connection) => {
      const brokerServiceUrl = "pulsar://inside:6650";
      const body = { requestId, response: LookupType.Connect, brokerServiceUrl, proxyThroughServiceUrl: true };
      connection.send({ type: CommandType.LOOKUP_RESPONSE, body });
      return true;
    });
    await client.createProducer({ topic: "t" });
    expect(broker.of(CommandType.CONNECT).map((c) => c.proxyToBrokerUrl)).toEqual([undefined, "inside:6650"]);
    expect(broker.connections.length).toBe(2);
  });

  it("over WebSocket leads to a further socket to the same URL, redirects too", async () => {
    const { runtime, network } = memoryRuntime();
    const inside = await FakeBroker.start(network, "inside");
    const upgrades: string[] = [];
    const listener = await network.listenHttp(
      { host: "gateway", port: 8080 },
      {
        fetch: async () => new Response(),
        upgrade: (url) => {
          upgrades.push(url.pathname);
          return { messageBytesMax: 1e7, accept: (channel) => inside.accept(channel) };
        },
      },
    );
    const client = new CoreClient({ serviceUrl: "ws://gateway" }, runtime);
    const producer = await client.createProducer({ topic: "t", batchingEnabled: false });
    expect((await producer.send("x")).entryId).toBe(0);
    expect(inside.of(CommandType.CONNECT).map((c) => c.proxyToBrokerUrl)).toEqual([undefined, inside.url.slice(9)]);
    expect(upgrades).toEqual(["/ws/binary", "/ws/binary"]);
    await listener.close();
  });

  it("of partitions creates nothing unless a producer or consumer is to be made", async () => {
    const { client, broker } = await startFixture();
    broker.on(CommandType.PARTITIONED_METADATA, ({ requestId, metadataAutoCreationEnabled }, connection) => {
      if (metadataAutoCreationEnabled !== false) return false;
      const body = { requestId, response: 1 as const, error: ServerError.TopicNotFound, message: "none" };
      connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
      return true;
    });
    expect(await outcome(client.getPartitionsForTopic("missing"))).toBe("TopicNotFound");
    expect(await outcome(client.createProducer({ topic: "made" }))).toBe("resolved");
  });
});
