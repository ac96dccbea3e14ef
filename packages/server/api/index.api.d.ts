import { S as ServerError } from './types-cluster.d.js';
export { A as Authentication, a as AuthenticationOutcome, b as Authenticator, B as BookieFaults, c as Broker, d as BrokerFaults, e as BrokerSettings, f as BrokerUrls, C as Cluster, g as ClusterFaults, h as ClusterOptions, i as ClusterRecovery, j as CommandFaults, k as CommandFilter, l as CommandName, D as DecommissionOptions, H as HeldCommands, m as HttpContext, n as HttpHandler, L as LookupAnswer, M as MetadataError, o as MetadataFaults, p as MetadataStore, N as Nodes, O as OrphansFound, R as RecoveryProgress, q as ServerErrorName, r as StorageError, s as StorageErrorCode, t as settingNames, u as startCluster } from './types-cluster.d.js';
import 'abstract-level';
type BookKeeperErrorCode =
"InvalidQuorum"
 | "NotEnoughBookies" | "NoSuchLedger" | "NoSuchEntry"
 | "LedgerFenced" | "LedgerClosed"
 | "AddQuorumTimeout"
 | "DigestMismatch" | "ReadFailed"
 | "RecoveryFailed"
 | "ReplicationFailed"
 | "DecommissionFailed" | "MetadataUnavailable" | "ClientClosed";
declare class BookKeeperError extends Error {
    readonly code: BookKeeperErrorCode;
    constructor(code: BookKeeperErrorCode, detail: string, options?: ErrorOptions);
    static from(error: unknown): BookKeeperError;
}
declare class BrokerError extends Error {
    readonly code: ServerError;
    constructor(code: ServerError, message: string, options?: ErrorOptions);
    static from(error: unknown): BrokerError;
}
export { BookKeeperError, BrokerError };
export type { BookKeeperErrorCode };
