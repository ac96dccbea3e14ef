import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { type Command, CommandType, encodeFrame } from "@pulsewire/protocol";
import { type Frame, FrameStream } from "./frame-stream.ts";

/** Who sent the frame. */
export type Direction = "client" | "broker";

/**
 * What happens to a connection. `cut`: both sides see an orderly end; `reset`: both see a reset; `stall`: nothing passes
 * any more, either way, and the sockets stay open; `half-open`: the broker's side ends, the client's stays open and
 * silent; `slow`: every frame takes `SLOW_MS` for a while.
 */
export type Fault = "cut" | "reset" | "stall" | "half-open" | "slow";

/** Where in the frame it happens: none, half or all of the frame is passed on first. */
export type Moment = "before" | "inside" | "after";

/** A fault at one frame of the session: the `occurrence`th (from 1) with this command from this side. */
export interface FaultPlan {
  readonly from: Direction;
  readonly command: string;
  readonly occurrence: number;
  readonly moment: Moment;
  readonly fault: Fault;
}

export const SLOW_MS = 40;
const SLOW_FRAMES = 25;

const NAMES = new Map<number, string>(Object.entries(CommandType).map(([name, value]) => [value as number, name]));

/** A proxy of bytes between a client and a broker that knows where frames start, so that faults have a place. */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: { host: string; port: number };
  readonly #links = new Set<Link>();
  #plan: FaultPlan | undefined;
  /** How often each command passed, as `from COMMAND`, in the order they were first seen. */
  readonly seen: Map<string, number> = new Map();
  /** Whether the plan's fault has happened. */
  struck = false;

  private constructor(server: Server, target: { host: string; port: number }) {
    this.#server = server;
    this.#target = target;
  }

  static async open(targetUrl: string): Promise<FaultProxy> {
    const { hostname, port } = new URL(targetUrl.replace("pulsar://", "http://"));
    const server = createServer();
    const proxy = new FaultProxy(server, { host: hostname, port: Number(port) });
    server.on("connection", (socket) => proxy.#accept(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `pulsar://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#links.size;
  }

  /** Forgets what was seen, and strikes as planned from now on. */
  arm(plan: FaultPlan | undefined): void {
    this.#plan = plan;
    this.seen.clear();
    this.struck = false;
  }

  /** Ends every connection with a reset. */
  resetAll(): void {
    for (const link of [...this.#links]) link.end("reset");
  }

  async close(): Promise<void> {
    for (const link of [...this.#links]) link.end("cut");
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    const link = new Link(client, connect(this.#target), {
      onFrame: (from, frame) => this.#faultAt(from, frame),
      rewrite: (command) => this.#rewritten(command),
      onClosed: () => this.#links.delete(link),
    });
    this.#links.add(link);
  }

  #faultAt(from: Direction, frame: Frame): FaultPlan | undefined {
    const command = NAMES.get(frame.command.type) ?? String(frame.command.type);
    const key = `${from} ${command}`;
    const count = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, count);
    const plan = this.#plan;
    if (this.struck || plan?.from !== from || plan.command !== command || plan.occurrence !== count) return undefined;
    this.struck = true;
    return plan;
  }

  /** The broker tells its own address: the client is to come through here. */
  #rewritten(command: Command): Uint8Array | undefined {
    if (command.type !== CommandType.LOOKUP_RESPONSE || command.body.brokerServiceUrl === undefined) return undefined;
    return encodeFrame({ ...command, body: { ...command.body, brokerServiceUrl: this.url } });
  }
}

interface LinkOwner {
  onFrame(from: Direction, frame: Frame): FaultPlan | undefined;
  rewrite(command: Command): Uint8Array | undefined;
  onClosed(): void;
}

/** One connection through the proxy. */
class Link {
  readonly #client: Socket;
  readonly #broker: Socket;
  readonly #owner: LinkOwner;
  #mute = false;
  #slowFrames = 0;
  /** Frames are written one after the other, also while it is slow. */
  readonly #turns: Record<Direction, Promise<void>> = { client: Promise.resolve(), broker: Promise.resolve() };

  constructor(client: Socket, broker: Socket, owner: LinkOwner) {
    this.#client = client;
    this.#broker = broker;
    this.#owner = owner;
    client.setNoDelay(true);
    broker.setNoDelay(true);
    this.#relay("client", client, broker);
    this.#relay("broker", broker, client);
    client.on("close", () => owner.onClosed());
  }

  #relay(from: Direction, source: Socket, target: Socket): void {
    const stream = new FrameStream((frame) => this.#pass(from, frame, target));
    source.on("data", (chunk) => {
      if (!this.#mute) stream.push(chunk);
    });
    // a stalled connection stays open whatever the other side does
    source.on("end", () => void this.#turns[from].then(() => this.#mute || target.end()));
    source.on("error", () => this.#mute || target.destroy());
    source.on("close", () => this.#mute || void this.#turns[from].then(() => target.destroy()));
  }

  #pass(from: Direction, frame: Frame, target: Socket): void {
    if (this.#mute) return;
    const plan = this.#owner.onFrame(from, frame);
    const bytes = this.#owner.rewrite(frame.command) ?? frame.bytes;
    if (plan === undefined) {
      this.#write(from, bytes, target);
      return;
    }
    if (plan.fault === "slow") {
      this.#slowFrames = SLOW_FRAMES;
      this.#write(from, bytes, target);
      return;
    }
    const part = plan.moment === "before" ? 0 : plan.moment === "inside" ? bytes.length >> 1 : bytes.length;
    this.#mute = true;
    target.write(bytes.subarray(0, part), () => this.end(plan.fault));
  }

  #write(from: Direction, bytes: Uint8Array, target: Socket): void {
    if (this.#slowFrames === 0) {
      this.#turns[from] = this.#turns[from].then(() => void target.write(bytes));
      return;
    }
    this.#slowFrames--;
    this.#turns[from] = this.#turns[from].then(async () => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      target.write(bytes);
    });
  }

  end(fault: Fault): void {
    this.#mute = true;
    if (fault === "cut") {
      this.#client.end();
      this.#broker.end();
      this.#client.destroySoon();
      this.#broker.destroySoon();
    } else if (fault === "reset") {
      this.#client.resetAndDestroy();
      this.#broker.resetAndDestroy();
    } else if (fault === "half-open") {
      this.#broker.destroy();
    }
  }
}
