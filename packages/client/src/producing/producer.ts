import { deferred, type Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { retrying } from "../connection/retry.ts";
import { type PulsarError, toPulsarError } from "../errors.ts";
import { chainOf, type InterceptorChain } from "../interceptors/interceptor-chain.ts";
import type { ProducerInterceptor } from "../interceptors/producer-interceptor.ts";
import type { MessageId } from "../message-id.ts";
import { type ProducerStats, ProducerStatsRecorder } from "../observability/producer-stats.ts";
import { checkSchema } from "../schema/check-schema.ts";
import type { Schema } from "../schema/schema.ts";
import { ValueWriter } from "../schema/value-writer.ts";
import { checkTransaction } from "../transactions/transaction.ts";
import { createRouter, type Router } from "./message-router.ts";
import { MessageSchemas } from "./message-schemas.ts";
import { PartitionProducer } from "./partition-producer.ts";
import type { ProducerMessage, VersionedMessage } from "./producer-message.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";

/**
 * Sends messages to one topic and its partitions. Made by `client.createProducer`.
 *
 * @example
 * await using producer = await client.createProducer({ topic: "orders" });
 * const id = await producer.send({ data: "42", key: "customer-7" });
 */
export class Producer<T = Uint8Array> implements AsyncDisposable {
  /** The topic's full name. */
  readonly topic: string;
  readonly #context: ClientContext;
  readonly #options: ResolvedProducerOptions;
  readonly #partitions: PartitionProducer[];
  readonly #router: Router;
  readonly #values: ValueWriter;
  /** There once a message has brought a schema of its own. */
  #schemas: MessageSchemas | undefined;
  readonly #interceptors: InterceptorChain<ProducerInterceptor> | undefined;
  readonly #stats: ProducerStatsRecorder;
  readonly #onClosed: (producer: Producer<T>) => void;
  #ticker: Timer | undefined;
  /** Partitions that are being opened for their first message, by their number. */
  readonly #opening = new Map<number, Promise<void>>();
  /** Messages whose transaction is being told of the topic. */
  readonly #joining = new Set<Promise<void>>();
  #looking = false;
  #closing: Promise<void> | undefined;

  /** @internal Use `client.createProducer`. */
  constructor(
    context: ClientContext,
    options: ResolvedProducerOptions,
    partitions: PartitionProducer[],
    stats: ProducerStatsRecorder,
    onClosed: (producer: Producer<T>) => void,
  ) {
    this.topic = options.topic.toString();
    this.#interceptors = chainOf(options.interceptors, context.logger);
    this.#context = context;
    this.#options = options;
    this.#partitions = partitions;
    this.#onClosed = onClosed;
    this.#stats = stats;
    this.#values = new ValueWriter(options.schema, this.topic);
    this.#router = createRouter(options, context.runtime.random, (index) => partitions[index]?.hasOpenBatch ?? false);
    const everyMs = options.autoUpdatePartitionsIntervalMs;
    if (everyMs > 0 && partitions[0]?.topic !== this.topic) {
      this.#ticker = context.runtime.clock.setTicker(everyMs, () => void this.#lookForPartitions());
    }
  }

  /** The name the broker knows this producer by. */
  get producerName(): string {
    return this.#partitions[0]?.name ?? "";
  }

  /** The highest sequence id that has a receipt, over all partitions; -1 before the first. */
  get lastSequenceId(): number {
    return Math.max(...this.#partitions.map((p) => p.lastSequenceId));
  }

  /**
   * Whether every partition's producer is attached to its broker; those that start lazily and had no message do not count.
   * While it is not, sends wait.
   */
  get isConnected(): boolean {
    return this.#partitions.every((p) => p.connected || !p.opened);
  }

  /** What it has sent and how fast; what is counted a second is counted since the call before. */
  stats(): ProducerStats {
    const pending = this.#partitions.reduce((sum, p) => sum + p.pendingMessages, 0);
    return this.#stats.snapshot(this.#context.runtime.clock.monotonicMs(), pending);
  }

  get numberOfPartitions(): number {
    return this.#partitions.length;
  }

  /**
   * Sends one message; resolves with its id when the broker has stored it. Messages to one partition are stored in the
   * order of their sends. Rejects with a PulsarError: `Timeout`, `MessageTooBig`, `ProducerQueueIsFull`,
   * `MemoryBufferIsFull`, `AlreadyClosed`, or the broker's refusal.
   */
  send(message: ProducerMessage<T> | Uint8Array | string): Promise<MessageId> {
    const chain = this.#interceptors;
    return chain === undefined ? this.#send(message) : this.#sendIntercepted(message, chain);
  }

  /** @internal How many messages one of its partitions may have pending. */
  get maxPendingMessages(): number {
    return this.#options.maxPendingMessages;
  }

  /** @internal Resolves when a send may have room in all partitions; undefined where it has. Ask again then. */
  whenRoom(): Promise<void> | undefined {
    for (const partition of this.#partitions) {
      const room = partition.whenRoom();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /** Sends a message with a schema of its own, or one that comes behind such a one. */
  async #sendVersioned(message: ProducerMessage<T> | Uint8Array | string, schemas: MessageSchemas): Promise<MessageId> {
    const schema = checkSchema((message as Partial<ProducerMessage<T>> | undefined | null)?.schema);
    return schemas.send(schema, () => this.#sendBytes(message));
  }

  #send(message: ProducerMessage<T> | Uint8Array | string): Promise<MessageId> {
    const own = (message as Partial<ProducerMessage<T>> | undefined | null)?.schema;
    if (own !== undefined) {
      this.#schemas ??= new MessageSchemas((info) => (this.#partitions[0] as PartitionProducer).registerSchema(info));
    }
    const schemas = this.#schemas;
    if (schemas === undefined) return this.#sendBytes(message);
    const unknown = own !== undefined && schemas.versionOf(own as Schema<never, unknown>) === undefined;
    return unknown || schemas.waiting !== undefined ? this.#sendVersioned(message, schemas) : this.#sendBytes(message);
  }

  #sendBytes(message: ProducerMessage<T> | Uint8Array | string): Promise<MessageId> {
    const partitions = this.#partitions;
    try {
      const whole = this.#bytesOf(message);
      // what is no message at all is refused where every message is looked at
      const one = partitions.length === 1 || whole === undefined || whole === null;
      const index = one ? 0 : this.#router(whole, partitions.length);
      const partition = partitions[index] as PartitionProducer;
      const lazy = !partition.opened || (this.#opening.size > 0 && this.#opening.has(index));
      // no closure in this function: it would cost every message
      if (whole?.transaction !== undefined) return this.#sendIn(whole, index, lazy);
      return lazy ? this.#sendLazily(index, whole) : partition.send(whole);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Sends as part of the message's transaction. */
  #sendIn(message: ProducerMessage, index: number, lazy: boolean): Promise<MessageId> {
    const partition = this.#partitions[index] as PartitionProducer;
    const send = (): Promise<MessageId> => (lazy ? this.#sendLazily(index, message) : partition.send(message));
    const transaction = checkTransaction(message.transaction);
    if (transaction === undefined) return send();
    const joined = deferred<void>();
    this.#joining.add(joined.promise);
    const done = (): void => {
      this.#joining.delete(joined.promise);
      joined.resolve();
    };
    const sent = transaction.produce(partition.topic, () => {
      done();
      return send();
    });
    // refused before it was sent
    sent.catch(done);
    return sent;
  }

  /** Opens a partition for its first message. Those that follow meanwhile go in the order they came. */
  #sendLazily(index: number, message: ProducerMessage): Promise<MessageId> {
    const partition = this.#partitions[index] as PartitionProducer;
    let opening = this.#opening.get(index);
    if (opening === undefined) {
      opening = partition.open();
      this.#opening.set(index, opening);
      const done = (): void => void this.#opening.delete(index);
      // the next message tries again: with a new one, since this one has ended
      const failed = (): void => {
        done();
        if (this.#closing === undefined) this.#partitions[index] = this.#partition(index);
      };
      // first of all that wait for it: what is sent from then on goes straight to the partition, behind those that wait
      opening.then(done, failed);
    }
    return opening.then(() => partition.send(message));
  }

  #partition(index: number): PartitionProducer {
    return partitionProducer(this.#context, this.#options, index, this.#stats, this.producerName);
  }

  #sendIntercepted(
    message: ProducerMessage<T> | Uint8Array | string,
    chain: InterceptorChain<ProducerInterceptor>,
  ): Promise<MessageId> {
    const bare = typeof message === "string" || message instanceof Uint8Array;
    const given: ProducerMessage<unknown> = bare ? { data: message } : (message as ProducerMessage<unknown>);
    const self = this as unknown as Producer<unknown>;
    const picks = (i: ProducerInterceptor, m: ProducerMessage<unknown>): boolean => i.eligible?.(m) !== false;
    const changed = chain.pass("beforeSend", given, (i, m) => (picks(i, m) ? i.beforeSend?.(self, m) : undefined));
    const sent = this.#send(changed === given ? message : (changed as ProducerMessage<T>));
    const tell = (id: MessageId | undefined, error: PulsarError | undefined): void =>
      chain.tell("onSendAcknowledgement", (i) => {
        if (picks(i, changed)) i.onSendAcknowledgement?.(self, changed, id, error);
      });
    sent.then(
      (id) => tell(id, undefined),
      (error) => tell(undefined, toPulsarError(error)),
    );
    return sent;
  }

  /** The message as bytes. What is no message is passed on as it is. */
  #bytesOf(message: ProducerMessage<T> | Uint8Array | string): ProducerMessage {
    if (typeof message === "string" || message instanceof Uint8Array) return this.#values.writeBare(message);
    const { schema } = (message ?? {}) as Partial<ProducerMessage<T>>;
    if (schema !== undefined) return this.#encodedBy(schema as Schema<never, unknown>, message);
    if (message?.value === undefined) return message as ProducerMessage;
    return this.#values.write(message);
  }

  #encodedBy(schema: Schema<never, unknown>, message: ProducerMessage<T>): VersionedMessage {
    const { schema: _, ...rest } = message;
    const encoded = new ValueWriter(schema, this.topic).write(rest as ProducerMessage<unknown>);
    return { ...encoded, schemaVersion: this.#schemas?.versionOf(schema) };
  }

  /** Sends what waits in batches; resolves when everything sent before is settled, rejects with the first failure. */
  async flush(): Promise<void> {
    await this.#schemas?.waiting;
    await Promise.all(this.#joining);
    await Promise.allSettled(this.#opening.values());
    const results = await Promise.allSettled(this.#partitions.map((p) => p.flush()));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Waits for receipts of what was sent, and lets go. What cannot be sent any more rejects. Twice is fine. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#ticker?.cancel();
    await Promise.all(this.#partitions.map((p) => p.close()));
    this.#interceptors?.tell("close", (i) => i.close?.());
    this.#onClosed(this);
  }

  async #lookForPartitions(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const before = this.#partitions.length;
      const count = await this.#context.lookup.partitionCount(this.topic, false);
      for (let index = this.#partitions.length; index < count; index++) {
        if (this.#closing !== undefined) return;
        const partition = this.#partition(index);
        if (!startsLazily(this.#options)) await partition.open();
        if (this.#closing !== undefined) await partition.close();
        else this.#partitions.push(partition);
      }
      const grown = this.#partitions.length;
      if (grown > before) {
        this.#interceptors?.tell("onPartitionsChange", (i) => i.onPartitionsChange?.(this.topic, grown));
      }
    } catch (error) {
      this.#context.logger.warn(`${this.topic}: looking for new partitions: ${String(error)}`);
    } finally {
      this.#looking = false;
    }
  }
}

function startsLazily(options: ResolvedProducerOptions): boolean {
  // the other access modes promise something of every partition
  return options.lazyStartPartitionedProducers && options.accessMode === "Shared";
}

/** The options of one partition of several: its share of what all may have pending. */
function shareOf(options: ResolvedProducerOptions, partitions: number): ResolvedProducerOptions {
  const share = Math.max(1, Math.floor(options.maxPendingMessagesAcrossPartitions / Math.max(1, partitions)));
  return { ...options, maxPendingMessages: Math.min(options.maxPendingMessages, share) };
}

function partitionProducer(
  context: ClientContext,
  options: ResolvedProducerOptions,
  index: number,
  stats: ProducerStatsRecorder,
  name?: string,
): PartitionProducer {
  const topic = index < 0 ? options.topic.toString() : options.topic.partition(index);
  const partition = index < 0 ? options.topic.partitionIndex : index;
  return new PartitionProducer(context, options, topic, partition, options.producerName ?? name, stats);
}

/** A schema that follows the topic's becomes the one to use. */
async function bindSchema(context: ClientContext, options: ResolvedProducerOptions): Promise<ResolvedProducerOptions> {
  const bind = options.schema?.bind;
  if (bind === undefined) return options;
  const registered = await retrying(context, () => context.lookup.getSchema(options.topic.toString(), undefined));
  return { ...options, schema: bind(registered) };
}

/** Opens a producer on a topic and all its partitions. Rejects with a PulsarError, and leaves nothing behind then. */
export async function openProducer<T>(
  context: ClientContext,
  asked: ResolvedProducerOptions,
  onClosed: (producer: Producer<T>) => void,
): Promise<Producer<T>> {
  const bound = await bindSchema(context, asked);
  const topic = bound.topic.toString();
  const count = await retrying(context, () => context.lookup.partitionCount(topic, true));
  const options = shareOf(bound, count);
  const stats = new ProducerStatsRecorder(context.runtime.clock.monotonicMs());
  const indexes = count === 0 ? [-1] : Array.from({ length: count }, (_, index) => index);
  const partitions = indexes.map((index) => partitionProducer(context, options, index, stats));
  const atOnce = startsLazily(options) ? partitions.slice(0, 1) : partitions;
  const results = await Promise.allSettled(atOnce.map((p) => p.open()));
  const failed = results.find((r) => r.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(partitions.map((p) => p.close()));
    throw failed.reason;
  }
  return new Producer(context, options, partitions, stats, onClosed);
}
