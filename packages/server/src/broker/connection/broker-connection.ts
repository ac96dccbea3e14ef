import {
  COMMAND_NAMES,
  type Command,
  type CommandConnect,
  CommandType,
  encodeFrame,
  FRAME_PADDING,
  FrameDecoder,
  type FrameSink,
  type Int64,
  ProtocolError,
  ServerError,
} from "@pulsewire/protocol";
import type { Channel, ChannelSink } from "@pulsewire/runtime";
import { BrokerError } from "../broker-error.ts";
import type { TopicProducer } from "../topic/producer.ts";
import { AuthenticationRound } from "./authentication-round.ts";
import type { BrokerContext } from "./broker-context.ts";
import type { CommandHandler, CommandTable } from "./command-handler.ts";
import type { ConnectedConsumer } from "./connected-consumer.ts";
import { ConnectionSession } from "./connection-session.ts";
import type { ClientInfo, ConnectionState } from "./connection-state.ts";
import { KeepAlive } from "./keep-alive.ts";
import { PublishGate } from "./publish-gate.ts";
import { SlotTable } from "./slot-table.ts";
import type { TopicListWatcher } from "./topic-list-watcher.ts";

export interface BrokerConnectionOptions {
  channel: Channel;
  broker: BrokerContext;
  commands: CommandTable;
  /**
   * Whether the client cannot reach brokers itself: lookups are followed for it and answered with
   * `proxy_through_service_url`, as Pulsar's proxy does. Default false.
   */
  proxy?: boolean;
}

/**
 * One client's connection: frames in, each to its handler by command type; frames out. What the handlers share of a
 * connection is here, what they do is in `commands/`.
 */
export class BrokerConnection implements ChannelSink, FrameSink {
  readonly channel: Channel;
  readonly proxy: boolean;
  readonly session: ConnectionSession;
  readonly producers: SlotTable<TopicProducer>;
  readonly consumers: SlotTable<ConnectedConsumer>;
  readonly watchers: Map<Int64, TopicListWatcher> = new Map();
  readonly publishGate: PublishGate;
  readonly keepAlive: KeepAlive;
  readonly #commands: CommandTable;
  readonly #decoder: FrameDecoder;
  #broker: BrokerContext;
  #state: ConnectionState = { kind: "awaiting-connect" };
  #writable = true;
  #authentication: AuthenticationRound | undefined;

  constructor(options: BrokerConnectionOptions) {
    const { channel, broker, commands } = options;
    const { settings, clock } = broker;
    this.channel = channel;
    this.proxy = options.proxy ?? false;
    this.#broker = broker;
    this.#commands = commands;
    this.#decoder = new FrameDecoder(this, { frameSizeBytesMax: settings.maxMessageSize + FRAME_PADDING });
    this.session = new ConnectionSession(this, channel);
    this.producers = new SlotTable("Producer", settings.maxProducersAndConsumersPerConnection);
    this.consumers = new SlotTable("Consumer", settings.maxProducersAndConsumersPerConnection);
    this.publishGate = new PublishGate(channel, settings.maxPendingPublishRequestsPerConnection);
    this.keepAlive = new KeepAlive(clock, settings.keepAliveIntervalSeconds * 1000, {
      sendPing: () => this.send({ type: CommandType.PING, body: {} }),
      onSilence: (reason) => this.fail(reason),
    });
  }

  /** Starts to serve a channel. */
  static accept(options: BrokerConnectionOptions): BrokerConnection {
    const connection = new BrokerConnection(options);
    options.broker.connections.add(connection);
    options.channel.setSink(connection);
    return connection;
  }

  get broker(): BrokerContext {
    return this.#broker;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** What CONNECT told; undefined before it and after the end. */
  get client(): ClientInfo | undefined {
    return this.#state.kind === "connected" ? this.#state : undefined;
  }

  /** False while more is queued than the channel's high-water mark. */
  get writable(): boolean {
    return this.#writable && this.#state.kind === "connected";
  }

  /** CONNECT came and is being looked at. */
  connecting(connect: CommandConnect): void {
    if (this.#state.kind === "awaiting-connect") this.#state = { kind: "connecting", connect };
  }

  /** Who the client is, where the broker asks; undefined where everybody may connect. */
  get authentication(): AuthenticationRound | undefined {
    const { authenticator, clock, settings } = this.#broker;
    if (authenticator === undefined) return undefined;
    const timeoutMs = settings.authenticationRefreshCheckSeconds * 1000;
    this.#authentication ??= new AuthenticationRound(this, authenticator, clock, timeoutMs);
    return this.#authentication;
  }

  /** The handshake is done. */
  connected(info: ClientInfo): void {
    this.#state = { kind: "connected", ...info };
    this.keepAlive.connected();
  }

  /** CONNECT named another broker of this process: it serves this connection from now on. */
  routeTo(broker: BrokerContext): void {
    if (broker === this.#broker) return;
    this.#broker.connections.delete(this);
    this.#broker = broker;
    broker.connections.add(this);
  }

  send(command: Command): void {
    const interceptor = this.#broker.interceptor;
    if (interceptor?.active) {
      const send = (): void => this.write(encodeFrame(command));
      if (interceptor.outgoing(this, command, send)) return;
    }
    this.write(encodeFrame(command));
  }

  /** MESSAGE, with the entry behind it. */
  sendEntry(command: Command, entry: Uint8Array): void {
    const interceptor = this.#broker.interceptor;
    if (interceptor?.active) {
      const send = (): void => this.write(encodeFrame(command, entry.length), entry);
      if (interceptor.outgoing(this, command, send)) return;
    }
    this.write(encodeFrame(command, entry.length), entry);
  }

  write(head: Uint8Array, body?: Uint8Array): void {
    if (this.#state.kind === "closed") return;
    if (!this.channel.write(head, body)) this.#writable = false;
  }

  /** ERROR for a request. */
  answerError(requestId: Int64, error: unknown): void {
    const { code, message } = BrokerError.from(error);
    this.send({ type: CommandType.ERROR, body: { requestId, error: code, message } });
  }

  answerSuccess(requestId: Int64): void {
    this.send({ type: CommandType.SUCCESS, body: { requestId } });
  }

  /** Sends what is queued, then ends. */
  close(): void {
    if (this.#state.kind !== "closed") this.channel.close();
  }

  /** Ends at once, because of what the client did or did not do. */
  fail(reason: string): void {
    if (this.#state.kind !== "closed") this.channel.destroy(new Error(reason));
  }

  onData(chunk: Uint8Array): void {
    if (this.#state.kind === "closed") return;
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      // the place in the stream is lost with a frame that is none: nothing that follows can be understood
      if (!(error instanceof ProtocolError)) throw error;
      this.fail(error.message);
    }
  }

  onDrain(): void {
    this.#writable = true;
    for (const { consumer } of this.consumers.open()) consumer.onWritable();
  }

  onClose(): void {
    this.#state = { kind: "closed" };
    this.#broker.connections.delete(this);
    this.keepAlive.stop();
    this.#authentication?.stop();
    for (const producer of this.producers.clear()) producer.topic.removeProducer(producer);
    for (const { topic, subscription, consumer } of this.consumers.clear())
      topic.removeConsumer(subscription, consumer);
    for (const watcher of this.watchers.values()) watcher[Symbol.dispose]();
    this.watchers.clear();
  }

  onFrame(command: Command, entry: Uint8Array | undefined): void {
    const { kind } = this.#state;
    if (kind === "closed") return;
    if (kind !== "connected" && command.type !== CommandType.CONNECT && !this.#answersChallenge(command)) {
      this.fail(`${nameOf(command)} before CONNECT`);
      return;
    }
    const interceptor = this.#broker.interceptor;
    if (interceptor?.active) {
      const serve = (): void => this.#serve(command, entry);
      if (interceptor.incoming(this, command, serve)) return;
    }
    this.#serve(command, entry);
  }

  #serve(command: Command, entry: Uint8Array | undefined): void {
    if (this.#state.kind === "closed") return;
    const handler = this.#commands[command.type] as CommandHandler<typeof command.type> | undefined;
    if (handler === undefined) {
      this.#unserved(command);
      return;
    }
    try {
      const serving = handler(this, command.body as never, entry);
      if (serving !== undefined) serving.catch((error: unknown) => this.#handlerFailed(command, error));
    } catch (error) {
      this.#handlerFailed(command, error);
    }
  }

  #answersChallenge(command: Command): boolean {
    return this.#state.kind === "connecting" && command.type === CommandType.AUTH_RESPONSE;
  }

  #unserved(command: Command): void {
    const requestId = requestIdOf(command);
    if (requestId === undefined) {
      this.fail(`${nameOf(command)} is not a client's to send`);
      return;
    }
    const message = `${nameOf(command)} is not served by this broker`;
    this.answerError(requestId, new BrokerError(ServerError.NotAllowedError, message));
  }

  #handlerFailed(command: Command, error: unknown): void {
    const requestId = requestIdOf(command);
    if (requestId !== undefined) this.answerError(requestId, error);
    else this.fail(`${nameOf(command)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function requestIdOf(command: Command): Int64 | undefined {
  return (command.body as { requestId?: Int64 }).requestId;
}

function nameOf(command: Command): string {
  return COMMAND_NAMES[command.type] ?? `command ${command.type}`;
}
