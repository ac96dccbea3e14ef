import {
  type Context,
  createTraceState,
  isSpanContextValid,
  propagation,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  trace,
} from "@opentelemetry/api";

/** `version-traceId-parentId-flags`; later versions may add more behind. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C's trace context: `traceparent` and `tracestate`. Source: https://www.w3.org/TR/trace-context/. */
export const traceContext: Pick<TextMapPropagator, "inject" | "extract"> = {
  inject(context: Context, carrier: unknown, setter: TextMapSetter): void {
    const span = trace.getSpanContext(context);
    if (span === undefined || !isSpanContextValid(span)) return;
    const flags = span.traceFlags.toString(16).padStart(2, "0");
    setter.set(carrier, "traceparent", `00-${span.traceId}-${span.spanId}-${flags}`);
    const state = span.traceState?.serialize();
    if (state !== undefined && state !== "") setter.set(carrier, "tracestate", state);
  },

  extract(context: Context, carrier: unknown, getter: TextMapGetter): Context {
    const match = TRACEPARENT.exec(String(getter.get(carrier, "traceparent") ?? ""));
    if (match === null) return context;
    const [, version, traceId = "", spanId = "", flags = "", more] = match;
    if (version === "ff" || (version === "00" && more !== undefined)) return context;
    const traceFlags = Number.parseInt(flags, 16);
    const state = getter.get(carrier, "tracestate");
    const traceState = typeof state === "string" && state !== "" ? { traceState: createTraceState(state) } : {};
    const span = { traceId, spanId, traceFlags, isRemote: true, ...traceState };
    return isSpanContextValid(span) ? trace.setSpanContext(context, span) : context;
  },
};

/** The propagator that is registered with the API; without one the API does nothing at all, so W3C's trace context. */
export function propagator(): Pick<TextMapPropagator, "inject" | "extract"> {
  return propagation.fields().length > 0 ? propagation : traceContext;
}
