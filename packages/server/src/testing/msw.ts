import type { HttpHandler, WebSocketHandler } from "msw";
import { WebSocket as NodeWebSocket } from "ws";
import { pulsarHandlers as handlersOf, type PulsarHandlersOptions } from "./msw-handlers.ts";
import type { TestCluster } from "./test-cluster.ts";

export type { PulsarHandlersOptions } from "./msw-handlers.ts";
export { pageRuntime } from "./page-runtime.ts";
export { startTestCluster } from "./start-test-cluster.ts";
export type { TestCluster, TestClusterOptions } from "./test-cluster.ts";

/**
 * Handlers of msw that let a cluster serve the URLs an application has: WebSockets and the REST API. Start the cluster
 * with `network: "memory"`, and no port is opened at all. In Node, give the application's client `runtime: pageRuntime()`.
 * Node 20 has no global `WebSocket`, which msw takes over when it starts to listen: it gets one here.
 *
 * @example
 * const t = await startTestCluster({ network: "memory" });
 * const server = setupServer(...pulsarHandlers(t, { webSocketUrl: "wss://pulsar.example.com/ws/binary" }));
 */
export function pulsarHandlers(
  cluster: TestCluster,
  options: PulsarHandlersOptions = {},
): (HttpHandler | WebSocketHandler)[] {
  globalThis.WebSocket ??= NodeWebSocket as unknown as typeof globalThis.WebSocket;
  return handlersOf(cluster, options);
}
