import type { ClientContext } from "../client-context.ts";
import { retrying } from "../connection/retry.ts";
import { type PulsarError, toPulsarError } from "../errors.ts";
import { MessageId } from "../message-id.ts";
import { Consumer } from "./consumer.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import type { PartitionSource } from "./consumer-partitions.ts";
import type { ConsumerSink } from "./consumer-sink.ts";
import { DeadLetters } from "./dead-letters.ts";
import { LetterProducers, type OpenLetterProducer } from "./letter-producers.ts";
import { LetterSchemas } from "./letter-schemas.ts";
import { PartitionConsumer } from "./partition-consumer.ts";
import type { StartPosition } from "./start-position.ts";
import { type Partition, type TopicSource, topicSource } from "./topic-source.ts";

export interface OpenConsumerOptions {
  /** For subscriptions that are not durable. */
  readonly start?: StartPosition;
  readonly openLetterProducer: OpenLetterProducer;
  onClosed(consumer: Consumer<unknown>): void;
}

/** Subscribes to topics and all their partitions. Rejects with a PulsarError, and leaves nothing behind then. */
export async function openConsumer(
  context: ClientContext,
  options: ResolvedConsumerOptions,
  open: OpenConsumerOptions,
): Promise<Consumer> {
  const letters = new LetterProducers(open.openLetterProducer, letterSchemas(context, options), context.logger);
  const source = new OpeningSource(context, options, open, letters);
  const consumer = new Consumer(context, options, { source, letters, onClosed: open.onClosed });
  await consumer.open();
  return consumer;
}

function letterSchemas(context: ClientContext, options: ResolvedConsumerOptions): LetterSchemas | undefined {
  const { schema } = options;
  if (schema === undefined) return undefined;
  return new LetterSchemas(schema.info, (topic, version) =>
    retrying(context, () => context.lookup.getSchema(topic, version)),
  );
}

/** Opens the consumers of partitions as topics and partitions come. */
class OpeningSource implements PartitionSource {
  readonly #context: ClientContext;
  readonly #options: ResolvedConsumerOptions;
  readonly #open: OpenConsumerOptions;
  readonly #letters: LetterProducers;
  readonly #topics: TopicSource;
  readonly #consumerName: string;

  constructor(
    context: ClientContext,
    options: ResolvedConsumerOptions,
    open: OpenConsumerOptions,
    letters: LetterProducers,
  ) {
    this.#context = context;
    this.#options = options;
    this.#open = open;
    this.#letters = letters;
    this.#topics = topicSource(context, options);
    this.#consumerName = options.consumerName ?? randomName(context);
  }

  async openFirst(sink: ConsumerSink): Promise<PartitionConsumer[]> {
    const found = await this.#topics.find(true);
    const queueSize = this.#queueSize(found.length);
    const partitions = found.map((p) => this.#make(p, queueSize, this.#start(), sink));
    const results = await Promise.allSettled(partitions.map((p) => p.open()));
    const failed = results.flatMap((r) => (r.status === "rejected" && !this.#isGone(r.reason) ? [r.reason] : []));
    const opened = partitions.filter((_, i) => results[i]?.status === "fulfilled");
    if (failed.length === 0) return opened;
    await Promise.all(partitions.map((p) => p.close()));
    throw failed[0];
  }

  async look(
    known: ReadonlySet<string>,
    sink: ConsumerSink,
  ): Promise<{ opened: PartitionConsumer[]; gone: readonly string[] }> {
    const found = await this.#topics.find(false);
    const missing = found.filter((p) => !known.has(p.topic));
    const queueSize = this.#queueSize(known.size + missing.length);
    // a partition that was added has nothing a reader could have read yet
    const start = this.#start() && ({ kind: "id", id: MessageId.earliest, inclusive: true } as const);
    const opening = missing.map((p) => this.#openLater(this.#make(p, queueSize, start, sink)));
    const opened = (await Promise.all(opening)).filter((p) => p !== undefined);
    if (!this.#topics.forgets) return { opened, gone: [] };
    const there = new Set(found.map((p) => p.topic));
    return { opened, gone: [...known].filter((topic) => !there.has(topic)) };
  }

  start(look: () => void): void {
    this.#topics.start(look);
  }

  close(): Promise<void> {
    return this.#topics.close();
  }

  /** Where a subscription that is not durable starts. */
  #start(): StartPosition | undefined {
    const { durable, initialPosition } = this.#options;
    if (durable || this.#open.start !== undefined) return this.#open.start;
    const id = initialPosition === "Earliest" ? MessageId.earliest : MessageId.latest;
    return { kind: "id", id, inclusive: false };
  }

  /** One that cannot be had now is tried again at the next look. */
  async #openLater(partition: PartitionConsumer): Promise<PartitionConsumer | undefined> {
    try {
      await partition.open();
      return partition;
    } catch (error) {
      this.#context.logger.warn(`${partition.topic}: cannot be consumed yet, ${toPulsarError(error).message}`);
      return undefined;
    }
  }

  /** A topic that matched a pattern was deleted between the list and the subscribing. */
  #isGone(error: PulsarError): boolean {
    return this.#topics.forgets && error.code === "TopicNotFound";
  }

  #make(
    partition: Partition,
    receiverQueueSize: number,
    start: StartPosition | undefined,
    sink: ConsumerSink,
  ): PartitionConsumer {
    const { deadLetterPolicy, subscription } = this.#options;
    const { base, topic, index } = partition;
    const deadLetters =
      deadLetterPolicy === undefined ? undefined : new DeadLetters(deadLetterPolicy, base, subscription, this.#letters);
    const consumerName = this.#consumerName;
    const own = { topic, partition: index, consumerName, receiverQueueSize, start, deadLetters };
    return new PartitionConsumer(this.#context, this.#options, own, sink);
  }

  /** Several partitions share what may be fetched in all; without a queue only one can be asked at a time. */
  #queueSize(partitions: number): number {
    const { receiverQueueSize, maxTotalReceiverQueueSizeAcrossPartitions: total } = this.#options;
    if (partitions === 1 && !this.#topics.forgets) return receiverQueueSize;
    return Math.max(1, Math.min(receiverQueueSize, Math.floor(total / Math.max(1, partitions))));
  }
}

export function randomName(context: ClientContext): string {
  return Array.from(context.runtime.random.bytes(5), (b) => b.toString(16).padStart(2, "0")).join("");
}
