import { CommandSubscribeSubType, ServerError } from "@pulsewire/protocol";
import { type Entry, type ManagedCursor, ManagedLedgerError } from "../../managed-ledger/index.ts";
import type { Position } from "../../managed-ledger/position.ts";
import { BrokerError } from "../broker-error.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { KeySharedDispatcher } from "../dispatch/key-shared-dispatcher.ts";
import { SharedDispatcher } from "../dispatch/shared-dispatcher.ts";
import { SingleActiveDispatcher } from "../dispatch/single-active-dispatcher.ts";
import { AttachedConsumer } from "./consumer.ts";
import type {
  BrokerConsumer,
  ConsumerOptions,
  Subscription,
  SubscriptionContext,
  SubscriptionStats,
  SubscriptionType,
} from "./contracts.ts";
import { ReadPacing } from "./read-pacing.ts";

type State = "open" | "seeking" | "closed";

/** A subscription of a persistent topic; see `Subscription`. */
export class PersistentSubscription implements Subscription {
  readonly name: string;
  readonly cursor: ManagedCursor;
  readonly context: SubscriptionContext;
  /** How it reads where reads fail. */
  readonly reads: ReadPacing;
  #state: State = "open";
  #dispatcher: Dispatcher | undefined;
  #messagesOut = 0;
  #bytesOut = 0;
  #redelivered = 0;
  #lastConsumedMs = 0;
  #lastAckedMs = 0;

  constructor(context: SubscriptionContext, name: string, cursor: ManagedCursor) {
    this.context = context;
    this.name = name;
    this.cursor = cursor;
    this.reads = new ReadPacing({
      clock: context.clock,
      onRetry: () => this.notify(),
      onFailing: (error) => context.onError?.(this.#stuckError(error)),
    });
  }

  get consumers(): readonly AttachedConsumer[] {
    return this.#dispatcher?.consumers ?? [];
  }

  get type(): SubscriptionType | undefined {
    return this.consumers.length > 0 ? this.#dispatcher?.type : undefined;
  }

  addConsumer(options: ConsumerOptions): BrokerConsumer {
    if (this.#state !== "open") {
      throw new BrokerError(ServerError.ServiceNotReady, `Subscription ${this.name} is ${this.#state}`);
    }
    if (this.#dispatcher === undefined || this.#dispatcher.type !== options.type) {
      if (this.consumers.length > 0) {
        throw new BrokerError(ServerError.ConsumerBusy, "Subscription is of different type");
      }
      this.#dispatcher = this.#createDispatcher(options.type);
    }
    const consumer = new AttachedConsumer(this, this.#dispatcher, options);
    this.#dispatcher.addConsumer(consumer);
    return consumer;
  }

  removeConsumer(consumer: AttachedConsumer): void {
    const { msgOutCounter, bytesOutCounter, redeliveredCounter } = consumer.stats();
    this.#messagesOut += msgOutCounter;
    this.#bytesOut += bytesOutCounter;
    this.#redelivered += redeliveredCounter;
    this.#dispatcher?.removeConsumer(consumer);
  }

  notify(): void {
    if (this.#state === "open") this.#dispatcher?.notify();
  }

  topicTerminated(): void {
    this.checkEndOfTopic();
  }

  /** Tells consumers of a terminated topic that there is no more, once all of it is acknowledged. */
  checkEndOfTopic(): void {
    const { cursor, context } = this;
    if (context.ledger.terminatedAt === undefined || cursor.hasMoreEntries() || cursor.backlogEntries > 0) return;
    for (const consumer of this.consumers) consumer.tellEndOfTopic();
  }

  /** Whether an entry is none of the consumers' business; such an entry is acknowledged here. */
  filter(entry: Entry): boolean {
    let marker: boolean;
    try {
      marker = entry.metadata.markerType !== undefined;
    } catch {
      // an entry whose metadata cannot be read would stop the subscription for ever
      marker = true;
    }
    if (marker) this.cursor.acknowledge(entry);
    return marker;
  }

  /** The consumer that holds an entry. */
  ownerOf(position: Position): AttachedConsumer | undefined {
    return this.consumers.find((c) => c.pendingAcks.has(position));
  }

  delivered(): void {
    this.#lastConsumedMs = this.context.clock.now();
  }

  acknowledged(): void {
    this.#lastAckedMs = this.context.clock.now();
    if (this.context.ledger.terminatedAt !== undefined) this.checkEndOfTopic();
  }

  /** A read failed (storage is away, or an entry has no copy that can be read): tried again later, unless the topic goes. */
  readFailed(error: unknown): void {
    if (this.#state !== "closed") this.reads.failed(error);
  }

  #stuckError(error: unknown): ManagedLedgerError {
    const detail = error instanceof Error ? error.message : String(error);
    const { topicName } = this.context;
    const advice = "reading is tried again; where an entry is lost for good, skip it";
    return new ManagedLedgerError(
      "ReadFailed",
      `${topicName}: subscription ${this.name} cannot be served: ${detail}; ${advice}`,
      { cause: error },
    );
  }

  async seek(position: Position): Promise<void> {
    if (this.#state !== "open") {
      throw new BrokerError(ServerError.ServiceNotReady, `Subscription ${this.name} is ${this.#state}`);
    }
    this.#state = "seeking";
    try {
      this.disconnectConsumers();
      await this.cursor.reset(position);
      // closed meanwhile, nothing is left that stands there: a reader would believe in its place and start from elsewhere
      this.#throwUnlessSeeking();
      this.#dispatcher?.reset();
      this.reads.moved();
    } finally {
      if (this.#state === "seeking") this.#state = "open";
    }
  }

  #throwUnlessSeeking(): void {
    if (this.#state === "seeking") return;
    throw new BrokerError(
      ServerError.ServiceNotReady,
      `Subscription ${this.name} was ${this.#state} by the time it moved`,
    );
  }

  disconnectConsumers(): void {
    for (const consumer of [...this.consumers]) consumer.disconnect();
  }

  skip(count: number): void {
    this.cursor.skip(count);
    this.#moved();
  }

  clearBacklog(): void {
    this.cursor.clearBacklog();
    this.#moved();
  }

  async expireBefore(timestampMs: number): Promise<void> {
    const { ledger } = this.context;
    const newest = await ledger.findNewestMatching((entry) => entry.metadata.publishTime <= timestampMs);
    if (newest === undefined) return;
    this.cursor.acknowledgeCumulative(newest);
    this.#moved();
    this.acknowledged();
  }

  /** Entries were acknowledged past the consumers. */
  #moved(): void {
    this.reads.moved();
    this.#dispatcher?.acknowledgedElsewhere();
    this.notify();
  }

  stats(): SubscriptionStats {
    const consumers = this.consumers.map((c) => c.stats());
    const sum = (pick: (c: (typeof consumers)[number]) => number): number =>
      consumers.reduce((total, c) => total + pick(c), 0);
    return {
      name: this.name,
      type: this.type,
      msgBacklog: this.cursor.backlogEntries,
      backlogEntries: this.cursor.backlogEntries,
      unackedMessages: this.#dispatcher?.totalUnackedMessages ?? 0,
      msgOutCounter: this.#messagesOut + sum((c) => c.msgOutCounter),
      bytesOutCounter: this.#bytesOut + sum((c) => c.bytesOutCounter),
      redeliveredCounter: this.#redelivered + sum((c) => c.redeliveredCounter),
      blockedOnUnackedMessages: this.#dispatcher?.blockedOnUnackedMessages ?? false,
      msgDelayed: this.#dispatcher?.delayedMessages ?? 0,
      activeConsumerName: this.#dispatcher?.activeConsumer?.options.consumerName,
      durable: this.cursor.durable,
      readFailures: this.reads.failures,
      properties: this.cursor.properties,
      consumers,
      lastConsumedTimestamp: this.#lastConsumedMs,
      lastAckedTimestamp: this.#lastAckedMs,
    };
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.reads.stop();
    this.disconnectConsumers();
    this.#dispatcher?.reset();
    await this.cursor.close();
  }

  #createDispatcher(type: SubscriptionType): Dispatcher {
    switch (type) {
      case CommandSubscribeSubType.Shared:
        return new SharedDispatcher(this);
      case CommandSubscribeSubType.Key_Shared:
        return new KeySharedDispatcher(this);
      default:
        return new SingleActiveDispatcher(this, type);
    }
  }
}

/** A subscription over an open cursor. */
export function createSubscription(context: SubscriptionContext, name: string, cursor: ManagedCursor): Subscription {
  return new PersistentSubscription(context, name, cursor);
}
