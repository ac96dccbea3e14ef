import type { ClientContext } from "../client-context.ts";
import { AlreadyClosedError, InvalidConfigurationError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { MessageId } from "../message-id.ts";
import type { Consumer } from "./consumer.ts";
import { openConsumer } from "./open-consumer.ts";
import { type ReaderOptions, resolveReaderOptions } from "./reader-options.ts";
import type { ReceiveOptions } from "./receive-queue.ts";
import type { SeekFunction, SeekPosition } from "./seeking.ts";
import { isLatest } from "./start-position.ts";

/** Reads a topic from a place of its choice, without a subscription that outlives it. Made by `client.createReader`. */
export class Reader<T = Uint8Array> implements AsyncDisposable, AsyncIterable<Message<T>> {
  readonly topic: string;
  readonly #consumer: Consumer<T>;

  /** @internal Use `client.createReader`. */
  constructor(topic: string, consumer: Consumer<T>) {
    this.topic = topic;
    this.#consumer = consumer;
  }

  /** @internal What the client closes with itself. */
  get consumer(): Consumer<T> {
    return this.#consumer;
  }

  get isConnected(): boolean {
    return this.#consumer.isConnected;
  }

  /** Whether every topic was terminated and read to its end. */
  get hasReachedEndOfTopic(): boolean {
    return this.#consumer.hasReachedEndOfTopic;
  }

  /** The next message; waits for one, as `consumer.receive` does. */
  async readNext(options: number | ReceiveOptions = {}): Promise<Message<T>> {
    const message = await this.#consumer.receive(options);
    // it moves the broker's idea of what was read; whether it arrives does not matter to the reader
    this.#consumer.acknowledgeCumulative(message).catch(ignoreFailure);
    return message;
  }

  /** Whether there is a message to read. True means that `readNext` will resolve. */
  hasMessageAvailable(): Promise<boolean> {
    return this.#consumer.hasMessageAvailable();
  }

  /** As `consumer.seek`. */
  seek(position: SeekPosition | SeekFunction, options: { inclusive?: boolean } = {}): Promise<void> {
    return this.#consumer.seek(position, options);
  }

  getLastMessageIds(): Promise<MessageId[]> {
    return this.#consumer.getLastMessageIds();
  }

  /** Messages until the reader is closed; the loop ends then. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Message<T>, void, undefined> {
    for (;;) {
      let message: Message<T>;
      try {
        message = await this.readNext();
      } catch (error) {
        if (error instanceof AlreadyClosedError) return;
        throw error;
      }
      yield message;
    }
  }

  close(): Promise<void> {
    return this.#consumer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function ignoreFailure(): void {
  // a reader keeps its own place
}

/** Opens a reader. Rejects with a PulsarError, and leaves nothing behind then. */
export async function openReader<T>(
  context: ClientContext,
  options: ReaderOptions<T>,
  onClosed: (consumer: Consumer<unknown>) => void,
): Promise<Reader<T>> {
  const { consumer: resolved, start } = resolveReaderOptions(context, options, (message, consumer) =>
    options.readerListener?.(message as Message<T>, readerOf(consumer as unknown as Consumer<T>)),
  );
  let made: Reader<T> | undefined;
  const readerOf = (consumer: Consumer<T>): Reader<T> => {
    made ??= new Reader(resolved.topics[0] ?? options.topic, consumer);
    return made;
  };
  const consumer = await openConsumer(context, resolved, {
    start,
    openLetterProducer: () => Promise.reject(new InvalidConfigurationError("a reader has no dead letters")),
    onClosed,
  });
  try {
    if (start.kind === "id" && start.inclusive && isLatest(start.id)) await seekToLast(consumer);
  } catch (error) {
    await consumer.close();
    throw error;
  }
  return readerOf(consumer as unknown as Consumer<T>);
}

async function seekToLast(consumer: Consumer): Promise<void> {
  for (const last of await consumer.getLastMessageIds()) await consumer.seek(last, { inclusive: true });
}
