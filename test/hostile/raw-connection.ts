import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Command, type CommandBodies, CommandType, encodeFrame, FrameDecoder } from "@pulsewire/protocol";

/** A socket to a broker that sends whatever it is told, and writes down what comes back. */
export class RawConnection {
  readonly #socket: Socket;
  readonly received: Command[] = [];
  readonly #wake = new Set<() => void>();
  closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const decoder = new FrameDecoder({ onFrame: (command) => this.received.push(command) });
    socket.on("data", (chunk) => {
      decoder.push(chunk);
      this.#changed();
    });
    socket.on("error", () => undefined); // a reset is one of the ways in which a broker may refuse
    socket.on("close", () => {
      this.closed = true;
      this.#changed();
    });
  }

  static async open(serviceUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(serviceUrl.replace("pulsar:", "http:"));
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  /** A connection that has greeted. */
  static async greeted(serviceUrl: string): Promise<RawConnection> {
    const connection = await RawConnection.open(serviceUrl);
    connection.send(CommandType.CONNECT, { clientVersion: "hostile", protocolVersion: 21 });
    await connection.until((c) => c.type === CommandType.CONNECTED);
    return connection;
  }

  send<T extends CommandType>(type: T, body: CommandBodies[T]): void {
    this.bytes(encodeFrame({ type, body } as Command));
  }

  bytes(bytes: Uint8Array): void {
    if (!this.closed) this.#socket.write(bytes);
  }

  /** Waits for a command, or for the end of the connection, which answers undefined. */
  async until(matches: (command: Command) => boolean): Promise<Command | undefined> {
    for (;;) {
      const found = this.received.find(matches);
      if (found !== undefined || this.closed) return found;
      await new Promise<void>((resolve) => this.#wake.add(resolve));
    }
  }

  /** Has the broker look at everything sent so far: it answers a ping behind it, or has closed. */
  async settled(): Promise<void> {
    const before = this.received.length;
    this.send(CommandType.PING, {});
    await this.until((c) => c.type === CommandType.PONG && this.received.indexOf(c) >= before);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #changed(): void {
    const waiting = [...this.#wake];
    this.#wake.clear();
    for (const wake of waiting) wake();
  }
}
