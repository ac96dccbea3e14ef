import { context, propagation, ROOT_CONTEXT, type TextMapPropagator, trace } from "@opentelemetry/api";
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
import { traceContext } from "./trace-context.ts";

const spans = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
const meterProvider = new MeterProvider({ readers: [reader] });

beforeEach(() => spans.reset());
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
    const work = tracerProvider.getTracer("app").startSpan("work", {}, contextOf(first));
    work.end();
    const child = spans.getFinishedSpans().at(-1);
    expect([child?.spanContext().traceId, child?.parentSpanContext?.spanId]).toEqual([
      "a".repeat(32),
      good?.spanContext().spanId,
    ]);
  });

  it("are read and written by the registered propagator, where there is one", async () => {
    const own: TextMapPropagator = {
      fields: () => ["x-trace"],
      inject: (at, carrier, set) => set.set(carrier, "x-trace", trace.getSpanContext(at)?.traceId ?? ""),
      extract: (at, carrier, get) => {
        const [traceId] = [get.get(carrier, "x-trace")].flat();
        if (traceId === undefined) return at;
        return trace.setSpanContext(at, { traceId, spanId: "c".repeat(16), traceFlags: 1, isRemote: true });
      },
    };
    propagation.setGlobalPropagator(own);
    const { client, broker, clock } = await start();
    const producer = await client.createProducer({ topic: "orders" });
    const sent = producer.send("x");
    await clock.advance(10);
    await sent;
    const written = broker.sent[0]?.entry.metadata.properties ?? [];
    expect(written.map((p) => p.key)).toEqual(["x-trace"]);
    const consumer = await client.subscribe({ topic: "orders", subscription: "s" });
    broker.deliver({ entryId: 0, texts: ["x"], metadata: { properties: written } });
    await consumer.acknowledge(await consumer.receive());
    const span = spans.getFinishedSpans().at(-1);
    expect([span?.spanContext().traceId, span?.parentSpanContext?.spanId]).toEqual([written[0]?.value, "c".repeat(16)]);
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

describe("W3C's trace context", () => {
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const read = (carrier: Record<string, string>) =>
    trace.getSpanContext(
      traceContext.extract(ROOT_CONTEXT, carrier, {
        keys: (c) => Object.keys(c as object),
        get: (c, key) => (c as Record<string, string>)[key],
      }),
    );

  it("is written as it was read, with its state", () => {
    const carrier = { traceparent: `00-${traceId}-${spanId}-00`, tracestate: "a=1,b=2" };
    const span = read(carrier);
    expect(span).toMatchObject({ traceId, spanId, traceFlags: 0, isRemote: true });
    const written: Record<string, string> = {};
    if (span === undefined) throw new Error("nothing was read");
    traceContext.inject(trace.setSpanContext(ROOT_CONTEXT, span), written, { set: (_, k, v) => (written[k] = v) });
    expect(written).toEqual(carrier);
  });

  it("is passed over where it is none, and read of a later version", () => {
    const wrong = [
      "",
      "junk",
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
    ];
    for (const traceparent of wrong) expect(read({ traceparent })).toBeUndefined();
    expect(read({})).toBeUndefined();
    expect(read({ traceparent: `01-${traceId}-${spanId}-01-more` })).toMatchObject({ traceId, traceFlags: 1 });
  });
});

it("refuses options that there are none of, and what is no provider", () => {
  expect(() => openTelemetry({ tracer: 1 } as object)).toThrow(/openTelemetry has no option "tracer"/);
  expect(() => openTelemetry({ tracerProvider: {} as never })).toThrow(/tracerProvider takes an object with getTracer/);
  expect(() => openTelemetry({ meterProvider: true as never })).toThrow(/meterProvider takes an object with getMeter/);
});
