import {
  type Command,
  type CommandBodies,
  CommandType,
  encodeEntry,
  encodeFrame,
  FrameDecoder,
  type MessageMetadata,
} from "@pulsewire/protocol";
import {
  type Address,
  type Channel,
  createMemoryMessenger,
  createMemoryNetwork,
  createSeededRandom,
  ManualClock,
  type MemoryNetwork,
  type ServerRuntime,
} from "@pulsewire/runtime";
import { createNodeRuntime } from "@pulsewire/runtime/node";

/** A runtime without ports and with a clock that tests move. */
export interface TestRuntime extends ServerRuntime {
  readonly clock: ManualClock;
  readonly network: MemoryNetwork;
}

export function createTestRuntime(): TestRuntime {
  return {
    clock: new ManualClock(),
    network: createMemoryNetwork(),
    messenger: createMemoryMessenger(),
    random: createSeededRandom(1),
    codec: createNodeRuntime().codec,
  };
}

/** The same for a further cluster beside the first. */
export function besides(runtime: TestRuntime): TestRuntime {
  return { ...runtime, messenger: createMemoryMessenger() };
}

export interface Received {
  command: Command;
  entry: Uint8Array | undefined;
}

/** Speaks the protocol, command by command: what tests say to a broker and hear from it. */
export class ProtocolClient {
  readonly #channel: Channel;
  readonly #received: Received[] = [];
  readonly #waiting = new Set<() => void>();
  #nextRequestId = 1;
  closed = false;

  private constructor(channel: Channel) {
    this.#channel = channel;
    const decoder = new FrameDecoder({
      onFrame: (command, entry) => {
        this.#received.push({ command, entry });
        this.#wake();
      },
    });
    channel.setSink({
      onData: (chunk) => decoder.push(chunk),
      onDrain: () => undefined,
      onClose: () => {
        this.closed = true;
        this.#wake();
      },
    });
  }

  /** Connects to `pulsar://host:port` or `ws://...`, without CONNECT. */
  static async open(runtime: ServerRuntime, url: string): Promise<ProtocolClient> {
    const { hostname, port } = new URL(url);
    const address: Address = url.startsWith("ws:")
      ? { transport: "websocket", url }
      : { transport: "tcp", host: hostname, port: Number(port) };
    return new ProtocolClient(await runtime.network.connect(address));
  }

  /** Connects and shakes hands. */
  static async connect(
    runtime: ServerRuntime,
    url: string,
    connect: Partial<CommandBodies[2]> = {},
  ): Promise<ProtocolClient> {
    const client = await ProtocolClient.open(runtime, url);
    client.send(CommandType.CONNECT, { clientVersion: "test", protocolVersion: 21, ...connect });
    await client.next(CommandType.CONNECTED);
    return client;
  }

  /** What came and nobody asked for yet. */
  get pending(): readonly Received[] {
    return this.#received;
  }

  get pendingTypes(): number[] {
    return this.#received.map((r) => r.command.type);
  }

  requestId(): number {
    return this.#nextRequestId++;
  }

  send<T extends keyof CommandBodies>(type: T, body: CommandBodies[T], entry?: Uint8Array): void {
    this.#channel.write(encodeFrame({ type, body } as unknown as Command, entry?.length ?? 0), entry);
  }

  sendBytes(bytes: Uint8Array): void {
    this.#channel.write(bytes);
  }

  close(): void {
    this.#channel.close();
  }

  /** The next command of a type that came or comes, with the entry behind it. */
  async nextWithEntry<T extends keyof CommandBodies>(type: T): Promise<{ body: CommandBodies[T]; entry: Uint8Array }> {
    const { command, entry } = await this.#take((c) => c.type === type, `type ${type}`);
    return { body: command.body as unknown as CommandBodies[T], entry: entry ?? new Uint8Array(0) };
  }

  async next<T extends keyof CommandBodies>(type: T): Promise<CommandBodies[T]> {
    return (await this.nextWithEntry(type)).body;
  }

  /** Sends a request and answers what answered it, whatever that is. */
  async request<T extends keyof CommandBodies>(type: T, body: Omit<CommandBodies[T], "requestId">): Promise<Command> {
    const requestId = this.requestId();
    this.send(type, { ...body, requestId } as unknown as CommandBodies[T]);
    return this.answer(requestId);
  }

  async answer(requestId: number): Promise<Command> {
    const isAnswer = (c: Command): boolean => (c.body as { requestId?: number }).requestId === requestId;
    return (await this.#take(isAnswer, `request ${requestId}`)).command;
  }

  /** Looks a topic up, as a client does before anything else, and attaches a producer. */
  async producer(
    topic: string,
    producerId: number,
    options: Partial<CommandBodies[5]> = {},
  ): Promise<CommandBodies[17]> {
    await this.request(CommandType.LOOKUP, { topic });
    const answer = await this.request(CommandType.PRODUCER, { topic, producerId, ...options });
    if (answer.type !== CommandType.PRODUCER_SUCCESS) throw new Error(JSON.stringify(answer));
    return answer.body;
  }

  /** Looks a topic up and attaches a consumer, from the first message on unless told otherwise. */
  async consumer(
    topic: string,
    consumerId: number,
    options: Partial<CommandBodies[4]> = {},
    permits = 1000,
  ): Promise<void> {
    await this.request(CommandType.LOOKUP, { topic });
    const body = { topic, consumerId, subscription: "s", subType: 1, initialPosition: 1, ...options } as const;
    const answer = await this.request(CommandType.SUBSCRIBE, body);
    if (answer.type !== CommandType.SUCCESS) throw new Error(JSON.stringify(answer));
    if (permits > 0) this.send(CommandType.FLOW, { consumerId, messagePermits: permits });
  }

  publish(producerId: number, sequenceId: number, text = "x", metadata: Partial<MessageMetadata> = {}): void {
    const entry = entryOf(sequenceId, text, metadata);
    const isChunk = metadata.chunkId === undefined ? undefined : true;
    this.send(CommandType.SEND, { producerId, sequenceId, isChunk }, entry);
  }

  async #take(matches: (command: Command) => boolean, what: string): Promise<Received> {
    for (;;) {
      const at = this.#received.findIndex((r) => matches(r.command));
      if (at >= 0) return this.#received.splice(at, 1)[0] as Received;
      if (this.closed) throw new Error(`the connection was closed while ${what} was awaited`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** An entry as a producer sends it. */
export function entryOf(sequenceId: number, text = "x", metadata: Partial<MessageMetadata> = {}): Uint8Array {
  const full = { producerName: "p", sequenceId, publishTime: 1, ...metadata };
  return encodeEntry(full, new TextEncoder().encode(text));
}
