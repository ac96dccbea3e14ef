export { BookKeeperError, type BookKeeperErrorCode } from "./bookkeeper/index.ts";
export type { Broker } from "./broker/broker.ts";
export { BrokerError } from "./broker/broker-error.ts";
export { type BrokerSettings, settingNames } from "./broker/broker-settings.ts";
export type { Authentication, AuthenticationOutcome, Authenticator } from "./broker/connection/broker-context.ts";
export type { BrokerUrls } from "./broker/ownership/broker-registry.ts";
export type { LookupAnswer } from "./broker/ownership/topic-lookup.ts";
export { type Cluster, StorageError, type StorageErrorCode, startCluster } from "./cluster/cluster.ts";
export type { ClusterOptions, HttpContext, HttpHandler } from "./cluster/cluster-options.ts";
export type {
  ClusterRecovery,
  DecommissionOptions,
  OrphansFound,
  RecoveryProgress,
} from "./cluster/cluster-recovery.ts";
export type {
  BookieFaults,
  BrokerFaults,
  ClusterFaults,
  CommandFaults,
  CommandFilter,
  CommandName,
  HeldCommands,
  MetadataFaults,
  Nodes,
  ServerErrorName,
} from "./cluster/faults/index.ts";
export { MetadataError, type MetadataStore } from "./metadata/metadata-store.ts";
