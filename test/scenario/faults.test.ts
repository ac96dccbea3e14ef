import { expect, test } from "vitest";
import { KEEP_ALL, numbered, readLog, textsOf } from "../simulation/read-log.ts";
import { type SimulatedClusterOptions, startSimulatedCluster } from "../simulation/simulated-cluster.ts";

const faults = { network: { delayMsMin: 0.2, delayMsMax: 1 }, messenger: { delayMsMin: 0.1, delayMsMax: 1 } };
const start = (cluster: SimulatedClusterOptions["cluster"] = {}) =>
  startSimulatedCluster({ seed: 5, faults, cluster: { settings: KEEP_ALL, ...cluster } });

test("a broker is killed and restarted at the same address: what was acknowledged is there, and clients go on", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  for (const text of numbered(20)) await simulation.finish(producer.send(text));
  const address = cluster.serviceUrl;
  await simulation.finish(cluster.faults.broker(0).kill());
  const during = producer.send("m20");
  await simulation.run(2_000);
  await simulation.finish(cluster.faults.broker(0).restart());
  expect(cluster.serviceUrl).toBe(address);
  await simulation.finish(during);
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(numbered(21));
  await close();
});

test("of two brokers one is killed: the other takes its topics over once its session is over", async () => {
  const { simulation, cluster, client, close } = await start({ brokers: 2 });
  const user = client("client", {
    serviceUrl: cluster.brokers
      .map(({ urls }) => urls.serviceUrl)
      .join(",")
      .replaceAll(",pulsar://", ","),
  });
  const producer = await simulation.finish(user.createProducer({ topic: "t", sendTimeoutMs: 0 }));
  await simulation.finish(producer.send("m0"));
  const owner = cluster.brokers.findIndex((broker) => broker.topics.loaded.size > 0);
  await simulation.finish(cluster.faults.broker(owner).kill());
  const sending = producer.send("m1");
  await simulation.run(5_000);
  cluster.faults.metadata.expireSession(`broker-${owner}`);
  await simulation.finish(sending);
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(numbered(2));
  await close();
});

test("a broker stands still, and goes on where it was", async () => {
  const { simulation, cluster, client, close } = await start();
  const producer = await simulation.finish(client("client").createProducer({ topic: "t" }));
  await simulation.finish(producer.send("m0"));
  const paused = cluster.faults.broker(0).pause();
  let settled = false;
  const sending = producer.send("m1").then(() => {
    settled = true;
  });
  await simulation.run(5_000);
  expect(settled).toBe(false);
  paused[Symbol.dispose]();
  await simulation.finish(sending);
  await close();
});

test("a bookie is killed, started again with what it had, and started again with nothing", async () => {
  const { simulation, cluster, client, close } = await start({ bookies: 4 });
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  const bookie = cluster.faults.bookie(0);
  for (const [i, text] of numbered(60).entries()) {
    if (i === 20) bookie.kill();
    if (i === 40) await simulation.finish(bookie.restart());
    if (i === 50) await simulation.finish(bookie.restart({ wipe: true }));
    await simulation.finish(producer.send(text));
  }
  expect(cluster.bookies[0]?.bookie.storage.ledgerCount).toBeLessThan(2);
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(numbered(60));
  await close();
});

test("too many full bookies refuse a new ledger; with room again sends work", async () => {
  const { simulation, cluster, client, close } = await start();
  const filled = await simulation.finish(cluster.faults.bookie("127.0.0.1:3182").fill());
  expect(cluster.bookies[1]?.bookie.readOnly).toBe(true);
  const user = client("client", { operationTimeoutMs: 3_000 });
  await expect(simulation.finish(user.createProducer({ topic: "t" }))).rejects.toThrow();
  await simulation.finish(filled[Symbol.asyncDispose]() as Promise<void>);
  await simulation.finish(user.createProducer({ topic: "t" }));
  await close();
});

test("a corrupt copy is found by its checksum, and another copy is read", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  const { ledgerId, entryId } = await simulation.finish(producer.send("m0"));
  await simulation.finish(cluster.admin.unloadNamespace("public/default"));
  const hit = await Promise.all([0, 1].map((i) => cluster.faults.bookie(i).corrupt(ledgerId, entryId)));
  expect(hit).toEqual([true, true]);
  expect(await cluster.faults.bookie(0).corrupt(ledgerId, 99)).toBe(false);
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(["m0"]);
  await close();
});

test("links are cut and healed; the metadata store is slow, away, and gives a session up", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  const cut = cluster.faults.partition("broker-0", ["127.0.0.1:3181", "metadata"]);
  await simulation.finish(producer.send("m0"));
  cut[Symbol.dispose]();
  const slow = cluster.faults.metadata.slow(500);
  const before = simulation.elapsedMs;
  await simulation.finish(user.createProducer({ topic: "u" }));
  expect(simulation.elapsedMs - before).toBeGreaterThan(1_000);
  slow[Symbol.dispose]();
  const away = cluster.faults.metadata.unavailable();
  await simulation.finish(producer.send("m1"));
  away[Symbol.dispose]();
  cluster.faults.metadata.expireSession("broker-0");
  await simulation.finish(producer.send("m2"));
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(numbered(3));
  await close();
});

test("faults that overlap last until each is undone, and a node that is not there has none", async () => {
  const { simulation, cluster, client, close } = await start();
  const first = cluster.faults.metadata.unavailable();
  const second = cluster.faults.metadata.unavailable();
  first[Symbol.dispose]();
  expect(cluster.metadata.available).toBe(false);
  second[Symbol.dispose]();
  expect(cluster.metadata.available).toBe(true);
  const { bookie } = cluster.bookies[0] as (typeof cluster.bookies)[0];
  const full = await simulation.finish(cluster.faults.bookie(0).fill());
  const fuller = await simulation.finish(cluster.faults.bookie(0).fill());
  for (let i = 0; i < 2; i++) await simulation.finish(Promise.resolve(full[Symbol.asyncDispose]()));
  expect(bookie.readOnly).toBe(true);
  await simulation.finish(Promise.resolve(fuller[Symbol.asyncDispose]()));
  expect(bookie.readOnly).toBe(false);
  const pauses = [cluster.faults.broker(0).pause(), cluster.faults.broker(0).pause()];
  for (const pause of pauses) pause[Symbol.dispose]();
  const producer = await simulation.finish(client("client").createProducer({ topic: "t" }));
  await simulation.finish(producer.send("m0"));
  expect(() => cluster.faults.partition("broker-0", "nobody")).toThrow(
    /there is no node named nobody; there are broker-0/,
  );
  await close();
});

test("an option that there is none of is refused: a misspelt topic would be every topic", async () => {
  const { simulation, cluster, close } = await start();
  const { faults } = cluster;
  const misspelt = { topc: "t" } as object;
  expect(() => faults.commands.drop("SEND", misspelt)).toThrow(
    /a fault of SEND has no option "topc"; there are topic, count/,
  );
  expect(() => faults.commands.reorder("SEND", 2, { count: 3 } as object)).toThrow(/reorder has no option "count"/);
  expect(() => faults.failNextSend(misspelt)).toThrow(/failNextSend has no option "topc"/);
  expect(() => faults.holdReceipt(misspelt)).toThrow(/no option "topc"/);
  expect(faults.commands.active).toBe(false);
  await expect(simulation.finish(faults.bookie(0).restart({ whipe: true } as object))).rejects.toThrow(/"whipe"/);
  const id = faults.bookie(0).node;
  await expect(simulation.finish(cluster.recovery.decommission(id, { timeout: 1 } as object))).rejects.toThrow(
    /"timeout"/,
  );
  const never = cluster.recovery.decommission(id, { timeoutMs: Number.NaN });
  await expect(simulation.finish(never)).rejects.toThrow(/timeoutMs takes a number/);
  await close();
});

test("the next send fails with the error that was chosen, and is not stored", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  cluster.faults.failNextSend({ topic: "t", error: "NotAllowedError", message: "not today" });
  await expect(simulation.finish(producer.send("m0"))).rejects.toThrow(/not today/);
  await simulation.finish(producer.send("m1"));
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(["m1"]);
  await close();
});

test("a receipt is held while the message is stored already", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client");
  const producer = await simulation.finish(user.createProducer({ topic: "t", batchingEnabled: false }));
  const held = cluster.faults.holdReceipt({ topic: "t" });
  const sending = producer.send("m0");
  await simulation.finish(held.arrived());
  expect(held.held).toBe(1);
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(["m0"]);
  held.release();
  await simulation.finish(sending);
  await close();
});

test("commands are dropped, delayed and reordered, as many as were asked for", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client", { operationTimeoutMs: 2_000 });
  const { commands } = cluster.faults;
  const options = { topic: "t", batchingEnabled: false, sendTimeoutMs: 0 };
  commands.drop("PRODUCER", { count: 1 });
  await expect(simulation.finish(user.createProducer(options))).rejects.toThrow(/not answered/);
  const producer = await simulation.finish(user.createProducer(options));
  const from = simulation.elapsedMs;
  commands.delay("SEND_RECEIPT", 700, { count: 1 });
  await simulation.finish(producer.send("m0"));
  expect(simulation.elapsedMs - from).toBeGreaterThanOrEqual(700);
  const consumer = await simulation.finish(user.subscribe({ topic: "t", subscription: "s", type: "Shared" }));
  commands.reorder("MESSAGE", 2, { topic: "t" });
  await simulation.finish(Promise.all([producer.send("m1"), producer.send("m2")]));
  const texts = [];
  for (let i = 0; i < 2; i++) texts.push((await simulation.finish(consumer.receive())).text());
  expect(texts).toEqual(["m2", "m1"]);
  await close();
});

test.each<[string, (f: Awaited<ReturnType<typeof start>>["cluster"]["faults"]) => unknown]>([
  ["a broker that is none", (f) => f.broker(3)],
  ["a bookie that is none", (f) => f.bookie("127.0.0.1:1")],
  ["a node that is none", (f) => f.partition("broker-0", "broker-9")],
  ["a command that is none", (f) => f.commands.drop("SENDD" as never)],
  ["an error that is none", (f) => f.failNextSend({ error: "Nope" as never })],
  ["a delay that is none", (f) => f.bookie(0).slow(Number.NaN)],
])("%s is refused by a TypeError that names what there is", async (_, fault) => {
  const { cluster, close } = await start();
  expect(() => fault(cluster.faults)).toThrow(TypeError);
  await close();
});
