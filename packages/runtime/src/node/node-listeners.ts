import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { type Channel, type Listener, type ListenOptions, NetworkError, type ServerTlsOptions } from "../network.ts";
import { SocketChannel } from "./socket-channel.ts";

export function tlsServerOptions(tls: ServerTlsOptions): TlsOptions {
  return {
    cert: tls.cert,
    key: tls.key,
    ...(tls.ca === undefined ? {} : { ca: tls.ca, requestCert: true }),
    rejectUnauthorized: tls.requireClientCertificate === true,
  };
}

/** Opens the port and answers once it is open. */
export function open(server: Server, options: ListenOptions): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(listenError(error, options));
    server.once("error", fail);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off("error", fail);
      server.on("error", () => undefined); // accept errors (EMFILE) concern one connection, never the listener
      const { port } = server.address() as AddressInfo;
      resolve({ host: options.host, port, close: () => closeServer(server, sockets) });
    });
  });
}

function closeServer(server: Server, sockets: Iterable<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

function listenError(error: NodeJS.ErrnoException, { host, port }: ListenOptions): NetworkError {
  if (error.code === "EADDRINUSE") return new NetworkError("AddressInUse", `port ${port} on ${host} is in use`);
  if (error.code === "EACCES") return new NetworkError("ListenFailed", `no permission to listen on port ${port}`);
  return new NetworkError("ListenFailed", `cannot listen on ${host}:${port}: ${error.message}`, { cause: error });
}

export function listenStream(options: ListenOptions, onChannel: (channel: Channel) => void): Promise<Listener> {
  const accept = (socket: Socket): void => onChannel(new SocketChannel(socket));
  const server =
    options.tls === undefined
      ? createTcpServer(accept)
      : createTlsServer(tlsServerOptions(options.tls), accept).on("tlsClientError", (_error, socket) =>
          socket.destroy(),
        );
  return open(server, options);
}

/** The upgrade handler gets raw sockets; whoever takes none must destroy them. */
export function listenWeb(
  options: ListenOptions,
  onRequest: RequestListener,
  onUpgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void,
): Promise<Listener> {
  const server =
    options.tls === undefined
      ? createHttpServer(onRequest)
      : createHttpsServer(tlsServerOptions(options.tls), onRequest);
  server.on("upgrade", (request, socket, head) => onUpgrade(request, socket as Socket, head));
  return open(server, options);
}
