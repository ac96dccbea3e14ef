import type { PulsarError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { ConsumerStatsRecorder } from "../observability/consumer-stats.ts";
import type { PartitionConsumer } from "./partition-consumer.ts";
import type { DueMessage, RedeliveryCause } from "./redelivery-tracker.ts";

/** Where the messages of partitions go, and what happens to those. */
export interface ConsumerSink {
  readonly stats: ConsumerStatsRecorder;
  deliver(messages: readonly Message[]): void;
  /** Takes messages of one partition out of the queue and answers how many there were. */
  discard(owner: object, picked: (message: Message) => boolean): number;
  /** Receives that wait. */
  waiting(): number;
  /** Whether nothing is to be fetched. */
  paused(): boolean;
  onActiveChange(partition: PartitionConsumer, active: boolean): void;
  /** Messages are about to be asked for again. */
  onRedelivery(partition: PartitionConsumer, due: readonly DueMessage[], cause: RedeliveryCause): void;
  onEndOfTopic(topic: string): void;
  /** The partition's consumer was refused for good. */
  onFailed(partition: PartitionConsumer, error: PulsarError): void;
}
