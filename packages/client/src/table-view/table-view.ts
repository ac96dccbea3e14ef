import { type Clock, type Deferred, deferred, type Timer } from "@pulsewire/runtime";
import { optionalFunction } from "../check-options.ts";
import type { Reader } from "../consuming/reader.ts";
import {
  AlreadyClosedError,
  InvalidConfigurationError,
  type PulsarError,
  TimeoutError,
  toPulsarError,
} from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Message } from "../message.ts";
import type { MessageId } from "../message-id.ts";

/** How long a view that is being opened or refreshed waits for a message before it asks again whether there is one, in ms. */
const LOOK_AGAIN_MS = 1000;

/** Called with a key and its value; undefined where the key was removed. */
export type TableViewListener<T> = (key: string, value: T | undefined) => void;

/** Waits until the view has read up to these ids, one of each topic. */
interface Refresh {
  readonly until: Map<string, MessageId>;
  readonly done: Deferred<void>;
  timer: Timer | undefined;
}

/**
 * The last value of each key of a topic, kept up to date as messages come. A message without a payload removes its key;
 * one without a key is passed over. Made by `client.createTableView`.
 *
 * @example
 * const prices = await client.createTableView({ topic: "prices", schema: jsonSchema(priceValidator) });
 * prices.forEachAndListen((item, price) => show(item, price));
 * prices.get("apple");
 */
export class TableView<T = Uint8Array> implements AsyncDisposable, Iterable<[string, T]> {
  readonly topic: string;
  readonly #reader: Reader<T>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #values = new Map<string, T>();
  readonly #listeners = new Set<TableViewListener<T>>();
  /** The last message read of each topic (of a partitioned one, each partition). */
  readonly #read = new Map<string, MessageId>();
  readonly #refreshes = new Set<Refresh>();
  #ended: PulsarError | undefined;
  #reading: Promise<void> | undefined;

  /** @internal Use `client.createTableView`. */
  constructor(reader: Reader<T>, clock: Clock, logger: Logger) {
    this.topic = reader.topic;
    this.#reader = reader;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @internal Reads everything there is, and from then on what comes. */
  async start(): Promise<void> {
    while (await this.#reader.hasMessageAvailable()) {
      const message = await this.#nextIfAny();
      if (message !== undefined) this.#apply(message);
    }
    this.#reading = this.#readOn();
  }

  /** How many keys have a value. */
  get size(): number {
    return this.#values.size;
  }

  /** Whether the view is connected, and so follows what comes. */
  get isConnected(): boolean {
    return this.#reader.isConnected;
  }

  get(key: string): T | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#values.keys();
  }

  values(): IterableIterator<T> {
    return this.#values.values();
  }

  entries(): IterableIterator<[string, T]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, T]> {
    return this.#values.entries();
  }

  forEach(action: (key: string, value: T) => void): void {
    for (const [key, value] of this.#values) action(key, value);
  }

  /** Calls the listener for each change from now on. Answers what ends that. What the listener throws is logged. */
  listen(listener: TableViewListener<T>): () => void {
    if (optionalFunction("listener", listener) === undefined) {
      throw new InvalidConfigurationError("listen takes a function of a key and a value");
    }
    // one function given twice is called twice, and ended each on its own
    const own: TableViewListener<T> = (key, value) => listener(key, value);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls the listener for each value there is, and for each change from then on: none is missed between the two. */
  forEachAndListen(listener: TableViewListener<T>): () => void {
    const end = this.listen(listener);
    for (const [key, value] of this.#values) this.#tell(listener, key, value);
    return end;
  }

  /** Resolves when everything is in the view that the topic had when this was called. */
  async refresh(): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended;
    const until = new Map<string, MessageId>();
    for (const last of await this.#reader.getLastMessageIds())
      if (last.topic !== undefined) until.set(last.topic, last);
    if (this.#ended !== undefined) throw this.#ended;
    const refresh: Refresh = { until, done: deferred(), timer: undefined };
    this.#refreshes.add(refresh);
    this.#lookLater(refresh);
    this.#settle(refresh);
    await refresh.done.promise;
  }

  /** Lets go; the values stay as they are. Twice is fine. */
  async close(): Promise<void> {
    this.#end(new AlreadyClosedError(`the table view of ${this.topic} is closed`));
    await this.#reader.close();
    await this.#reading;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The last message of a topic may turn out to be unreadable: then it is asked once more whether there is one. */
  async #nextIfAny(): Promise<Message<T> | undefined> {
    try {
      return await this.#reader.readNext({ timeoutMs: LOOK_AGAIN_MS });
    } catch (error) {
      if (error instanceof TimeoutError) return undefined;
      throw error;
    }
  }

  async #readOn(): Promise<void> {
    try {
      for await (const message of this.#reader) this.#apply(message);
      this.#end(new AlreadyClosedError(`the table view of ${this.topic} is closed`));
    } catch (error) {
      this.#logger.error(`the table view of ${this.topic} ended: ${String(error)}`);
      this.#end(toPulsarError(error));
    }
  }

  #apply(message: Message<T>): void {
    this.#read.set(message.topic, message.messageId);
    const { key } = message;
    if (key === undefined) this.#logger.warn(`${message.topic}: a table view has no use for a message without a key`);
    else this.#change(key, message);
    for (const refresh of this.#refreshes) this.#settle(refresh);
  }

  #change(key: string, message: Message<T>): void {
    let value: T | undefined;
    try {
      value = keptValue(message);
    } catch (error) {
      this.#logger.error(`${message.topic}: the value of ${message.messageId} cannot be read, ${String(error)}`);
      return;
    }
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
    for (const listener of this.#listeners) this.#tell(listener, key, value);
  }

  #tell(listener: TableViewListener<T>, key: string, value: T | undefined): void {
    try {
      listener(key, value);
    } catch (error) {
      this.#logger.error(`a listener of the table view of ${this.topic} failed: ${String(error)}`);
    }
  }

  #settle(refresh: Refresh): void {
    for (const [topic, last] of refresh.until) {
      const read = this.#read.get(topic);
      if (read !== undefined && read.compareTo(last) >= 0) refresh.until.delete(topic);
    }
    if (refresh.until.size === 0) this.#finish(refresh);
  }

  #finish(refresh: Refresh): void {
    this.#refreshes.delete(refresh);
    refresh.timer?.cancel();
    refresh.done.resolve();
  }

  /** The last message of a topic may never come, since it cannot be read: then there is nothing left to wait for. */
  #lookLater(refresh: Refresh): void {
    refresh.timer = this.#clock.setTimer(LOOK_AGAIN_MS, () => void this.#look(refresh), { keepAlive: true });
  }

  async #look(refresh: Refresh): Promise<void> {
    let available = true;
    try {
      available = await this.#reader.hasMessageAvailable();
    } catch (error) {
      this.#logger.debug(`${this.topic}: whether there is more to refresh by cannot be asked, ${String(error)}`);
    }
    if (!this.#refreshes.has(refresh)) return;
    if (available) this.#lookLater(refresh);
    else this.#finish(refresh);
  }

  #end(error: PulsarError): void {
    this.#ended ??= error;
    for (const { done, timer } of this.#refreshes) {
      timer?.cancel();
      done.reject(this.#ended);
    }
    this.#refreshes.clear();
  }
}

/** Undefined for a message that removes its key. Bytes are copied: a view would keep their whole batch in memory. */
function keptValue<T>(message: Message<T>): T | undefined {
  if (message.hasNullValue || message.data.length === 0) return undefined;
  const { value } = message;
  return value instanceof Uint8Array ? (new Uint8Array(value) as T) : value;
}

/** Reads a whole topic into a view. Rejects with a PulsarError, and leaves nothing behind then. */
export async function openTableView<T>(reader: Reader<T>, clock: Clock, logger: Logger): Promise<TableView<T>> {
  const view = new TableView(reader, clock, logger);
  try {
    await view.start();
    return view;
  } catch (error) {
    await reader.close();
    throw error;
  }
}
