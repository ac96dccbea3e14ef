import type { Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import { retrying } from "../connection/retry.ts";
import { TopicListWatcher } from "./topic-list-watcher.ts";
import type { TopicsPattern } from "./topics-pattern.ts";

export interface TopicDiscoveryOptions {
  readonly context: ClientContext;
  readonly pattern: TopicsPattern;
  /** How often to ask, beside what the broker tells; 0 is never. */
  readonly everyMs: number;
  /** The topics may have changed. Called by the broker's word, and whenever it was asked. */
  onTopics(): void;
}

/** The topics a pattern matches, kept up to date by a watcher and by asking now and then. */
export class TopicDiscovery {
  readonly #options: TopicDiscoveryOptions;
  readonly #topics = new Set<string>();
  #hash: string | undefined;
  /** How often the broker has told of changes. */
  #told = 0;
  #watcher: TopicListWatcher | undefined;
  #ticker: Timer | undefined;

  constructor(options: TopicDiscoveryOptions) {
    this.#options = options;
  }

  /** Topics as the broker has them: of a partitioned topic, its partitions. */
  get topics(): readonly string[] {
    return [...this.#topics];
  }

  /** Asks for the first time. Rejects with a PulsarError. */
  async load(): Promise<void> {
    await retrying(this.#options.context, () => this.#ask());
  }

  /** From now on `onTopics` is called. */
  start(): void {
    const { context, pattern, everyMs } = this.#options;
    if (pattern.watchable) {
      this.#watcher = new TopicListWatcher({
        context,
        pattern,
        onTopics: (topics) => this.#replace(topics),
        onChange: (added, deleted) => this.#change(added, deleted),
      });
      this.#watcher.start();
    }
    if (everyMs > 0) this.#ticker = context.runtime.clock.setTicker(everyMs, () => void this.#poll());
  }

  async close(): Promise<void> {
    this.#ticker?.cancel();
    await this.#watcher?.close();
  }

  async #poll(): Promise<void> {
    const { context, pattern } = this.#options;
    try {
      await this.#ask();
      this.#options.onTopics();
    } catch (error) {
      context.logger.warn(`looking for topics of ${pattern.namespace}: ${String(error)}`);
    }
  }

  async #ask(): Promise<void> {
    const { context, pattern } = this.#options;
    const told = this.#told;
    const answer = await context.lookup.topicsOfNamespace({
      namespace: pattern.namespace,
      mode: pattern.wireMode,
      topicsPattern: pattern.forBroker,
      topicsHash: this.#hash,
    });
    // what the broker has told meanwhile is newer than its answer, which the next asking makes up for
    if (answer.changed === false || told !== this.#told) return;
    this.#set(answer.topics ?? []);
    // the hash is of what the broker listed, and changes with everything it is told to look at
    this.#hash = answer.topicsHash;
  }

  #replace(topics: readonly string[]): void {
    this.#told++;
    this.#set(topics);
    this.#options.onTopics();
  }

  #set(topics: readonly string[]): void {
    this.#topics.clear();
    this.#hash = undefined;
    for (const topic of topics) if (this.#options.pattern.matches(topic)) this.#topics.add(topic);
  }

  #change(added: readonly string[], deleted: readonly string[]): void {
    this.#told++;
    this.#hash = undefined;
    for (const topic of deleted) this.#topics.delete(topic);
    for (const topic of added) if (this.#options.pattern.matches(topic)) this.#topics.add(topic);
    this.#options.onTopics();
  }
}
