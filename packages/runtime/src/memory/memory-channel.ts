import type { Channel, ChannelSink, Transport } from "../network.ts";

/** Bytes queued beyond which `write` answers false. */
const HIGH_WATER_BYTES = 1024 * 1024;

/** One end of a connection inside the process. Bytes go over in a microtask, as pieces or as whole messages. */
export class MemoryChannel implements Channel {
  readonly transport: Transport;
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly peerCertificate: undefined = undefined;
  #peer!: MemoryChannel;
  #sink: ChannelSink | undefined;
  #inbox: Uint8Array[] = [];
  #inboxBytes = 0;
  #paused = false;
  #scheduled = false;
  #ending: { error: Error | undefined } | undefined;
  #closed = false;
  #starved = false;

  private constructor(transport: Transport, localAddress: string, remoteAddress: string) {
    this.transport = transport;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
  }

  static pair(transport: Transport, clientAddress: string, serverAddress: string): [MemoryChannel, MemoryChannel] {
    const client = new MemoryChannel(transport, clientAddress, serverAddress);
    const server = new MemoryChannel(transport, serverAddress, clientAddress);
    client.#peer = server;
    server.#peer = client;
    return [client, server];
  }

  get queuedBytes(): number {
    return this.#peer.#inboxBytes;
  }

  setSink(sink: ChannelSink): void {
    this.#sink = sink;
    this.#schedule();
  }

  write(head: Uint8Array, body?: Uint8Array): boolean {
    if (this.#closed) return false;
    const peer = this.#peer;
    if (body !== undefined && this.transport === "websocket") peer.#enqueue(concat(head, body));
    else {
      peer.#enqueue(head);
      if (body !== undefined) peer.#enqueue(body);
    }
    if (peer.#inboxBytes <= HIGH_WATER_BYTES) return true;
    this.#starved = true;
    return false;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  close(): void {
    this.#end(undefined);
  }

  destroy(error?: Error): void {
    this.#end(error);
  }

  #end(error: Error | undefined): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ending = { error };
    this.#inbox = [];
    this.#inboxBytes = 0;
    this.#schedule();
    // the other side first gets what was written before the end
    this.#peer.#ending ??= { error: undefined };
    this.#peer.#schedule();
  }

  #enqueue(bytes: Uint8Array): void {
    if (this.#closed) return;
    this.#inbox.push(bytes);
    this.#inboxBytes += bytes.length;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    while (this.#inbox.length > 0 && !this.#paused && !this.#closed) {
      const chunk = this.#inbox.shift() as Uint8Array;
      this.#inboxBytes -= chunk.length;
      sink.onData(chunk);
    }
    if (this.#peer.#starved && this.#inboxBytes === 0 && !this.#peer.#closed) {
      this.#peer.#starved = false;
      this.#peer.#sink?.onDrain();
    }
    if (this.#ending !== undefined && (this.#closed || this.#inbox.length === 0)) {
      const { error } = this.#ending;
      this.#closed = true;
      this.#sink = undefined;
      if (error === undefined) sink.onClose();
      else sink.onClose(error);
    }
  }
}

function concat(head: Uint8Array, body: Uint8Array): Uint8Array {
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}
