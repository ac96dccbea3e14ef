import {
  type Address,
  type Channel,
  type ConnectOptions,
  type HttpHandlers,
  type Listener,
  type ListenOptions,
  type Network,
  NetworkError,
  type NodeId,
} from "@pulsewire/runtime";
import { between, happens } from "./chance.ts";
import type { Endpoint, SimulatedHosts } from "./simulated-hosts.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** The network as one simulated node has it: what listens, listens at this node. */
export class SimulatedNetwork implements Network {
  readonly #hosts: SimulatedHosts;
  readonly #node: NodeId;
  readonly #random: ReturnType<SimulatedHosts["world"]["random"]["fork"]>;

  constructor(hosts: SimulatedHosts, node: NodeId) {
    this.#hosts = hosts;
    this.#node = node;
    this.#random = hosts.world.random.fork(`network/${node}`);
  }

  connect(address: Address, options: ConnectOptions = {}): Promise<Channel> {
    if (options.signal?.aborted) return Promise.reject(aborted());
    if (address.transport === "memory") {
      return Promise.reject(new NetworkError("Unsupported", "address a host and a port, or a WebSocket URL"));
    }
    return new Promise((resolve, reject) =>
      new Attempt(this.#hosts, this.#node, this.#random).start(address, options, resolve, reject),
    );
  }

  async listen(options: ListenOptions, accept: (channel: Channel) => void): Promise<Listener> {
    return this.#register(options, { node: this.#node, kind: "stream", accept, open: new Set() });
  }

  async listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener> {
    return this.#register(options, { node: this.#node, kind: "http", handlers, open: new Set() });
  }

  /** Sends a request to an HTTP listener of the simulation. Rejects with ConnectFailed when none can be reached. */
  async fetch(request: Request): Promise<Response> {
    const key = keyOf(new URL(request.url));
    await this.#pass(this.#node, this.#hosts.find(key)?.node ?? this.#node);
    const endpoint = this.#hosts.find(key);
    if (endpoint?.handlers === undefined) throw new NetworkError("ConnectFailed", `nothing listens at ${key}`);
    const response = await endpoint.handlers.fetch(request, this.#node);
    await this.#pass(endpoint.node, this.#node);
    return response;
  }

  #pass(from: NodeId, to: NodeId): Promise<void> {
    const { world, faults } = this.#hosts;
    if (world.links.isBlocked(from, to)) {
      return Promise.reject(new NetworkError("ConnectFailed", `${to} cannot be reached from ${from}`));
    }
    const delayMs = between(this.#random, faults.delayMsMin, faults.delayMsMax) + world.links.extraDelayMs(from, to);
    return new Promise((resolve) => world.timeline.after(delayMs, resolve, world.node(to)));
  }

  #register(options: ListenOptions, endpoint: Endpoint): Listener {
    const { host } = options;
    const port = this.#hosts.register(host, options.port, endpoint);
    return {
      host,
      port,
      close: async () => {
        this.#hosts.unregister(host, port);
        for (const channel of [...endpoint.open]) channel.destroy();
      },
    };
  }
}

type Streamed = Exclude<Address, { transport: "memory" }>;

/** One attempt to connect, from its first packet to a channel, a refusal, or the end of its time. */
class Attempt {
  readonly #hosts: SimulatedHosts;
  readonly #node: NodeId;
  readonly #random: SimulatedHosts["world"]["random"];
  #settled = false;

  constructor(hosts: SimulatedHosts, node: NodeId, random: SimulatedHosts["world"]["random"]) {
    this.#hosts = hosts;
    this.#node = node;
    this.#random = random;
  }

  start(
    address: Streamed,
    options: ConnectOptions,
    resolve: (channel: Channel) => void,
    reject: (error: NetworkError) => void,
  ): void {
    const { world } = this.#hosts;
    const key = address.transport === "websocket" ? keyOf(new URL(address.url)) : `${address.host}:${address.port}`;
    const target = this.#hosts.find(key)?.node;
    const settle = (then: () => void): void => {
      options.signal?.removeEventListener("abort", onAbort);
      if (!this.#settled) then();
      this.#settled = true;
    };
    const onAbort = (): void => settle(() => reject(aborted()));
    const timeoutMs = options.timeoutMs ?? CONNECT_TIMEOUT_MS;
    const timeout = world.timeline.after(
      timeoutMs,
      () => settle(() => reject(new NetworkError("ConnectTimeout", `${key} did not answer within ${timeoutMs} ms`))),
      world.node(this.#node),
    );
    const fail = (detail: string): void => settle(() => reject(new NetworkError("ConnectFailed", detail)));
    options.signal?.addEventListener("abort", onAbort);
    if (target !== undefined && this.#isCutOff(target)) return;
    // the other side's system answers, whether or not its process runs at the moment
    world.timeline.after(this.#delayMs(target), () => {
      const refusal = this.#refusal(key);
      if (this.#settled) return;
      if (refusal !== undefined) this.#answer(target, timeout, () => fail(refusal));
      else this.#arrive(address, key, timeout, (channel) => settle(() => resolve(channel)), fail);
    });
  }

  #arrive(
    address: Streamed,
    key: string,
    timeout: { cancelled: boolean },
    done: (channel: Channel) => void,
    fail: (detail: string) => void,
  ): void {
    const { world } = this.#hosts;
    const endpoint = this.#hosts.find(key) as Endpoint;
    const accept = acceptorOf(endpoint, address);
    if (accept === undefined) {
      this.#answer(endpoint.node, timeout, () => fail(`nothing at ${key} takes ${address.transport}`));
      return;
    }
    const [client, server] = this.#hosts.pair(address.transport, this.#node, endpoint, key);
    world.trace.note(this.#node, `~ ${endpoint.node} connected`);
    world.timeline.after(0, () => accept(server), world.node(endpoint.node));
    this.#answer(endpoint.node, timeout, () => {
      // too late: whoever asked has given up
      if (this.#settled) client.destroy();
      else done(client);
    });
  }

  #answer(from: NodeId | undefined, timeout: { cancelled: boolean }, then: () => void): void {
    const { world } = this.#hosts;
    // an answer that cannot get here leaves the attempt to its timeout
    if (from !== undefined && world.links.isBlocked(from, this.#node)) return;
    world.timeline.after(
      this.#delayMs(from),
      () => {
        timeout.cancelled = true;
        then();
      },
      world.node(this.#node),
    );
  }

  #refusal(key: string): string | undefined {
    const endpoint = this.#hosts.find(key);
    if (endpoint === undefined) return `nothing listens at ${key}`;
    const { faults } = this.#hosts;
    if (this.#hosts.isRefusing(endpoint.node) || happens(this.#random, faults.refuseProbability)) {
      return `${key} refused the connection`;
    }
    return undefined;
  }

  #isCutOff(target: NodeId): boolean {
    return this.#hosts.world.links.isBlocked(this.#node, target);
  }

  #delayMs(other: NodeId | undefined): number {
    const { world, faults } = this.#hosts;
    const extraMs = other === undefined ? 0 : world.links.extraDelayMs(this.#node, other);
    return between(this.#random, faults.delayMsMin, faults.delayMsMax) + extraMs;
  }
}

function acceptorOf(endpoint: Endpoint, address: Streamed): ((channel: Channel) => void) | undefined {
  if (address.transport !== "websocket") return endpoint.accept;
  const acceptor = endpoint.handlers?.upgrade?.(new URL(address.url), new Headers(address.headers));
  return acceptor === undefined ? undefined : (channel) => acceptor.accept(channel);
}

function keyOf(url: URL): string {
  const secure = url.protocol === "wss:" || url.protocol === "https:";
  return `${url.hostname}:${url.port || (secure ? 443 : 80)}`;
}

function aborted(): NetworkError {
  return new NetworkError("Aborted", "the connection attempt was aborted");
}
