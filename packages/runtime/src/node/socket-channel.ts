import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Channel, ChannelSink, Transport } from "../network.ts";

/** Bytes queued beyond which `write` answers false. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Pieces below this are copied together: one larger write costs less than many small ones. */
const SMALL_BYTES = 4096;

/** A TCP or TLS connection. What one turn of the event loop writes leaves in one system call. */
export class SocketChannel implements Channel {
  readonly transport: Transport;
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly peerCertificate: Uint8Array | undefined;
  readonly #socket: Socket;
  #sink: ChannelSink | undefined;
  #pieces: Uint8Array[] = [];
  #pieceBytes = 0;
  #flushing = false;
  #starved = false;
  #closed = false;
  #error: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.transport = socket instanceof TLSSocket ? "tls" : "tcp";
    this.remoteAddress = `${socket.remoteAddress ?? "unknown"}:${socket.remotePort ?? 0}`;
    this.localAddress = `${socket.localAddress ?? "unknown"}:${socket.localPort ?? 0}`;
    this.peerCertificate = socket instanceof TLSSocket ? socket.getPeerCertificate()?.raw : undefined;
    socket.setNoDelay(true);
    socket.on("error", (error) => {
      this.#error = error;
    });
    socket.on("close", () => this.#onClose());
  }

  get queuedBytes(): number {
    return this.#pieceBytes + this.#socket.writableLength;
  }

  setSink(sink: ChannelSink): void {
    this.#sink = sink;
    if (this.#closed) {
      queueMicrotask(() => this.#report());
      return;
    }
    this.#socket.on("data", (chunk: Buffer) => sink.onData(chunk));
    this.#socket.on("drain", () => this.#onDrain());
  }

  write(head: Uint8Array, body?: Uint8Array): boolean {
    if (this.#closed) return false;
    this.#pieces.push(head);
    this.#pieceBytes += head.length;
    if (body !== undefined) {
      this.#pieces.push(body);
      this.#pieceBytes += body.length;
    }
    if (!this.#flushing) {
      this.#flushing = true;
      process.nextTick(() => this.#flush());
    }
    if (this.queuedBytes < HIGH_WATER_BYTES) return true;
    this.#starved = true;
    return false;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#flush();
    this.#socket.end(() => this.#socket.destroy());
  }

  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #flush(): void {
    this.#flushing = false;
    const pieces = this.#pieces;
    if (pieces.length === 0 || this.#closed) return;
    this.#pieces = [];
    const bytes = this.#pieceBytes;
    this.#pieceBytes = 0;
    if (pieces.length === 1) this.#socket.write(pieces[0] as Uint8Array);
    else if (bytes <= SMALL_BYTES) this.#socket.write(Buffer.concat(pieces, bytes));
    else this.#writeCorked(pieces);
    // 'drain' comes only after a write that the socket answered with false
    if (this.#starved && this.#socket.writableLength === 0) this.#onDrain();
  }

  #writeCorked(pieces: readonly Uint8Array[]): void {
    this.#socket.cork();
    let from = 0;
    let runBytes = 0;
    for (let i = 0; i <= pieces.length; i++) {
      const piece = pieces[i];
      if (piece !== undefined && piece.length < SMALL_BYTES) {
        runBytes += piece.length;
        continue;
      }
      if (i - from === 1) this.#socket.write(pieces[from] as Uint8Array);
      else if (i > from) this.#socket.write(Buffer.concat(pieces.slice(from, i), runBytes));
      if (piece !== undefined) this.#socket.write(piece);
      from = i + 1;
      runBytes = 0;
    }
    this.#socket.uncork();
  }

  #onDrain(): void {
    if (!this.#starved) return;
    this.#starved = false;
    this.#sink?.onDrain();
  }

  #onClose(): void {
    this.#closed = true;
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#report();
  }

  #report(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    if (this.#error === undefined) sink?.onClose();
    else sink?.onClose(this.#error);
  }
}
