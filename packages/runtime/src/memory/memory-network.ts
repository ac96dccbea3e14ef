import {
  type Address,
  type Channel,
  type ConnectOptions,
  type HttpHandlers,
  type Listener,
  type ListenOptions,
  type Network,
  NetworkError,
} from "../network.ts";
import { MemoryChannel } from "./memory-channel.ts";

type Endpoint =
  | { kind: "stream"; tls: boolean; accept: (channel: Channel) => void; open: Set<Channel> }
  | { kind: "http"; handlers: HttpHandlers; open: Set<Channel> };

/** A network inside the process: listeners are names, connections are queues, no port is opened. */
export type MemoryNetwork = Network;

class MemoryNetworkImplementation implements MemoryNetwork {
  readonly #endpoints = new Map<string, Endpoint>();
  #nextPort = 40_000;
  #nextClient = 1;

  async connect(address: Address, options: ConnectOptions = {}): Promise<Channel> {
    if (options.signal?.aborted) throw new NetworkError("Aborted", "the connection attempt was aborted");
    if (address.transport === "websocket") return this.#connectWebSocket(address);
    if (address.transport === "memory") throw new NetworkError("Unsupported", "address a host and a port");
    const key = `${address.host}:${address.port}`;
    const endpoint = this.#endpoints.get(key);
    if (endpoint?.kind !== "stream") throw new NetworkError("ConnectFailed", `nothing listens at ${key}`);
    const { client, server } = this.#pair(address.transport, key, endpoint);
    endpoint.accept(server);
    return client;
  }

  #connectWebSocket(address: Extract<Address, { transport: "websocket" }>): Channel {
    const url = new URL(address.url);
    const endpoint = this.#endpoints.get(hostKey(url));
    const acceptor =
      endpoint?.kind === "http" ? endpoint.handlers.upgrade?.(url, new Headers(address.headers)) : undefined;
    if (endpoint === undefined || acceptor === undefined) {
      throw new NetworkError("ConnectFailed", `no WebSocket at ${address.url}`);
    }
    const { client, server } = this.#pair("websocket", hostKey(url), endpoint);
    acceptor.accept(server);
    return client;
  }

  #pair(transport: Address["transport"], server: string, endpoint: Endpoint): { client: Channel; server: Channel } {
    const pair = MemoryChannel.pair(transport, `memory:${this.#nextClient++}`, server);
    endpoint.open.add(pair[1]);
    return { client: pair[0], server: pair[1] };
  }

  async listen(options: ListenOptions, accept: (channel: Channel) => void): Promise<Listener> {
    return this.#register(options, { kind: "stream", tls: options.tls !== undefined, accept, open: new Set() });
  }

  async listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener> {
    return this.#register(options, { kind: "http", handlers, open: new Set() });
  }

  #register(options: ListenOptions, endpoint: Endpoint): Listener {
    const port = options.port === 0 ? this.#nextPort++ : options.port;
    const key = `${options.host}:${port}`;
    if (this.#endpoints.has(key)) throw new NetworkError("AddressInUse", `${key} is in use`);
    this.#endpoints.set(key, endpoint);
    return {
      host: options.host,
      port,
      close: async () => {
        this.#endpoints.delete(key);
        for (const channel of endpoint.open) channel.destroy();
      },
    };
  }

  async fetch(request: Request): Promise<Response> {
    const endpoint = this.#endpoints.get(hostKey(new URL(request.url)));
    if (endpoint?.kind !== "http") throw new NetworkError("ConnectFailed", `nothing listens at ${request.url}`);
    return endpoint.handlers.fetch(request, "memory");
  }
}

function hostKey(url: URL): string {
  const secure = url.protocol === "wss:" || url.protocol === "https:";
  return `${url.hostname}:${url.port || (secure ? 443 : 80)}`;
}

export function createMemoryNetwork(): MemoryNetwork {
  return new MemoryNetworkImplementation();
}
