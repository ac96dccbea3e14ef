import { HttpHandler, WebSocketHandler } from 'msw';
import { a as TestCluster } from './types-start-test-cluster.d.js';
export { T as TestClusterOptions, s as startTestCluster } from './types-start-test-cluster.d.js';
import { X as ClientRuntime } from './types-cluster.d.js';
import '@pulsewire/client';
import '@pulsewire/client/admin';
import 'abstract-level';
interface PulsarHandlersOptions {
    webSocketUrl?: string;
    adminUrl?: string;
}
declare function pageRuntime(): ClientRuntime;
declare function pulsarHandlers(cluster: TestCluster, options?: PulsarHandlersOptions): (HttpHandler | WebSocketHandler)[];
export { TestCluster, pageRuntime, pulsarHandlers };
export type { PulsarHandlersOptions };
