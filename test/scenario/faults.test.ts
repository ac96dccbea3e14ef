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

type Faults = Awaited<ReturnType<typeof start>>["cluster"]["faults"];
const REFUSED: readonly (readonly [fault: (f: Faults) => unknown, told: RegExp])[] = [
  [(f) => f.broker(3), /^there is no broker 3; there are 1, from 0 on$/],
  [(f) => f.broker("length" as never), /^there is no broker length; there are 1/],
  [(f) => f.bookie("127.0.0.1:1"), /^there is no bookie 127.0.0.1:1; there are 127.0.0.1:3181, /],
  [(f) => f.bookie(0).slow(Number.NaN), /^delayMs takes a number from 0 on, not NaN$/],
  [(f) => f.bookie(0).corrupt("a" as never, "b" as never), /^ledgerId takes an integer from 0 on, not "a"$/],
  [(f) => f.bookie(0).corrupt(1, undefined as never), /^entryId takes an integer from 0 on, not undefined$/],
  [(f) => f.bookie(0).restart({ wipe: "yes" as never }), /^wipe takes true or false, not "yes"$/],
  [(f) => f.bookie(0).fill(...([5] as unknown as [])), /^fill takes nothing, not 5$/],
  [(f) => f.bookie(0).pause(...([5] as unknown as [])), /^pause takes nothing, not 5$/],
  [(f) => f.broker(0).restart(...([5] as unknown as [])), /^restart takes nothing, not 5$/],
  [(f) => f.partition("broker-0", "broker-9"), /^there is no node named broker-9; there are broker-0, .*, metadata$/],
  [(f) => f.partition("broker-0", undefined as never), /^a side is the name .*, not undefined; there are broker-0, /],
  [
    (f) => f.partition("broker-0", []),
    /^a side is the name of a node or a list of names, not \[\]; there are broker-0, /,
  ],
  [(f) => f.partition("broker-0", "broker-0"), /^broker-0 is on both sides/],
  [(f) => f.metadata.expireSession("nobody"), /^there is no node named nobody; there are broker-0, 127.0.0.1:3181, /],
  [(f) => f.metadata.unavailable(...([5] as unknown as [])), /^unavailable takes nothing, not 5$/],
  [(f) => f.commands.drop("SENDD" as never), /^there is no command named SENDD; there are .*SEND_RECEIPT/],
  [(f) => f.commands.drop("SEND", { count: "3" as never }), /^count takes an integer from 1 on, not "3"$/],
  [(f) => f.commands.drop("SEND", null as never), /^a fault of SEND takes an object with topic, count, not null$/],
  [(f) => f.commands.reorder("SEND", 1), /^count takes an integer from 2 on, not 1$/],
  [(f) => f.commands.hold("SEND").arrived("x" as never), /^count takes an integer from 1 on, not "x"$/],
  [(f) => f.holdReceipt(null as never), /^holdReceipt takes an object with topic, count, not null$/],
  [(f) => f.failNextSend({ error: "Nope" as never }), /^there is no error named Nope; there are .*PersistenceError, /],
  [(f) => f.failNextSend({ message: 3 as never }), /^message takes a text, not 3$/],
  [(f) => f.failNextSend({ topic: 3 as never }), /^topic takes a text, not 3$/],
  [(f) => f.failNextSend({ topic: "a://b" }), /^topic takes the name of a topic, not "a:\/\/b": /],
];

test("what is no node, command, error, topic or number is refused by a TypeError that says what there is", async () => {
  const { cluster, close } = await start();
  for (const [fault, told] of REFUSED) {
    const error = await Promise.resolve()
      .then(() => fault(cluster.faults))
      .catch((e: unknown) => e);
    expect(error, String(fault)).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toMatch(told);
  }
  await close();
});

test("of errors that a send is answered by, some fail it, some end the producer, and the others have it sent again", async () => {
  const { simulation, cluster, client, close } = await start();
  const user = client("client");
  const open = () => user.createProducer({ topic: "t", batchingEnabled: false });
  const refused = [undefined, "NotAllowedError", "ChecksumError"] as const;
  const ending = ["TopicTerminatedError", "ProducerFenced"] as const;
  const again = [
    "PersistenceError",
    "ProducerBlockedQuotaExceededError",
    "TooManyRequests",
    "ServiceNotReady",
  ] as const;
  const producer = await simulation.finish(open());
  for (const error of refused) {
    cluster.faults.failNextSend(error === undefined ? {} : { error });
    await expect(simulation.finish(producer.send("refused"))).rejects.toThrow(/failed on purpose/);
    await simulation.finish(producer.send(`after ${error}`));
  }
  for (const error of again) {
    cluster.faults.failNextSend({ error });
    await simulation.finish(producer.send(error));
  }
  for (const error of ending) {
    const ended = await simulation.finish(open());
    cluster.faults.failNextSend({ error });
    await expect(simulation.finish(ended.send("refused"))).rejects.toThrow(/failed on purpose/);
    await expect(simulation.finish(ended.send("refused too"))).rejects.toThrow();
  }
  const kept = [...refused.map((error) => `after ${error}`), ...again];
  expect(textsOf(await readLog(simulation, user, "t"))).toEqual(kept);
  await close();
});
