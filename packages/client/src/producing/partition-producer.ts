import {
  type CommandProducerSuccess,
  type CommandSendError,
  type CommandSendReceipt,
  CommandType,
  ServerError,
} from "@pulsewire/protocol";
import type { Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { Attachment } from "../connection/attachment.ts";
import type { Connection } from "../connection/connection.ts";
import type { Detachment, ProducerHandler } from "../connection/handlers.ts";
import { retrying } from "../connection/retry.ts";
import { type EntryEncryptor, openEncryptor } from "../crypto/entry-encryptor.ts";
import { AlreadyClosedError, ConnectionError, PulsarError, ServerResponseError, toPulsarError } from "../errors.ts";
import type { MessageId } from "../message-id.ts";
import type { ProducerStatsRecorder } from "../observability/producer-stats.ts";
import type { ProducerTelemetry } from "../observability/telemetry.ts";
import { type SchemaInfo, schemaMessage } from "../schema/schema-info.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { sizeBound } from "./batch-writer.ts";
import { type BatchContainer, DefaultBatches, fillSingle, KeyedBatches } from "./batches.ts";
import { EntryEncoder } from "./entry-encoder.ts";
import { PendingSend } from "./pending-send.ts";
import { batchable, checkMessage, type ProducerMessage, payloadOf, type VersionedMessage } from "./producer-message.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";
import { FINAL_FOR_PRODUCER, ProducerRegistration } from "./producer-registration.ts";
import { SendAdmission } from "./send-admission.ts";
import type { FrameSource } from "./send-frame.ts";
import { SendQueue, type SendQueueOwner } from "./send-queue.ts";
import { SequenceIds } from "./sequence-ids.ts";

type State = { kind: "live" } | { kind: "closing" } | { kind: "ended"; error: PulsarError };

/** A producer of one topic without partitions, or of one partition. */
export class PartitionProducer implements ProducerHandler, SendQueueOwner {
  readonly topic: string;
  readonly partition: number;
  readonly #context: ClientContext;
  readonly #options: ResolvedProducerOptions;
  readonly #registration: ProducerRegistration;
  readonly #attachment: Attachment;
  readonly #stats: ProducerStatsRecorder;
  readonly #telemetry: ProducerTelemetry | undefined;
  readonly #queue: SendQueue;
  readonly #batches: BatchContainer;
  readonly #admission: SendAdmission;
  readonly #encoder: EntryEncoder;
  readonly #sequenceIds = new SequenceIds();
  #state: State = { kind: "live" };
  #source: FrameSource;
  #nextIndex = 0;
  #opened = false;
  #maxMessageSize = 0;
  #encryptor: EntryEncryptor | undefined;
  #batchTimer: Timer | undefined;
  #batchTransaction: Transaction | undefined;
  #batchVersion: Uint8Array | undefined;

  constructor(
    context: ClientContext,
    options: ResolvedProducerOptions,
    topic: string,
    partition: number,
    name: string | undefined,
    stats: ProducerStatsRecorder,
  ) {
    this.topic = topic;
    this.partition = partition;
    this.#stats = stats;
    this.#telemetry = context.telemetry?.producer({ topic, pending: () => this.#admission.pending });
    this.#context = context;
    this.#options = options;
    const producerId = context.nextId();
    this.#registration = new ProducerRegistration(context.logger, options, topic, producerId);
    const { clock } = context.runtime;
    const compression = options.compressionType;
    this.#source = {
      producerId,
      producerName: name ?? "",
      schemaVersion: undefined,
      compression,
      clock,
    };
    this.#queue = new SendQueue({ clock, topic, sendTimeoutMs: options.sendTimeoutMs }, this);
    this.#admission = new SendAdmission({
      topic,
      memoryLimit: context.memoryLimit,
      maxPendingMessages: options.maxPendingMessages,
      blockIfQueueFull: options.blockIfQueueFull,
      accept: (message, payload) => this.#enqueue(message, payload),
    });
    this.#encoder = new EntryEncoder({
      topic,
      codec: context.runtime.codec,
      queue: this.#queue,
      source: () => this.#source,
      maxMessageSize: () => this.#maxMessageSize,
      chunkBytesMax: options.chunkingEnabled ? options.chunkMaxMessageSize : undefined,
      encryptor: () => this.#encryptor,
      unencryptedIfFailed: options.cryptoFailureAction === "SEND",
    });
    const newSend = (): PendingSend => this.#newSend();
    const assign = (message: ProducerMessage): number => this.#sequenceIds.assign(message);
    this.#batches =
      options.batchingType === "KeyBased" ? new KeyedBatches(newSend, assign) : new DefaultBatches(newSend, assign);
    this.#attachment = new Attachment(context, {
      topic,
      attach: (connection) => this.#attach(connection),
      isFinal: (error, everAttached) => this.#isFinal(error, everAttached),
      onGaveUp: (error) => this.#endWith(error),
    });
  }

  /** Attaches for the first time. Rejects with a PulsarError; the producer is ended then. */
  async open(): Promise<void> {
    try {
      this.#encryptor = await openEncryptor(this.#context, this.#options, this.topic);
      await this.#attachment.start();
      this.#opened = true;
    } catch (error) {
      this.#endWith(toPulsarError(error));
      throw error;
    }
  }

  /** Whether it was ever attached; one that starts lazily is not before its first message. */
  get opened(): boolean {
    return this.#opened;
  }

  get name(): string {
    return this.#source.producerName;
  }

  get connected(): boolean {
    return this.#attachment.connection !== undefined;
  }

  /** Registers a schema with the topic where it is not yet; its version. Rejects with a PulsarError. */
  registerSchema(info: SchemaInfo): Promise<Uint8Array> {
    return retrying(this.#context, async () => {
      await this.#attachment.whenAttached();
      const { topic } = this;
      const schema = schemaMessage(info);
      if (schema === undefined || this.#wire === undefined) return new Uint8Array(0);
      const answer = await this.#wire.request(`a schema of ${topic}`, (requestId) => ({
        type: CommandType.GET_OR_CREATE_SCHEMA,
        body: { requestId, topic, schema },
      }));
      if (answer.type === CommandType.GET_OR_CREATE_SCHEMA_RESPONSE && answer.body.schemaVersion !== undefined) {
        return answer.body.schemaVersion;
      }
      throw new PulsarError("ProtocolViolation", `a schema of ${topic} was answered without a version`);
    });
  }

  /** Messages taken and not settled. */
  get pendingMessages(): number {
    return this.#admission.pending.messages;
  }

  /** Resolves when a send may have room; undefined where it has, or would not wait for room but for something else. */
  whenRoom(): Promise<void> | undefined {
    return this.#state.kind === "live" ? this.#admission.whenRoom() : undefined;
  }

  /** The highest sequence id with a receipt, or -1. */
  get lastSequenceId(): number {
    return this.#sequenceIds.lastStored;
  }

  get hasOpenBatch(): boolean {
    return this.#batches.count > 0;
  }

  send(message: ProducerMessage): Promise<MessageId> {
    const telemetry = this.#telemetry;
    return telemetry === undefined ? this.#send(message) : this.#sendTold(message, telemetry);
  }

  #sendTold(message: ProducerMessage, telemetry: ProducerTelemetry): Promise<MessageId> {
    const told = telemetry.sending(message);
    const sent = this.#send(told.message);
    sent.then(
      (id) => told.sending.ended(id),
      (error) => told.sending.ended(undefined, error),
    );
    return sent;
  }

  #send(message: ProducerMessage): Promise<MessageId> {
    const state = this.#state;
    if (state.kind !== "live") {
      const closed =
        state.kind === "ended" ? state.error : new AlreadyClosedError(`the producer of ${this.topic} is closed`);
      return Promise.reject(closed);
    }
    let payload: Uint8Array;
    try {
      checkMessage(message);
      payload = payloadOf(message);
    } catch (error) {
      return Promise.reject(error);
    }
    const { compressionType, chunkingEnabled } = this.#options;
    if (payload.length > this.#maxMessageSize && compressionType === "NONE" && !chunkingEnabled) {
      return Promise.reject(this.#encoder.tooBig(payload.length));
    }
    return this.#admission.admit(message, payload);
  }

  /** Sends what is collected and resolves when everything sent before is settled; rejects with the first failure. */
  async flush(): Promise<void> {
    this.#flushBatches();
    const admitted = this.#admission.whenAdmitted();
    if (admitted !== undefined) {
      await admitted;
      this.#flushBatches();
    }
    await this.#queue.barrier();
  }

  /** Waits for the receipts of what was sent while connected, then lets go. What has no receipt rejects. */
  async close(): Promise<void> {
    if (this.#state.kind !== "live") return;
    const flushed = this.connected ? this.flush() : Promise.resolve();
    this.#state = { kind: "closing" };
    // each send's own promise tells its failure
    await flushed.catch(ignoreFailure);
    const { connection } = this.#attachment;
    this.#endWith(new AlreadyClosedError(`the producer of ${this.topic} is closed`));
    if (connection === undefined) return;
    await this.#registration.withdraw(connection);
  }

  onSendReceipt(receipt: CommandSendReceipt): void {
    if (this.#queue.onReceipt(receipt)) return;
    const detail = `${this.topic}: the receipt of ${receipt.sequenceId} came before an earlier one`;
    this.#attachment.connection?.fail(new ConnectionError("ConnectionClosed", detail, { retryable: true }));
  }

  onSendError(sendError: CommandSendError): void {
    const error = new ServerResponseError(sendError.error, sendError.message);
    this.#context.logger.warn(`${this.topic}: sending ${sendError.sequenceId} failed, ${error.message}`);
    if (sendError.error === ServerError.TopicTerminatedError || sendError.error === ServerError.ProducerFenced) {
      this.#endWith(error);
      return;
    }
    if (sendError.error === ServerError.NotAllowedError || sendError.error === ServerError.ChecksumError) {
      // only this entry is refused; the broker goes on with the next
      if (this.#queue.rejectFirst(Number(sendError.sequenceId), error)) return;
    }
    // the broker may have stored none of what follows: everything goes again, in order, over a new connection
    this.#attachment.connection?.fail(
      new ConnectionError("ConnectionClosed", error.message, { cause: error, retryable: true }),
    );
  }

  onDetached(detachment: Detachment): void {
    this.#queue.disconnect();
    if (this.#state.kind === "closing") {
      this.#endWith(
        new AlreadyClosedError(`the producer of ${this.topic} was closed, and its connection ended meanwhile`),
      );
    } else this.#attachment.detached(detachment);
  }

  write(send: PendingSend): void {
    if (send.chunks === undefined) this.#wire?.write(send.head, send.body.length > 0 ? send.body : undefined);
    else for (const { head, body } of send.openChunks) this.#wire?.write(head, body);
  }

  onSettled(send: PendingSend, stored: boolean): void {
    const latencyMs = this.#context.runtime.clock.monotonicMs() - send.createdMs;
    if (stored) this.#stats.onStored(send.count, send.payload.length, latencyMs);
    else this.#stats.onFailed(send.count);
    this.#telemetry?.entrySettled(latencyMs / 1000, stored);
    if (stored) this.#sequenceIds.onStored(send.highestSequenceId);
    this.#admission.release(send.count, send.reservedBytes);
  }

  // ---- collecting

  #enqueue(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    if (!this.#options.batchingEnabled || !batchable(message)) {
      this.#flushBatches();
      return this.#enqueueAlone(message, payload);
    }
    const batches = this.#batches;
    // a batch takes effect as a whole, and has one schema
    const { transaction, schemaVersion } = message as VersionedMessage;
    const apart = transaction !== this.#batchTransaction || schemaVersion !== this.#batchVersion;
    if (apart && batches.count > 0) this.#flushBatches();
    this.#batchTransaction = transaction;
    this.#batchVersion = schemaVersion;
    const { batchingMaxMessages, batchingMaxPublishDelayMs } = this.#options;
    const batchingMaxBytes = Math.min(this.#options.batchingMaxBytes, this.#maxMessageSize);
    // a sequence id that does not rise must not hide in a batch, where deduplication looks at the highest only
    const repeated = this.#sequenceIds.repeats(message);
    // one whose properties or key are too much for an entry must not take those down that it would share it with
    const plain = message.properties === undefined && message.key === undefined && message.orderingKey === undefined;
    const ownBytes = plain ? payload.length : payload.length + sizeBound(message);
    if (batches.count > 0 && (repeated || batches.sizeBytes + ownBytes > batchingMaxBytes)) this.#flushBatches();
    const id = batches.add(message, payload);
    if (repeated || batches.count >= batchingMaxMessages || batches.sizeBytes >= batchingMaxBytes) this.#flushBatches();
    else this.#batchTimer ??= this.#context.runtime.clock.setTimer(batchingMaxPublishDelayMs, this.#onBatchTimer);
    return id;
  }

  readonly #onBatchTimer = (): void => {
    this.#batchTimer = undefined;
    this.#flushBatches();
  };

  #enqueueAlone(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    const send = this.#newSend();
    const id = send.next();
    fillSingle(send, message, payload, this.#sequenceIds.assign(message));
    this.#encoder.send(send);
    return id;
  }

  #newSend(): PendingSend {
    return new PendingSend(this.#nextIndex++, this.#context.runtime.clock.monotonicMs(), this.topic, this.partition);
  }

  #flushBatches(): void {
    if (this.#batchTimer !== undefined) {
      this.#batchTimer.cancel();
      this.#batchTimer = undefined;
    }
    if (this.#batches.count === 0) return;
    for (const send of this.#batches.take()) this.#encoder.send(send);
  }

  // ---- attaching

  /** Where entries are written, while the queue is connected. */
  #wire: Connection | undefined;

  async #attach(connection: Connection): Promise<void> {
    this.#wire = undefined;
    const success = await this.#registration.register(connection, this, this.name);
    if (this.#state.kind === "ended") await this.#registration.withdraw(connection);
    else this.#onProducerSuccess(success, connection);
  }

  #onProducerSuccess(success: CommandProducerSuccess, connection: Connection): void {
    this.#source = { ...this.#source, producerName: success.producerName, schemaVersion: success.schemaVersion };
    this.#maxMessageSize = connection.maxMessageSize;
    this.#sequenceIds.start(this.#options.initialSequenceId ?? Number(success.lastSequenceId ?? -1));
    this.#wire = connection;
    this.#queue.connect();
  }

  #isFinal(error: PulsarError, everAttached: boolean): boolean {
    if (this.#state.kind === "ended" || FINAL_FOR_PRODUCER.has(error.code)) return true;
    if (everAttached) {
      if (error.code === "ProducerBlockedQuotaExceededException") this.#queue.rejectAll(error);
      return false;
    }
    return !error.retryable;
  }

  #endWith(error: PulsarError): void {
    if (this.#state.kind === "ended") return;
    this.#state = { kind: "ended", error };
    this.#telemetry?.closed();
    const { connection } = this.#attachment;
    connection?.detachProducer(this.#registration.producerId);
    this.#attachment.end();
    this.#queue.disconnect();
    this.#batchTimer?.cancel();
    const rejectWaiting = this.#admission.end(error);
    for (const send of this.#batches.take()) this.#queue.push(send);
    this.#queue.rejectAll(error);
    rejectWaiting();
  }
}

function ignoreFailure(): void {
  // told by the promise of each send
}
