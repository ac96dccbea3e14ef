import { checkOptions, trueOrFalse } from "../check-options.ts";
import type { ClientContext } from "../client-context.ts";
import { AlreadyClosedError, InvalidConfigurationError, type PulsarError, toPulsarError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { MessageId } from "../message-id.ts";
import { type ConsumerStats, ConsumerStatsRecorder } from "../observability/consumer-stats.ts";
import type { AcknowledgeOptions } from "./acknowledge-options.ts";
import type { BatchReceivePolicy } from "./batch-receive-policy.ts";
import { resolveBatchPolicy } from "./batch-receive-policy.ts";
import { ConsumerHooks } from "./consumer-hooks.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import { ConsumerPartitions, type PartitionSource } from "./consumer-partitions.ts";
import { ConsumerSettlement } from "./consumer-settlement.ts";
import type { ConsumerSink } from "./consumer-sink.ts";
import type { LetterProducers } from "./letter-producers.ts";
import { ListenerLoop } from "./listener-loop.ts";
import type { PartitionConsumer } from "./partition-consumer.ts";
import { type ReceiveOptions, ReceiveQueue } from "./receive-queue.ts";
import { type ReconsumeOptions, RetryLetters } from "./retry-letters.ts";
import { type SeekFunction, type SeekPosition, seekStart } from "./seeking.ts";
import { isEarliest, isLatest, type StartPosition } from "./start-position.ts";

/** What a Consumer is made with besides its options. */
export interface ConsumerParts {
  readonly source: PartitionSource;
  /** Closed with the consumer. */
  readonly letters: LetterProducers;
  onClosed(consumer: Consumer<unknown>): void;
}

type State = { kind: "live" } | { kind: "closed"; closing: Promise<void> };

/**
 * Receives the messages of a subscription. Made by `client.subscribe`.
 *
 * @example
 * const consumer = await client.subscribe({ topic: "orders", subscription: "billing" });
 * for await (const message of consumer) {
 *   await handle(message);
 *   await consumer.acknowledge(message);
 * }
 */
export class Consumer<T = Uint8Array> implements AsyncDisposable, AsyncIterable<Message<T>> {
  readonly subscription: string;
  readonly #context: ClientContext;
  readonly #options: ResolvedConsumerOptions;
  readonly #partitions: ConsumerPartitions;
  readonly #queue: ReceiveQueue;
  readonly #stopTelling: (() => void) | undefined;
  readonly #listener: ListenerLoop | undefined;
  readonly #parts: ConsumerParts;
  readonly #settlement: ConsumerSettlement;
  readonly #receiverQueueSize: () => number;
  #state: State = { kind: "live" };
  /** Messages that were received and given back; undefined until there are any. */
  #returned: WeakSet<Message<unknown>> | undefined;
  #ended = new Set<string>();
  #paused: boolean;
  readonly #hooks: ConsumerHooks;

  /** @internal Use `client.subscribe`. */
  constructor(context: ClientContext, options: ResolvedConsumerOptions, parts: ConsumerParts) {
    this.subscription = options.subscription;
    this.#context = context;
    this.#options = options;
    this.#parts = parts;
    this.#paused = options.startPaused;
    this.#partitions = this.#makePartitions();
    this.#receiverQueueSize = () => {
      let size = 0;
      for (const partition of this.#partitions) size += partition.receiverQueueSize;
      return size;
    };
    this.#queue = new ReceiveQueue({
      clock: context.runtime.clock,
      capacity: this.#receiverQueueSize,
      taken: (message) => this.#taken(message),
      demand: () => this.#demand(),
    });
    this.#hooks = new ConsumerHooks(this as unknown as Consumer<never> & Consumer, options, context.logger);
    const { retryPolicy, type, subscription } = options;
    this.#settlement = new ConsumerSettlement({
      type,
      hooks: this.#hooks,
      letters: retryPolicy === undefined ? undefined : new RetryLetters(retryPolicy, subscription, parts.letters),
      ownerOf: (target, call) => this.#ownerOf(target, call),
    });
    this.#sink.stats.begin(context.runtime.clock.monotonicMs());
    this.#stopTelling = context.telemetry?.receiveQueue({
      subscription: options.subscription,
      queued: () => ({ messages: this.#queue.length, bytes: this.#queue.bytes }),
    });
    const { messageListener } = options;
    if (messageListener === undefined) return;
    this.#listener = new ListenerLoop({
      logger: context.logger,
      take: () => this.#queue.take(),
      call: (message) => {
        const owner = message.entry.owner as PartitionConsumer;
        return owner.processing(message, () => messageListener(message, this as unknown as Consumer));
      },
      onIdle: () => this.#demand(),
    });
  }

  /** @internal Called once, before anybody else has the consumer. */
  async open(): Promise<void> {
    try {
      await this.#partitions.openFirst();
    } catch (error) {
      this.#state = { kind: "closed", closing: Promise.resolve() };
      this.#end(toPulsarError(error));
      throw error;
    }
    this.#partitions.follow();
    this.#demand();
    this.#listener?.wake();
  }

  /** The topics (of a partitioned one, its partitions) this consumer is subscribed to. */
  get topics(): readonly string[] {
    return this.#partitions.topics;
  }

  get isConnected(): boolean {
    return [...this.#partitions].every((p) => p.connected);
  }

  /** Failover: whether this consumer is the active one, of any partition. */
  get isActive(): boolean {
    return [...this.#partitions].some((p) => p.active);
  }

  /** What it has received and how fast; what is counted a second is counted since the call before. */
  stats(): ConsumerStats {
    return this.#sink.stats.snapshot(this.#context.runtime.clock.monotonicMs(), this.#queue.length);
  }

  /** Messages fetched and not received yet. */
  get queuedMessages(): number {
    return this.#queue.length;
  }

  /** Whether every topic was terminated and read to its end. */
  get hasReachedEndOfTopic(): boolean {
    return this.#ended.size > 0 && this.topics.every((topic) => this.#ended.has(topic));
  }

  /**
   * The next message. Waits for one; with a timeout (a number is one in ms) rejects with code `Timeout`, with an aborted
   * signal with `Aborted`. When the consumer is closed it rejects with `AlreadyClosed`.
   */
  receive(options: number | ReceiveOptions = {}): Promise<Message<T>> {
    if (this.#listener !== undefined) return Promise.reject(hasListener());
    const received = this.#queue.receive(typeof options === "number" ? { timeoutMs: options } : options);
    return received as Promise<unknown> as Promise<Message<T>>;
  }

  /** Several messages at once, by the policy given here or with the consumer; none when the time is up without any. */
  async batchReceive(policy?: BatchReceivePolicy): Promise<Message<T>[]> {
    if (this.#listener !== undefined) throw hasListener();
    const resolved =
      policy === undefined ? this.#options.batchReceivePolicy : resolveBatchPolicy(policy, "batchReceive");
    return (await this.#queue.batchReceive(resolved)) as unknown[] as Message<T>[];
  }

  /** Messages until the consumer is closed; the loop ends then. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Message<T>, void, undefined> {
    for (;;) {
      let message: Message<T>;
      try {
        message = await this.receive();
      } catch (error) {
        if (error instanceof AlreadyClosedError) return;
        throw error;
      }
      yield message;
    }
  }

  /**
   * Acknowledges a message, or several, such as `batchReceive` gives. Resolves at once, since acknowledgements are
   * collected and sent together; with `ackReceiptEnabled` when the broker has confirmed.
   */
  acknowledge(
    message: Message<unknown> | MessageId | readonly (Message<unknown> | MessageId)[],
    options?: AcknowledgeOptions,
  ): Promise<void> {
    return this.#settlement.acknowledge(message, options);
  }

  /** Acknowledges a message and all before it, of its partition. Not for Shared and Key_Shared. */
  acknowledgeCumulative(message: Message<unknown> | MessageId, options?: AcknowledgeOptions): Promise<void> {
    return this.#settlement.acknowledgeCumulative(message, options);
  }

  /**
   * Has a message delivered again, after `negativeAckRedeliveryDelayMs` or as the backoff says. Exclusive and Failover:
   * with it everything that is not acknowledged.
   */
  negativeAcknowledge(message: Message<unknown> | MessageId): void {
    this.#settlement.negativeAcknowledge(message);
  }

  /**
   * Puts a message off: stores it on the retry topic, which this consumer reads too, and acknowledges it here. After
   * `deadLetterPolicy.maxRedeliverCount` such rounds it goes to the dead-letter topic instead. Needs `retryEnable`.
   * Where the message cannot be stored it rejects, and the message is delivered again as after a negative
   * acknowledgement.
   */
  async reconsumeLater(message: Message<unknown>, options: ReconsumeOptions = {}): Promise<void> {
    await this.#settlement.reconsumeLater(message, options, false);
  }

  /** As `reconsumeLater`, and acknowledges all messages of the partition before it. Not for Shared and Key_Shared. */
  async reconsumeLaterCumulative(message: Message<unknown>, options: ReconsumeOptions = {}): Promise<void> {
    await this.#settlement.reconsumeLater(message, options, true);
  }

  /** @internal What `putBack` asks for: it changes when what was received until then is to be forgotten. */
  generationOf(message: Message<T>): number {
    return (message.entry.owner as PartitionConsumer).generation;
  }

  /**
   * @internal Gives back messages that were received and left alone, in order: they are the next ones to be received. Each
   * with the generation it was received in; one that comes again from the broker is left out.
   */
  putBack(received: readonly { readonly message: Message<T>; readonly generation: number }[]): void {
    if (this.#state.kind === "closed") return;
    const fitting = received.filter(({ message, generation }) =>
      (message.entry.owner as PartitionConsumer).returned(message as unknown as Message, generation),
    );
    const messages = fitting.map(({ message }) => message as unknown as Message);
    this.#returned ??= new WeakSet();
    for (const message of messages) this.#returned.add(message);
    this.#queue.putBack(messages);
  }

  /** Has everything that was delivered and not acknowledged delivered again. */
  redeliverUnacknowledgedMessages(): void {
    for (const partition of this.#partitions) partition.redeliverAll();
  }

  /** Fetches no more; what is in the queue can still be received. */
  pause(): void {
    this.#paused = true;
    for (const partition of this.#partitions) partition.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const partition of this.#partitions) partition.resume();
  }

  /**
   * Moves the subscription: behind the message with this id (or, with `inclusive`, to it), or to the first message
   * published at or after a time (a Date, or a number in ms since 1970). Once it has resolved, no message from before
   * comes out. An id other than earliest and latest moves only its own partition. A function is asked for each topic
   * (of a partitioned one, each partition).
   */
  async seek(position: SeekPosition | SeekFunction, options: { inclusive?: boolean } = {}): Promise<void> {
    checkOptions("seek", options, { inclusive: true });
    const inclusive = trueOrFalse("inclusive", options.inclusive, false);
    this.#throwIfClosed();
    await Promise.all(this.#seeks(position, inclusive).map(([partition, start]) => partition.seek(start)));
    this.#listener?.wake();
  }

  #seeks(position: SeekPosition | SeekFunction, inclusive: boolean): [PartitionConsumer, StartPosition][] {
    const partitions = [...this.#partitions];
    if (typeof position === "function") {
      return partitions.flatMap((partition) => {
        const own = position(partition.topic);
        return own === undefined ? [] : [[partition, seekStart(own, inclusive)]];
      });
    }
    const start = seekStart(position, inclusive);
    const everywhere = start.kind === "time" || isEarliest(start.id) || isLatest(start.id);
    const moved = everywhere ? partitions : [this.#ownerOf(start.id, "seek")];
    return moved.map((partition) => [partition, start]);
  }

  /** The ids of the last messages, one for each partition that has any. */
  async getLastMessageIds(): Promise<MessageId[]> {
    this.#throwIfClosed();
    const answers = await Promise.all([...this.#partitions].map((p) => p.lastMessageId()));
    return answers.map((a) => a.last).filter((id) => id.entryId >= 0);
  }

  /** The id of the last message of a topic without partitions; entry -1 where there is none. */
  async getLastMessageId(): Promise<MessageId> {
    this.#throwIfClosed();
    return (await this.#partitions.only().lastMessageId()).last;
  }

  /** Whether a message is there that was not received yet. */
  async hasMessageAvailable(): Promise<boolean> {
    this.#throwIfClosed();
    if (this.#queue.length > 0) return true;
    const answers = await Promise.all([...this.#partitions].map((p) => p.hasMessageAvailable()));
    // meanwhile one may have come
    return this.#queue.length > 0 || answers.some((available) => available);
  }

  /** Removes the subscription, with `force` also while others are connected, and closes the consumer. */
  async unsubscribe(options: { force?: boolean } = {}): Promise<void> {
    checkOptions("unsubscribe", options, { force: true });
    const force = trueOrFalse("force", options.force, false);
    this.#throwIfClosed();
    await Promise.all([...this.#partitions].map((p) => p.unsubscribe(force)));
    await this.close();
  }

  /** Sends what was acknowledged, rejects the receives that wait, and lets go. Twice is fine. */
  close(): Promise<void> {
    if (this.#state.kind === "live") this.#state = { kind: "closed", closing: this.#close() };
    return this.#state.closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#end(new AlreadyClosedError(`the consumer of ${this.subscription} is closed`));
    await this.#partitions.stopFollowing();
    await Promise.all([...this.#partitions].map((p) => p.close()));
    await this.#parts.letters.close();
    this.#hooks.closed();
    this.#parts.onClosed(this);
  }

  #end(error: PulsarError): void {
    this.#listener?.end();
    this.#queue.end(error);
    this.#stopTelling?.();
  }

  #taken(message: Message): Message {
    (message.entry.owner as PartitionConsumer).taken(message);
    // its interceptors have had it
    if (this.#returned?.delete(message) === true) return message;
    return this.#hooks.consumed(message);
  }

  readonly #sink: ConsumerSink = {
    stats: new ConsumerStatsRecorder(),
    deliver: (messages) => {
      this.#hooks.arrived(messages);
      this.#queue.push(messages);
      this.#listener?.wake();
    },
    discard: (owner, picked) => this.#queue.discard((m) => m.entry.owner === owner && picked(m)),
    waiting: () => this.#waiting,
    paused: () => this.#paused,
    onActiveChange: (partition, active) => this.#hooks.activeChanged(partition, active),
    onRedelivery: (partition, due, cause) => this.#hooks.redelivering(partition, due, cause),
    onEndOfTopic: (topic) => {
      this.#ended.add(topic);
      this.#hooks.endOfTopic(topic);
    },
    onFailed: (partition, error) => {
      // deleted, and the pattern that found it may find others
      if (this.#options.topicsPattern !== undefined && error.code === "TopicNotFound")
        void this.#partitions.drop(partition);
      else {
        this.#end(error);
        void this.#partitions.stopFollowing();
      }
    },
  };

  get #waiting(): number {
    if (this.#listener === undefined) return this.#queue.waiting;
    return this.#listener.idle ? 1 : 0;
  }

  #demand(): void {
    for (const partition of this.#partitions) partition.demand(this.#waiting);
  }

  #makePartitions(): ConsumerPartitions {
    return new ConsumerPartitions({
      source: this.#parts.source,
      sink: this.#sink,
      subscription: this.subscription,
      logger: this.#context.logger,
      closed: () => this.#state.kind === "closed",
      onOpened: (opened) => {
        this.#hooks.opened(opened, this.topics);
        for (const partition of opened) partition.demand(this.#waiting);
      },
      onGone: (topic) => void this.#ended.delete(topic),
    });
  }

  #ownerOf(target: Message<unknown> | MessageId, call: string): PartitionConsumer {
    this.#throwIfClosed();
    return this.#partitions.ownerOf(target, call);
  }

  #throwIfClosed(): void {
    if (this.#state.kind === "closed") throw new AlreadyClosedError(`the consumer of ${this.subscription} is closed`);
  }
}

function hasListener(): PulsarError {
  return new InvalidConfigurationError("the consumer has a messageListener, which gets the messages");
}
