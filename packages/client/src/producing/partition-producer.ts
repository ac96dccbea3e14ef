import {
  type CommandProducerSuccess,
  type CommandSendError,
  type CommandSendReceipt,
  FRAME_PADDING,
  ServerError,
} from "@pulsewire/protocol";
import { type Deferred, deferred, Ring, type Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { Attachment } from "../connection/attachment.ts";
import type { Connection } from "../connection/connection.ts";
import type { Detachment, ProducerHandler } from "../connection/handlers.ts";
import { AlreadyClosedError, ConnectionError, PulsarError, ServerResponseError, toPulsarError } from "../errors.ts";
import type { MessageId } from "../message-id.ts";
import { type BatchContainer, DefaultBatches, fillSingle, KeyedBatches } from "./batches.ts";
import type { MemoryWaiter } from "./memory-limit.ts";
import { PendingSend } from "./pending-send.ts";
import { batchable, checkMessage, type ProducerMessage, payloadOf } from "./producer-message.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";
import { FINAL_FOR_PRODUCER, ProducerRegistration } from "./producer-registration.ts";
import { buildFrame, type FrameSource } from "./send-frame.ts";
import { SendQueue, type SendQueueOwner } from "./send-queue.ts";

/** A send that waits for room, or a flush that waits for those before it. */
type Waiting =
  | { kind: "send"; message: ProducerMessage; payload: Uint8Array; id: Deferred<MessageId> }
  | { kind: "flush"; admitted: () => void };

type State = { kind: "live" } | { kind: "closing" } | { kind: "ended"; error: PulsarError };

/** A producer of one topic without partitions, or of one partition. */
export class PartitionProducer implements ProducerHandler, SendQueueOwner, MemoryWaiter {
  readonly topic: string;
  readonly partition: number;
  readonly #context: ClientContext;
  readonly #options: ResolvedProducerOptions;
  readonly #registration: ProducerRegistration;
  readonly #attachment: Attachment;
  readonly #queue: SendQueue;
  readonly #batches: BatchContainer;
  readonly #waiting = new Ring<Waiting>();
  #state: State = { kind: "live" };
  #source: FrameSource;
  #nextSequenceId = 0;
  #lastQueuedSequenceId = -1;
  #lastSequenceId = -1;
  #sequenceKnown = false;
  #nextIndex = 0;
  #pendingMessages = 0;
  #maxMessageSize = 0;
  #batchTimer: Timer | undefined;

  constructor(
    context: ClientContext,
    options: ResolvedProducerOptions,
    topic: string,
    partition: number,
    name: string | undefined,
  ) {
    this.topic = topic;
    this.partition = partition;
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
    const newSend = (): PendingSend => this.#newSend();
    const assign = (message: ProducerMessage): number => this.#assignSequenceId(message);
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
      await this.#attachment.start();
    } catch (error) {
      this.#endWith(toPulsarError(error));
      throw error;
    }
  }

  get name(): string {
    return this.#source.producerName;
  }

  get connected(): boolean {
    return this.#attachment.connection !== undefined;
  }

  /** The highest sequence id with a receipt, or -1. */
  get lastSequenceId(): number {
    return this.#lastSequenceId;
  }

  get hasOpenBatch(): boolean {
    return this.#batches.count > 0;
  }

  send(message: ProducerMessage): Promise<MessageId> {
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
    if (this.#waiting.length > 0) return this.#wait(message, payload);
    return this.#admit(message, payload);
  }

  /** Sends what is collected and resolves when everything sent before is settled; rejects with the first failure. */
  async flush(): Promise<void> {
    this.#flushBatches();
    if (this.#waiting.length > 0) {
      await new Promise<void>((admitted) => this.#waiting.push({ kind: "flush", admitted }));
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
    this.#wire?.write(send.head, send.body.length > 0 ? send.body : undefined);
  }

  onSettled(send: PendingSend, stored: boolean): void {
    this.#pendingMessages -= send.count;
    if (stored && send.highestSequenceId > this.#lastSequenceId) this.#lastSequenceId = send.highestSequenceId;
    this.#context.memoryLimit.release(send.reservedBytes);
    if (this.#waiting.length > 0) this.#admitWaiting();
  }

  onMemoryFreed(): void {
    this.#admitWaiting();
  }

  // ---- accepting

  #admit(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    if (payload.length > this.#maxMessageSize && this.#options.compressionType === "NONE") {
      return Promise.reject(this.#tooBig(payload.length));
    }
    const refusal = this.#reserve(payload.length);
    if (refusal === undefined) return this.#enqueue(message, payload);
    if (this.#options.blockIfQueueFull) return this.#wait(message, payload);
    return Promise.reject(refusalError(refusal, this.topic, this.#options.maxPendingMessages));
  }

  #reserve(bytes: number): Refusal | undefined {
    if (this.#pendingMessages >= this.#options.maxPendingMessages) return "ProducerQueueIsFull";
    if (!this.#context.memoryLimit.tryReserve(bytes)) return "MemoryBufferIsFull";
    this.#pendingMessages++;
    return undefined;
  }

  #wait(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    const id = deferred<MessageId>();
    this.#waiting.push({ kind: "send", message, payload, id });
    this.#context.memoryLimit.notify(this);
    return id.promise;
  }

  #admitWaiting(): void {
    for (;;) {
      const next = this.#waiting.at(0);
      if (next === undefined) return;
      if (next.kind === "flush") {
        this.#waiting.shift();
        next.admitted();
        continue;
      }
      if (this.#reserve(next.payload.length) !== undefined) {
        this.#context.memoryLimit.notify(this);
        return;
      }
      this.#waiting.shift();
      this.#enqueue(next.message, next.payload).then(next.id.resolve, next.id.reject);
    }
  }

  #enqueue(message: ProducerMessage, payload: Uint8Array): Promise<MessageId> {
    if (!this.#options.batchingEnabled || !batchable(message)) {
      this.#flushBatches();
      return this.#enqueueAlone(message, payload);
    }
    const batches = this.#batches;
    const { batchingMaxMessages, batchingMaxPublishDelayMs } = this.#options;
    const batchingMaxBytes = Math.min(this.#options.batchingMaxBytes, this.#maxMessageSize);
    // a sequence id that does not rise must not hide in a batch, where deduplication looks at the highest only
    const repeated = message.sequenceId !== undefined && message.sequenceId <= this.#lastQueuedSequenceId;
    if (batches.count > 0 && (repeated || batches.sizeBytes + payload.length > batchingMaxBytes)) this.#flushBatches();
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
    fillSingle(send, message, payload, this.#assignSequenceId(message));
    this.#send(send);
    return id;
  }

  #newSend(): PendingSend {
    return new PendingSend(this.#nextIndex++, this.#context.runtime.clock.monotonicMs(), this.topic, this.partition);
  }

  #assignSequenceId(message: ProducerMessage): number {
    const sequenceId = message.sequenceId ?? this.#nextSequenceId;
    if (sequenceId >= this.#nextSequenceId) this.#nextSequenceId = sequenceId + 1;
    this.#lastQueuedSequenceId = sequenceId;
    return sequenceId;
  }

  #flushBatches(): void {
    if (this.#batchTimer !== undefined) {
      this.#batchTimer.cancel();
      this.#batchTimer = undefined;
    }
    if (this.#batches.count === 0) return;
    for (const send of this.#batches.take()) this.#send(send);
  }

  // ---- sending

  #send(send: PendingSend): void {
    this.#queue.push(send);
    const { codec } = this.#context.runtime;
    const { compressionType } = this.#options;
    try {
      const body = compressionType === "NONE" ? send.payload : codec.compress(compressionType, send.payload);
      if (body instanceof Promise) void this.#finishLater(send, body);
      else this.#finish(send, body);
    } catch (error) {
      this.#queue.drop(send, toPulsarError(error));
    }
  }

  async #finishLater(send: PendingSend, body: Promise<Uint8Array>): Promise<void> {
    try {
      this.#finish(send, await body);
    } catch (error) {
      if (send.state === "preparing") this.#queue.drop(send, toPulsarError(error));
    }
  }

  #finish(send: PendingSend, body: Uint8Array): void {
    if (body.length > this.#maxMessageSize) {
      this.#queue.drop(send, this.#tooBig(body.length));
      return;
    }
    buildFrame(send, body, this.#source);
    // keys and properties count too: the broker ends the connection over a frame it does not take
    const frameBytes = send.head.length + body.length;
    if (frameBytes > this.#maxMessageSize + FRAME_PADDING) this.#queue.drop(send, this.#tooBig(frameBytes));
    this.#queue.pump();
  }

  #tooBig(bytes: number): PulsarError {
    const detail = `a message of ${bytes} bytes for ${this.topic}, which takes at most ${this.#maxMessageSize}`;
    return new PulsarError("MessageTooBig", detail);
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
    if (!this.#sequenceKnown) {
      // later answers tell what the broker stored of this producer's own messages, which must not move its count
      this.#sequenceKnown = true;
      const last = this.#options.initialSequenceId ?? Number(success.lastSequenceId ?? -1);
      this.#lastSequenceId = last;
      this.#lastQueuedSequenceId = last;
      this.#nextSequenceId = last + 1;
    }
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
    const { connection } = this.#attachment;
    connection?.detachProducer(this.#registration.producerId);
    this.#attachment.end();
    this.#queue.disconnect();
    this.#batchTimer?.cancel();
    this.#context.memoryLimit.forget(this);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const send of this.#batches.take()) this.#queue.push(send);
    this.#queue.rejectAll(error);
    for (const w of waiting) {
      if (w.kind === "send") w.id.reject(error);
      else w.admitted();
    }
  }
}

type Refusal = "ProducerQueueIsFull" | "MemoryBufferIsFull";

function refusalError(refusal: Refusal, topic: string, maxPendingMessages: number): PulsarError {
  const detail =
    refusal === "ProducerQueueIsFull"
      ? `${maxPendingMessages} messages to ${topic} wait for their receipts; await sends, or set blockIfQueueFull`
      : `the client's memoryLimitBytes is used up by messages without a receipt; await sends, or set blockIfQueueFull`;
  return new PulsarError(refusal, detail, { retryable: true });
}

function ignoreFailure(): void {
  // told by the promise of each send
}
