import { describe, expect, it } from "vitest";
import { startFixture } from "../testing/fixture.ts";
import { LatencyHistogram } from "./latency-histogram.ts";

describe("the statistics of a producer", () => {
  it("count messages, bytes, failures and latencies, and what waits", async () => {
    const { client, broker, clock } = await startFixture();
    broker.autoReceipts = false;
    const producer = await client.createProducer({ topic: "t", sendTimeoutMs: 5000 });
    const sends = ["abc", "de"].map((data) => producer.send(data));
    await clock.advance(1);
    expect(producer.stats()).toMatchObject({ messagesSent: 0, pendingMessages: 2 });
    await clock.advance(99);
    broker.connection.receipt(0, 0, 0, 1);
    await Promise.all(sends);
    await clock.advance(901);
    const stats = producer.stats();
    expect(stats).toMatchObject({ messagesSent: 2, sendsFailed: 0, pendingMessages: 0 });
    expect(stats.latencyMs.p50).toBeGreaterThan(90);
    expect(stats.latencyMs.max).toBe(100);
    expect(stats.messagesPerSecond).toBeCloseTo(2);
    const lost = producer.send("x").catch(() => undefined);
    await clock.advance(6000);
    await lost;
    expect(producer.stats()).toMatchObject({ sendsFailed: 1, messagesPerSecond: 0 });
  });
});

describe("the statistics of a consumer", () => {
  it("count what came and what was acknowledged, either way", async () => {
    const { client, broker, clock } = await startFixture();
    const consumer = await client.subscribe({ topic: "t", subscription: "s", type: "Shared" });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c"] });
    await consumer.acknowledge(await consumer.receive());
    consumer.negativeAcknowledge(await consumer.receive());
    await clock.advance(1000);
    const stats = consumer.stats();
    expect(stats).toMatchObject({
      messagesReceived: 3,
      acknowledged: 1,
      negativelyAcknowledged: 1,
      queuedMessages: 1,
      messagesPerSecond: 3,
    });
    expect(stats.bytesReceived).toBeGreaterThan(2);
  });
});

describe("a histogram of latencies", () => {
  it("answers quantiles within a fifth", () => {
    const histogram = new LatencyHistogram();
    expect(histogram.quantileMs(0.99)).toBe(0);
    for (let ms = 1; ms <= 1000; ms++) histogram.add(ms, 1);
    for (const part of [0.5, 0.95, 0.99, 0.999]) {
      const exact = part * 1000;
      expect(Math.abs(histogram.quantileMs(part) - exact) / exact).toBeLessThan(0.2);
    }
    expect(histogram.quantileMs(1)).toBe(1000);
  });

  it("takes what is out of its range", () => {
    const histogram = new LatencyHistogram();
    histogram.add(0, 1);
    histogram.add(1e12, 1);
    expect([histogram.quantileMs(0.5) < 1, histogram.maxMs]).toEqual([true, 1e12]);
  });
});
