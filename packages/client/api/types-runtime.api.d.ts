import { a as Codec } from './types-codec.d.js';
interface Timer {
    cancel(): void;
}
interface TimerOptions {
    keepAlive?: boolean;
    recurring?: boolean;
}
interface Clock {
    now(): number;
    monotonicMs(): number;
    setTimer(delayMs: number, callback: () => void, options?: TimerOptions): Timer;
    setTicker(periodMs: number, callback: () => void, options?: TimerOptions): Timer;
    soon(callback: () => void): void;
}
interface Random {
    float(): number;
    integer(below: number): number;
    bytes(length: number): Uint8Array;
    fork(name: string): Random;
}
type Transport = "tcp" | "tls" | "websocket" | "memory";
interface ClientTlsOptions {
    ca?: string;
    cert?: string;
    key?: string;
    allowInsecure?: boolean;
    verifyHostname?: boolean;
    serverName?: string;
}
interface ServerTlsOptions {
    cert: string;
    key: string;
    ca?: string;
    requireClientCertificate?: boolean;
}
type Address = {
    transport: "tcp";
    host: string;
    port: number;
} | {
    transport: "tls";
    host: string;
    port: number;
    tls?: ClientTlsOptions;
} | {
    transport: "websocket";
    url: string;
    headers?: Readonly<Record<string, string>>;
    tls?: ClientTlsOptions;
} | {
    transport: "memory";
    name: string;
};
interface ChannelSink {
    onData(chunk: Uint8Array): void;
    onDrain(): void;
    onClose(error?: Error): void;
}
interface Channel {
    readonly transport: Transport;
    readonly remoteAddress: string;
    readonly localAddress: string;
    readonly peerCertificate: Uint8Array | undefined;
    setSink(sink: ChannelSink): void;
    write(head: Uint8Array, body?: Uint8Array): boolean;
    readonly queuedBytes: number;
    pause(): void;
    resume(): void;
    close(): void;
    destroy(error?: Error): void;
}
interface ConnectOptions {
    timeoutMs?: number;
    signal?: AbortSignal;
}
interface Listener {
    readonly host: string;
    readonly port: number;
    close(): Promise<void>;
}
interface ListenOptions {
    host: string;
    port: number;
    tls?: ServerTlsOptions;
}
interface HttpHandlers {
    fetch(request: Request, remoteAddress: string): Promise<Response>;
    upgrade?(url: URL, headers: Headers): WebSocketAcceptor | undefined;
}
interface WebSocketAcceptor {
    messageBytesMax: number;
    accept(channel: Channel): void;
}
interface FetchOptions {
    timeoutMs?: number;
    answerBytesMax?: number;
    tls?: ClientTlsOptions;
}
interface Network {
    fetch(request: Request, options?: FetchOptions): Promise<Response>;
    connect(address: Address, options?: ConnectOptions): Promise<Channel>;
    listen(options: ListenOptions, onChannel: (channel: Channel) => void): Promise<Listener>;
    listenHttp(options: ListenOptions, handlers: HttpHandlers): Promise<Listener>;
}
interface ClientRuntime {
    readonly clock: Clock;
    readonly random: Random;
    readonly network: Network;
    readonly codec: Codec;
    readTextFile?(path: string): Promise<string>;
}
export type { ClientTlsOptions as C, ClientRuntime as a };
