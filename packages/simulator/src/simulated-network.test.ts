import { expect, test } from "vitest";
import { bytesOf, connect, hear, simulate } from "./simulation-fixture.ts";

const tcp = { transport: "tcp", host: "server", port: 1 } as const;

test("bytes of a connection arrive in order and within the delay, however it varies", async () => {
  const simulation = simulate({ network: { delayMsMin: 1, delayMsMax: 50 } });
  const { client, server } = await connect(simulation);
  const heard = hear(server);
  for (let i = 0; i < 50; i++) {
    client.write(bytesOf(`${i},`));
    await simulation.run(1);
  }
  await simulation.run(60);
  expect(heard.texts.join("")).toBe(Array.from({ length: 50 }, (_, i) => `${i},`).join(""));
});

test("a narrow connection takes its time", async () => {
  const simulation = simulate({ network: { bandwidthBytesPerSecond: 1_000 } });
  const { client, server } = await connect(simulation);
  const heard = hear(server);
  client.write(new Uint8Array(500));
  await simulation.run(499);
  expect(heard.texts).toHaveLength(0);
  await simulation.run(2);
  expect(heard.texts).toHaveLength(1);
});

test("what is written before the end arrives before it", async () => {
  const simulation = simulate({ network: { delayMsMin: 1, delayMsMax: 9 } });
  const { client, server } = await connect(simulation);
  const heard = hear(server);
  client.write(bytesOf("bye"));
  client.close();
  await simulation.run(20);
  expect(heard).toEqual({ texts: ["bye"], ended: "closed" });
  expect(simulation.network.openConnections).toBe(0);
});

test("a cut resets both ends and takes what was under way", async () => {
  const simulation = simulate({ network: { delayMsMin: 5, delayMsMax: 5 } });
  const { client, server } = await connect(simulation);
  const atClient = hear(client);
  const atServer = hear(server);
  client.write(bytesOf("lost"));
  await simulation.run(2);
  expect(simulation.network.cut("client", "server")).toBe(1);
  await simulation.run(20);
  expect([atClient, atServer]).toEqual([
    { texts: [], ended: "reset" },
    { texts: [], ended: "reset" },
  ]);
  expect(client.write(bytesOf("more"))).toBe(false);
});

test("a stalled connection swallows what is written, and nobody is told", async () => {
  const simulation = simulate();
  const { client, server } = await connect(simulation);
  const heard = hear(server);
  simulation.network.stall("client", "server");
  client.write(bytesOf("lost"));
  client.close();
  await simulation.run(100_000);
  expect(heard).toEqual({ texts: [], ended: undefined });
  const again = await simulation.finish(simulation.runtimeFor("client").network.connect(tcp));
  expect(again.remoteAddress).toBe("server:1");
});

test("over a blocked link bytes wait, in order, and attempts to connect time out", async () => {
  const simulation = simulate();
  const { client, server } = await connect(simulation);
  const heard = hear(server);
  simulation.links.block("client", "server");
  client.write(bytesOf("one"));
  await simulation.run(100);
  client.write(bytesOf("two"));
  const attempt = simulation.runtimeFor("client").network.connect(tcp, { timeoutMs: 50 });
  await expect(simulation.finish(attempt)).rejects.toMatchObject({ code: "ConnectTimeout" });
  expect(heard.texts).toEqual([]);
  simulation.links.heal("client", "server");
  await simulation.run(0);
  expect(heard.texts).toEqual(["one", "two"]);
});

test("attempts are refused where nothing listens, and where a node is made to refuse", async () => {
  const simulation = simulate();
  await connect(simulation);
  const { network } = simulation.runtimeFor("client");
  const nowhere = network.connect({ ...tcp, port: 2 });
  await expect(simulation.finish(nowhere)).rejects.toMatchObject({ code: "ConnectFailed" });
  simulation.network.refuse("server", true);
  await expect(simulation.finish(network.connect(tcp))).rejects.toMatchObject({ code: "ConnectFailed" });
  simulation.network.refuse("server", false);
  await simulation.finish(network.connect(tcp));
});

test("a crash resets the connections of others, or silently leaves them hanging", async () => {
  for (const silent of [false, true]) {
    const simulation = simulate();
    const { client, server } = await connect(simulation);
    const atClient = hear(client);
    const atServer = hear(server);
    simulation.crash("server", { silent });
    await simulation.run(10);
    expect(atClient.ended).toBe(silent ? undefined : "reset");
    expect(atServer.ended).toBeUndefined();
    const attempt = simulation.runtimeFor("client").network.connect(tcp);
    await expect(simulation.finish(attempt)).rejects.toMatchObject({ code: "ConnectFailed" });
  }
});

test("a reader that pauses pushes back, and the writer is told when there is room again", async () => {
  const simulation = simulate();
  const { client, server } = await connect(simulation);
  const atClient = hear(client);
  hear(server);
  server.pause();
  expect(client.write(new Uint8Array(600_000))).toBe(true);
  expect(client.write(new Uint8Array(600_000))).toBe(false);
  await simulation.run(10);
  expect(client.queuedBytes).toBe(1_200_000);
  server.resume();
  await simulation.run(10);
  expect(client.queuedBytes).toBe(0);
  expect(atClient.texts).toEqual(["(drained)"]);
});

test("bytes for a paused node wait until it goes on", async () => {
  const simulation = simulate();
  const { client, server } = await connect(simulation);
  const heard = hear(server);
  simulation.pause("server");
  client.write(bytesOf("hello"));
  await simulation.run(1_000);
  expect(heard.texts).toEqual([]);
  simulation.resume("server");
  await simulation.run(0);
  expect(heard.texts).toEqual(["hello"]);
});

test("HTTP and WebSocket listeners answer too", async () => {
  const simulation = simulate({ network: { delayMsMin: 1, delayMsMax: 2 } });
  const { network } = simulation.runtimeFor("server");
  const texts: string[] = [];
  const listening = network.listenHttp(
    { host: "server", port: 80 },
    {
      fetch: async (request) => new Response(new URL(request.url).pathname),
      upgrade: (url) =>
        url.pathname === "/ws"
          ? {
              messageBytesMax: 1000,
              accept: (channel) =>
                channel.setSink({
                  onData: (chunk) => texts.push(new TextDecoder().decode(chunk)),
                  onDrain: () => undefined,
                  onClose: () => texts.push("(closed)"),
                }),
            }
          : undefined,
    },
  );
  await simulation.finish(listening);
  const client = simulation.runtimeFor("client").network;
  const response = await simulation.finish(client.fetch(new Request("http://server/path")));
  expect(await response.text()).toBe("/path");
  const socket = await simulation.finish(client.connect({ transport: "websocket", url: "ws://server/ws" }));
  socket.write(bytesOf("head,"), bytesOf("body"));
  socket.close();
  await simulation.run(10);
  expect(texts).toEqual(["head,body", "(closed)"]);
  const refused = client.connect({ transport: "websocket", url: "ws://server/none" });
  await expect(simulation.finish(refused)).rejects.toMatchObject({ code: "ConnectFailed" });
});

test("a connection may be cut with what is written, about as often as asked for", async () => {
  const simulation = simulate({ network: { cutProbability: 0.2 } });
  const { client } = await connect(simulation);
  const heard = hear(client);
  let writes = 0;
  for (; heard.ended === undefined && writes < 1000; writes++) {
    client.write(bytesOf("x"));
    await simulation.run(1);
  }
  expect(writes).toBeLessThan(60);
  expect(heard.ended).toBe("reset");
});
