import { CommandType, type Int64 } from "@pulsewire/protocol";
import { topicsHash } from "../resources/topic-list.ts";
import type { BrokerConnection } from "./broker-connection.ts";

export interface TopicListWatcherOptions {
  connection: BrokerConnection;
  watcherId: Int64;
  namespace: string;
  matches(topic: string): boolean;
}

/** Tells a client of the topics that come and go and match its pattern: WATCH_TOPIC_UPDATE. */
export class TopicListWatcher implements Disposable {
  readonly #options: TopicListWatcherOptions;
  readonly #topics = new Set<string>();
  readonly #watch: Disposable;
  /** What went while the first list was being read, which may still have it. */
  readonly #goneEarly = new Set<string>();
  #started = false;

  constructor(options: TopicListWatcherOptions) {
    this.#options = options;
    const { connection, namespace } = options;
    this.#watch = connection.broker.resources.topics.watch(namespace, ({ type, topic }) => {
      if (!options.matches(topic)) return;
      const changed = type === "created" ? !this.#topics.has(topic) : this.#topics.has(topic);
      if (type === "created") this.#topics.add(topic);
      else this.#topics.delete(topic);
      if (type === "deleted" && !this.#started) this.#goneEarly.add(topic);
      if (changed && this.#started) this.#tell(type === "created" ? [topic] : [], type === "deleted" ? [topic] : []);
    });
  }

  /** Reads the list; changes are told from now on. */
  async start(): Promise<string[]> {
    const { connection, namespace, matches } = this.#options;
    const topics = await connection.broker.topicsOf(namespace, 0);
    for (const topic of topics) if (matches(topic) && !this.#goneEarly.has(topic)) this.#topics.add(topic);
    this.#started = true;
    return this.topics;
  }

  get topics(): string[] {
    return [...this.#topics].sort();
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  #tell(newTopics: string[], deletedTopics: string[]): void {
    const { connection, watcherId } = this.#options;
    const body = { watcherId, newTopics, deletedTopics, topicsHash: topicsHash(this.topics) };
    connection.send({ type: CommandType.WATCH_TOPIC_UPDATE, body });
  }
}
