import { type Attributes, context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import type { MessageId } from "../message-id.ts";
import type { Amount, ProducerTelemetry, SendTelemetry } from "../observability/telemetry.ts";
import type { ProducerMessage } from "../producing/producer-message.ts";
import type { Instruments } from "./instruments.ts";
import { setter } from "./message-context.ts";
import { spanAttributes, topicAttributes } from "./topic-attributes.ts";
import { propagator } from "./trace-context.ts";

const NO_SEND: SendTelemetry = {
  ended(): void {
    // no span was made for it
  },
};

/** Spans and metrics of the producer of one topic or partition. */
export class ProducerInstruments implements ProducerTelemetry {
  readonly #topic: string;
  readonly #tracer: Tracer | undefined;
  readonly #instruments: Instruments | undefined;
  readonly #attributes: Attributes;
  readonly #stopPending: (() => void) | undefined;

  constructor(topic: string, pending: () => Amount, tracer: Tracer | undefined, instruments: Instruments | undefined) {
    this.#topic = topic;
    this.#tracer = tracer;
    this.#instruments = instruments;
    this.#attributes = topicAttributes(topic);
    instruments?.producersOpened.add(1, this.#attributes);
    this.#stopPending = instruments?.pending(this.#attributes, pending);
  }

  sending(message: ProducerMessage): { message: ProducerMessage; sending: SendTelemetry } {
    // what is no message is refused by whoever is to send it
    if (typeof message !== "object" || message === null) return { message, sending: NO_SEND };
    const { data } = message;
    if (data !== undefined && data !== null) this.#instruments?.sendSize.add(data.length, this.#attributes);
    if (this.#tracer === undefined) return { message, sending: NO_SEND };
    const attributes = {
      ...spanAttributes(this.#topic, "send"),
      ...(data === undefined || data === null ? {} : { "messaging.message.body.size": data.length }),
    };
    const span = this.#tracer.startSpan(`send ${this.#topic}`, { kind: SpanKind.PRODUCER, attributes });
    const properties = { ...message.properties };
    propagator().inject(trace.setSpan(context.active(), span), properties, setter);
    return { message: { ...message, properties }, sending: new SendSpan(span) };
  }

  entrySettled(seconds: number, succeeded: boolean): void {
    const instruments = this.#instruments;
    if (instruments === undefined) return;
    const attributes = { ...this.#attributes, "pulsar.response.status": succeeded ? "success" : "failed" };
    instruments.rpcSendDuration.record(seconds, attributes);
    instruments.sendDuration.record(seconds, attributes);
  }

  closed(): void {
    this.#instruments?.producersClosed.add(1, this.#attributes);
    this.#stopPending?.();
  }
}

class SendSpan implements SendTelemetry {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  ended(id: MessageId | undefined, error?: unknown): void {
    if (id !== undefined) this.#span.setAttribute("messaging.message.id", id.toString());
    else {
      const failure = error instanceof Error ? error : new Error(String(error));
      this.#span.recordException(failure);
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    }
    this.#span.end();
  }
}
