/** How the bytes of a connection travel. */
export type Transport = "tcp" | "tls" | "websocket" | "memory";

/** TLS settings of a connecting side. PEM texts. */
export interface ClientTlsOptions {
  /** Trusted certificates. Default: the platform's. */
  ca?: string;
  cert?: string;
  key?: string;
  /** Accept any certificate. Default false. */
  allowInsecure?: boolean;
  /** Check that the certificate names the host. Default true. */
  verifyHostname?: boolean;
  /** The name to ask for and to check, where it is not the host that is connected to: a proxy that goes by it. */
  serverName?: string;
}

/** TLS settings of a listening side. PEM texts. */
export interface ServerTlsOptions {
  cert: string;
  key: string;
  /** Certificates that sign clients' certificates; asked for when given. */
  ca?: string;
  /** Refuse a client without a certificate. Default false. */
  requireClientCertificate?: boolean;
}

/** Where to connect to. */
export type Address =
  | { transport: "tcp"; host: string; port: number }
  | { transport: "tls"; host: string; port: number; tls?: ClientTlsOptions }
  | { transport: "websocket"; url: string; headers?: Readonly<Record<string, string>>; tls?: ClientTlsOptions }
  | { transport: "memory"; name: string };

/** Who gets what a channel brings. Set once, right after the channel is had. */
export interface ChannelSink {
  /** Bytes that came, split anywhere (over WebSocket: one whole message). The receiver may keep the view. */
  onData(chunk: Uint8Array): void;
  /** Room again, after `write` answered false. */
  onDrain(): void;
  /** Called once, last. `error` is why, when it was not an orderly end. */
  onClose(error?: Error): void;
}

/**
 * One connection. Bytes written in one turn of the event loop leave together.
 * Owner: whoever got it from `connect` or a listener closes it.
 */
export interface Channel {
  readonly transport: Transport;
  /** `host:port` of the other side, as far as it is known. */
  readonly remoteAddress: string;
  readonly localAddress: string;
  /** The DER of the other side's certificate, where TLS brought one. */
  readonly peerCertificate: Uint8Array | undefined;
  /** Starts the flow; nothing is delivered before. */
  setSink(sink: ChannelSink): void;
  /**
   * Queues one whole frame in one or two pieces (over WebSocket: one message). The pieces must not change afterwards.
   * Answers false when more than the high-water mark is queued: go on after `onDrain`. The frame is queued either way.
   */
  write(head: Uint8Array, body?: Uint8Array): boolean;
  /** Bytes queued and not yet handed to the platform. */
  readonly queuedBytes: number;
  /** Stops and restarts `onData`; how a slow reader pushes back. */
  pause(): void;
  resume(): void;
  /** Sends what is queued, then ends. */
  close(): void;
  /** Ends at once. */
  destroy(error?: Error): void;
}

export interface ConnectOptions {
  /** Default 10,000 ms. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Something that listens. */
export interface Listener {
  readonly host: string;
  /** The port that was asked for, or the one the system chose. */
  readonly port: number;
  /** Stops listening and ends what was accepted and is still open. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  tls?: ServerTlsOptions;
}

/** What an HTTP listener does with requests. */
export interface HttpHandlers {
  /** Answers a request. `remoteAddress` is the other side's. */
  fetch(request: Request, remoteAddress: string): Promise<Response>;
  /**
   * Asked for each WebSocket upgrade: answers what takes the channel, or undefined to refuse with 404.
   * `messageBytesMax` bounds one message, in bytes.
   */
  upgrade?(url: URL, headers: Headers): WebSocketAcceptor | undefined;
}

export interface WebSocketAcceptor {
  messageBytesMax: number;
  accept(channel: Channel): void;
}

/** Why a connection or a listener could not be had. */
export type NetworkErrorCode =
  | "ConnectTimeout"
  | "ConnectFailed"
  | "AddressInUse"
  | "ListenFailed"
  | "TlsFailed"
  | "AnswerTooLarge"
  | "Aborted"
  | "Unsupported";

export class NetworkError extends Error {
  readonly code: NetworkErrorCode;
  constructor(code: NetworkErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "NetworkError";
    this.code = code;
  }
}

/** The largest answer to a request, in bytes, where nothing else is said. */
export const ANSWER_BYTES_MAX: number = 64 * 1024 * 1024;

export interface FetchOptions {
  /** How long the whole answer may take, in ms. Default 30,000. */
  timeoutMs?: number;
  /** The largest body of an answer, in bytes; more of it rejects with code `AnswerTooLarge`. Default 64 MiB. */
  answerBytesMax?: number;
  /** For https. A page cannot choose: there the browser's own apply. */
  tls?: ClientTlsOptions;
}

/** Byte streams between processes. */
export interface Network {
  /**
   * Sends one HTTP request and reads the whole answer. Redirects are followed as the request's own `redirect` says (in a
   * page, the browser's way); credentials are not carried to another host. Rejects with a NetworkError.
   */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  /** Rejects with a NetworkError. */
  connect(address: Address, options?: ConnectOptions): Promise<Channel>;
  /** Rejects with a NetworkError; AddressInUse when the port is taken. */
  listen(options: ListenOptions, onChannel: (channel: Channel) => void): Promise<Listener>;
  listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener>;
}
