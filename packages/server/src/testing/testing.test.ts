import { describe, expect, it } from "vitest";
import { simulate, startTestCluster, useTestCluster } from "./index.ts";
import { MovableClock } from "./movable-clock.ts";
import { platformRuntime } from "./platform.ts";
import { test } from "./vitest.ts";

describe("a cluster for a test", () => {
  it("brings a client, an admin client and topics of its own", async () => {
    await using t = await startTestCluster();
    const topic = t.topic("orders");
    expect(topic).not.toBe(t.topic("orders"));
    const consumer = await t.client.subscribe({ topic, subscription: "s" });
    const producer = await t.createClient().createProducer({ topic });
    await producer.send("hello");
    expect((await consumer.receive({ timeoutMs: 5000 })).text()).toBe("hello");
    expect((await t.admin.topics.stats(topic)).msgInCounter).toBe(1);
    await expect(t.time.advance(5)).rejects.toThrow(/clock: "virtual"/);
  });

  it("opens no port where it is told to, and is closed twice without harm", async () => {
    const t = await startTestCluster({ network: "memory" });
    const producer = await t.client.createProducer({ topic: t.topic() });
    await producer.send("hello");
    const outside = platformRuntime().network.fetch(new Request(`${t.adminUrl}/admin/v2/clusters`));
    await expect(outside).rejects.toMatchObject({ code: "ConnectFailed" });
    expect(await t.admin.clusters.list()).toEqual(["standalone"]);
    await t.close();
    await t.close();
  });

  it("refuses options that are none", async () => {
    await expect(startTestCluster({ clock: "fast" as "real" })).rejects.toThrow(/clock takes real or virtual/);
    await expect(startTestCluster({ network: "none" as "memory" })).rejects.toThrow(/network takes ports or memory/);
    const misspelt = startTestCluster({ clocks: "virtual" } as object);
    await expect(misspelt).rejects.toThrow(/startTestCluster has no option "clocks"; there are clock, network, /);
    await expect(simulate(1, async () => 0, { fault: {} } as object)).rejects.toThrow(/no option "fault"; .*faults/);
    const misspeltDevice = { faults: { netwrok: {} } } as object;
    await expect(simulate(1, async () => 0, misspeltDevice)).rejects.toThrow(/faults has no option "netwrok"/);
    const onDisk = { cluster: { dataDir: "./data" } } as object;
    await expect(simulate(1, async () => 0, onDisk)).rejects.toThrow(/simulate: cluster has no option "dataDir"; /);
    await expect(simulate(1, async () => 0, { limitMs: Number.NaN })).rejects.toThrow(/^limitMs takes a number/);
    await expect(simulate(1, undefined as never)).rejects.toThrow(/^simulate takes a test, a function/);
  });
});

describe("virtual time", () => {
  it("has an hour's delayed delivery come at once when time is moved", async () => {
    await using t = await startTestCluster({ clock: "virtual", network: "memory" });
    const topic = t.topic();
    const consumer = await t.client.subscribe({ topic, subscription: "s", type: "Shared" });
    const producer = await t.client.createProducer({ topic });
    await producer.send({ data: "later", deliverAfterMs: 3_600_000 });
    await t.time.advance(3_590_000);
    expect(consumer.queuedMessages).toBe(0);
    await t.time.advance(20_000);
    expect((await consumer.receive({ timeoutMs: 5000 })).text()).toBe("later");
  });

  it("has negative acknowledgements come again, over ports too", async () => {
    await using t = await startTestCluster({ clock: "virtual" });
    const topic = t.topic();
    const consumer = await t.client.subscribe({ topic, subscription: "s", type: "Shared" });
    const producer = await t.client.createProducer({ topic });
    await producer.send("again");
    consumer.negativeAcknowledge(await consumer.receive());
    const again = consumer.receive();
    await t.time.advance(60_000);
    expect((await again).redeliveryCount).toBe(1);
  });

  it("expires messages by the time to live of their namespace", async () => {
    await using t = await startTestCluster({ clock: "virtual", network: "memory" });
    const topic = t.topic();
    await t.admin.namespaces.setPolicy("public/default", "messageTTL", 60);
    await t.admin.topics.create(topic);
    await t.admin.subscriptions.create(topic, "s", "earliest");
    const producer = await t.client.createProducer({ topic });
    await producer.send("old");
    const backlog = async (): Promise<number | undefined> =>
      (await t.admin.topics.stats(topic)).subscriptions.s?.msgBacklog;
    expect(await backlog()).toBe(1);
    await t.time.advance(15 * 60_000);
    expect(await backlog()).toBe(0);
  });

  it("is in order, and what a timer sets off is done before the next", async () => {
    const { clock } = platformRuntime();
    const movable = new MovableClock(clock);
    const seen: string[] = [];
    movable.setTimer(2000, () => seen.push("2 s"));
    movable.setTimer(1000, () => {
      seen.push("1 s");
      movable.setTimer(500, () => seen.push("1.5 s"));
    });
    const ticker = movable.setTicker(900, () => seen.push("tick"));
    movable.setTimer(100, () => seen.push("never")).cancel();
    const startMs = movable.now();
    await movable.advance(2000);
    expect(seen).toEqual(["tick", "1 s", "1.5 s", "tick", "2 s"]);
    expect(movable.now() - startMs).toBeGreaterThanOrEqual(1999);
    ticker.cancel();
    expect(movable.pendingTimers).toBe(0);
    await expect(movable.advance(Number.NaN)).rejects.toThrow(/advance takes a number/);
    movable.setTimer(10, () => {
      throw new Error("of the test's own");
    });
    await expect(movable.advance(20)).rejects.toThrow("of the test's own");
    await movable.advance(20);
  });

  it("stops a thousand times at most for what recurs, however far it is moved, and at the very time of what does not", async () => {
    const { clock } = platformRuntime();
    const movable = new MovableClock(clock);
    const hourMs = 3_600_000;
    const startMs = movable.monotonicMs();
    let [ticks, seenMs, overdueMs] = [0, startMs, 0];
    movable.setTicker(10_000, () => {
      ticks++;
      seenMs = movable.monotonicMs();
    });
    const look = (): void => {
      overdueMs = Math.max(overdueMs, movable.monotonicMs() - seenMs);
      movable.setTimer(30_000, look, { recurring: true });
    };
    look();
    const exact: number[] = [];
    for (const hours of [1, 1000, 8000]) {
      movable.setTimer(hours * hourMs, () => exact.push(Math.round((movable.monotonicMs() - startMs) / 10_000)));
    }
    await movable.advance(365 * 24 * hourMs);
    expect(ticks).toBeGreaterThan(900);
    expect(ticks).toBeLessThanOrEqual(1004);
    expect(exact).toEqual([360, 360_000, 2_880_000]);
    // whoever looks finds that there was a tick just now
    expect(overdueMs).toBeLessThan(10_000);
  });

  it("has a month pass on a cluster whose client stays connected and whose message expires", async () => {
    await using t = await startTestCluster({ clock: "virtual", network: "memory" });
    await t.admin.namespaces.setPolicy("public/default", "messageTTL", 86_400);
    const topic = t.topic();
    const consumer = await t.client.subscribe({ topic, subscription: "s", startPaused: true, receiverQueueSize: 0 });
    await (await t.client.createProducer({ topic, batchingEnabled: false })).send("old");
    await t.time.advance(30 * 86_400_000);
    expect(consumer.isConnected).toBe(true);
    expect((await t.admin.topics.stats(topic)).subscriptions.s?.msgBacklog).toBe(0);
  });
});

describe("a simulated test", () => {
  const run = (seed: number) =>
    simulate(
      seed,
      async ({ client, simulation, sleep }) => {
        const consumer = await client("reader").subscribe({ topic: "t", subscription: "s" });
        const producer = await client("writer").createProducer({ topic: "t" });
        const sends = Array.from({ length: 50 }, (_, i) => producer.send(`m${i}`));
        await sleep(5);
        simulation.network.cut("writer");
        await Promise.all(sends);
        const texts: string[] = [];
        while (texts.length < 50) texts.push((await consumer.receive()).text());
        return texts;
      },
      { faults: { network: { delayMsMin: 1, delayMsMax: 20 } } },
    );

  it("is the same for the same seed, and another for another", async () => {
    const [first, again, other] = [await run(1), await run(1), await run(2)];
    expect(first.result).toEqual(Array.from({ length: 50 }, (_, i) => `m${i}`));
    expect(again).toEqual(first);
    expect(other.hash).not.toBe(first.hash);
  });

  it("takes no real time for what takes an hour", async () => {
    const { simulatedMs } = await simulate(3, ({ sleep }) => sleep(3_600_000), { limitMs: 4_000_000 });
    expect(simulatedMs).toBeGreaterThanOrEqual(3_600_000);
  });

  it("fails with its seed", async () => {
    const failing = simulate(77, async () => {
      throw new Error("wrong sum");
    });
    await expect(failing).rejects.toThrow(/wrong sum[\s\S]*with seed 77/);
    await expect(simulate(Number.NaN, async () => undefined)).rejects.toThrow(/takes a seed/);
  });

  it("gives up on what never comes", async () => {
    await expect(simulate(5, () => new Promise(() => undefined), { limitMs: 1000 })).rejects.toThrow(/seed 5|5/);
  });
});

describe("hooks of a test framework", () => {
  it("start a cluster before the tests and close it behind them", async () => {
    let before = async (): Promise<void> => undefined;
    let after = before;
    const cluster = useTestCluster(
      {
        before: (work) => {
          before = work;
        },
        after: (work) => {
          after = work;
        },
      },
      { network: "memory" },
    );
    expect(() => cluster()).toThrow(/inside tests only/);
    await before();
    await (await cluster().client.createProducer({ topic: cluster().topic() })).send("x");
    await after();
    expect(() => cluster()).toThrow(/inside tests only/);
    expect(() => useTestCluster({})).toThrow(/takes \{ before, after \}/);
  });
});

test("the fixture of vitest gives a cluster to a test that asks for one", async ({ pulsar }) => {
  const producer = await pulsar.client.createProducer({ topic: pulsar.topic() });
  expect((await producer.send("hello")).entryId).toBe(0);
});

const onVirtualTime = test.extend({ pulsarOptions: { clock: "virtual", network: "memory" } });

onVirtualTime("its options can be changed", async ({ pulsar }) => {
  const startMs = pulsar.time.now();
  await pulsar.time.advance(86_400_000);
  // the clock tells whole ms
  expect(pulsar.time.now() - startMs).toBeGreaterThanOrEqual(86_399_999);
});
