import { type Command, CommandType, type Int64, type ServerError } from "@pulsewire/protocol";
import type { Channel } from "@pulsewire/runtime";
import type { ConsumerSession, Delivery } from "../subscription/contracts.ts";
import type { ProducerSession, TopicProducer } from "../topic/producer.ts";
import type { BrokerConnection } from "./broker-connection.ts";

/** Clients from this protocol version on understand ACTIVE_CONSUMER_CHANGE. */
const ACTIVE_CONSUMER_VERSION = 12;
/** The request id of what the broker sends on its own account: nobody waits for it. */
const NO_REQUEST = -1;

/** What topics and subscriptions see of a connection: answers to publishes, deliveries, and disconnections. */
export class ConnectionSession implements ProducerSession, ConsumerSession {
  readonly #connection: BrokerConnection;
  readonly #channel: Channel;

  constructor(connection: BrokerConnection, channel: Channel) {
    this.#connection = connection;
    this.#channel = channel;
  }

  get remoteAddress(): string {
    return this.#channel.remoteAddress;
  }

  get clientVersion(): string {
    return this.#connection.client?.clientVersion ?? "";
  }

  get open(): boolean {
    return this.#connection.client !== undefined;
  }

  get writable(): boolean {
    return this.#connection.writable;
  }

  published(producer: TopicProducer, sequenceId: Int64, highest: Int64, ledgerId: number, entryId: number): void {
    this.#connection.publishGate.end();
    const { producerId } = producer;
    const messageId = { ledgerId, entryId };
    const body =
      highest > sequenceId
        ? { producerId, sequenceId, messageId, highestSequenceId: highest }
        : { producerId, sequenceId, messageId };
    this.#connection.send({ type: CommandType.SEND_RECEIPT, body });
  }

  publishFailed(producer: TopicProducer, sequenceId: Int64, error: ServerError, message: string): void {
    this.#connection.publishGate.end();
    const { producerId } = producer;
    this.#connection.send({ type: CommandType.SEND_ERROR, body: { producerId, sequenceId, error, message } });
  }

  publishDropped(_producer: TopicProducer): void {
    this.#connection.publishGate.end();
  }

  closeProducer(producer: TopicProducer, assigned?: { serviceUrl: string; serviceUrlTls: string | undefined }): void {
    const { producerId } = producer;
    if (this.#connection.producers.get(producerId) !== producer) return;
    this.#connection.producers.removeByBroker(producerId, this.#connection.broker.clock.now());
    this.#connection.send({
      type: CommandType.CLOSE_PRODUCER,
      body: {
        producerId,
        requestId: NO_REQUEST,
        assignedBrokerServiceUrl: assigned?.serviceUrl,
        assignedBrokerServiceUrlTls: assigned?.serviceUrlTls,
      },
    });
  }

  checkAlive(): Promise<boolean> {
    return this.open ? this.#connection.keepAlive.check() : Promise.resolve(false);
  }

  deliver(consumerId: number, deliveries: readonly Delivery[], consumerEpoch: number | undefined): void {
    const partition = this.#connection.consumers.get(consumerId)?.topic.name.partitionIndex ?? -1;
    for (const { entry, redeliveryCount, ackSet } of deliveries) {
      const { ledgerId, entryId, data } = entry;
      const command: Command = {
        type: CommandType.MESSAGE,
        body: {
          consumerId,
          messageId: partition < 0 ? { ledgerId, entryId } : { ledgerId, entryId, partition },
          redeliveryCount: redeliveryCount === 0 ? undefined : redeliveryCount,
          ackSet,
          consumerEpoch,
        },
      };
      this.#connection.sendEntry(command, data);
    }
  }

  activeConsumerChanged(consumerId: number, isActive: boolean): void {
    if ((this.#connection.client?.protocolVersion ?? 0) < ACTIVE_CONSUMER_VERSION) return;
    this.#connection.send({ type: CommandType.ACTIVE_CONSUMER_CHANGE, body: { consumerId, isActive } });
  }

  reachedEndOfTopic(consumerId: number): void {
    this.#connection.send({ type: CommandType.REACHED_END_OF_TOPIC, body: { consumerId } });
  }

  closeConsumer(consumerId: number): void {
    this.#connection.consumers.removeByBroker(consumerId, this.#connection.broker.clock.now());
    this.#connection.send({ type: CommandType.CLOSE_CONSUMER, body: { consumerId, requestId: NO_REQUEST } });
  }
}
