import { PulsarClient, PulsarClientOptions } from '@pulsewire/client';
import { PulsarAdmin } from '@pulsewire/client/admin';
import { C as Cluster, h as ClusterOptions } from './types-cluster.d.js';
interface TestClusterOptions extends Omit<ClusterOptions, "runtime"> {
    clock?: "real" | "virtual";
    network?: "ports" | "memory";
}
interface VirtualTime {
    now(): number;
    advance(ms: number): Promise<void>;
}
declare class TestCluster implements AsyncDisposable {
    #private;
    readonly cluster: Cluster;
    readonly time: VirtualTime;
    get serviceUrl(): string;
    get webSocketUrl(): string;
    get adminUrl(): string;
    get client(): PulsarClient;
    get admin(): PulsarAdmin;
    createClient(options?: Partial<PulsarClientOptions>): PulsarClient;
    topic(name?: string): string;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
declare function startTestCluster(options?: TestClusterOptions): Promise<TestCluster>;
export { TestCluster as a, startTestCluster as s };
export type { TestClusterOptions as T, VirtualTime as V };
