import type { CommandMessage, CommandSubscribe, MessageIdData } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import { Attachment } from "../connection/attachment.ts";
import type { Connection } from "../connection/connection.ts";
import type { ConsumerHandler, Detachment } from "../connection/handlers.ts";
import { retrying } from "../connection/retry.ts";
import { AlreadyClosedError, ConnectionError, PulsarError, toPulsarError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { ChunkPlace, MessageId } from "../message-id.ts";
import type { ConsumerTelemetry } from "../observability/telemetry.ts";
import { valueReaderOf } from "../schema/value-reader.ts";
import { AckTracker } from "./ack-tracker.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import type { ConsumerSink } from "./consumer-sink.ts";
import { ConsumerWire } from "./consumer-wire.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { MessageIntake } from "./message-intake.ts";
import { Permits } from "./permits.ts";
import { ReadingPlace } from "./reading-place.ts";
import { Redelivery } from "./redelivery.ts";
import { Seeking, seekCommand } from "./seeking.ts";
import { Settlement } from "./settlement.ts";
import type { StartPosition } from "./start-position.ts";
import { FINAL_FOR_CONSUMER, subscribeCommand } from "./subscribe-command.ts";
import { isShared } from "./subscription-type.ts";

export interface PartitionConsumerOptions {
  readonly topic: string;
  readonly partition: number;
  readonly consumerName: string;
  readonly receiverQueueSize: number;
  readonly start: StartPosition | undefined;
  readonly deadLetters: DeadLetters | undefined;
}

type State = { kind: "live" } | { kind: "closing" } | { kind: "ended"; error: PulsarError };

/** The consumer of one topic without partitions, or of one partition. */
export class PartitionConsumer implements ConsumerHandler {
  readonly topic: string;
  readonly partition: number;
  readonly #context: ClientContext;
  readonly #options: ResolvedConsumerOptions;
  readonly #own: PartitionConsumerOptions;
  readonly #sink: ConsumerSink;
  readonly #consumerId: number;
  readonly #wire: ConsumerWire;
  readonly #attachment: Attachment;
  readonly #acks: AckTracker;
  readonly #redelivery: Redelivery;
  readonly settlement: Settlement;
  readonly #permits: Permits;
  readonly #intake: MessageIntake;
  readonly #seeking: Seeking = new Seeking();
  readonly #telemetry: ConsumerTelemetry | undefined;
  #state: State = { kind: "live" };
  readonly #place: ReadingPlace;
  #active = false;
  /** Rises whenever what has come is forgotten, since it comes again or is no longer wanted. */
  #generation = 0;
  /** From when a seek is asked for until the consumer is attached at its new place. */
  #sought = false;

  constructor(
    context: ClientContext,
    options: ResolvedConsumerOptions,
    own: PartitionConsumerOptions,
    sink: ConsumerSink,
  ) {
    this.topic = own.topic;
    this.partition = own.partition;
    this.#context = context;
    this.#options = options;
    this.#own = own;
    this.#sink = sink;
    this.#place = new ReadingPlace(options.durable, own.start);
    this.#telemetry = context.telemetry?.consumer({ topic: own.topic, subscription: options.subscription });
    this.#consumerId = context.nextId();
    const { topic, partition } = own;
    const { subscription } = options;
    this.#wire = new ConsumerWire({
      topic,
      partition,
      subscription,
      consumerId: this.#consumerId,
      logger: context.logger,
    });
    const { clock } = context.runtime;
    this.#acks = new AckTracker({
      clock,
      consumerId: this.#consumerId,
      topic,
      groupTimeMs: options.acknowledgmentGroupTimeMs,
      groupSize: options.maxAcknowledgmentGroupSize,
      batchIndexAckEnabled: options.batchIndexAckEnabled,
      receiptEnabled: options.ackReceiptEnabled,
      connection: () => this.#wire.connection,
    });
    this.#permits = new Permits(
      own.receiverQueueSize,
      options.autoScaledReceiverQueueSizeEnabled,
      sink.paused(),
      (permits) => this.#wire.flow(permits),
    );
    this.#redelivery = this.#makeRedelivery();
    this.settlement = new Settlement({
      topic,
      subscription,
      wire: this.#wire,
      acks: this.#acks,
      redelivery: this.#redelivery,
      stats: sink.stats,
      telemetry: this.#telemetry,
      whenAttached: () => this.#whenAttached(),
    });
    this.#intake = this.#makeIntake();
    this.#attachment = new Attachment(context, {
      topic,
      attach: (connection) => this.#attach(connection),
      isFinal: (error, everAttached) => this.#isFinal(error, everAttached),
      onGaveUp: (error) => {
        this.#endWith(error);
        this.#sink.onFailed(this, error);
      },
    });
  }

  /** Subscribes for the first time. Rejects with a PulsarError; the consumer is ended then. */
  async open(): Promise<void> {
    try {
      await this.#attachment.start();
    } catch (error) {
      this.#endWith(toPulsarError(error));
      throw error;
    }
  }

  isOf(sink: ConsumerSink): boolean {
    return this.#sink === sink;
  }

  get receiverQueueSize(): number {
    return this.#permits.queueSize;
  }

  get connected(): boolean {
    return this.#attachment.connection !== undefined;
  }

  /** Failover: whether this consumer is the one that gets messages. */
  get active(): boolean {
    return this.#active;
  }

  // ---- what the application does

  /** The application has got a message of this partition. */
  taken(message: Message): void {
    this.#place.onTaken(message);
    this.#redelivery.onTaken(message);
    this.#telemetry?.taken(message);
    this.#permits.onReleased(1);
  }

  /** Tells a message that came before everything was forgotten from one that came since. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * The application gives back a message it had got in a generation, untouched: it goes to the queue again. False where it
   * must not, since the broker sends it again or the consumer was moved.
   */
  returned(message: Message, generation: number): boolean {
    if (this.#state.kind !== "live" || generation !== this.#generation) return false;
    if (!this.#redelivery.onReturned(message)) return false;
    this.#place.onReturned(message);
    this.#permits.onReturned(1);
    return true;
  }

  /** Runs what the application does with a message. */
  processing<R>(message: Message, run: () => R): R {
    return this.#telemetry === undefined ? run() : this.#telemetry.processing(message, run);
  }

  /** Without a receiver queue: so many receives wait. */
  demand(receives: number): void {
    if (this.#wire.connection !== undefined) this.#permits.demand(receives);
  }

  pause(): void {
    this.#permits.pause();
  }

  resume(): void {
    this.#permits.resume();
    this.demand(this.#sink.waiting());
  }

  /** Has everything that is not acknowledged delivered again. */
  redeliverAll(): void {
    this.#redelivery.all();
  }

  /** Moves the subscription. Once it has resolved, no message from before comes out. */
  async seek(position: StartPosition): Promise<void> {
    this.#throwIfEnded();
    if (this.#sought) throw new PulsarError("NotAllowedError", `${this.topic}: a seek is under way`);
    this.#sought = true;
    try {
      await retrying(this.#context, async () => {
        await this.#whenAttached();
        await this.#seekOnce(position);
      });
      await this.#attachment.whenAttached();
    } finally {
      this.#sought = false;
    }
  }

  /** The id of the topic's last message (entry -1 where there is none) and where the subscription stands. */
  async lastMessageId(): Promise<{ last: MessageId; markDelete: MessageIdData | undefined }> {
    return retrying(this.#context, async () => {
      await this.#whenAttached();
      return this.#wire.lastMessageId();
    });
  }

  /** Whether the topic has a message the application has not got yet. What is in the queue the caller knows. */
  async hasMessageAvailable(): Promise<boolean> {
    const { last, markDelete } = await this.lastMessageId();
    return this.#place.hasMore(last, markDelete);
  }

  /** Removes the subscription. The consumer is ended then. */
  async unsubscribe(force: boolean): Promise<void> {
    this.#throwIfEnded();
    this.#acks.flush();
    await this.#attachment.whenAttached();
    await this.#wire.unsubscribe(force);
    this.#endWith(closed(this.topic));
  }

  /** Sends what was acknowledged, and lets go. */
  async close(): Promise<void> {
    if (this.#state.kind !== "live") return;
    this.#state = { kind: "closing" };
    this.#acks.close();
    const { connection } = this.#wire;
    this.#endWith(closed(this.topic));
    if (connection !== undefined) await this.#wire.close(connection);
  }

  // ---- what the broker does

  onMessage(command: CommandMessage, bytes: Uint8Array): void {
    const { consumerEpoch } = command;
    const old = consumerEpoch !== undefined && consumerEpoch < this.#redelivery.epoch;
    this.#intake.receive(command, bytes, old || this.#seeking.underway);
  }

  onActiveChange(active: boolean): void {
    this.#active = active;
    this.#sink.onActiveChange(this, active);
  }

  onEndOfTopic(): void {
    this.#sink.onEndOfTopic(this.topic);
  }

  onDetached(detachment: Detachment): void {
    this.#wire.lose();
    this.#active = false;
    if (this.#state.kind !== "live") return;
    if (this.#seeking.onDetached(detachment)) return;
    this.#place.onDetached();
    this.#attachment.detached(detachment);
  }

  // ---- taking in

  #makeIntake(): MessageIntake {
    return new MessageIntake({
      context: this.#context,
      owner: this,
      topic: this.topic,
      partition: this.partition,
      consumerId: this.#consumerId,
      acks: this.#acks,
      permits: this.#permits,
      values: valueReaderOf(this.#context, this.#options.schema, this.topic),
      received: (messages, bytes) => {
        this.#sink.stats.onReceived(messages, bytes);
        this.#telemetry?.received(messages, bytes);
      },
      wire: () => this.#wire.connection,
      payload: this.#options,
      isWanted: (ledgerId, entryId, batchIndex, batchSize, chunks) =>
        !this.#skipped(ledgerId, entryId, batchIndex, batchSize, chunks) &&
        !this.#redelivery.isLeaving(ledgerId, entryId, batchIndex, batchSize),
      isInPlace: (timeMs) => {
        if (this.#place.onEntry(timeMs)) return true;
        void this.#attachAnew();
        return false;
      },
      deliver: (messages) => this.#deliver(messages),
      passed: (ledgerId, entryId) => this.#place.onPassed(ledgerId, entryId),
      leftOut: () => this.demand(this.#sink.waiting()),
      undelivered: (entry, redeliveryCount) => this.#redelivery.onUndelivered(entry, redeliveryCount),
      giveUp: (place) => this.#giveUp(place),
    });
  }

  #deliver(messages: readonly Message[]): void {
    const now = this.#redelivery.onDelivered(messages);
    this.#sink.deliver(now);
    // those that are kept back were counted too, and a receive may still wait
    if (now.length < messages.length) this.demand(this.#sink.waiting());
  }

  #makeRedelivery(): Redelivery {
    const { runtime, logger } = this.#context;
    return new Redelivery({
      clock: runtime.clock,
      logger,
      options: this.#options,
      topic: this.topic,
      consumerId: this.#consumerId,
      deadLetters: this.#own.deadLetters,
      wire: () => this.#wire.connection,
      acknowledge: (place) => this.settlement.acknowledge(place),
      flushAcks: () => this.#acks.flush(),
      deliver: (messages) => this.#sink.deliver(messages),
      dropReceived: () => this.#dropReceived(),
      discard: (picked) => this.#sink.discard(this, picked),
      asking: (due, cause) => this.#sink.onRedelivery(this, due, cause),
      released: (messages) => this.#permits.onReleased(messages),
    });
  }

  /** Whether a message lies before the start. A durable subscription counts it as consumed. */
  #skipped(
    ledgerId: number,
    entryId: number,
    batchIndex: number,
    batchSize: number,
    chunks: readonly ChunkPlace[] | undefined,
  ): boolean {
    if (!this.#place.skips(ledgerId, entryId, batchIndex)) return false;
    if (this.#options.durable) void this.#acks.acknowledge({ ledgerId, entryId, batchIndex, batchSize, chunks });
    return true;
  }

  /** For the other types the broker keeps one position and would go back to it, for the sake of one chunk. */
  #giveUp(place: ChunkPlace): boolean {
    if (!isShared(this.#options.type)) return false;
    this.settlement.bringBack({ ...place, batchIndex: -1, batchSize: 0 }, undefined);
    return true;
  }

  /** Forgets what has come and was not taken; answers how many messages of the queue that were. */
  #dropReceived(): number {
    this.#generation++;
    this.#place.onForgotten();
    return this.#intake.clear() + this.#redelivery.held + this.#sink.discard(this, () => true);
  }

  // ---- attaching

  async #attach(connection: Connection): Promise<void> {
    this.#dropReceived();
    this.#redelivery.clear();
    this.#place.onAttaching();
    await this.#wire.subscribe(connection, this, (requestId) => this.#subscribeCommand(requestId));
    if (this.#state.kind !== "live") {
      await this.#wire.close(connection);
      return;
    }
    this.#wire.throwIfClosedMeanwhile(connection);
    const time = this.#place.timeToMoveTo();
    if (time !== undefined) await this.#moveTo(time, connection);
    this.#wire.use(connection);
    // what was acknowledged without a connection goes before the permits: the broker need not deliver it again
    this.#acks.flush();
    this.#permits.onAttached();
    this.#permits.demand(this.#sink.waiting());
  }

  /**
   * The broker lost the subscription that it was to keep: lets go of the one it made instead, and has another one moved
   * to the start. Does not reject.
   */
  async #attachAnew(): Promise<void> {
    const { connection } = this.#wire;
    if (connection === undefined) return;
    const detail = `${this.topic}: the broker has lost the place to read from`;
    this.#wire.lose();
    // from here on nothing of this attachment comes any more
    await this.#wire.close(connection);
    this.#attachment.detached({ error: new ConnectionError("ConnectionClosed", detail, { retryable: true }) });
  }

  #subscribeCommand(requestId: number): CommandSubscribe {
    return subscribeCommand(this.#options, {
      topic: this.topic,
      consumerId: this.#consumerId,
      consumerName: this.#own.consumerName,
      requestId,
      consumerEpoch: this.#redelivery.epoch,
      ...this.#place.subscribeFields(),
    });
  }

  async #moveTo(time: StartPosition, connection: Connection): Promise<void> {
    const { detachment, failure } = await this.#seeking.run(() =>
      connection.request(`seeking on ${this.topic}`, (requestId) => seekCommand(this.#consumerId, requestId, time)),
    );
    if (failure === undefined) this.#place.onMovedToTime(detachment !== undefined);
    else if (connection.hasConsumer(this.#consumerId)) await this.#wire.close(connection);
    if (failure !== undefined) throw failure;
    // attached again it finds itself where it is to be
    if (detachment !== undefined) throw detachment.error;
  }

  #isFinal(error: PulsarError, everAttached: boolean): boolean {
    if (this.#state.kind !== "live" || FINAL_FOR_CONSUMER.has(error.code)) return true;
    return !everAttached && !error.retryable;
  }

  // ---- seeking

  async #seekOnce(position: StartPosition): Promise<void> {
    this.#acks.flush();
    const { detachment, failure } = await this.#seeking.run(() =>
      this.#wire.request("seeking on", (requestId) => seekCommand(this.#consumerId, requestId, position)),
    );
    if (failure === undefined) {
      this.#place.onSought(position, detachment !== undefined);
      this.#acks.clear();
      const dropped = this.#dropReceived();
      this.#redelivery.clear();
      if (detachment === undefined) this.#permits.onReleased(dropped);
    }
    if (detachment !== undefined) this.#attachment.detached(detachment, true);
    if (failure !== undefined) throw failure;
  }

  // ---- ending

  async #whenAttached(): Promise<void> {
    this.#throwIfEnded();
    await this.#attachment.whenAttached();
  }

  #throwIfEnded(): void {
    if (this.#state.kind === "ended") throw this.#state.error;
    if (this.#state.kind === "closing") throw closed(this.topic);
  }

  #endWith(error: PulsarError): void {
    if (this.#state.kind === "ended") return;
    this.#state = { kind: "ended", error };
    this.#telemetry?.closed();
    this.#acks.close();
    this.#wire.letGo();
    this.#attachment.end();
    this.#redelivery.end();
    this.#dropReceived();
  }
}

function closed(topic: string): PulsarError {
  return new AlreadyClosedError(`the consumer of ${topic} is closed`);
}
