import { type Command, type CommandSubscribe, CommandType, type MessageIdData } from "@pulsewire/protocol";
import type { Connection } from "../connection/connection.ts";
import type { ConsumerHandler } from "../connection/handlers.ts";
import { ConnectionError, PulsarError, toPulsarError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { type MessageId, messageIdOf } from "../message-id.ts";
import type { TransactionId } from "../transactions/transaction-id.ts";
import { sendTransactionalAck } from "../transactions/transactional-ack.ts";
import type { AckPlace } from "./ack-tracker.ts";

export interface ConsumerWireOptions {
  readonly topic: string;
  readonly partition: number;
  readonly subscription: string;
  readonly consumerId: number;
  readonly logger: Logger;
}

/** What one partition's consumer says to its broker, over the connection it has at the time. */
export class ConsumerWire {
  readonly #options: ConsumerWireOptions;
  #connection: Connection | undefined;

  constructor(options: ConsumerWireOptions) {
    this.#options = options;
  }

  /** The connection of the latest SUBSCRIBE that was accepted, until it is lost. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /**
   * Subscribes over a connection, which is not used before `use`. Rejects with a PulsarError, and the connection knows
   * nothing of the consumer then.
   */
  async subscribe(connection: Connection, handler: ConsumerHandler, command: Subscribing): Promise<void> {
    const { topic, subscription, consumerId } = this.#options;
    connection.attachConsumer(consumerId, handler);
    try {
      await connection.request(`subscribing to ${topic} as ${subscription}`, (requestId) => ({
        type: CommandType.SUBSCRIBE,
        body: command(requestId),
      }));
    } catch (error) {
      connection.detachConsumer(consumerId);
      // the broker may have it after all, and would refuse the next attempt
      if (toPulsarError(error).code === "Timeout" && connection.open) void this.close(connection);
      throw error;
    }
  }

  /** Rejects with a retryable PulsarError where the broker closed the consumer between its answer and now. */
  throwIfClosedMeanwhile(connection: Connection): void {
    if (connection.hasConsumer(this.#options.consumerId)) return;
    const detail = `${this.#options.topic}: the broker closed it while it attached`;
    throw new ConnectionError("ConnectionClosed", detail, { retryable: true });
  }

  use(connection: Connection): void {
    this.#connection = connection;
  }

  /** The connection, or the broker's side of it, is gone. */
  lose(): void {
    this.#connection = undefined;
  }

  /** Hears nothing more from the broker. */
  letGo(): void {
    this.#connection?.detachConsumer(this.#options.consumerId);
    this.#connection = undefined;
  }

  flow(messagePermits: number): void {
    const { consumerId } = this.#options;
    this.#connection?.send({ type: CommandType.FLOW, body: { consumerId, messagePermits } });
  }

  /** `what` is done to the topic, for the error's text. Rejects where there is no connection. */
  request(what: string, make: (requestId: number) => Command): Promise<Command> {
    const { topic } = this.#options;
    return this.#connection?.request(`${what} ${topic}`, make) ?? Promise.reject(notConnected(topic));
  }

  /** The id of the topic's last message (entry -1 where there is none) and where the subscription stands. */
  async lastMessageId(): Promise<{ last: MessageId; markDelete: MessageIdData | undefined }> {
    const { consumerId, topic, partition } = this.#options;
    const answer = await this.request("the last message id of", (requestId) => ({
      type: CommandType.GET_LAST_MESSAGE_ID,
      body: { consumerId, requestId },
    }));
    if (answer.type !== CommandType.GET_LAST_MESSAGE_ID_RESPONSE) throw unexpected(answer.type);
    const { lastMessageId, consumerMarkDeletePosition } = answer.body;
    const { ledgerId, entryId, batchIndex, batchSize } = lastMessageId;
    const last = messageIdOf({ ledgerId, entryId, batchIndex, batchSize, partition }, topic);
    return { last, markDelete: consumerMarkDeletePosition };
  }

  async unsubscribe(force: boolean): Promise<void> {
    const { consumerId } = this.#options;
    await this.request("unsubscribing from", (requestId) => ({
      type: CommandType.UNSUBSCRIBE,
      body: { consumerId, requestId, force },
    }));
  }

  async acknowledgeIn(transaction: TransactionId, place: AckPlace, cumulative: boolean): Promise<void> {
    const { consumerId, topic } = this.#options;
    if (this.#connection === undefined) throw notConnected(topic);
    await sendTransactionalAck(this.#connection, transaction, { consumerId, topic, place, cumulative });
  }

  /** Lets the broker's consumer go. Resolves in any case: what cannot be told ends with its connection. */
  async close(connection: Connection): Promise<void> {
    const { consumerId, topic, logger } = this.#options;
    connection.detachConsumer(consumerId);
    try {
      await connection.request(`closing a consumer of ${topic}`, (requestId) => ({
        type: CommandType.CLOSE_CONSUMER,
        body: { consumerId, requestId },
      }));
    } catch (error) {
      logger.debug(`${topic}: closing a consumer: ${String(error)}`);
    }
  }
}

/** Makes the SUBSCRIBE of a request. */
type Subscribing = (requestId: number) => CommandSubscribe;

function notConnected(topic: string): PulsarError {
  return new ConnectionError("ConnectionClosed", `${topic}: not connected`, { retryable: true });
}

function unexpected(type: number): PulsarError {
  return new PulsarError("ProtocolViolation", `a request was answered by a command of type ${type}`);
}
