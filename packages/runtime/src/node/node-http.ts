import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { WebSocketServer } from "ws";
import type { HttpHandlers, Listener, ListenOptions } from "../network.ts";
import { listenWeb } from "./node-listeners.ts";
import { WebSocketChannel } from "./websocket-channel.ts";

const addressOf = (socket: Socket): string => `${socket.remoteAddress ?? "unknown"}:${socket.remotePort ?? 0}`;
const localAddressOf = (socket: Socket): string => `${socket.localAddress ?? "unknown"}:${socket.localPort ?? 0}`;

function urlOf(request: IncomingMessage, secure: boolean): URL | undefined {
  const text = `${secure ? "https" : "http"}://${request.headers.host ?? "localhost"}${request.url ?? "/"}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return headers;
}

function refuse(socket: Socket, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** An HTTP or HTTPS listener that hands requests to `fetch` and WebSocket upgrades to `upgrade`. */
export function listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener> {
  const onRequest = getRequestListener(
    (request, { incoming }) => handlers.fetch(request, addressOf(incoming.socket as Socket)),
    { overrideGlobalObjects: false },
  );
  // one server for each size limit: `ws` fixes it per server
  const servers = new Map<number, WebSocketServer>();
  const onUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    socket.on("error", () => socket.destroy());
    const url = urlOf(request, options.tls !== undefined);
    const acceptor = url === undefined ? undefined : handlers.upgrade?.(url, headersOf(request));
    if (acceptor === undefined) {
      refuse(socket, "404 Not Found");
      return;
    }
    let server = servers.get(acceptor.messageBytesMax);
    if (server === undefined) {
      server = new WebSocketServer({
        noServer: true,
        perMessageDeflate: false,
        maxPayload: acceptor.messageBytesMax,
      });
      servers.set(acceptor.messageBytesMax, server);
    }
    server.handleUpgrade(request, socket, head, (webSocket) => {
      acceptor.accept(new WebSocketChannel(webSocket, addressOf(socket), localAddressOf(socket)));
    });
  };
  return listenWeb(options, onRequest, onUpgrade);
}
