import { type Attributes, context, type Span, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { Message } from "../message.ts";
import type { ConsumerTelemetry, MessagePlace } from "../observability/telemetry.ts";
import type { Instruments } from "./instruments.ts";
import { contextOf, sentContextOf, setSpanOf } from "./message-context.ts";
import { spanAttributes, topicAttributes } from "./topic-attributes.ts";

/** Spans kept open for messages that are not acknowledged; the oldest ends first. */
const OPEN_SPANS_MAX = 10_000;

interface OpenSpan extends MessagePlace {
  readonly span: Span;
}

/**
 * Spans and metrics of the consumer of one topic or partition. A message's span lasts from when the application has it
 * until it is acknowledged, either way.
 */
export class ConsumerInstruments implements ConsumerTelemetry {
  readonly #topic: string;
  readonly #subscription: string;
  readonly #tracer: Tracer | undefined;
  readonly #instruments: Instruments | undefined;
  readonly #attributes: Attributes;
  readonly #open = new Map<string, OpenSpan>();

  constructor(
    about: { readonly topic: string; readonly subscription: string },
    tracer: Tracer | undefined,
    instruments: Instruments | undefined,
  ) {
    this.#topic = about.topic;
    this.#subscription = about.subscription;
    this.#tracer = tracer;
    this.#instruments = instruments;
    this.#attributes = { ...topicAttributes(about.topic), "pulsar.subscription": about.subscription };
    instruments?.consumersOpened.add(1, this.#attributes);
  }

  received(messages: number, bytes: number): void {
    this.#instruments?.receivedCount.add(messages, this.#attributes);
    this.#instruments?.receivedSize.add(bytes, this.#attributes);
  }

  taken(message: Message<unknown>): void {
    if (this.#tracer === undefined) return;
    const { ledgerId, entryId } = message.entry;
    const { batchIndex } = message;
    const key = keyOf({ ledgerId, entryId, batchIndex });
    this.#end(key, "delivered again");
    const attributes = {
      ...spanAttributes(this.#topic, "process"),
      "messaging.destination.subscription.name": this.#subscription,
      "messaging.message.id": message.messageId.toString(),
      "messaging.message.body.size": message.data.length,
    };
    const kind = SpanKind.CONSUMER;
    const span = this.#tracer.startSpan(`process ${this.#topic}`, { kind, attributes }, sentContextOf(message));
    setSpanOf(message, span);
    this.#open.set(key, { span, ledgerId, entryId, batchIndex });
    if (this.#open.size <= OPEN_SPANS_MAX) return;
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#end(oldest, "never acknowledged");
  }

  processing<R>(message: Message<unknown>, run: () => R): R {
    return context.with(contextOf(message), run);
  }

  acknowledged(place: MessagePlace, cumulative: boolean): void {
    const type = cumulative ? "cumulative" : "individual";
    this.#instruments?.acks.add(1, { ...this.#attributes, "pulsar.acknowledgment.type": type });
    this.#endWhere(place, cumulative, undefined);
  }

  negativelyAcknowledged(place: MessagePlace): void {
    this.#instruments?.nacks.add(1, this.#attributes);
    this.#endWhere(place, false, "negatively acknowledged");
  }

  closed(): void {
    this.#instruments?.consumersClosed.add(1, this.#attributes);
    for (const key of [...this.#open.keys()]) this.#end(key, "the consumer was closed");
  }

  #endWhere(place: MessagePlace, cumulative: boolean, why: string | undefined): void {
    if (this.#open.size === 0) return;
    if (!cumulative && place.batchIndex >= 0) {
      this.#end(keyOf(place), why);
      return;
    }
    for (const [key, open] of this.#open) {
      const order = compare(open, place);
      if (order === 0 || (cumulative && order < 0)) this.#end(key, why);
    }
  }

  #end(key: string, why: string | undefined): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    open.span.setAttribute("messaging.pulsar.acknowledgment.type", why ?? "acknowledged");
    if (why !== undefined) open.span.setStatus({ code: SpanStatusCode.ERROR, message: why });
    open.span.end();
  }
}

function keyOf({ ledgerId, entryId, batchIndex }: MessagePlace): string {
  return `${ledgerId}:${entryId}:${batchIndex}`;
}

/** A place without an index stands for its whole entry. */
function compare(a: MessagePlace, b: MessagePlace): number {
  const order = a.ledgerId - b.ledgerId || a.entryId - b.entryId;
  return order !== 0 || b.batchIndex < 0 ? order : a.batchIndex - b.batchIndex;
}
