import type { WebSocket } from "ws";
import type { Channel, ChannelSink } from "../network.ts";

const HIGH_WATER_BYTES = 1024 * 1024;
const SMALL_BYTES = 16 * 1024;

/** A WebSocket connection of `ws`. One write is one binary message. */
export class WebSocketChannel implements Channel {
  readonly transport = "websocket" as const;
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly peerCertificate: undefined = undefined;
  readonly #socket: WebSocket;
  #sink: ChannelSink | undefined;
  #starved = false;
  #closed = false;
  #error: Error | undefined;

  constructor(socket: WebSocket, remoteAddress: string, localAddress: string) {
    this.#socket = socket;
    this.remoteAddress = remoteAddress;
    this.localAddress = localAddress;
    socket.binaryType = "nodebuffer";
    socket.pause();
    socket.on("error", (error) => {
      this.#error = error;
    });
    socket.on("close", () => {
      this.#closed = true;
      this.#report();
    });
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  setSink(sink: ChannelSink): void {
    this.#sink = sink;
    if (this.#closed) {
      queueMicrotask(() => this.#report());
      return;
    }
    this.#socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) sink.onData(data);
      else this.destroy(new Error("a text message on a binary WebSocket"));
    });
    this.#socket.resume();
  }

  write(head: Uint8Array, body?: Uint8Array): boolean {
    if (this.#closed) return false;
    if (body === undefined) this.#socket.send(head, this.#onSent);
    else if (body.length <= SMALL_BYTES) this.#socket.send(Buffer.concat([head, body]), this.#onSent);
    else {
      this.#socket.send(head, { fin: false });
      this.#socket.send(body, { fin: true }, this.#onSent);
    }
    if (this.#socket.bufferedAmount < HIGH_WATER_BYTES) return true;
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
    this.#socket.close();
  }

  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.terminate();
  }

  readonly #onSent = (): void => {
    if (!this.#starved || this.#socket.bufferedAmount > 0) return;
    this.#starved = false;
    this.#sink?.onDrain();
  };

  #report(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    if (this.#error === undefined) sink?.onClose();
    else sink?.onClose(this.#error);
  }
}
