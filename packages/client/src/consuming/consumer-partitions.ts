import { describe } from "../check-options.ts";
import { AlreadyClosedError, InvalidConfigurationError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import type { ConsumerSink } from "./consumer-sink.ts";
import type { PartitionConsumer } from "./partition-consumer.ts";

/** Where a Consumer has the consumers of its partitions from, at first and as topics and partitions come and go. */
export interface PartitionSource {
  /** Subscribes to everything there is. Rejects with a PulsarError, and leaves nothing behind then. */
  openFirst(sink: ConsumerSink): Promise<PartitionConsumer[]>;
  /** Subscribes to what is not in `known`, by topic, and tells which of those are gone. */
  look(
    known: ReadonlySet<string>,
    sink: ConsumerSink,
  ): Promise<{ opened: PartitionConsumer[]; gone: readonly string[] }>;
  /** From now on calls `look` when something may have changed. */
  start(look: () => void): void;
  close(): Promise<void>;
}

export interface ConsumerPartitionsOptions {
  readonly source: PartitionSource;
  readonly sink: ConsumerSink;
  readonly subscription: string;
  readonly logger: Logger;
  /** Whether the consumer is closed: what is opened then is closed again. */
  closed(): boolean;
  /** Partitions have come since the first. */
  onOpened(opened: readonly PartitionConsumer[]): void;
  onGone(topic: string): void;
}

/** The partitions that a Consumer consumes now, kept up to date, and which of them a message is of. */
export class ConsumerPartitions {
  readonly #options: ConsumerPartitionsOptions;
  readonly #byTopic = new Map<string, PartitionConsumer>();
  readonly #gone = new WeakSet<PartitionConsumer>();
  /** Looking for topics and partitions; `again` when there is reason to look once more. */
  #looking: { again: boolean } | undefined;

  constructor(options: ConsumerPartitionsOptions) {
    this.#options = options;
  }

  [Symbol.iterator](): IterableIterator<PartitionConsumer> {
    return this.#byTopic.values();
  }

  /** By topic; of a partitioned one, each partition's name. */
  get topics(): readonly string[] {
    return [...this.#byTopic.keys()];
  }

  async openFirst(): Promise<void> {
    const { source, sink } = this.#options;
    this.#add(await source.openFirst(sink));
  }

  /** Follows what comes and goes from now on. */
  follow(): void {
    this.#options.source.start(() => void this.#look());
  }

  /** Follows no more. What is there stays. */
  stopFollowing(): Promise<void> {
    return this.#options.source.close();
  }

  async drop(partition: PartitionConsumer): Promise<void> {
    if (this.#byTopic.get(partition.topic) === partition) this.#byTopic.delete(partition.topic);
    this.#gone.add(partition);
    this.#options.onGone(partition.topic);
    await partition.close();
  }

  /** `call` is what was called with it, for the error's text. Throws a PulsarError for what is of none of these. */
  ownerOf(target: Message<unknown> | MessageId, call: string): PartitionConsumer {
    if (target instanceof Message) return this.#ownerOfMessage(target);
    if (!(target instanceof MessageId)) {
      throw new InvalidConfigurationError(`${call} takes a Message or a MessageId, not ${describe(target)}`);
    }
    if (target.topic !== undefined) return this.#partitionOf(target, target.topic);
    if (this.#byTopic.size === 1) return this.only();
    const numbered = [...this.#byTopic.values()].filter((p) => p.partition === target.partition);
    if (numbered.length === 1 && numbered[0] !== undefined) return numbered[0];
    throw new InvalidConfigurationError(`${target} does not tell which of the consumer's topics it is of`);
  }

  /** Throws where there are several. */
  only(): PartitionConsumer {
    const [partition] = this.#byTopic.values();
    if (partition !== undefined && this.#byTopic.size === 1) return partition;
    throw new InvalidConfigurationError("the consumer has several topics or partitions; use getLastMessageIds");
  }

  #ownerOfMessage(message: Message<unknown>): PartitionConsumer {
    const owner = message.entry.owner as PartitionConsumer;
    if (this.#gone.has(owner)) throw new AlreadyClosedError(`${owner.topic} was deleted and is consumed no more`);
    // one that was just opened may deliver before it is in this list
    if (owner.isOf(this.#options.sink)) return owner;
    throw new InvalidConfigurationError(`the message of ${message.topic} is not of this consumer`);
  }

  #partitionOf(id: MessageId, topic: string): PartitionConsumer {
    const partition = this.#byTopic.get(topic);
    if (partition !== undefined) return partition;
    const { subscription } = this.#options;
    throw new InvalidConfigurationError(
      `the message ${id} is of ${topic}, and the consumer of ${subscription} has only ${this.topics.join(", ")}`,
    );
  }

  #add(partitions: readonly PartitionConsumer[]): void {
    for (const partition of partitions) this.#byTopic.set(partition.topic, partition);
  }

  /** Subscribes to what has come and lets go of what has gone; what changes meanwhile is looked at afterwards. */
  async #look(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#looking.again = true;
      return;
    }
    const looking = { again: true };
    this.#looking = looking;
    while (looking.again && !this.#options.closed()) {
      looking.again = false;
      await this.#lookOnce();
    }
    this.#looking = undefined;
  }

  async #lookOnce(): Promise<void> {
    const { source, sink, subscription, logger } = this.#options;
    try {
      const { opened, gone } = await source.look(new Set(this.#byTopic.keys()), sink);
      if (this.#options.closed()) {
        await Promise.all(opened.map((p) => p.close()));
        return;
      }
      this.#add(opened);
      this.#options.onOpened(opened);
      for (const topic of gone) {
        const partition = this.#byTopic.get(topic);
        if (partition !== undefined) await this.drop(partition);
      }
    } catch (error) {
      logger.warn(`${subscription}: looking for topics and partitions: ${String(error)}`);
    }
  }
}
