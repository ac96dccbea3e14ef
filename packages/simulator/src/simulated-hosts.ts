import { type Channel, type HttpHandlers, NetworkError, type NodeId, type Transport } from "@pulsewire/runtime";
import { type NetworkFaults, NO_NETWORK_FAULTS } from "./faults.ts";
import type { Nodes } from "./links.ts";
import { SimulatedChannel } from "./simulated-channel.ts";
import { Wire } from "./wire.ts";
import type { World } from "./world.ts";

/** Something that listens at a host and port. */
export interface Endpoint {
  readonly node: NodeId;
  readonly kind: "stream" | "http";
  readonly accept?: (channel: Channel) => void;
  readonly handlers?: HttpHandlers;
  readonly open: Set<Channel>;
}

type ChannelPair = readonly [client: SimulatedChannel, server: SimulatedChannel];

function includes(nodes: Nodes, node: NodeId): boolean {
  return typeof nodes === "string" ? nodes === node : nodes.includes(node);
}

/** All connections and listeners of a simulation, whichever node they are of; and how to break them. */
export class SimulatedHosts {
  /** May be changed at any time. */
  readonly faults: NetworkFaults;
  readonly world: World;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #pairs = new Set<ChannelPair>();
  readonly #refusing = new Set<NodeId>();
  #nextPort = 40_000;
  #nextConnection = 1;

  constructor(world: World, faults: Partial<NetworkFaults> = {}) {
    this.world = world;
    // one that is misspelt later throws too
    this.faults = Object.seal({ ...NO_NETWORK_FAULTS, ...faults });
  }

  /** Connections that are open. */
  get openConnections(): number {
    return this.#pairs.size;
  }

  /** Resets the connections between two sides, or, with one, all of its own. Answers how many there were. */
  cut(a: Nodes, b?: Nodes): number {
    const pairs = this.#between(a, b);
    for (const [client, server] of pairs) {
      this.world.trace.note("network", `cut: ${client.node} - ${server.node}`);
      client.reset();
      server.reset();
    }
    return pairs.length;
  }

  /** The connections between two sides are dead, and nobody is told. New ones can be made. */
  stall(a: Nodes, b?: Nodes): number {
    const pairs = this.#between(a, b);
    for (const [client, server] of pairs) {
      this.world.trace.note("network", `stalled: ${client.node} - ${server.node}`);
      client.stall();
      server.stall();
    }
    return pairs.length;
  }

  /** Whether attempts to connect to a node are refused. */
  refuse(node: NodeId, refused: boolean): void {
    if (refused) this.#refusing.add(node);
    else this.#refusing.delete(node);
  }

  isRefusing(node: NodeId): boolean {
    return this.#refusing.has(node);
  }

  find(key: string): Endpoint | undefined {
    return this.#endpoints.get(key);
  }

  /** Answers the port. */
  register(host: string, wantedPort: number, endpoint: Endpoint): number {
    const port = wantedPort === 0 ? this.#nextPort++ : wantedPort;
    const key = `${host}:${port}`;
    if (this.#endpoints.has(key)) throw new NetworkError("AddressInUse", `${key} is in use`);
    this.#endpoints.set(key, endpoint);
    return port;
  }

  unregister(host: string, port: number): void {
    this.#endpoints.delete(`${host}:${port}`);
  }

  /** Everything of a node that crashed is gone; the others find their connections reset, or, `silently`, do not. */
  crashed(node: NodeId, silently: boolean): void {
    for (const [key, endpoint] of [...this.#endpoints]) if (endpoint.node === node) this.#endpoints.delete(key);
    for (const pair of this.#between(node, undefined)) {
      for (const channel of pair) {
        if (channel.node === node) channel.abandon();
        else if (silently) channel.stall();
        else channel.reset();
      }
    }
  }

  /** A connection between two nodes: the end of who asked for it, and the listener's. */
  pair(transport: Transport, client: NodeId, endpoint: Endpoint, address: string): ChannelPair {
    const number = this.#nextConnection++;
    const clientAddress = `${client}:${number}`;
    const onClosed = (): void => this.#closed(pair);
    const ends: ChannelPair = [
      this.#end(transport, client, clientAddress, address, onClosed),
      this.#end(transport, endpoint.node, address, clientAddress, onClosed),
    ];
    const pair = ends;
    const name = `network/${clientAddress}`;
    ends[0].join(ends[1], this.#wire(pair, 0, `${name}/up`));
    ends[1].join(ends[0], this.#wire(pair, 1, `${name}/down`));
    this.#pairs.add(pair);
    endpoint.open.add(ends[1]);
    return pair;
  }

  #end(
    transport: Transport,
    node: NodeId,
    localAddress: string,
    remoteAddress: string,
    onClosed: () => void,
  ): SimulatedChannel {
    return new SimulatedChannel({ world: this.world, node, transport, localAddress, remoteAddress, onClosed });
  }

  #wire(pair: ChannelPair, side: 0 | 1, name: string): Wire {
    const from = pair[side].node;
    const to = pair[side === 0 ? 1 : 0].node;
    const onCut = (): void => {
      pair[0].reset();
      pair[1].reset();
    };
    return new Wire({ world: this.world, faults: this.faults, random: this.world.random.fork(name), from, to, onCut });
  }

  #closed(pair: ChannelPair): void {
    if (!pair[0].closed || !pair[1].closed) return;
    this.#pairs.delete(pair);
    for (const endpoint of this.#endpoints.values()) endpoint.open.delete(pair[1]);
  }

  #between(a: Nodes, b: Nodes | undefined): ChannelPair[] {
    return [...this.#pairs].filter(([client, server]) => {
      if (b === undefined) return includes(a, client.node) || includes(a, server.node);
      return (
        (includes(a, client.node) && includes(b, server.node)) || (includes(b, client.node) && includes(a, server.node))
      );
    });
  }
}
