import { CommandType } from "@pulsewire/protocol";
import type { ManualClock, Network } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { tokenAuthentication } from "../auth/authentication.ts";
import { CoreClient } from "../client.ts";
import { FakeBroker } from "../testing/fake-broker.ts";
import { memoryRuntime } from "../testing/fixture.ts";
import { autoClusterFailover } from "./auto-cluster-failover.ts";
import { controlledClusterFailover } from "./controlled-cluster-failover.ts";
import type { ServiceUrlProvider } from "./service-url-provider.ts";

interface World {
  clock: ManualClock;
  network: Network;
  east: FakeBroker;
  west: FakeBroker;
  connect(provider: ServiceUrlProvider): CoreClient;
}

async function start(): Promise<World> {
  const { runtime, network, clock } = memoryRuntime();
  const [east, west] = [await FakeBroker.start(network, "east"), await FakeBroker.start(network, "west")];
  const connect = (serviceUrlProvider: ServiceUrlProvider): CoreClient =>
    new CoreClient({ serviceUrlProvider, connectionTimeoutMs: 100 }, runtime);
  return { clock, network, east, west, connect };
}

/** Takes a broker away as a dead host is: nobody listens, connections end. */
const kill = (broker: FakeBroker): Promise<void> => broker.stop();

function automatic({ east, west }: World): ServiceUrlProvider {
  return autoClusterFailover({
    primary: east.url,
    secondaries: ["pulsar://nowhere:1", west.url],
    failoverDelayMs: 3000,
    switchBackDelayMs: 5000,
    checkIntervalMs: 1000,
  });
}

/** Who the clients said they are, each once. */
const tokensOf = (broker: FakeBroker): string[] => [
  ...new Set(broker.of(CommandType.CONNECT).map((c) => new TextDecoder().decode(c.authData))),
];

const producersOf = (broker: FakeBroker): number => broker.of(CommandType.PRODUCER).length;

describe("automatic failover between clusters", () => {
  it("goes to the first secondary that answers when the primary has been away long enough, and producers follow", async () => {
    const world = await start();
    const { clock, east, west, connect } = world;
    const client = connect(automatic(world));
    const producer = await client.createProducer({ topic: "t" });
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    await kill(east);
    const sent = producer.send("x");
    await clock.advance(3900);
    expect(producersOf(west)).toBe(0);
    await clock.advance(1200);
    await sent;
    expect([producersOf(west), west.sent[0]?.texts]).toEqual([1, ["x"]]);
    expect([producer.isConnected, consumer.isConnected]).toEqual([true, true]);
    await client.close();
  });

  it("stays with a primary that is back in time", async () => {
    const world = await start();
    const { clock, east, west, network, connect } = world;
    const client = connect(automatic(world));
    const producer = await client.createProducer({ topic: "t" });
    await kill(east);
    await clock.advance(2500);
    const port = Number(east.url.split(":").at(-1));
    await network.listen({ host: "east", port }, (channel) => east.accept(channel));
    await clock.advance(20_000);
    expect([producersOf(west), producer.isConnected]).toEqual([0, true]);
    await client.close();
  });

  it("goes back to the primary when it has been there long enough", async () => {
    const world = await start();
    const { clock, east, network, connect } = world;
    const client = connect(automatic(world));
    const producer = await client.createProducer({ topic: "t" });
    await kill(east);
    await clock.advance(6000);
    const before = producersOf(east);
    const port = Number(east.url.split(":").at(-1));
    await network.listen({ host: "east", port }, (channel) => east.accept(channel));
    await clock.advance(4500);
    expect(producersOf(east)).toBe(before);
    await clock.advance(3000);
    expect(producersOf(east)).toBe(before + 1);
    const sent = producer.send("home");
    await clock.advance(10);
    await sent;
    expect(east.sent.at(-1)?.texts).toEqual(["home"]);
    await client.close();
  });

  it("takes a broker that refuses the client for one that is there", async () => {
    const world = await start();
    const { clock, east, west, connect } = world;
    const client = connect(automatic(world));
    east.on(CommandType.CONNECT, (_, connection) => {
      connection.send({ type: CommandType.ERROR, body: { requestId: 0, error: 3, message: "no" } });
      return true;
    });
    await clock.advance(20_000);
    expect(west.connections.length).toBe(0);
    await client.close();
  });

  it("is at each cluster who it is said to be there, from the beginning and when it is back", async () => {
    const world = await start();
    const { clock, east, west, network, connect } = world;
    const provider = autoClusterFailover({
      primary: east.url,
      secondaries: [west.url],
      failoverDelayMs: 1000,
      switchBackDelayMs: 1000,
      checkIntervalMs: 1000,
      primaryAuthentication: tokenAuthentication("east"),
      secondaryAuthentication: { [west.url]: tokenAuthentication("west") },
    });
    const client = connect(provider);
    await client.createProducer({ topic: "t" });
    await kill(east);
    await clock.advance(4000);
    const port = Number(east.url.split(":").at(-1));
    await network.listen({ host: "east", port }, (channel) => east.accept(channel));
    await clock.advance(5000);
    expect([producersOf(east) > 1, producersOf(west)]).toEqual([true, 1]);
    expect([tokensOf(east), tokensOf(west)]).toEqual([["east"], ["west"]]);
    await client.close();
  });

  it("looks no more after the client is closed", async () => {
    const world = await start();
    const { clock, east, connect } = world;
    const client = connect(automatic(world));
    await clock.advance(1500);
    await client.close();
    const { length } = east.connections;
    await clock.advance(60_000);
    expect([length > 0, east.connections.length]).toEqual([true, length]);
  });

  it("checks its options", () => {
    const make = (options: object): unknown => autoClusterFailover(options as never);
    expect(() => make({ primary: "pulsar://a", secondaries: [] })).toThrow("secondaries");
    expect(() => make({ primary: "a", secondaries: ["pulsar://b"] })).toThrow("needs a scheme");
    expect(() => make({ primary: "pulsar://a", secondaries: ["pulsar://b"], primaryAuthentication: "token" })).toThrow(
      /^InvalidConfiguration/,
    );
    for (const secondaryAuthentication of [null, "token", { "pulsar://b": 5 }]) {
      const options = { primary: "pulsar://a", secondaries: ["pulsar://b"], secondaryAuthentication };
      expect(() => make(options)).toThrow(/^InvalidConfiguration/);
    }
    expect(() => make({ primary: "pulsar://a", secondary: ["pulsar://b"] })).toThrow("did you mean secondaries?");
    const { runtime } = memoryRuntime();
    const provider = autoClusterFailover({ primary: "pulsar://a", secondaries: ["pulsar://b"] });
    expect(() => new CoreClient({ serviceUrl: "pulsar://a", serviceUrlProvider: provider }, runtime)).toThrow(
      "not both",
    );
  });
});

describe("failover by a service that names the cluster", () => {
  async function named(world: World): Promise<{ client: CoreClient; say(answer: string): void; asked(): number }> {
    let [answer, count] = ["", 0];
    const fetch = async (): Promise<Response> => {
      count++;
      return new Response(answer, { status: answer === "" ? 503 : 200 });
    };
    await world.network.listenHttp({ host: "names", port: 80 }, { fetch });
    const urlProvider = "http://names/which";
    const provider = controlledClusterFailover({
      defaultServiceUrl: world.east.url,
      urlProvider,
      checkIntervalMs: 1000,
    });
    const say = (text: string): void => {
      answer = text;
    };
    return { client: world.connect(provider), say, asked: () => count };
  }

  it("goes where it is told, with the credentials it is told, and stays where the answer is none", async () => {
    const world = await start();
    const { clock, west, east } = world;
    const { client, say, asked } = await named(world);
    const producer = await client.createProducer({ topic: "t" });
    for (const answer of [
      "",
      "no JSON",
      '{"serviceUrl":5}',
      '{"serviceUrl":"x"}',
      JSON.stringify({ serviceUrl: east.url }),
    ]) {
      say(answer);
      await clock.advance(1000);
    }
    expect([asked(), west.connections.length, producersOf(east)]).toEqual([5, 0, 1]);
    say(
      JSON.stringify({
        serviceUrl: west.url,
        authPluginClassName: "x.AuthenticationToken",
        authParamsString: "token:w",
      }),
    );
    await clock.advance(1200);
    expect([producersOf(west), producer.isConnected]).toEqual([1, true]);
    const [connect] = west.of(CommandType.CONNECT);
    expect(new TextDecoder().decode(connect?.authData)).toBe("w");
    say(JSON.stringify({ serviceUrl: west.url }));
    await clock.advance(1200);
    expect([producersOf(west), west.of(CommandType.CONNECT).at(-1)?.authData]).toEqual([2, undefined]);
    await client.close();
  });
});
