import type { ClientRuntime } from "@pulsewire/runtime";
import { createWebRuntime } from "@pulsewire/runtime/web";

/**
 * What a page has, for a client in Node whose connections msw is to take over: the global `WebSocket` and `fetch`. By
 * itself a client in Node opens sockets of its own, which msw does not see.
 *
 * @example
 * const client = new PulsarClient({ serviceUrl: "wss://pulsar.example.com/ws/binary", runtime: pageRuntime() });
 */
export function pageRuntime(): ClientRuntime {
  return createWebRuntime();
}
