import { context, propagation, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFixture } from "../testing/fixture.ts";
import { contextOf, openTelemetry } from "./index.ts";

const spans = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const meterProvider = new MeterProvider({ readers: [reader] });

/** Writes `traceparent`, as the W3C propagator does. */
const traceparent = {
  fields: () => ["traceparent"],
  inject(
    at: Parameters<typeof trace.getSpanContext>[0],
    carrier: unknown,
    set: { set(c: unknown, k: string, v: string): void },
  ) {
    const span = trace.getSpanContext(at);
    if (span !== undefined) set.set(carrier, "traceparent", `00-${span.traceId}-${span.spanId}-01`);
  },
  extract(
    at: Parameters<typeof trace.getSpanContext>[0],
    carrier: unknown,
    get: { get(c: unknown, k: string): unknown },
  ) {
    const [, traceId, spanId] = String(get.get(carrier, "traceparent") ?? "").split("-");
    if (traceId === undefined || spanId === undefined) return at;
    return trace.setSpanContext(at, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
};

beforeEach(() => {
  propagation.setGlobalPropagator(traceparent as never);
  spans.reset();
});
afterEach(() => propagation.disable());

async function start(): Promise<Awaited<ReturnType<typeof startFixture>>> {
  return startFixture({ telemetry: openTelemetry({ tracerProvider, meterProvider }) });
}

/** The sum of a metric's points whose attributes contain some. */
async function metric(name: string, wanted: Record<string, unknown> = {}): Promise<number> {
  await reader.forceFlush();
  const found =
    exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((s) => s.metrics) ?? [];
  const points = found
    .filter((m) => m.descriptor.name === name)
    .flatMap((m): { attributes: object; value: unknown }[] => m.dataPoints);
  const fitting = points.filter((p) =>
    Object.entries(wanted).every(([k, v]) => (p.attributes as Record<string, unknown>)[k] === v),
  );
  return fitting.reduce(
    (sum, p) => sum + (typeof p.value === "number" ? p.value : (p.value as { count: number }).count),
    0,
  );
}

describe("traces", () => {
  it("have a span for a message that is sent, whose context travels in the message's properties", async () => {
    const { client, broker, clock } = await start();
    const producer = await client.createProducer({ topic: "orders" });
    const sent = producer.send({ data: "x", properties: { a: "b" } });
    await clock.advance(10);
    const id = await sent;
    const [span] = spans.getFinishedSpans();
    expect([span?.name, span?.attributes["messaging.message.id"]]).toEqual([
      "send persistent://public/default/orders",
      id.toString(),
    ]);
    const properties = broker.sent[0]?.entry.metadata.properties ?? [];
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(Object.fromEntries(properties.map((p) => [p.key, p.value]))).toEqual({
      a: "b",
      traceparent: `00-${traceId}-${spanId}-01`,
    });
  });

  it("end a send that failed with its error", async () => {
    const { client } = await start();
    const producer = await client.createProducer({ topic: "orders" });
    await expect(producer.send({ data: 5 as never })).rejects.toThrow("InvalidMessage");
    expect(spans.getFinishedSpans()[0]?.status.message).toContain("InvalidMessage");
  });

  it("have a span for a message that is consumed, as part of the sender's trace, until it is acknowledged", async () => {
    const { client, broker } = await start();
    const consumer = await client.subscribe({ topic: "orders", subscription: "s", type: "Shared" });
    const parent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const properties = [{ key: "traceparent", value: parent }];
    for (const entryId of [0, 1]) broker.deliver({ entryId, texts: ["x"], metadata: { properties } });
    const [first, second] = [await consumer.receive(), await consumer.receive()];
    expect(spans.getFinishedSpans()).toEqual([]);
    await consumer.acknowledge(first);
    consumer.negativeAcknowledge(second);
    const [good, bad] = spans.getFinishedSpans();
    expect([good?.spanContext().traceId, good?.parentSpanContext?.spanId]).toEqual(["a".repeat(32), "b".repeat(16)]);
    expect([good?.status.code, bad?.status.message]).toEqual([0, "negatively acknowledged"]);
    expect(trace.getSpanContext(contextOf(first))?.spanId).toBe("b".repeat(16));
  });

  it("end with a cumulative acknowledgement all before it, and with the consumer what is left", async () => {
    const { client, broker } = await start();
    const consumer = await client.subscribe({ topic: "orders", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c"] });
    await consumer.receive();
    const second = await consumer.receive();
    await consumer.receive();
    await consumer.acknowledgeCumulative(second);
    expect(spans.getFinishedSpans().length).toBe(2);
    await consumer.close();
    expect(spans.getFinishedSpans().at(-1)?.status.message).toBe("the consumer was closed");
  });
});

describe("metrics", () => {
  it("count what is sent, received and acknowledged, by Pulsar's names", async () => {
    const { client, broker, clock } = await start();
    const topic = "persistent://public/default/counted";
    const producer = await client.createProducer({ topic: "counted" });
    const sent = Promise.all(["ab", "c"].map((data) => producer.send(data)));
    await clock.advance(10);
    await sent;
    const consumer = await client.subscribe({ topic: "counted", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["a", "b", "c"] });
    await consumer.acknowledge(await consumer.receive());
    const at = { "pulsar.topic": topic };
    expect(await metric("pulsar.client.producer.message.send.size", at)).toBe(3);
    expect(await metric("pulsar.client.producer.message.send.duration", at)).toBe(1);
    expect(await metric("pulsar.client.producer.opened", at)).toBe(1);
    expect(await metric("pulsar.client.producer.message.pending.count", at)).toBe(0);
    expect(await metric("pulsar.client.consumer.message.received.count", at)).toBe(3);
    expect(await metric("pulsar.client.consumer.message.ack", at)).toBe(1);
    expect(await metric("pulsar.client.consumer.receive_queue.count", { "pulsar.subscription": "s" })).toBe(2);
    expect(await metric("pulsar.client.lookup.duration", { "pulsar.lookup.type": "topic" })).toBeGreaterThan(1);
    const closedBefore = await metric("pulsar.client.connection.closed");
    await client.close();
    expect(await metric("pulsar.client.consumer.closed", at)).toBe(1);
    expect(await metric("pulsar.client.connection.closed")).toBe(closedBefore + 1);
  });
});

it("nothing is asked of OpenTelemetry where both are off", async () => {
  const telemetry = openTelemetry({ tracerProvider: false, meterProvider: false });
  const { client, broker, clock } = await startFixture({ telemetry });
  const producer = await client.createProducer({ topic: "t" });
  const sent = producer.send("x");
  await clock.advance(10);
  await sent;
  expect(broker.sent[0]?.entry.metadata.properties).toEqual([]);
  expect(context.active()).toBeDefined();
  await client.close();
});
