export type { BookieFaults } from "./bookie-faults.ts";
export type { BrokerFaults } from "./broker-faults.ts";
export { ClusterFaults } from "./cluster-faults.ts";
export type { CommandFaults, CommandFilter, CommandName, HeldCommands, ServerErrorName } from "./command-faults.ts";
export type { Nodes } from "./fault-links.ts";
export type { MetadataFaults } from "./metadata-faults.ts";
