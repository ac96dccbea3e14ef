import type { Reader as CoreReader } from "../consuming/reader.ts";
import { AlreadyClosedError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { ReaderConfig } from "./config.ts";
import { Message } from "./message.ts";
import { MessageId } from "./message-id.ts";
import { done, failure, settled } from "./result.ts";

type State = { kind: "open" } | { kind: "closed" };

export class Reader {
  readonly #reader: CoreReader;
  #state: State = { kind: "open" };
  /** Whether the broker had more when it was last asked, which is whenever what was fetched came to its end. */
  #more = false;

  private constructor(reader: CoreReader) {
    this.#reader = reader;
  }

  /** @internal Use `client.createReader`. */
  static async open(reader: CoreReader): Promise<Reader> {
    const opened = new Reader(reader);
    await opened.#look();
    return opened;
  }

  /** @internal Gives messages to a listener until the reader is closed. */
  listen(listener: NonNullable<ReaderConfig["listener"]>, logger: Logger): void {
    this.#listen(listener, logger).catch((error: unknown) => logger.error(`the reader ended: ${String(error)}`));
  }

  /** The next message; with a timeout above 0, in ms, rejects with `Failed to receive message: TimeOut`. */
  async readNext(timeout?: number): Promise<Message> {
    const waitMs = Number(timeout ?? 0);
    const reading = waitMs > 0 ? this.#reader.readNext({ timeoutMs: waitMs }) : this.#reader.readNext();
    const message = await settled("Failed to receive message", reading);
    // hasNext cannot wait for the broker, so it is asked here; whether it answers does not matter to this message
    if (this.#fetched === 0) await this.#look().catch(() => this.#assumeNone());
    return Message.of(message);
  }

  /**
   * Whether there was a message to read when the reader was opened, when it last read the last one that was fetched, or
   * since, as far as it was pushed.
   */
  hasNext(): boolean {
    if (this.#state.kind === "closed") {
      const closed = new AlreadyClosedError("the reader is closed");
      throw failure("Failed to check if next message is available", closed);
    }
    return this.#fetched > 0 || this.#more;
  }

  isConnected(): boolean {
    return this.#reader.isConnected;
  }

  seek(messageId: MessageId): Promise<null> {
    return done("Failed to seek message by id", this.#seek(MessageId.core(messageId)));
  }

  seekTimestamp(timestamp: number): Promise<null> {
    return done("Failed to seek message by timestamp", this.#seek(timestamp));
  }

  close(): Promise<null> {
    this.#state = { kind: "closed" };
    return done("Failed to close reader", this.#reader.close());
  }

  get #fetched(): number {
    return this.#reader.consumer.queuedMessages;
  }

  async #seek(position: Parameters<CoreReader["seek"]>[0]): Promise<void> {
    await this.#reader.seek(position);
    await this.#look();
  }

  async #look(): Promise<void> {
    this.#more = await this.#reader.hasMessageAvailable();
  }

  #assumeNone(): void {
    this.#more = false;
  }

  async #listen(listener: NonNullable<ReaderConfig["listener"]>, logger: Logger): Promise<void> {
    for await (const message of this.#reader) {
      try {
        await listener(Message.of(message), this);
      } catch (error) {
        logger.error(`Reader listener error in processing message: ${String(error)}`);
      }
    }
  }
}
