import type { Logger } from "../logger.ts";
import type { Message } from "../message.ts";

export interface ListenerLoopOptions {
  readonly logger: Logger;
  take(): Message | undefined;
  /** Calls the application. */
  call(message: Message): unknown;
  /** There was no message any more: the listener waits. */
  onIdle(): void;
}

/**
 * Gives messages to a listener, one after the other. What the listener throws, or rejects with, is logged, and the next
 * message comes; the one it failed with stays unacknowledged.
 */
export class ListenerLoop {
  readonly #options: ListenerLoopOptions;
  #running = false;
  #ended = false;

  constructor(options: ListenerLoopOptions) {
    this.#options = options;
  }

  /** Whether the listener waits for a message. */
  get idle(): boolean {
    return !this.#running && !this.#ended;
  }

  /** There may be messages. */
  wake(): void {
    if (this.#running || this.#ended) return;
    this.#running = true;
    for (;;) {
      const message = this.#ended ? undefined : this.#options.take();
      if (message === undefined) break;
      const result = this.#call(message);
      if (!isThenable(result)) continue;
      void this.#goOnAfter(message, result);
      return;
    }
    this.#running = false;
    if (!this.#ended) this.#options.onIdle();
  }

  end(): void {
    this.#ended = true;
  }

  #call(message: Message): unknown {
    try {
      return this.#options.call(message);
    } catch (error) {
      this.#failed(message, error);
      return undefined;
    }
  }

  async #goOnAfter(message: Message, result: PromiseLike<unknown>): Promise<void> {
    try {
      await result;
    } catch (error) {
      this.#failed(message, error);
    }
    this.#running = false;
    this.wake();
  }

  #failed({ topic, messageId }: Message, error: unknown): void {
    const reason = String(error);
    this.#options.logger.error(
      `${topic}: the message listener failed with ${messageId}, it stays unacknowledged: ${reason}`,
    );
  }
}

/** A promise of whatever library. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
