import {
  type CommandProducer,
  type CommandProducerSuccess,
  CommandType,
  ProducerAccessMode,
} from "@pulsewire/protocol";
import type { Connection } from "../connection/connection.ts";
import type { ProducerHandler } from "../connection/handlers.ts";
import { ConnectionError, PulsarError, type PulsarErrorCode, toPulsarError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { schemaMessage } from "../schema/schema-info.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";

/** Refusals that no later attempt can turn. */
export const FINAL_FOR_PRODUCER: ReadonlySet<PulsarErrorCode> = new Set<PulsarErrorCode>([
  "AuthorizationError",
  "IncompatibleSchema",
  "InvalidTopicName",
  "NotAllowedError",
  "ProducerFenced",
  "TopicNotFound",
  "TopicTerminatedError",
  "Unsupported",
  "UnsupportedVersionError",
]);

/**
 * Makes a producer known to brokers, one after the other. Each attempt has a higher epoch than the one before, so that it
 * takes the place of what a broker may still know of an earlier one.
 */
export class ProducerRegistration {
  readonly producerId: number;
  readonly #logger: Logger;
  readonly #options: ResolvedProducerOptions;
  readonly #topic: string;
  #epoch = 0;
  #topicEpoch: number | undefined;

  constructor(logger: Logger, options: ResolvedProducerOptions, topic: string, producerId: number) {
    this.#logger = logger;
    this.#options = options;
    this.#topic = topic;
    this.producerId = producerId;
  }

  /** `name` is the producer's, or empty where the broker is to make one up. Rejects with a PulsarError. */
  async register(connection: Connection, handler: ProducerHandler, name: string): Promise<CommandProducerSuccess> {
    connection.attachProducer(this.producerId, handler);
    try {
      const answer = await connection.request(`a producer on ${this.#topic}`, (requestId) => ({
        type: CommandType.PRODUCER,
        body: this.#command(requestId, name),
      }));
      if (answer.type !== CommandType.PRODUCER_SUCCESS) {
        throw new PulsarError("ProtocolViolation", `PRODUCER was answered by a command of type ${answer.type}`);
      }
      if (!connection.hasProducer(this.producerId)) {
        const detail = `${this.#topic}: the broker closed it while it attached`;
        throw new ConnectionError("ConnectionClosed", detail, { retryable: true });
      }
      this.#topicEpoch = answer.body.topicEpoch;
      return answer.body;
    } catch (error) {
      connection.detachProducer(this.producerId);
      // the broker may have made the producer after all: it must not stand in the way of the next attempt
      if (toPulsarError(error).code === "Timeout" && connection.open) void this.withdraw(connection);
      throw error;
    }
  }

  /** Never rejects: a broker that does not answer forgets the producer with the connection. */
  async withdraw(connection: Connection): Promise<void> {
    connection.detachProducer(this.producerId);
    try {
      await connection.request(`closing a producer on ${this.#topic}`, (requestId) => ({
        type: CommandType.CLOSE_PRODUCER,
        body: { producerId: this.producerId, requestId },
      }));
    } catch (error) {
      this.#logger.debug(`${this.#topic}: closing a producer: ${String(error)}`);
    }
  }

  #command(requestId: number, name: string): CommandProducer {
    const { producerName, properties, accessMode, initialSubscriptionName, schema } = this.#options;
    return {
      topic: this.#topic,
      producerId: this.producerId,
      requestId,
      producerName: name === "" ? undefined : name,
      userProvidedProducerName: producerName !== undefined,
      metadata: Object.entries(properties ?? {}).map(([key, value]) => ({ key, value })),
      encrypted: this.#options.encryptionKeys.length > 0 ? true : undefined,
      epoch: this.#epoch++,
      topicEpoch: this.#topicEpoch,
      producerAccessMode: ProducerAccessMode[accessMode],
      initialSubscriptionName,
      schema: schemaMessage(schema?.info),
    };
  }
}
