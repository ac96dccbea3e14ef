import { WebSocket as NodeWebSocket } from "ws";

export { type PulsarHandlersOptions, pulsarHandlers } from "./msw-handlers.ts";
export { pageRuntime } from "./page-runtime.ts";
export { startTestCluster } from "./start-test-cluster.ts";
export type { TestCluster, TestClusterOptions } from "./test-cluster.ts";

// Node 20 has none, and msw takes over the global one where there is one when it starts to listen
globalThis.WebSocket ??= NodeWebSocket as unknown as typeof globalThis.WebSocket;
