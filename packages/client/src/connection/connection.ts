import {
  type Command,
  type CommandAuthChallenge,
  type CommandConnected,
  CommandType,
  encodeFrame,
  FRAME_PADDING,
  FrameDecoder,
  type FrameSink,
  type Int64,
  MAX_MESSAGE_SIZE_DEFAULT,
  PROTOCOL_VERSION,
} from "@pulsewire/protocol";
import type { Channel, Clock } from "@pulsewire/runtime";
import type { BoundAuthentication } from "../auth/authentication.ts";
import { ConnectionError, type PulsarError, toPulsarError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Telemetry } from "../observability/telemetry.ts";
import type { ConsumerHandler, Detachment, ProducerHandler, TopicListHandler } from "./handlers.ts";
import { KeepAlive } from "./keep-alive.ts";
import { RequestRegistry } from "./request-registry.ts";
import { responseOf } from "./responses.ts";

export const CLIENT_VERSION = "Pulsewire-0.1.0";

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly operationTimeoutMs: number;
  readonly keepAliveIntervalMs: number;
  readonly telemetry?: Telemetry | undefined;
  /** Who the client is. */
  readonly service: { readonly authentication: BoundAuthentication | undefined };
}

/** Before CONNECTED came, after it, and the end: a closed connection stays closed. */
type State =
  | { kind: "handshaking"; onConnected(connected: CommandConnected): void; onFailed(error: PulsarError): void }
  | { kind: "open" }
  | { kind: "closed"; error: PulsarError };

/**
 * One connection to a broker: frames in and out, requests by id, producers and consumers by id.
 * It ends once, and then tells everything that was attached to it.
 */
export class Connection implements FrameSink {
  /** `host:port` of the other side, for texts. */
  readonly remote: string;
  readonly #channel: Channel;
  readonly #options: ConnectionOptions;
  readonly #decoder: FrameDecoder;
  readonly #requests: RequestRegistry;
  readonly #keepAlive: KeepAlive;
  readonly #producers = new Map<number, ProducerHandler>();
  readonly #consumers = new Map<number, ConsumerHandler>();
  readonly #topicLists = new Map<Int64, TopicListHandler>();
  readonly #closeListeners: (() => void)[] = [];
  #state: State;
  #connected: CommandConnected | undefined;
  #nextRequestId = 0;

  /** `onConnected` or `onFailed` of `handshake` is called once; the one who opens the connection sends CONNECT. */
  constructor(
    channel: Channel,
    remote: string,
    options: ConnectionOptions,
    handshake: Omit<State & { kind: "handshaking" }, "kind">,
  ) {
    this.remote = remote;
    this.#channel = channel;
    this.#options = options;
    this.#decoder = new FrameDecoder(this);
    this.#requests = new RequestRegistry(options.clock);
    this.#keepAlive = new KeepAlive(options.clock, options.keepAliveIntervalMs, {
      ping: () => this.send({ type: CommandType.PING, body: {} }),
      dead: () =>
        this.fail(new ConnectionError("ConnectionClosed", `${remote} did not answer a ping`, { retryable: true })),
    });
    this.#state = { kind: "handshaking", ...handshake };
    channel.setSink({
      onData: (chunk) => this.#onData(chunk),
      onDrain: ignoreDrain,
      onClose: (error) => this.#onChannelClosed(error),
    });
  }

  get open(): boolean {
    return this.#state.kind === "open";
  }

  /** What the broker said about itself. Undefined before the handshake. */
  get connected(): CommandConnected | undefined {
    return this.#connected;
  }

  /** The largest payload the broker takes, in bytes. */
  get maxMessageSize(): number {
    return this.#connected?.maxMessageSize ?? MAX_MESSAGE_SIZE_DEFAULT;
  }

  /** Called once, when the connection has ended. */
  onClosed(listener: () => void): void {
    if (this.#state.kind === "closed") listener();
    else this.#closeListeners.push(listener);
  }

  send(command: Command): void {
    this.#channel.write(encodeFrame(command));
  }

  /** Writes one whole frame in one or two pieces, which must not change afterwards. */
  write(head: Uint8Array, body?: Uint8Array): void {
    this.#channel.write(head, body);
  }

  /**
   * Sends a request and waits for its answer, at most `operationTimeoutMs`. Rejects with the broker's refusal, with a
   * TimeoutError, or with ConnectionClosed.
   */
  request(
    what: string,
    make: (requestId: number) => Command,
    timeoutMs: number = this.#options.operationTimeoutMs,
  ): Promise<Command> {
    if (this.#state.kind === "closed") return Promise.reject(this.#state.error);
    const requestId = this.#nextRequestId++;
    let frame: Uint8Array;
    try {
      frame = encodeFrame(make(requestId));
    } catch (error) {
      // nobody would look at the answer of a request that was never sent
      return Promise.reject(toPulsarError(error));
    }
    const answer = this.#requests.add(requestId, what, timeoutMs);
    this.#channel.write(frame);
    return answer;
  }

  attachProducer(producerId: number, handler: ProducerHandler): void {
    this.#producers.set(producerId, handler);
  }

  /** Whether the handler is still registered: the broker closes what it attached without asking. */
  hasProducer(producerId: number): boolean {
    return this.#producers.has(producerId);
  }

  detachProducer(producerId: number): void {
    this.#producers.delete(producerId);
  }

  attachConsumer(consumerId: number, handler: ConsumerHandler): void {
    this.#consumers.set(consumerId, handler);
  }

  /** Whether the handler is still registered: the broker closes what it attached without asking. */
  hasConsumer(consumerId: number): boolean {
    return this.#consumers.has(consumerId);
  }

  detachConsumer(consumerId: number): void {
    this.#consumers.delete(consumerId);
  }

  attachTopicList(watcherId: number, handler: TopicListHandler): void {
    this.#topicLists.set(watcherId, handler);
  }

  detachTopicList(watcherId: number): void {
    this.#topicLists.delete(watcherId);
  }

  /** Ends the connection after what was written has left. */
  close(): void {
    if (this.#end(new ConnectionError("ConnectionClosed", `the connection to ${this.remote} was closed`))) {
      this.#channel.close();
    }
  }

  /** Ends the connection at once. */
  fail(error: PulsarError): void {
    if (this.#end(error)) this.#channel.destroy();
  }

  onFrame(command: Command, entry: Uint8Array | undefined): void {
    switch (command.type) {
      case CommandType.MESSAGE:
        // a message for a consumer that has just gone: the broker will deliver it to the next one
        if (entry !== undefined) this.#consumers.get(command.body.consumerId)?.onMessage(command.body, entry);
        return;
      case CommandType.SEND_RECEIPT:
        this.#producers.get(command.body.producerId)?.onSendReceipt(command.body);
        return;
      case CommandType.PING:
        this.send({ type: CommandType.PONG, body: {} });
        return;
      case CommandType.PONG:
        return;
      default:
        this.#onRareFrame(command);
    }
  }

  #onRareFrame(command: Command): void {
    switch (command.type) {
      case CommandType.CONNECTED:
        this.#onConnected(command.body);
        return;
      case CommandType.SEND_ERROR:
        this.#producers.get(command.body.producerId)?.onSendError(command.body);
        return;
      case CommandType.CLOSE_PRODUCER: {
        const { producerId, assignedBrokerServiceUrl, assignedBrokerServiceUrlTls } = command.body;
        this.#detachOne(this.#producers, producerId, assignedBrokerServiceUrl, assignedBrokerServiceUrlTls);
        return;
      }
      case CommandType.CLOSE_CONSUMER: {
        const { consumerId, assignedBrokerServiceUrl, assignedBrokerServiceUrlTls } = command.body;
        this.#detachOne(this.#consumers, consumerId, assignedBrokerServiceUrl, assignedBrokerServiceUrlTls);
        return;
      }
      case CommandType.TOPIC_MIGRATED: {
        const { resourceId, resourceType, brokerServiceUrl, brokerServiceUrlTls } = command.body;
        const table: Map<number, ProducerHandler | ConsumerHandler> =
          resourceType === 0 ? this.#producers : this.#consumers;
        this.#migrateOne(table, resourceId, this.#ownScheme(brokerServiceUrl, brokerServiceUrlTls));
        return;
      }
      case CommandType.ACTIVE_CONSUMER_CHANGE:
        this.#consumers.get(command.body.consumerId)?.onActiveChange(command.body.isActive ?? false);
        return;
      case CommandType.REACHED_END_OF_TOPIC:
        this.#consumers.get(command.body.consumerId)?.onEndOfTopic();
        return;
      case CommandType.WATCH_TOPIC_UPDATE: {
        const { watcherId, newTopics, deletedTopics } = command.body;
        this.#topicLists.get(watcherId)?.onTopicUpdate(newTopics ?? [], deletedTopics ?? []);
        return;
      }
      case CommandType.AUTH_CHALLENGE:
        void this.#answerChallenge(command.body);
        return;
      default:
        this.#onResponse(command);
    }
  }

  #onConnected(connected: CommandConnected): void {
    if (this.#state.kind !== "handshaking") {
      throw new ConnectionError("ProtocolViolation", `${this.remote} sent CONNECTED twice`);
    }
    const { onConnected } = this.#state;
    this.#connected = connected;
    this.#decoder.frameSizeBytesMax = this.maxMessageSize + FRAME_PADDING;
    this.#state = { kind: "open" };
    this.#keepAlive.start();
    onConnected(connected);
  }

  #onResponse(command: Command): void {
    const response = responseOf(command);
    if (response === undefined) {
      this.#options.logger.debug(`${this.remote} sent a command of type ${command.type} that a client has no use for`);
      return;
    }
    if (this.#state.kind === "handshaking" && response.error !== undefined) {
      this.fail(response.error);
      return;
    }
    if (command.type === CommandType.PRODUCER_SUCCESS && command.body.producerReady === false) {
      this.#requests.waitOn(response.requestId);
      return;
    }
    if (response.error === undefined) this.#requests.resolve(response.requestId, command);
    else this.#requests.reject(response.requestId, response.error);
  }

  async #answerChallenge(challenge: CommandAuthChallenge): Promise<void> {
    const { authentication } = this.#options.service;
    try {
      if (authentication === undefined) {
        throw new ConnectionError("AuthenticationError", `${this.remote} asks for credentials and the client has none`);
      }
      const authData = await authentication.authData(challenge.challenge?.authData);
      if (this.#state.kind === "closed") return;
      const response = { authMethodName: authentication.methodName, authData: toBytes(authData) };
      const body = { clientVersion: CLIENT_VERSION, response, protocolVersion: PROTOCOL_VERSION };
      this.send({ type: CommandType.AUTH_RESPONSE, body });
    } catch (error) {
      this.fail(toPulsarError(error));
    }
  }

  #ownScheme(url: string | undefined, tlsUrl: string | undefined): string | undefined {
    const present = this.#channel.transport === "tls" ? (tlsUrl ?? url) : (url ?? tlsUrl);
    return present === "" ? undefined : present;
  }

  #detachOne<H extends ProducerHandler | ConsumerHandler>(
    table: Map<number, H>,
    id: number,
    url: string | undefined,
    tlsUrl: string | undefined,
  ): void {
    const handler = table.get(id);
    table.delete(id);
    const error = new ConnectionError("ConnectionClosed", `${this.remote} closed it`, { retryable: true });
    handler?.onDetached({ error, assignedBrokerUrl: this.#ownScheme(url, tlsUrl) });
  }

  #migrateOne<H extends ProducerHandler | ConsumerHandler>(
    table: Map<number, H>,
    id: number,
    url: string | undefined,
  ): void {
    const handler = table.get(id);
    table.delete(id);
    const error = new ConnectionError("ConnectionClosed", `the topic was migrated to ${url}`, { retryable: true });
    handler?.onDetached({ error, migratedToUrl: url });
  }

  #onData(chunk: Uint8Array): void {
    if (this.#state.kind === "closed") return;
    this.#keepAlive.heard();
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      this.#options.logger.error(`${this.remote}: ${String(error)}`);
      this.fail(this.#state.kind === "handshaking" ? strangerError(this.remote, chunk, error) : toPulsarError(error));
    }
  }

  #onChannelClosed(error: Error | undefined): void {
    const options = { retryable: true, ...(error === undefined ? {} : { cause: error }) };
    const why = error === undefined ? "" : `: ${error.message}`;
    this.#end(new ConnectionError("ConnectionClosed", `the connection to ${this.remote} ended${why}`, options));
  }

  #end(error: PulsarError): boolean {
    const before = this.#state;
    if (before.kind === "closed") return false;
    this.#state = { kind: "closed", error };
    this.#keepAlive.stop();
    for (const listener of this.#closeListeners.splice(0)) listener();
    if (before.kind === "handshaking") before.onFailed(error);
    this.#requests.rejectAll(error);
    const detachment: Detachment = { error };
    const handlers = [...this.#producers.values(), ...this.#consumers.values()];
    this.#producers.clear();
    this.#consumers.clear();
    for (const handler of handlers) handler.onDetached(detachment);
    const topicLists = [...this.#topicLists.values()];
    this.#topicLists.clear();
    for (const topicList of topicLists) topicList.onDetached();
    return true;
  }
}

/** What answered a CONNECT with something else is no broker, or not this port of one. */
function strangerError(remote: string, chunk: Uint8Array, cause: unknown): PulsarError {
  const [first, second] = chunk;
  const isHttp = new TextDecoder().decode(chunk.subarray(0, 4)) === "HTTP";
  // an alert or a handshake record
  const isTls = (first === 0x15 || first === 0x16) && second === 3;
  const why = isHttp
    ? "it answers in HTTP; brokers have the binary protocol on another port, 6650 by default"
    : isTls
      ? "it answers in TLS, which takes pulsar+ssl://"
      : toPulsarError(cause).message;
  return new ConnectionError("ProtocolViolation", `${remote} does not speak Pulsar's binary protocol: ${why}`, {
    cause,
  });
}

function ignoreDrain(): void {
  // what is queued is bounded by the pending messages of the producers, which hold the same buffers anyway
}

export function toBytes(data: Uint8Array | string): Uint8Array {
  return typeof data === "string" ? new TextEncoder().encode(data) : data;
}
