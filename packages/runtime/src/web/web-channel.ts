import type { Channel, ChannelSink } from "../network.ts";

const HIGH_WATER_BYTES = 1024 * 1024;
/** How often a full queue is looked at; browsers tell of no drain. */
const DRAIN_POLL_MS = 5;

/** A browser's WebSocket. One write is one binary message. */
export class WebChannel implements Channel {
  readonly transport = "websocket" as const;
  readonly remoteAddress: string;
  readonly localAddress = "";
  readonly peerCertificate: undefined = undefined;
  readonly #socket: WebSocket;
  #sink: ChannelSink | undefined;
  #paused: Uint8Array[] | undefined;
  #polling = false;
  #closed = false;
  #error: Error | undefined;

  constructor(socket: WebSocket, url: string) {
    this.#socket = socket;
    this.remoteAddress = url;
    socket.onclose = (event) => {
      this.#closed = true;
      if (!event.wasClean) this.#error ??= new Error(`the WebSocket closed with code ${event.code}`);
      this.#report();
    };
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
    this.#socket.onmessage = (event: MessageEvent<unknown>) => {
      if (!(event.data instanceof ArrayBuffer)) {
        this.destroy(new Error("a text message on a binary WebSocket"));
        return;
      }
      const chunk = new Uint8Array(event.data);
      if (this.#paused === undefined) sink.onData(chunk);
      else this.#paused.push(chunk);
    };
  }

  write(head: Uint8Array, body?: Uint8Array): boolean {
    if (this.#closed) return false;
    if (body === undefined) this.#socket.send(head as Uint8Array<ArrayBuffer>);
    else {
      const message = new Uint8Array(head.length + body.length);
      message.set(head);
      message.set(body, head.length);
      this.#socket.send(message);
    }
    if (this.#socket.bufferedAmount < HIGH_WATER_BYTES) return true;
    if (!this.#polling) {
      this.#polling = true;
      setTimeout(() => this.#poll(), DRAIN_POLL_MS);
    }
    return false;
  }

  // A page cannot stop a socket; what comes meanwhile is kept, and permits bound how much that can be.
  pause(): void {
    this.#paused ??= [];
  }

  resume(): void {
    const kept = this.#paused;
    this.#paused = undefined;
    for (const chunk of kept ?? []) this.#sink?.onData(chunk);
  }

  close(): void {
    this.#socket.close();
  }

  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.close();
    if (this.#closed) return;
    this.#closed = true;
    queueMicrotask(() => this.#report());
  }

  #poll(): void {
    if (this.#closed) return;
    if (this.#socket.bufferedAmount > HIGH_WATER_BYTES / 2) {
      setTimeout(() => this.#poll(), DRAIN_POLL_MS);
      return;
    }
    this.#polling = false;
    this.#sink?.onDrain();
  }

  #report(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    if (this.#error === undefined) sink?.onClose();
    else sink?.onClose(this.#error);
  }
}
