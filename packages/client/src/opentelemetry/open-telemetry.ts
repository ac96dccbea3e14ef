import { type Meter, type MeterProvider, metrics, type Tracer, type TracerProvider, trace } from "@opentelemetry/api";
import { checkOptions } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import type { Telemetry } from "../observability/telemetry.ts";
import { ConsumerInstruments } from "./consumer-instruments.ts";
import { Instruments } from "./instruments.ts";
import { ProducerInstruments } from "./producer-instruments.ts";

export interface OpenTelemetryOptions {
  /** Default: the one registered with the API; `false` makes no spans. */
  tracerProvider?: TracerProvider | false;
  /** Default: the one registered with the API; `false` counts nothing. */
  meterProvider?: MeterProvider | false;
}

const NAME = "@pulsewire/client";

/**
 * For a client's `telemetry`: a span for each message that is sent and one for each that is consumed, with the context in
 * the message's properties, and metrics by the names of Pulsar's Java client. The context is written by the propagator
 * registered with OpenTelemetry's API; without one as W3C's trace context (`traceparent`, `tracestate`).
 *
 * @example
 * const client = new PulsarClient({ serviceUrl, telemetry: openTelemetry() });
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  checkOptions("openTelemetry", options, { tracerProvider: true, meterProvider: true });
  const { tracerProvider, meterProvider } = options;
  checkProvider("tracerProvider", "getTracer", tracerProvider);
  checkProvider("meterProvider", "getMeter", meterProvider);
  const tracer = tracerProvider === false ? undefined : (tracerProvider ?? trace).getTracer(NAME);
  const meter = meterProvider === false ? undefined : (meterProvider ?? metrics).getMeter(NAME);
  return telemetryOf(tracer, meter);
}

function checkProvider(name: string, method: string, provider: object | false | undefined): void {
  if (provider === undefined || provider === false) return;
  if (typeof (provider as Record<string, unknown> | null)?.[method] === "function") return;
  throw new InvalidConfigurationError(`${name} takes an object with ${method}(), or false`);
}

function telemetryOf(tracer: Tracer | undefined, meter: Meter | undefined): Telemetry {
  const instruments = meter === undefined ? undefined : new Instruments(meter);
  return {
    producer: ({ topic, pending }) => new ProducerInstruments(topic, pending, tracer, instruments),
    consumer: ({ topic, subscription }) => new ConsumerInstruments({ topic, subscription }, tracer, instruments),
    receiveQueue({ subscription, queued }): () => void {
      return instruments?.receiveQueue({ "pulsar.subscription": subscription }, queued) ?? nothing;
    },
    connectionOpened: () => instruments?.connectionsOpened.add(1),
    connectionClosed: () => instruments?.connectionsClosed.add(1),
    connectionFailed: () => instruments?.connectionsFailed.add(1, { "pulsar.failure.type": "tcp-failed" }),
    lookup(type, transport, seconds, succeeded): void {
      instruments?.lookupDuration.record(seconds, {
        "pulsar.lookup.type": type,
        "pulsar.lookup.transport-type": transport,
        "pulsar.response.status": succeeded ? "success" : "failed",
      });
    },
    memoryUsage: (usedBytes, limitBytes) => instruments?.memory(usedBytes, limitBytes),
    close: () => instruments?.close(),
  };
}

function nothing(): void {
  // nothing is counted, so nothing has to end
}
