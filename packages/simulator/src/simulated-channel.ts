import type { Channel, ChannelSink, NodeId, Transport } from "@pulsewire/runtime";
import type { Wire } from "./wire.ts";
import type { World } from "./world.ts";

/** Bytes queued beyond which `write` answers false. */
const HIGH_WATER_BYTES = 1024 * 1024;

/** `closed` is final. While `ending`, the other side has closed and what it wrote before is still to be read. */
type ChannelState = "open" | "ending" | "closed";

export interface SimulatedChannelOptions {
  world: World;
  node: NodeId;
  transport: Transport;
  localAddress: string;
  remoteAddress: string;
  /** Told once, when this end is closed. */
  onClosed: (channel: SimulatedChannel) => void;
}

/** One end of a simulated connection. What is written in one turn travels as one segment. */
export class SimulatedChannel implements Channel {
  readonly transport: Transport;
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly peerCertificate: undefined = undefined;
  readonly node: NodeId;
  readonly #world: World;
  readonly #incarnation: number;
  readonly #onClosed: (channel: SimulatedChannel) => void;
  readonly #flushWritten = (): void => this.#flush();
  #peer!: SimulatedChannel;
  #wire!: Wire;
  #sink: ChannelSink | undefined;
  #state: ChannelState = "open";
  #written: Uint8Array[] = [];
  #writtenBytes = 0;
  #queuedBytes = 0;
  #starved = false;
  #inbox: Uint8Array[] = [];
  #paused = false;
  #reading = false;
  #error: Error | undefined;

  constructor(options: SimulatedChannelOptions) {
    this.#world = options.world;
    this.node = options.node;
    this.transport = options.transport;
    this.localAddress = options.localAddress;
    this.remoteAddress = options.remoteAddress;
    this.#onClosed = options.onClosed;
    this.#incarnation = options.world.node(options.node).incarnation;
  }

  /** Joins two ends. `wire` is what this one sends down. */
  join(peer: SimulatedChannel, wire: Wire): void {
    this.#peer = peer;
    this.#wire = wire;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get closed(): boolean {
    return this.#state === "closed";
  }

  setSink(sink: ChannelSink): void {
    this.#sink = sink;
    this.#readSoon();
  }

  write(head: Uint8Array, body?: Uint8Array): boolean {
    if (this.#state === "closed" || this.#crashed) return false;
    if (this.#written.length === 0) queueMicrotask(this.#flushWritten);
    if (body === undefined) this.#queue(head);
    else if (this.transport === "websocket") this.#queue(joined(head, body));
    else {
      this.#queue(head);
      this.#queue(body);
    }
    this.#starved = this.#queuedBytes > HIGH_WATER_BYTES;
    return !this.#starved;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#readSoon();
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#flush();
    const peer = this.#peer;
    this.#wire.send({ bytes: 0, arrive: () => peer.#otherEnded(undefined) });
    this.#end(undefined);
  }

  destroy(error?: Error): void {
    if (this.#state === "closed") return;
    this.#world.trace.note(this.node, `~ ${this.#peer.node} ended: ${error?.message ?? "destroyed"}`);
    this.#written = [];
    const peer = this.#peer;
    this.#wire.send({ bytes: 0, arrive: () => peer.#otherEnded(resetError(peer)) });
    this.#end(error);
  }

  /** The connection is gone, as after a reset: this end is told, whatever is still to be read is lost. */
  reset(): void {
    this.#wire.kill();
    if (this.#state !== "closed") this.#end(resetError(this));
  }

  /** The connection is gone and neither end is told: what is written vanishes. */
  stall(): void {
    this.#wire.kill();
  }

  /** The process of this end is gone: nobody is told anything here. */
  abandon(): void {
    this.#state = "closed";
    this.#wire.kill();
    this.#onClosed(this);
  }

  get #crashed(): boolean {
    return this.#world.node(this.node).incarnation !== this.#incarnation;
  }

  #queue(bytes: Uint8Array): void {
    this.#written.push(bytes);
    this.#writtenBytes += bytes.length;
    this.#queuedBytes += bytes.length;
  }

  #flush(): void {
    if (this.#written.length === 0 || this.#state === "closed" || this.#crashed) return;
    const pieces = this.#written;
    const bytes = this.#writtenBytes;
    this.#written = [];
    this.#writtenBytes = 0;
    for (const piece of pieces) this.#world.trace.mixBytes(piece);
    this.#world.trace.note(this.node, `~ ${this.#peer.node} ${bytes} bytes`);
    const peer = this.#peer;
    this.#wire.send({ bytes, arrive: () => peer.#arrived(pieces) });
  }

  #arrived(pieces: readonly Uint8Array[]): void {
    if (this.#state !== "open") return;
    for (const piece of pieces) this.#inbox.push(piece);
    this.#read();
  }

  #otherEnded(error: Error | undefined): void {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#error = error;
    this.#read();
  }

  #readSoon(): void {
    if (this.#crashed) return;
    this.#world.timeline.after(0, () => this.#read(), this.#world.node(this.node));
  }

  #read(): void {
    // a sink that closes, pauses or resumes its channel is called from here
    if (this.#reading || this.#sink === undefined) return;
    this.#reading = true;
    for (;;) {
      // asked through a getter: `onData` may have changed it meanwhile
      if (this.#paused || this.closed) break;
      const piece = this.#inbox.shift();
      if (piece === undefined) break;
      this.#peer.#consumed(piece.length);
      this.#sink.onData(piece);
    }
    this.#reading = false;
    if (this.#state === "ending" && this.#inbox.length === 0) this.#end(this.#error);
  }

  /** The other end took so many bytes that this one sent. */
  #consumed(bytes: number): void {
    this.#queuedBytes -= bytes;
    if (!this.#starved || this.#queuedBytes > HIGH_WATER_BYTES / 2 || this.#state === "closed") return;
    this.#starved = false;
    this.#world.timeline.after(0, () => this.#drained(), this.#world.node(this.node));
  }

  #drained(): void {
    if (this.#state !== "closed") this.#sink?.onDrain();
  }

  #end(error: Error | undefined): void {
    this.#state = "closed";
    this.#inbox = [];
    this.#onClosed(this);
    if (this.#crashed) return;
    this.#world.timeline.after(0, () => this.#tellClosed(error), this.#world.node(this.node));
  }

  #tellClosed(error: Error | undefined): void {
    const sink = this.#sink;
    this.#sink = undefined;
    if (error === undefined) sink?.onClose();
    else sink?.onClose(error);
  }
}

function resetError(channel: SimulatedChannel): Error {
  return new Error(`the connection of ${channel.localAddress} with ${channel.remoteAddress} was reset`);
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array {
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}
