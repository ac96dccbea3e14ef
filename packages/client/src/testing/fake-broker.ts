import {
  type Command,
  CommandLookupTopicResponseLookupType,
  CommandType,
  decodeBatch,
  encodeBatch,
  encodeEntry,
  encodeFrame,
  FrameDecoder,
  type MessageMetadata,
  type ParsedEntry,
  parseEntry,
} from "@pulsewire/protocol";
import type { Channel, Listener, Network } from "@pulsewire/runtime";

export type BodyOf<T extends CommandType> = Extract<Command, { type: T }>["body"];
/** Answers whether it has dealt with the command; otherwise the broker does as it always does. */
type Script<T extends CommandType> = (
  body: BodyOf<T>,
  connection: FakeConnection,
  entry: Uint8Array | undefined,
) => boolean;

/** One connection as the broker sees it. */
export class FakeConnection {
  readonly channel: Channel;
  /** The bodies of the PRODUCER and SUBSCRIBE commands that came over it. */
  readonly commands: Command[] = [];

  constructor(channel: Channel) {
    this.channel = channel;
  }

  send(command: Command, entry?: Uint8Array): void {
    this.channel.write(encodeFrame(command, entry?.length ?? 0), entry);
  }

  receipt(producerId: number, sequenceId: number, entryId: number, highestSequenceId?: number): void {
    const messageId = { ledgerId: 1, entryId };
    this.send({ type: CommandType.SEND_RECEIPT, body: { producerId, sequenceId, messageId, highestSequenceId } });
  }

  drop(): void {
    this.channel.destroy();
  }
}

export interface Delivery {
  entryId: number;
  /** One text: a message alone. Several: a batch. */
  texts: readonly string[];
  redeliveryCount?: number;
  ackSet?: { low: number; high: number }[];
  consumerEpoch?: number;
  metadata?: Partial<MessageMetadata>;
  consumerId?: number;
  corrupt?: boolean;
  /** The broker stamps the entry with this time, below 2 ** 14. */
  brokerTimestampMs?: number;
}

/** What was sent, taken apart. */
export interface Sent {
  body: BodyOf<typeof CommandType.SEND>;
  entry: ParsedEntry;
  texts: string[];
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The entry behind the broker's own metadata: magic, size, and the time (below 2 ** 14) as field 1. */
function stamped(entry: Uint8Array, timeMs: number): Uint8Array {
  return Uint8Array.of(0x0e, 0x02, 0, 0, 0, 3, 8, (timeMs & 0x7f) | 0x80, timeMs >> 7, ...entry);
}

/**
 * A broker for tests: speaks the real protocol over a network in memory, answers as a broker does, keeps what it got, and
 * does otherwise where a test says so.
 */
export class FakeBroker {
  readonly url: string;
  readonly connections: FakeConnection[] = [];
  readonly sent: Sent[] = [];
  /** Answer SEND by itself. */
  autoReceipts = true;
  lastSequenceId = -1;
  maxMessageSize: number = 5 * 1024 * 1024;
  #nextEntryId = 0;
  readonly #scripts = new Map<number, Script<CommandType>>();
  readonly #received: Command[] = [];
  readonly #listener: Listener;

  private constructor(listener: Listener) {
    this.#listener = listener;
    this.url = `pulsar://${listener.host}:${listener.port}`;
  }

  static async start(network: Network, host = "broker"): Promise<FakeBroker> {
    let broker: FakeBroker | undefined;
    const listener = await network.listen({ host, port: 0 }, (channel) => broker?.accept(channel));
    broker = new FakeBroker(listener);
    return broker;
  }

  stop(): Promise<void> {
    return this.#listener.close();
  }

  /** The last connection that was made. */
  get connection(): FakeConnection {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error("nobody has connected");
    return last;
  }

  /** The bodies of all commands of a type that came, oldest first. */
  of<T extends CommandType>(type: T): BodyOf<T>[] {
    return this.#received.filter((c) => c.type === type).map((c) => c.body as BodyOf<T>);
  }

  /** The types of all commands that came, oldest first. */
  get types(): number[] {
    return this.#received.map((c) => c.type);
  }

  on<T extends CommandType>(type: T, script: Script<T>): void {
    this.#scripts.set(type, script as unknown as Script<CommandType>);
  }

  off(type: CommandType): void {
    this.#scripts.delete(type);
  }

  refuse(type: typeof CommandType.PRODUCER | typeof CommandType.SUBSCRIBE, error: number): void {
    this.on(type, ({ requestId }, connection) => {
      connection.send({ type: CommandType.ERROR, body: { requestId, error: error as 0, message: "on purpose" } });
      return true;
    });
  }

  accept(channel: Channel): void {
    const connection = new FakeConnection(channel);
    this.connections.push(connection);
    const decoder = new FrameDecoder({ onFrame: (command, entry) => this.#onFrame(connection, command, entry) });
    channel.setSink({ onData: (chunk) => decoder.push(chunk), onDrain: () => undefined, onClose: () => undefined });
  }

  /** Pushes an entry to a consumer over the last connection. */
  deliver(delivery: Delivery): void {
    const { entryId, texts, redeliveryCount, ackSet, consumerEpoch } = delivery;
    const payloads = texts.map((t) => new TextEncoder().encode(t));
    const batched = texts.length !== 1 || delivery.metadata?.numMessagesInBatch !== undefined;
    const payload = batched
      ? encodeBatch(payloads.map((p, i) => ({ metadata: { payloadSize: p.length, sequenceId: i }, payload: p })))
      : (payloads[0] as Uint8Array);
    const numMessagesInBatch = batched ? texts.length : undefined;
    const metadata = {
      producerName: "p",
      sequenceId: entryId,
      publishTime: 5,
      numMessagesInBatch,
      ...delivery.metadata,
    };
    const plain = encodeEntry(metadata, payload);
    const entry = delivery.brokerTimestampMs === undefined ? plain : stamped(plain, delivery.brokerTimestampMs);
    if (delivery.corrupt === true) entry[entry.length - 1] = (entry[entry.length - 1] as number) ^ 1;
    const consumerId = delivery.consumerId ?? this.of(CommandType.SUBSCRIBE).at(-1)?.consumerId ?? 0;
    const body = { consumerId, messageId: { ledgerId: 1, entryId }, redeliveryCount, ackSet, consumerEpoch };
    this.connection.send({ type: CommandType.MESSAGE, body }, entry);
  }

  /** Pushes an entry as it is to the last consumer, over the last connection. */
  deliverEntry(entryId: number, metadata: MessageMetadata, payload: Uint8Array): void {
    const consumerId = this.of(CommandType.SUBSCRIBE).at(-1)?.consumerId ?? 0;
    const body = { consumerId, messageId: { ledgerId: 1, entryId } };
    this.connection.send({ type: CommandType.MESSAGE, body }, encodeEntry(metadata, payload));
  }

  #onFrame(connection: FakeConnection, command: Command, entry: Uint8Array | undefined): void {
    this.#received.push(command);
    if (command.type === CommandType.SEND && entry !== undefined) this.#onSend(command.body, entry);
    if (this.#scripts.get(command.type)?.(command.body, connection, entry) === true) return;
    this.#answer(connection, command);
  }

  #onSend(body: BodyOf<typeof CommandType.SEND>, bytes: Uint8Array): void {
    const entry = parseEntry(bytes);
    const count = entry.metadata.numMessagesInBatch;
    const plain = entry.metadata.compression === undefined && entry.metadata.encryptionKeys.length === 0;
    const batched = count !== undefined && plain;
    const texts = batched ? decodeBatch(entry.payload, count).map((m) => text(m.payload)) : [text(entry.payload)];
    this.sent.push({ body, entry, texts });
  }

  #answer(connection: FakeConnection, command: Command): void {
    switch (command.type) {
      case CommandType.CONNECT: {
        const { maxMessageSize } = this;
        const body = { serverVersion: "fake", protocolVersion: 21, maxMessageSize };
        connection.send({ type: CommandType.CONNECTED, body });
        return;
      }
      case CommandType.PING:
        connection.send({ type: CommandType.PONG, body: {} });
        return;
      case CommandType.LOOKUP: {
        const { requestId } = command.body;
        const response = CommandLookupTopicResponseLookupType.Connect;
        connection.send({
          type: CommandType.LOOKUP_RESPONSE,
          body: { requestId, response, brokerServiceUrl: this.url },
        });
        return;
      }
      case CommandType.PARTITIONED_METADATA: {
        const body = { requestId: command.body.requestId, partitions: 0, response: 0 as const };
        connection.send({ type: CommandType.PARTITIONED_METADATA_RESPONSE, body });
        return;
      }
      case CommandType.PRODUCER: {
        const { requestId, producerName = "made-up" } = command.body;
        const { lastSequenceId } = this;
        connection.send({ type: CommandType.PRODUCER_SUCCESS, body: { requestId, producerName, lastSequenceId } });
        return;
      }
      case CommandType.SEND: {
        const { producerId, sequenceId, highestSequenceId } = command.body;
        if (!this.autoReceipts) return;
        connection.receipt(producerId, Number(sequenceId), this.#nextEntryId++, Number(highestSequenceId ?? 0));
        return;
      }
      case CommandType.ACK: {
        const { requestId, consumerId } = command.body;
        if (requestId !== undefined)
          connection.send({ type: CommandType.ACK_RESPONSE, body: { requestId, consumerId } });
        return;
      }
      case CommandType.SUBSCRIBE:
      case CommandType.UNSUBSCRIBE:
      case CommandType.SEEK:
      case CommandType.CLOSE_PRODUCER:
      case CommandType.CLOSE_CONSUMER:
        connection.send({ type: CommandType.SUCCESS, body: { requestId: command.body.requestId } });
        return;
      default:
        return;
    }
  }
}
