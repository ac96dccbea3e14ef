import { type ClientRuntime, deferred } from "@pulsewire/runtime";
import { type Authentication, type BoundAuthentication, bindAuthentication } from "./auth/authentication.ts";
import type { ClientContext } from "./client-context.ts";
import { type PulsarClientOptions, resolveClientOptions } from "./client-options.ts";
import { ConnectionPool } from "./connection/connection-pool.ts";
import { retrying } from "./connection/retry.ts";
import type { Consumer } from "./consuming/consumer.ts";
import type { ConsumerOptions } from "./consuming/consumer-options.ts";
import { openConsumer } from "./consuming/open-consumer.ts";
import { openReader, type Reader } from "./consuming/reader.ts";
import type { ReaderOptions } from "./consuming/reader-options.ts";
import { resolveConsumerOptions } from "./consuming/resolve-consumer-options.ts";
import { AlreadyClosedError } from "./errors.ts";
import { ServiceSwitch } from "./failover/service-switch.ts";
import type { ServiceUrlProvider } from "./failover/service-url-provider.ts";
import { CurrentService } from "./lookup/current-service.ts";
import { ServiceLookup } from "./lookup/service-lookup.ts";
import { isEncrypted } from "./lookup/service-url.ts";
import { MemoryLimit } from "./producing/memory-limit.ts";
import { openProducer, type Producer } from "./producing/producer.ts";
import { type ProducerOptions, parseTopic, resolveProducerOptions } from "./producing/producer-options.ts";
import { openTableView, type TableView } from "./table-view/table-view.ts";
import { type TableViewOptions, tableViewReader } from "./table-view/table-view-options.ts";
import { resolveTransactionTimeout, Transaction, type TransactionOptions } from "./transactions/transaction.ts";
import { TransactionCoordinators } from "./transactions/transaction-coordinators.ts";
import { Waits } from "./waits.ts";

interface Closeable {
  close(): Promise<void>;
}

/** A client on a platform that its runtime is given for. `PulsarClient` of the package's entry brings the platform's own. */
export class CoreClient implements AsyncDisposable {
  readonly #context: ClientContext;
  readonly #serviceUrlProvider: ServiceUrlProvider | undefined;
  readonly #open = new Set<Closeable>();
  /** Producers and consumers that are being opened. */
  readonly #opening = new Set<Promise<unknown>>();
  readonly #waits: Waits;
  /** Rejects what somebody waits for that is being opened. */
  readonly #refusals = new Set<(error: AlreadyClosedError) => void>();
  #coordinators: TransactionCoordinators | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: PulsarClientOptions, runtime: ClientRuntime) {
    const o = resolveClientOptions(options);
    const { clock, network } = runtime;
    const waits = new Waits(clock);
    this.#waits = waits;
    // who waits for a connection is to be told what it is that does not come
    const credentialsMs = Math.min(o.connectionTimeoutMs, o.operationTimeoutMs);
    const bind = (authentication: Authentication | undefined): BoundAuthentication | undefined =>
      bindAuthentication(authentication, runtime, waits, credentialsMs);
    const { serviceUrlProvider, logger } = o;
    const first = serviceUrlProvider?.initial.authentication ?? o.authentication;
    const service = new CurrentService(o.serviceUrl, bind(first), o.tls);
    const pool = new ConnectionPool({ ...o, service, clock, network });
    serviceUrlProvider?.start(new ServiceSwitch({ ...o, runtime, logger, pool, service, bind }));
    this.#serviceUrlProvider = serviceUrlProvider;
    const memoryLimit = new MemoryLimit(o.memoryLimitBytes);
    o.telemetry?.memoryUsage(() => memoryLimit.usedBytes, o.memoryLimitBytes);
    if (o.tls !== undefined && serviceUrlProvider === undefined && !isEncrypted(o.serviceUrl)) {
      logger.warn(`tls has no effect on ${o.serviceUrl.scheme}://`);
    }
    let nextId = 0;
    this.#context = {
      runtime,
      logger: o.logger,
      pool,
      service,
      lookup: new ServiceLookup(pool, network, service, { ...o, clock }),
      memoryLimit,
      operationTimeoutMs: o.operationTimeoutMs,
      telemetry: o.telemetry,
      waits,
      nextId: () => nextId++,
    };
  }

  /** Payload bytes that the producers hold without a receipt. */
  get pendingBytes(): number {
    return this.#context.memoryLimit.usedBytes;
  }

  /** Opens a producer. Rejects with a PulsarError. */
  async createProducer<T = Uint8Array>(options: ProducerOptions<T>): Promise<Producer<T>> {
    this.#throwIfClosed();
    const resolved = resolveProducerOptions(options, this.#context.runtime.codec.compressions);
    const forget = (producer: Producer<T>): void => void this.#open.delete(producer);
    return this.#track(openProducer(this.#context, resolved, forget));
  }

  /** Subscribes. Rejects with a PulsarError. */
  async subscribe<T = Uint8Array>(options: ConsumerOptions<T>): Promise<Consumer<T>> {
    this.#throwIfClosed();
    const resolved = resolveConsumerOptions(options);
    const opening = openConsumer(this.#context, resolved, {
      openLetterProducer: (topic, initialSubscriptionName) => this.#letterProducer(topic, initialSubscriptionName),
      onClosed: (consumer) => void this.#open.delete(consumer),
    });
    return (await this.#track(opening)) as unknown as Consumer<T>;
  }

  /** Opens a reader. Rejects with a PulsarError. */
  async createReader<T = Uint8Array>(options: ReaderOptions<T>): Promise<Reader<T>> {
    this.#throwIfClosed();
    const opening = openReader(this.#context, options, (consumer) => void this.#open.delete(consumer));
    const reader = await this.#whileOpen(opening, (late) => late.close());
    this.#open.add(reader.consumer);
    return reader;
  }

  /** Reads the last value of each key of a topic, and follows what comes. Rejects with a PulsarError. */
  async createTableView<T = Uint8Array>(options: TableViewOptions<T>): Promise<TableView<T>> {
    const reader = await this.createReader(tableViewReader(options));
    const { runtime, logger } = this.#context;
    return openTableView(reader, runtime.clock, logger);
  }

  /**
   * The topics to consume for a topic: its partitions' names, or its own where it has none. Nothing is created; a topic
   * that does not exist rejects with code `TopicNotFound`.
   */
  async getPartitionsForTopic(topic: string): Promise<string[]> {
    this.#throwIfClosed();
    const name = parseTopic(topic);
    const { lookup } = this.#context;
    const count = await retrying(this.#context, () => lookup.partitionCount(name.toString(), false));
    return count === 0 ? [name.toString()] : Array.from({ length: count }, (_, index) => name.partition(index));
  }

  /**
   * Begins a transaction. Rejects with a PulsarError: `TransactionCoordinatorNotFound` where the cluster takes none.
   */
  async newTransaction(options?: TransactionOptions): Promise<Transaction> {
    this.#throwIfClosed();
    const timeoutMs = resolveTransactionTimeout(options);
    this.#coordinators ??= new TransactionCoordinators(this.#context);
    const id = await this.#coordinators.begin(timeoutMs);
    return new Transaction(this.#coordinators, this.#context.runtime.clock, id, timeoutMs);
  }

  /** Closes every producer, consumer and reader, and the connections. Twice is fine. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#serviceUrlProvider?.close();
    const error = new AlreadyClosedError("the client was closed meanwhile");
    for (const refuse of [...this.#refusals]) refuse(error);
    await Promise.allSettled([...this.#open].map((open) => open.close()));
    this.#waits.end(error);
    await this.#context.pool.close();
    await Promise.allSettled(this.#opening);
    this.#context.telemetry?.close();
  }

  async #track<T extends Closeable>(opening: Promise<T>): Promise<T> {
    const opened = await this.#whileOpen(opening, (late) => late.close());
    this.#open.add(opened);
    return opened;
  }

  /** What is opened while the client closes is closed again. */
  async #whileOpen<T>(opening: Promise<T>, closeLate: (late: T) => Promise<void>): Promise<T> {
    const settled = opening.then(async (opened) => {
      if (this.#closing === undefined) return opened;
      await closeLate(opened);
      throw new AlreadyClosedError("the client was closed meanwhile");
    });
    this.#opening.add(settled);
    const refused = deferred<never>();
    this.#refusals.add(refused.reject);
    try {
      return await Promise.race([settled, refused.promise]);
    } finally {
      this.#refusals.delete(refused.reject);
      const forget = (): void => void this.#opening.delete(settled);
      settled.then(forget, forget);
    }
  }

  #letterProducer(topic: string, initialSubscriptionName: string | undefined): Promise<Producer> {
    return this.createProducer({
      topic,
      batchingEnabled: false,
      chunkingEnabled: true,
      blockIfQueueFull: true,
      ...(initialSubscriptionName === undefined ? {} : { initialSubscriptionName }),
    });
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) throw new AlreadyClosedError("the client is closed");
  }
}
