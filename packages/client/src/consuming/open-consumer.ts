import { TopicName } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import { retrying } from "../connection/retry.ts";
import { Consumer, type PartitionSource } from "./consumer.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import { DeadLetters } from "./dead-letters.ts";
import { LetterProducers, type OpenLetterProducer } from "./letter-producers.ts";
import { type ConsumerSink, PartitionConsumer } from "./partition-consumer.ts";
import type { StartPosition } from "./start-position.ts";

export interface OpenConsumerOptions {
  /** For subscriptions that are not durable. */
  readonly start?: StartPosition;
  readonly openLetterProducer: OpenLetterProducer;
  onClosed(consumer: Consumer<unknown>): void;
}

interface Partition {
  readonly base: string;
  readonly topic: string;
  readonly index: number;
}

/** Subscribes to topics and all their partitions. Rejects with a PulsarError, and leaves nothing behind then. */
export async function openConsumer(
  context: ClientContext,
  options: ResolvedConsumerOptions,
  open: OpenConsumerOptions,
): Promise<Consumer> {
  const partitions = await findPartitions(context, options.topics, true);
  const queueSize = partitionQueueSize(options, partitions.length);
  const consumerName = options.consumerName ?? randomName(context);
  const letters = new LetterProducers(open.openLetterProducer);
  const source: PartitionSource = {
    openNew: async (known, sink) => {
      const found = known.size === 0 ? partitions : await findPartitions(context, options.topics, false);
      const missing = found.filter((p) => !known.has(p.topic));
      return openAll(
        missing.map((p) => makePartition(context, options, open, p, { queueSize, consumerName, letters, sink })),
      );
    },
  };
  const consumer = new Consumer(context, options, { queueSize, letters, onClosed: open.onClosed });
  await consumer.open(source);
  return consumer;
}

interface Shared {
  readonly queueSize: number;
  readonly consumerName: string;
  readonly letters: LetterProducers;
  readonly sink: ConsumerSink;
}

function makePartition(
  context: ClientContext,
  options: ResolvedConsumerOptions,
  open: OpenConsumerOptions,
  partition: Partition,
  shared: Shared,
): PartitionConsumer {
  const { deadLetterPolicy, subscription } = options;
  const deadLetters =
    deadLetterPolicy === undefined
      ? undefined
      : new DeadLetters(deadLetterPolicy, partition.base, subscription, shared.letters);
  const own = {
    topic: partition.topic,
    partition: partition.index,
    consumerName: shared.consumerName,
    receiverQueueSize: shared.queueSize,
    start: open.start,
    deadLetters,
  };
  return new PartitionConsumer(context, options, own, shared.sink);
}

async function findPartitions(
  context: ClientContext,
  topics: readonly string[],
  create: boolean,
): Promise<Partition[]> {
  const lists = await Promise.all(
    topics.map(async (base): Promise<Partition[]> => {
      const name = TopicName.parse(base);
      const count = await retrying(context.runtime, context.operationTimeoutMs, () =>
        context.lookup.partitionCount(base, create),
      );
      if (count === 0) return [{ base, topic: base, index: name.partitionIndex }];
      return Array.from({ length: count }, (_, index) => ({ base, topic: name.partition(index), index }));
    }),
  );
  return lists.flat();
}

/** Several partitions share what may be fetched in all; without a queue only one can be asked at a time. */
function partitionQueueSize(options: ResolvedConsumerOptions, partitions: number): number {
  const { receiverQueueSize, maxTotalReceiverQueueSizeAcrossPartitions } = options;
  if (partitions === 1) return receiverQueueSize;
  return Math.max(1, Math.min(receiverQueueSize, Math.floor(maxTotalReceiverQueueSizeAcrossPartitions / partitions)));
}

async function openAll(partitions: PartitionConsumer[]): Promise<PartitionConsumer[]> {
  const results = await Promise.allSettled(partitions.map((p) => p.open()));
  const failed = results.find((r) => r.status === "rejected");
  if (failed === undefined) return partitions;
  await Promise.all(partitions.map((p) => p.close()));
  throw failed.reason;
}

export function randomName(context: ClientContext): string {
  return Array.from(context.runtime.random.bytes(5), (b) => b.toString(16).padStart(2, "0")).join("");
}
