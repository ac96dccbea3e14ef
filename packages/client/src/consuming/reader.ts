import { optionalText, text, trueOrFalse, wholeNumber } from "../check-options.ts";
import type { ClientContext } from "../client-context.ts";
import { AlreadyClosedError, InvalidConfigurationError } from "../errors.ts";
import type { Message } from "../message.ts";
import { MessageId } from "../message-id.ts";
import type { Schema } from "../schema/schema.ts";
import type { Consumer } from "./consumer.ts";
import { type ResolvedConsumerOptions, resolveConsumerOptions } from "./consumer-options.ts";
import { openConsumer, randomName } from "./open-consumer.ts";
import type { ReceiveOptions } from "./receive-queue.ts";
import { isEarliest, isLatest } from "./start-position.ts";

export interface ReaderOptions<T = Uint8Array> {
  topic: string;
  /** Reading starts behind it. */
  startMessageId: MessageId;
  /** Start with the message of `startMessageId` itself; of `MessageId.latest`, with the last message. Default false. */
  startMessageIdInclusive?: boolean;
  readerName?: string;
  /** What the subscription's name starts with, as the topic's statistics show it. Default `reader`. */
  subscriptionRolePrefix?: string;
  /** Default 1000. */
  receiverQueueSize?: number;
  /** Read the compacted view of the topic. Default false. */
  readCompacted?: boolean;
  /** What `message.value` is decoded by. Default: none, values are bytes. */
  schema?: Schema<never, T>;
}

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
  seek(position: MessageId | Date | number, options: { inclusive?: boolean } = {}): Promise<void> {
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

/** Throws an InvalidConfigurationError that names the option and what it takes. */
function resolveReaderOptions<T>(context: ClientContext, o: ReaderOptions<T>): ResolvedConsumerOptions {
  if (!(o.startMessageId instanceof MessageId)) {
    throw new InvalidConfigurationError("startMessageId takes a MessageId, such as MessageId.earliest");
  }
  trueOrFalse("startMessageIdInclusive", o.startMessageIdInclusive, false);
  const readerName = optionalText("readerName", o.readerName);
  const prefix = optionalText("subscriptionRolePrefix", o.subscriptionRolePrefix) ?? "reader";
  const base = resolveConsumerOptions({
    topic: text("topic", o.topic),
    subscription: `${prefix}-${randomName(context)}`,
    receiverQueueSize: wholeNumber("receiverQueueSize", o.receiverQueueSize, 1000),
    readCompacted: trueOrFalse("readCompacted", o.readCompacted, false),
    ...(readerName === undefined ? {} : { consumerName: readerName }),
    ...(o.schema === undefined ? {} : { schema: o.schema }),
  });
  return { ...base, durable: false, initialPosition: isEarliest(o.startMessageId) ? "Earliest" : "Latest" };
}

/** Opens a reader. Rejects with a PulsarError, and leaves nothing behind then. */
export async function openReader<T>(
  context: ClientContext,
  options: ReaderOptions<T>,
  onClosed: (consumer: Consumer<unknown>) => void,
): Promise<Reader<T>> {
  const resolved = resolveReaderOptions(context, options);
  const inclusive = options.startMessageIdInclusive ?? false;
  const consumer = await openConsumer(context, resolved, {
    start: { kind: "id", id: options.startMessageId, inclusive },
    openLetterProducer: () => Promise.reject(new InvalidConfigurationError("a reader has no dead letters")),
    onClosed,
  });
  try {
    if (inclusive && isLatest(options.startMessageId)) await seekToLast(consumer);
  } catch (error) {
    await consumer.close();
    throw error;
  }
  return new Reader(resolved.topics[0] ?? options.topic, consumer as unknown as Consumer<T>);
}

async function seekToLast(consumer: Consumer): Promise<void> {
  for (const last of await consumer.getLastMessageIds()) await consumer.seek(last, { inclusive: true });
}
