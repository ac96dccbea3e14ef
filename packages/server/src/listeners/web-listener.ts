import type { Channel, Listener, Network, ServerTlsOptions } from "@pulsewire/runtime";

/** Where browsers connect: the binary protocol, one frame a WebSocket message. */
export const WEBSOCKET_PATH = "/ws/binary";

export interface WebListenerOptions {
  network: Network;
  host: string;
  port: number;
  tls?: ServerTlsOptions | undefined;
  /** Bounds one WebSocket message, in bytes. */
  messageBytesMax: number;
  /** A client over WebSocket, which cannot reach brokers by itself. */
  onWebSocket(channel: Channel): void;
  onRequest(request: Request, remoteAddress: string): Promise<Response>;
}

/** Listens for HTTP, and for WebSocket clients at `/ws/binary`. Rejects with a NetworkError. */
export function listenWeb(options: WebListenerOptions): Promise<Listener> {
  const { network, host, port, tls, messageBytesMax, onWebSocket, onRequest } = options;
  return network.listenHttp(tls === undefined ? { host, port } : { host, port, tls }, {
    fetch: onRequest,
    upgrade: (url) => (url.pathname === WEBSOCKET_PATH ? { messageBytesMax, accept: onWebSocket } : undefined),
  });
}
