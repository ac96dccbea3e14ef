import type { Channel, Listener, Network } from "@pulsewire/runtime";
import type { Broker } from "../broker/broker.ts";
import type { BrokerUrls } from "../broker/ownership/broker-registry.ts";
import { listenBinary } from "../listeners/binary-listener.ts";
import { listenWeb, WEBSOCKET_PATH } from "../listeners/web-listener.ts";
import type { HttpHandler, ResolvedOptions } from "./cluster-options.ts";

/** What a WebSocket frame may hold beside the message, in bytes. */
const FRAME_EXTRA_BYTES = 64 * 1024;

export interface BrokerListenersOptions {
  network: Network;
  options: ResolvedOptions;
  /** The first broker of a cluster takes the ports asked for, the others what is free. */
  first: boolean;
  /** Those of its last process, for a broker that starts again. */
  ports?: ListenerPorts | undefined;
  http: HttpHandler;
}

type Name = "binary" | "binaryTls" | "web" | "webTls";

/** Where a broker listens. */
export type ListenerPorts = ReadonlyMap<Name, number>;

/** A broker's listeners. They are there before the broker, whose name and URLs are made of their ports. */
export class BrokerListeners {
  readonly #listeners: ReadonlyMap<Name, Listener>;
  readonly #options: BrokerListenersOptions;
  #broker: Broker | undefined;

  private constructor(options: BrokerListenersOptions, listeners: Map<Name, Listener>) {
    this.#options = options;
    this.#listeners = listeners;
  }

  /** Rejects with a NetworkError, and then listens nowhere. */
  static async open(options: BrokerListenersOptions): Promise<BrokerListeners> {
    const opened = new Map<Name, Listener>();
    const listeners = new BrokerListeners(options, opened);
    const opening = [...listeners.#wanted()].map(async ([name, listener]) => {
      opened.set(name, await listener);
    });
    const results = await Promise.allSettled(opening);
    const failed = results.find((r) => r.status === "rejected");
    if (failed === undefined) return listeners;
    await listeners.close();
    throw failed.reason;
  }

  /** From now on clients are served. */
  serve(broker: Broker): void {
    this.#broker = broker;
  }

  get urls(): BrokerUrls {
    const { advertisedAddress } = this.#options.options;
    return {
      brokerId: `${advertisedAddress}:${this.#listeners.get("web")?.port}`,
      serviceUrl: this.#url("pulsar", "binary") ?? "",
      serviceUrlTls: this.#url("pulsar+ssl", "binaryTls"),
      webServiceUrl: this.#url("http", "web") ?? "",
      webServiceUrlTls: this.#url("https", "webTls"),
    };
  }

  get webSocketUrl(): string {
    return `${this.#url("ws", "web")}${WEBSOCKET_PATH}`;
  }

  get webSocketUrlTls(): string | undefined {
    const url = this.#url("wss", "webTls");
    return url && `${url}${WEBSOCKET_PATH}`;
  }

  get ports(): ListenerPorts {
    return new Map([...this.#listeners].map(([name, { port }]) => [name, port]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listeners.values()].map((listener) => listener.close()));
  }

  #url(scheme: string, name: Name): string | undefined {
    const listener = this.#listeners.get(name);
    return listener && `${scheme}://${this.#options.options.advertisedAddress}:${listener.port}`;
  }

  *#wanted(): Generator<[Name, Promise<Listener>]> {
    const { network, options, first, ports } = this.#options;
    const { host, tls } = options;
    const port = (name: Name, wanted: number): number => ports?.get(name) ?? (first ? wanted : 0);
    const onChannel = (channel: Channel): void => this.#accept(channel, false);
    yield ["binary", listenBinary({ network, host, port: port("binary", options.port), onChannel })];
    const web = {
      network,
      host,
      messageBytesMax: options.settings.maxMessageSize + FRAME_EXTRA_BYTES,
      onWebSocket: (channel: Channel) => this.#accept(channel, true),
      onRequest: (request: Request, remoteAddress: string) => this.#answer(request, remoteAddress),
    };
    yield ["web", listenWeb({ ...web, port: port("web", options.httpPort) })];
    if (tls === undefined) return;
    yield ["binaryTls", listenBinary({ network, host, port: port("binaryTls", options.tlsPort), tls, onChannel })];
    yield ["webTls", listenWeb({ ...web, port: port("webTls", options.httpsPort), tls })];
  }

  #accept(channel: Channel, proxy: boolean): void {
    if (this.#broker === undefined) channel.destroy(new Error("the broker is starting"));
    else this.#broker.accept(channel, proxy);
  }

  async #answer(request: Request, remoteAddress: string): Promise<Response> {
    if (this.#broker === undefined) return new Response("the broker is starting", { status: 503 });
    return this.#options.http(request, { broker: this.#broker, remoteAddress });
  }
}
