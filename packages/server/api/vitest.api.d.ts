import { TestAPI } from 'vitest';
import { T as TestClusterOptions, a as TestCluster } from './types-start-test-cluster.d.js';
export { s as startTestCluster } from './types-start-test-cluster.d.js';
import '@pulsewire/client';
import '@pulsewire/client/admin';
import './types-cluster.d.js';
import 'abstract-level';
interface PulsarFixtures {
    pulsarOptions: TestClusterOptions;
    pulsar: TestCluster;
}
declare const test: TestAPI<PulsarFixtures>;
export { TestCluster, TestClusterOptions, test };
export type { PulsarFixtures };
