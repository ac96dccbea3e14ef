import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { WebSocket } from "ws";
import { DELAY_MAX_MS } from "../kit/long-timer.ts";
import { type Address, type Channel, type ClientTlsOptions, type ConnectOptions, NetworkError } from "../network.ts";
import { SocketChannel } from "./socket-channel.ts";
import { WebSocketChannel } from "./websocket-channel.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/** What Node takes for the TLS settings of a connecting side. */
export function tlsOptions(tls: ClientTlsOptions | undefined): object {
  if (tls === undefined) return {};
  const { ca, cert, key } = tls;
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    rejectUnauthorized: tls.allowInsecure !== true,
    ...(tls.verifyHostname === false ? { checkServerIdentity: () => undefined } : {}),
  };
}

interface Attempt {
  /** Ends the attempt when it takes too long or is aborted. */
  fail(error: NetworkError): void;
}

/** Runs one attempt under a timeout and an abort signal. */
function bounded(
  what: string,
  options: ConnectOptions,
  start: (resolve: (channel: Channel) => void, reject: (error: NetworkError) => void) => Attempt,
): Promise<Channel> {
  return new Promise<Channel>((resolve, reject) => {
    const timeoutMs = options.timeoutMs ?? CONNECT_TIMEOUT_MS;
    const { signal } = options;
    if (signal?.aborted) {
      reject(new NetworkError("Aborted", `connecting to ${what} was aborted`));
      return;
    }
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: NetworkError): void => {
      settle();
      reject(error);
    };
    const attempt = start((channel) => {
      settle();
      resolve(channel);
    }, fail);
    const end = (error: NetworkError): void => {
      fail(error);
      attempt.fail(error);
    };
    const timer = setTimeout(
      () => end(new NetworkError("ConnectTimeout", `no connection to ${what} within ${timeoutMs} ms`)),
      Math.min(timeoutMs, DELAY_MAX_MS),
    );
    const onAbort = (): void => end(new NetworkError("Aborted", `connecting to ${what} was aborted`));
    signal?.addEventListener("abort", onAbort);
  });
}

/** A platform's failure to connect, as the port tells it. */
export function failure(what: string, error: NodeJS.ErrnoException): NetworkError {
  const tls = /CERT|TLS|SSL|ALTNAME|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO/.test(error.code ?? "");
  const detail = `cannot connect to ${what}: ${error.message || error.code || "refused"}`;
  return new NetworkError(tls ? "TlsFailed" : "ConnectFailed", detail, { cause: error });
}

/** An IP address is no name to ask for. */
function serverName(host: string, address: Extract<Address, { transport: "tcp" | "tls" }>): { servername?: string } {
  const name = (address.transport === "tls" ? address.tls?.serverName : undefined) ?? host;
  return /^[\d.]+$|:/.test(name) ? {} : { servername: name };
}

function connectSocket(
  address: Extract<Address, { transport: "tcp" | "tls" }>,
  options: ConnectOptions,
): Promise<Channel> {
  const { host, port } = address;
  const what = `${host}:${port}`;
  return bounded(what, options, (resolve, reject) => {
    const secure = address.transport === "tls";
    const socket: Socket = secure
      ? connectTls({ host, port, ...serverName(host, address), ...tlsOptions(address.tls) })
      : connectTcp({ host, port });
    const onError = (error: Error): void => reject(failure(what, error));
    socket.once("error", onError);
    socket.once(secure ? "secureConnect" : "connect", () => {
      const channel = new SocketChannel(socket);
      socket.off("error", onError);
      resolve(channel);
    });
    return { fail: () => socket.destroy() };
  });
}

function connectWebSocket(
  address: Extract<Address, { transport: "websocket" }>,
  options: ConnectOptions,
): Promise<Channel> {
  return bounded(address.url, options, (resolve, reject) => {
    const socket = new WebSocket(address.url, {
      perMessageDeflate: false,
      ...(address.headers === undefined ? {} : { headers: { ...address.headers } }),
      ...tlsOptions(address.tls),
    });
    const onError = (error: Error): void => reject(failure(address.url, error));
    socket.on("error", onError);
    socket.once("open", () => {
      const channel = new WebSocketChannel(socket, address.url, "");
      socket.off("error", onError);
      resolve(channel);
    });
    return { fail: () => socket.terminate() };
  });
}

/** Connects over TCP, TLS or WebSocket. */
export function connect(address: Address, options: ConnectOptions = {}): Promise<Channel> {
  if (address.transport === "websocket") return connectWebSocket(address, options);
  if (address.transport === "memory") {
    return Promise.reject(new NetworkError("Unsupported", "memory addresses need the memory network"));
  }
  return connectSocket(address, options);
}
