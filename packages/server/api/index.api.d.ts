import { S as ServerError } from './types-cluster.d.js';
export { A as Authentication, a as AuthenticationOutcome, b as Authenticator, B as BookieFaults, c as Broker, d as BrokerFaults, e as BrokerSettings, f as BrokerUrls, C as Cluster, g as ClusterFaults, h as ClusterOptions, i as CommandFaults, j as CommandFilter, k as CommandName, H as HeldCommands, l as HttpContext, m as HttpHandler, L as LookupAnswer, M as MetadataError, n as MetadataFaults, o as MetadataStore, N as Nodes, p as ServerErrorName, q as StorageError, r as StorageErrorCode, s as settingNames, t as startCluster } from './types-cluster.d.js';
import 'abstract-level';
declare class BrokerError extends Error {
    readonly code: ServerError;
    constructor(code: ServerError, message: string, options?: ErrorOptions);
    static from(error: unknown): BrokerError;
}
export { BrokerError };
