import { HttpHandler, WebSocketHandler } from 'msw';
import { a as TestCluster } from './types-start-test-cluster.d.js';
export { T as TestClusterOptions, s as startTestCluster } from './types-start-test-cluster.d.js';
import '@pulsewire/client';
import '@pulsewire/client/admin';
import './types-cluster.d.js';
import 'abstract-level';
interface PulsarHandlersOptions {
    webSocketUrl?: string;
    adminUrl?: string;
}
declare function pulsarHandlers(cluster: TestCluster, options?: PulsarHandlersOptions): (HttpHandler | WebSocketHandler)[];
export { TestCluster, pulsarHandlers };
export type { PulsarHandlersOptions };
