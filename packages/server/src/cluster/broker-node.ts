import type { Channel, Listener, ServerRuntime } from "@pulsewire/runtime";
import { createBookKeeperClient } from "../bookkeeper/index.ts";
import { Broker } from "../broker/broker.ts";
import type { BrokerDirectory } from "../broker/broker-directory.ts";
import { createSubscription } from "../broker/subscription/index.ts";
import { listenBinary } from "../listeners/binary-listener.ts";
import { listenWeb, WEBSOCKET_PATH } from "../listeners/web-listener.ts";
import { createManagedLedgerFactory } from "../managed-ledger/index.ts";
import type { MemoryMetadata, MetadataStore } from "../metadata/index.ts";
import type { HttpHandler, ResolvedOptions } from "./cluster-options.ts";

/** What a WebSocket frame may hold beside the message, in bytes. */
const FRAME_EXTRA_BYTES = 64 * 1024;

export interface BrokerNodeOptions {
  index: number;
  runtime: ServerRuntime;
  metadata: MemoryMetadata;
  directory: BrokerDirectory;
  options: ResolvedOptions;
  http: HttpHandler;
}

/** One broker with its listeners. */
export interface BrokerNode {
  readonly broker: Broker;
  readonly session: MetadataStore;
  readonly serviceUrl: string;
  readonly serviceUrlTls: string | undefined;
  readonly webSocketUrl: string;
  readonly adminUrl: string;
  close(): Promise<void>;
}

/** Listens first, since a broker's name and URLs are made of its ports, then starts the broker behind. */
export async function startBrokerNode(node: BrokerNodeOptions): Promise<BrokerNode> {
  const { host } = node.options;
  const front = new Front();
  const { binary, tls, web } = await listen(node, front);
  try {
    const urls = {
      brokerId: `${host}:${web.port}`,
      serviceUrl: `pulsar://${host}:${binary.port}`,
      serviceUrlTls: tls && `pulsar+ssl://${host}:${tls.port}`,
      webServiceUrl: `http://${host}:${web.port}`,
      webServiceUrlTls: undefined,
    };
    const session = node.metadata.session();
    const broker = await startBroker(node, session, urls);
    front.broker = broker;
    return {
      broker,
      session,
      serviceUrl: urls.serviceUrl,
      serviceUrlTls: urls.serviceUrlTls,
      webSocketUrl: `ws://${host}:${web.port}${WEBSOCKET_PATH}`,
      adminUrl: urls.webServiceUrl,
      close: async () => {
        await broker.close();
        await closeAll([binary, tls, web]);
      },
    };
  } catch (error) {
    await closeAll([binary, tls, web]);
    throw error;
  }
}

/** Stands between listeners and the broker while that is not there yet. */
class Front {
  broker: Broker | undefined;

  accept(channel: Channel, proxy: boolean): void {
    if (this.broker === undefined) channel.destroy(new Error("the broker is starting"));
    else this.broker.accept(channel, proxy);
  }
}

interface Listeners {
  binary: Listener;
  tls: Listener | undefined;
  web: Listener;
}

async function listen({ index, runtime, options, http }: BrokerNodeOptions, front: Front): Promise<Listeners> {
  const { network } = runtime;
  const { host, settings, tls } = options;
  const first = index === 0;
  const opening = [
    listenBinary({
      network,
      host,
      port: first ? options.port : 0,
      onChannel: (channel) => front.accept(channel, false),
    }),
    tls &&
      listenBinary({ network, host, port: first ? options.tlsPort : 0, tls, onChannel: (c) => front.accept(c, false) }),
    listenWeb({
      network,
      host,
      port: first ? options.httpPort : 0,
      messageBytesMax: settings.maxMessageSize + FRAME_EXTRA_BYTES,
      onWebSocket: (channel) => front.accept(channel, true),
      onRequest: async (request, remoteAddress) => {
        if (front.broker === undefined) return new Response("the broker is starting", { status: 503 });
        return http(request, { broker: front.broker, remoteAddress });
      },
    }),
  ] as const;
  const results = await Promise.allSettled(opening);
  const failed = results.find((r) => r.status === "rejected");
  const [binary, secure, web] = results.map((r) => (r.status === "fulfilled" ? r.value : undefined));
  if (failed !== undefined || binary === undefined || web === undefined) {
    await closeAll([binary, secure, web]);
    throw failed?.reason;
  }
  return { binary, tls: secure, web };
}

function startBroker(node: BrokerNodeOptions, session: MetadataStore, urls: Broker["urls"]): Promise<Broker> {
  const { index, runtime, directory, options } = node;
  const { clock, random, messenger } = runtime;
  const nodeId = `broker-${index}`;
  const bookkeeper = createBookKeeperClient({
    clock,
    random: random.fork(nodeId),
    messenger,
    metadata: session,
    nodeId,
  });
  return Broker.start({
    clusterName: options.clusterName,
    urls,
    settings: options.settings,
    clock,
    metadata: session,
    ledgers: createManagedLedgerFactory({ clock, bookkeeper, metadata: session }),
    createSubscription,
    directory,
    authenticator: options.authenticator,
    onError: options.onError,
  });
}

async function closeAll(listeners: readonly (Listener | undefined)[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener?.close()));
}
