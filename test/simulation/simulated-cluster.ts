import { type Logger, PulsarClient, type PulsarClientOptions } from "@pulsewire/client";
import type { Random } from "@pulsewire/runtime";
import { createQuickDrain } from "@pulsewire/runtime/node";
import { type Cluster, type ClusterOptions, MetadataError, type MetadataStore, startCluster } from "@pulsewire/server";
import { createSimulation, type Simulation, type SimulationOptions } from "@pulsewire/simulator";
import { ClusterDisks } from "./cluster-disks.ts";

/** The name of the metadata store among the nodes. */
export const METADATA = "metadata";

export interface SimulatedClusterOptions {
  seed: number;
  faults?: SimulationOptions["faults"];
  trace?: SimulationOptions["trace"];
  cluster?: Omit<ClusterOptions, "runtime" | "metadataFor" | "storageFor">;
  /** Bookies keep entries on simulated disks. Its numbers decide what happens to these. Default: in memory. */
  disks?: Random;
}

/** A cluster and its clients, all under one seed. */
export interface SimulatedCluster {
  readonly simulation: Simulation;
  readonly cluster: Cluster;
  /** Undefined where bookies keep entries in memory. */
  readonly disks: ClusterDisks | undefined;
  /** A client at a node of that name. Open until `close`. */
  client(node: string, options?: Partial<PulsarClientOptions>): PulsarClient;
  /** Closes clients and cluster; takes virtual time. */
  close(): Promise<void>;
}

/** Has what a client logs written to the trace. */
function loggerOf(simulation: Simulation, node: string): Logger {
  const note = (message: string): void => simulation.trace.note(node, `# ${message}`);
  return { debug: note, info: note, warn: note, error: note };
}

/** The metadata session of a node behind a link that the simulation may slow and break. */
export function metadataLink(simulation: Simulation): (session: MetadataStore, node: string) => MetadataStore {
  return (session, caller) =>
    simulation.remote(session, {
      caller,
      service: METADATA,
      calls: ["get", "exists", "put", "delete", "children", "nextSequence"],
      watches: ["watch", "onSessionExpired"],
      unavailable: (detail) => new MetadataError("Unavailable", detail),
    });
}

export async function startSimulatedCluster(options: SimulatedClusterOptions): Promise<SimulatedCluster> {
  const { seed, faults = {}, trace = {}, cluster: clusterOptions = {} } = options;
  const simulation = createSimulation({ seed, drain: createQuickDrain(), faults, trace });
  const runtime = simulation.runtimeFor("cluster");
  const disks = options.disks && new ClusterDisks(simulation, options.disks, faults.disk ?? {});
  const starting = startCluster({
    ...clusterOptions,
    ...(disks === undefined ? {} : { storageFor: disks.storageFor }),
    runtime,
    metadataFor: metadataLink(simulation),
  });
  const cluster = await simulation.finish(starting);
  const clients: PulsarClient[] = [];
  return {
    simulation,
    cluster,
    disks,
    client: (node, clientOptions = {}) => {
      const client = new PulsarClient({
        serviceUrl: cluster.serviceUrl,
        runtime: simulation.runtimeFor(node),
        logger: loggerOf(simulation, node),
        ...clientOptions,
      });
      clients.push(client);
      return client;
    },
    close: async () => {
      await simulation.finish(Promise.all(clients.map((client) => client.close())));
      await simulation.finish(cluster.close());
    },
  };
}
