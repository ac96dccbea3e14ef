import { type Context, context, propagation, type TextMapGetter, type TextMapSetter } from "@opentelemetry/api";
import type { Message } from "../message.ts";

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

/**
 * The context that a message was sent in, for work that is to be part of its trace.
 *
 * @example
 * await context.with(contextOf(message), () => handle(message));
 */
export function contextOf(message: Message<unknown>): Context {
  return propagation.extract(context.active(), message.properties, getter);
}
