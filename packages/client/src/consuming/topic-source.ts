import { TopicName } from "@pulsewire/protocol";
import type { Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { retrying } from "../connection/retry.ts";
import type { ResolvedConsumerOptions } from "./consumer-options.ts";
import { TopicDiscovery } from "./topic-discovery.ts";
import type { TopicsPattern } from "./topics-pattern.ts";

/** A topic without partitions, or one partition. */
export interface Partition {
  /** The topic it is a partition of, or its own name. */
  readonly base: string;
  readonly topic: string;
  /** -1 for a topic without partitions. */
  readonly index: number;
}

/** What a consumer is to consume, which may change while it does. */
export interface TopicSource {
  /** Whether what `find` does not name any more is gone. */
  readonly forgets: boolean;
  /** What there is now. The first time topics may be created. Rejects with a PulsarError. */
  find(first: boolean): Promise<Partition[]>;
  /** From now on calls `look` when it may have changed. */
  start(look: () => void): void;
  close(): Promise<void>;
}

/** The source of a consumer's topics, by its options. */
export function topicSource(context: ClientContext, options: ResolvedConsumerOptions): TopicSource {
  const { topicsPattern } = options;
  return topicsPattern === undefined
    ? new ListedTopics(context, options)
    : new MatchingTopics(context, options, topicsPattern);
}

/** Topics given by name, whose partitions may become more. */
class ListedTopics implements TopicSource {
  readonly forgets = false;
  readonly #context: ClientContext;
  readonly #options: ResolvedConsumerOptions;
  #ticker: Timer | undefined;

  constructor(context: ClientContext, options: ResolvedConsumerOptions) {
    this.#context = context;
    this.#options = options;
  }

  find(first: boolean): Promise<Partition[]> {
    return findPartitions(this.#context, this.#options.topics, first);
  }

  start(look: () => void): void {
    const everyMs = this.#options.autoUpdatePartitionsIntervalMs;
    if (everyMs > 0) this.#ticker = this.#context.runtime.clock.setTicker(everyMs, look);
  }

  async close(): Promise<void> {
    this.#ticker?.cancel();
  }
}

/** Topics whose names match a pattern, and with them topics given by name, as a retry topic is. */
class MatchingTopics implements TopicSource {
  readonly forgets = true;
  readonly #context: ClientContext;
  readonly #options: ResolvedConsumerOptions;
  readonly #discovery: TopicDiscovery;
  #look: () => void = () => undefined;

  constructor(context: ClientContext, options: ResolvedConsumerOptions, pattern: TopicsPattern) {
    this.#context = context;
    this.#options = options;
    const everyMs = options.patternAutoDiscoveryPeriodMs;
    this.#discovery = new TopicDiscovery({ context, pattern, everyMs, onTopics: () => this.#look() });
  }

  async find(first: boolean): Promise<Partition[]> {
    if (first) await this.#discovery.load();
    const named = await findPartitions(this.#context, this.#options.topics, first);
    const names = new Set(named.map((p) => p.topic));
    const matching = this.#discovery.topics.filter((topic) => !names.has(topic)).map(partitionOf);
    return [...matching, ...named];
  }

  start(look: () => void): void {
    this.#look = look;
    this.#discovery.start();
  }

  close(): Promise<void> {
    return this.#discovery.close();
  }
}

function partitionOf(topic: string): Partition {
  const name = TopicName.parse(topic);
  return { base: name.partitionedTopicName, topic, index: name.partitionIndex };
}

async function findPartitions(
  context: ClientContext,
  topics: readonly string[],
  create: boolean,
): Promise<Partition[]> {
  const lists = await Promise.all(
    topics.map(async (base): Promise<Partition[]> => {
      const name = TopicName.parse(base);
      const count = await retrying(context, () => context.lookup.partitionCount(base, create));
      if (count === 0) return [{ base, topic: base, index: name.partitionIndex }];
      return Array.from({ length: count }, (_, index) => ({ base, topic: name.partition(index), index }));
    }),
  );
  return lists.flat();
}
