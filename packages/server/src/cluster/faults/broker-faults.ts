import type { NodeId } from "@pulsewire/runtime";
import type { BrokerNode } from "../broker-node.ts";
import type { FaultyCluster } from "./cluster-faults.ts";
import { checkNothing } from "./fault-arguments.ts";
import { undoing } from "./fault-links.ts";
import type { NodeGate } from "./node-gate.ts";

export interface BrokerFaultsOptions {
  index: number;
  cluster: FaultyCluster;
  gateOf: (node: NodeId) => NodeGate;
}

/** Makes one broker fail: `cluster.faults.broker(0)`. */
export class BrokerFaults {
  readonly #options: BrokerFaultsOptions;

  constructor(options: BrokerFaultsOptions) {
    this.#options = options;
  }

  /** Its name among the nodes. */
  get node(): NodeId {
    return this.#node.nodeId;
  }

  /**
   * Its process ends at once, as by `kill -9`: connections are reset, nothing is handed over. What it owns is free for
   * others when its metadata session expires (after 30 s; sooner by `faults.metadata.expireSession`) or when it is
   * restarted. Resolves when its ports are free. Killing it again does nothing.
   */
  async kill(...nothing: readonly []): Promise<void> {
    checkNothing("kill", nothing);
    const { cluster, index } = this.#options;
    const node = this.#node;
    this.#gate.kill();
    // whoever closes the cluster finds nothing left to close
    const gone = node.abandon();
    if (gone === node) return;
    cluster.brokers[index] = gone;
    await node.listeners.close();
  }

  /**
   * Kills it where it runs, and starts it again at the same ports, empty-handed: its former session is over.
   * @throws NetworkError `AddressInUse` when somebody took a port meanwhile.
   */
  async restart(...nothing: readonly []): Promise<void> {
    checkNothing("restart", nothing);
    const { cluster, index } = this.#options;
    await this.kill();
    const before = this.#node;
    cluster.metadata.expire(before.session);
    cluster.brokers[index] = await cluster.startBroker(index, before);
  }

  /**
   * It stands still until that is undone: no timer goes off, nothing it is sent arrives, and it does not know. After 30 s
   * its metadata session is over and others take what it had.
   */
  pause(...nothing: readonly []): Disposable {
    checkNothing("pause", nothing);
    const gate = this.#gate;
    const { broker } = this.#node;
    gate.pause();
    const held = [...broker.connections].map(({ channel }) => channel);
    for (const channel of held) channel.pause();
    return undoing(() => {
      gate.resume();
      // dead, or paused by somebody else too
      if (!gate.open) return;
      for (const channel of held) channel.resume();
    });
  }

  /** Resets the connections of its clients. Answers how many there were. */
  disconnectClients(...nothing: readonly []): number {
    checkNothing("disconnectClients", nothing);
    const connections = [...this.#node.broker.connections];
    for (const { channel } of connections) channel.destroy(new Error("cut on purpose"));
    return connections.length;
  }

  get #node(): BrokerNode {
    return this.#options.cluster.brokers[this.#options.index] as BrokerNode;
  }

  get #gate(): NodeGate {
    return this.#options.gateOf(this.#node.nodeId);
  }
}
