import { type Context, context, type Span, type TextMapGetter, type TextMapSetter, trace } from "@opentelemetry/api";
import type { Message } from "../message.ts";
import { propagator } from "./trace-context.ts";

/** Properties as what a context travels in: `traceparent` and what else the propagator writes. */
export const setter: TextMapSetter<Record<string, string>> = {
  set: (carrier, key, value) => {
    carrier[key] = value;
  },
};

const getter: TextMapGetter<Readonly<Record<string, string>>> = {
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => (Object.hasOwn(carrier, key) ? carrier[key] : undefined),
};

/** The span of each message that was received with telemetry. */
const spans = new WeakMap<Message<unknown>, Span>();

/** Remembers the span that work on a message is part of. */
export function setSpanOf(message: Message<unknown>, span: Span): void {
  spans.set(message, span);
}

/** The context that a message was sent in. */
export function sentContextOf(message: Message<unknown>): Context {
  return propagator().extract(context.active(), message.properties, getter);
}

/**
 * The context for work on a message: its spans are children of the message's `process` span, which is of the trace that
 * the message was sent in. Of a message of a client without `openTelemetry()`, the context it was sent in. The properties
 * are read by the propagator registered with OpenTelemetry's API, without one as W3C's trace context.
 *
 * @example
 * await context.with(contextOf(message), () => handle(message));
 */
export function contextOf(message: Message<unknown>): Context {
  const span = spans.get(message);
  const sent = sentContextOf(message);
  return span === undefined ? sent : trace.setSpan(sent, span);
}
