import { CommandType } from "@pulsewire/protocol";
import { Backoff, type Timer } from "@pulsewire/runtime";
import type { ClientContext } from "../client-context.ts";
import type { Connection } from "../connection/connection.ts";
import type { TopicListHandler } from "../connection/handlers.ts";
import { toPulsarError } from "../errors.ts";
import type { TopicsPattern } from "./topics-pattern.ts";

export interface TopicListWatcherOptions {
  readonly context: ClientContext;
  readonly pattern: TopicsPattern;
  /** All topics as they are now: after the first watch, and after each that takes its place. */
  onTopics(topics: readonly string[]): void;
  onChange(added: readonly string[], deleted: readonly string[]): void;
}

type State =
  | { kind: "watching"; connection: Connection }
  /** `missed`: changes that came right behind the broker's answer, before it was read. */
  | { kind: "opening"; missed: { added: readonly string[]; deleted: readonly string[] }[] }
  | { kind: "waiting"; timer: Timer }
  /** The broker cannot: whoever wants to know has to ask. */
  | { kind: "unsupported" }
  | { kind: "ended" };

/** Has the broker tell which topics come and go; watches anew whenever the connection is lost. */
export class TopicListWatcher implements TopicListHandler {
  readonly #options: TopicListWatcherOptions;
  readonly #watcherId: number;
  readonly #backoff: Backoff;
  #state: State = { kind: "opening", missed: [] };

  constructor(options: TopicListWatcherOptions) {
    this.#options = options;
    this.#watcherId = options.context.nextId();
    this.#backoff = new Backoff(options.context.runtime.random);
  }

  start(): void {
    void this.#open();
  }

  onTopicUpdate(added: readonly string[], deleted: readonly string[]): void {
    if (this.#state.kind === "watching") this.#options.onChange(added, deleted);
    else if (this.#state.kind === "opening") this.#state.missed.push({ added, deleted });
  }

  onDetached(): void {
    if (this.#state.kind === "watching") this.#wait();
  }

  /** Tells the broker, where it can be told. */
  async close(): Promise<void> {
    const before = this.#state;
    this.#state = { kind: "ended" };
    if (before.kind === "waiting") before.timer.cancel();
    if (before.kind === "watching") await this.#withdraw(before.connection);
  }

  async #open(): Promise<void> {
    const { context, pattern } = this.#options;
    const opening: State & { kind: "opening" } = { kind: "opening", missed: [] };
    this.#state = opening;
    try {
      const connection = await context.lookup.serviceConnection();
      if (this.#ended) return;
      if (connection.connected?.featureFlags?.supportsTopicWatchers !== true) {
        this.#state = { kind: "unsupported" };
        return;
      }
      connection.attachTopicList(this.#watcherId, this);
      const answer = await connection.request(`watching the topics of ${pattern.namespace}`, (requestId) => ({
        type: CommandType.WATCH_TOPIC_LIST,
        body: {
          requestId,
          watcherId: this.#watcherId,
          namespace: pattern.namespace,
          topicsPattern: pattern.forBroker,
        },
      }));
      // closed meanwhile: nobody withdrew a watch that was not there yet
      if (this.#ended) {
        await this.#withdraw(connection);
        return;
      }
      if (!connection.open || answer.type !== CommandType.WATCH_TOPIC_LIST_SUCCESS) return this.#wait();
      this.#state = { kind: "watching", connection };
      this.#backoff.reset();
      this.#options.onTopics(answer.body.topic ?? []);
      for (const { added, deleted } of opening.missed) this.#options.onChange(added, deleted);
    } catch (error) {
      this.#onFailed(error);
    }
  }

  get #ended(): boolean {
    return this.#state.kind === "ended";
  }

  #onFailed(error: unknown): void {
    if (this.#ended) return;
    const failure = toPulsarError(error);
    const { context, pattern } = this.#options;
    context.logger.warn(`watching the topics of ${pattern.namespace}: ${failure.message}`);
    if (failure.retryable) this.#wait();
    else this.#state = { kind: "unsupported" };
  }

  #wait(): void {
    const timer = this.#options.context.runtime.clock.setTimer(this.#backoff.nextMs(), () => void this.#open());
    this.#state = { kind: "waiting", timer };
  }

  async #withdraw(connection: Connection): Promise<void> {
    connection.detachTopicList(this.#watcherId);
    const { context, pattern } = this.#options;
    try {
      await connection.request(`no longer watching ${pattern.namespace}`, (requestId) => ({
        type: CommandType.WATCH_TOPIC_LIST_CLOSE,
        body: { requestId, watcherId: this.#watcherId },
      }));
    } catch (error) {
      context.logger.debug(`no longer watching ${pattern.namespace}: ${String(error)}`);
    }
  }
}
