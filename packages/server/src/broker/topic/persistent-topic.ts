import { type Decoded, type Int64, type MessageMetadata, ServerError, type TopicName } from "@pulsewire/protocol";
import { type ManagedLedger, ManagedLedgerError, type Position } from "../../managed-ledger/index.ts";
import { BrokerError } from "../broker-error.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import type { Subscription, SubscriptionStats } from "../subscription/contracts.ts";
import { addUnlessHeld } from "../subscription/held-error.ts";
import { consumerOptionsOf } from "./consumer-options.ts";
import { DEDUPLICATION_CURSOR, Deduplication } from "./deduplication.ts";
import { ledgerOptionsOf } from "./ledger-options.ts";
import { TopicProducer } from "./producer.ts";
import { Producers } from "./producers.ts";
import { Publisher } from "./publisher.ts";
import { toBrokerError } from "./storage-error.ts";
import { Subscriber } from "./subscriber.ts";
import { Subscriptions } from "./subscriptions.ts";
import type {
  CloseTopicOptions,
  ConsumerHandle,
  LastMessageId,
  ProducerGrant,
  ProducerRequest,
  SeekTarget,
  SubscribeRequest,
  Topic,
  TopicStats,
} from "./topic.ts";
import type { TopicContext } from "./topic-context.ts";
import { lastMessageOf, positionOfTarget } from "./topic-positions.ts";
import { admitConsumerSchema, admitProducerSchema } from "./topic-schemas.ts";
import type { TopicState } from "./topic-state.ts";
import { producerStatsOf } from "./topic-statistics.ts";

/** A topic over a managed ledger. The parts are elsewhere: publisher, producers, subscriptions, deduplication. */
export class PersistentTopic implements Topic {
  readonly name: TopicName;
  readonly ledger: ManagedLedger;
  readonly #context: TopicContext;
  readonly #producers: Producers;
  readonly #publisher: Publisher;
  readonly #subscriptions: Subscriptions;
  readonly #subscriber: Subscriber;
  readonly #watches: readonly Disposable[];
  readonly #createdMs: number;
  #policies: EffectivePolicies;
  #state: TopicState = { kind: "open" };

  private constructor(
    name: TopicName,
    ledger: ManagedLedger,
    context: TopicContext,
    policies: EffectivePolicies,
    topicEpoch: number | undefined,
  ) {
    const { clock, settings, resources } = context;
    this.name = name;
    this.ledger = ledger;
    this.#context = context;
    this.#policies = policies;
    this.#createdMs = clock.now();
    this.#producers = new Producers({
      topic: name,
      producersMax: () => this.#policies.maxProducers,
      storeEpoch: (epoch) => resources.topicEpochs.set(name, epoch),
      topicEpoch,
    });
    this.#publisher = new Publisher(ledger, {
      writeFailed: (error) => this.#writeFailed(error),
      drained: () => this.#drained(),
      snapshotDue: () => this.takeSnapshot(),
    });
    this.#subscriptions = new Subscriptions({
      topic: name,
      ledger,
      clock,
      settings,
      factory: context.createSubscription,
      policies: () => this.#policies,
      onError: (error) => context.onError(error),
    });
    this.#subscriber = new Subscriber({ ledger, clock, subscriptions: this.#subscriptions });
    this.#watches = [
      ledger.onAdvance(() => this.#subscriptions.notifyAll()),
      ledger.onFenced(() => context.onFenced(this)),
    ];
  }

  /** Makes the topic of an open ledger, with the subscriptions and the deduplication table that storage knows. */
  static async open(name: TopicName, ledger: ManagedLedger, context: TopicContext): Promise<PersistentTopic> {
    const [policies, epoch] = await Promise.all([context.policiesOf(name), context.resources.topicEpochs.get(name)]);
    const topic = new PersistentTopic(name, ledger, context, policies, epoch);
    topic.#subscriptions.recover();
    await topic.#openDeduplication();
    return topic;
  }

  get producers(): ReadonlyMap<string, TopicProducer> {
    return this.#producers.byName;
  }

  get subscriptions(): ReadonlyMap<string, Subscription> {
    return this.#subscriptions.byName;
  }

  get state(): TopicState {
    return this.#state;
  }

  async addProducer(request: ProducerRequest): Promise<ProducerGrant> {
    return this.#asked(async () => {
      this.#checkNotTerminated();
      const { resources, producerNames, clock } = this.#context;
      const schemaVersion = await admitProducerSchema(resources.schemas, this.name, request.schema, this.#policies);
      const name = request.producerName === "" ? await producerNames.next() : request.producerName;
      if (request.initialSubscriptionName) {
        await this.#subscriptions.open(request.initialSubscriptionName, "earliest");
      }
      this.#checkOpen();
      const producer = new TopicProducer({ ...request, topic: this, name, connectedSinceMs: clock.now() });
      const { waiting } = await this.#producers.add(producer, request.topicEpoch);
      const lastSequenceId = this.#publisher.deduplication?.lastSequenceId(name) ?? -1;
      return { producer, lastSequenceId, schemaVersion, ready: waiting };
    });
  }

  publish(
    producer: TopicProducer,
    sequenceId: Int64,
    highestSequenceId: Int64,
    metadata: Decoded<MessageMetadata>,
    entry: Uint8Array,
  ): void {
    this.#publisher.publish(producer, sequenceId, highestSequenceId, metadata, entry);
  }

  removeProducer(producer: TopicProducer): void {
    this.#producers.remove(producer);
  }

  async subscribe(request: SubscribeRequest): Promise<ConsumerHandle> {
    return this.#asked(async () => {
      const { command } = request;
      if (command.subscription === "") throw new BrokerError(ServerError.ProducerBusy, "Empty subscription name");
      const { resources } = this.#context;
      await admitConsumerSchema(resources.schemas, this.name, command.schema, this.#policies, this.#idle);
      const subscription = await this.#subscriber.open(command, this.#policies);
      return addUnlessHeld(request.session, () => {
        this.#checkOpen();
        return subscription.addConsumer(consumerOptionsOf(request));
      });
    });
  }

  removeConsumer(subscription: string, consumer: ConsumerHandle): void {
    consumer.close();
    this.#subscriptions.consumerGone(subscription).catch(tryAgainLater);
  }

  async unsubscribe(name: string, consumer: ConsumerHandle | undefined, force: boolean): Promise<void> {
    return this.#asked(async () => {
      const subscription = this.#subscriptions.get(name);
      const others = subscription.consumers.filter((c) => c !== consumer);
      if (others.length > 0 && !force) {
        throw new BrokerError(ServerError.MetadataError, "Unconnected or shared consumer attempting to unsubscribe");
      }
      consumer?.close();
      await this.#subscriptions.delete(name);
    });
  }

  /**
   * Makes a durable subscription without a consumer, at an end of the log or where the first entry at or after a
   * position is read next. NotAllowedError when there is one of that name.
   */
  async createSubscription(
    name: string,
    start: "earliest" | "latest" | Position,
    properties: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    return this.#asked(async () => {
      if (this.#subscriptions.byName.has(name)) throw notAllowed(`Subscription ${name} already exists for topic`);
      const initialPosition = typeof start === "string" ? start : "latest";
      const subscription = await this.#subscriptions.open(name, initialPosition, properties);
      if (typeof start !== "string") await subscription.cursor.reset(start);
    });
  }

  async seek(name: string, target: SeekTarget): Promise<void> {
    return this.#asked(async () => {
      const subscription = this.#subscriptions.get(name);
      const position = await positionOfTarget(this.ledger, target);
      await subscription.seek(position);
      if (target.kind === "id" && target.messageId.ackSet !== undefined && target.messageId.ackSet.length > 0) {
        const { ackSet, batchSize } = target.messageId;
        subscription.cursor.acknowledge(position, ackSet, batchSize);
      }
      if (!subscription.cursor.durable) this.#subscriptions.expectReturn(name, tryAgainLater);
    });
  }

  async lastMessageId(name: string): Promise<LastMessageId> {
    return this.#asked(async () => {
      const last = await lastMessageOf(this.ledger);
      return { ...last, markDeleted: this.#subscriptions.byName.get(name)?.cursor.markDeleted };
    });
  }

  subscriptionStats(name: string): SubscriptionStats | undefined {
    return this.#subscriptions.byName.get(name)?.stats();
  }

  stats(): TopicStats {
    const subscriptions = new Map([...this.#subscriptions.byName].map(([name, s]) => [name, s.stats()]));
    return {
      name: this.name.toString(),
      persistent: true,
      msgInCounter: this.#publisher.msgInCounter,
      bytesInCounter: this.#publisher.bytesInCounter,
      publishers: [...this.#producers.byName.values()].map(producerStatsOf),
      subscriptions,
      ...this.#subscriptions.deliveredBefore.with(subscriptions.values()),
      storageSize: this.ledger.sizeBytes,
      storedBytes: this.ledger.sizeBytes * this.ledger.writeQuorum,
      backlogSize: this.ledger.backlogBytes,
      topicEpoch: this.#producers.topicEpoch,
      deduplicationStatus: this.#publisher.deduplication === undefined ? "Disabled" : "Enabled",
      createdMs: this.#createdMs,
    };
  }

  takeSnapshot(): void {
    this.#publisher.deduplication?.snapshot().catch(tryAgainLater);
  }

  /** Lets go of ledgers that nobody needs and retention does not keep. What fails is tried again the next time. */
  checkRetention(): void {
    if (this.#state.kind === "open") this.ledger.trim().catch(tryAgainLater);
  }

  /** Acknowledges what is older than the message TTL, on every subscription. */
  checkMessageExpiry(): void {
    const { messageTtlSeconds } = this.#policies;
    if (this.#state.kind !== "open" || messageTtlSeconds <= 0) return;
    const before = this.#context.clock.now() - messageTtlSeconds * 1000;
    for (const subscription of this.#subscriptions.byName.values()) {
      subscription.expireBefore(before).catch(tryAgainLater);
    }
  }

  async policiesChanged(): Promise<void> {
    this.#policies = await this.#context.policiesOf(this.name);
    this.ledger.configure(ledgerOptionsOf(this.#context.settings, this.#policies));
    if (this.#state.kind === "open") await this.#openDeduplication();
  }

  /** No further message is taken; producers are disconnected, consumers told once they have read everything. */
  async terminate(): Promise<Position> {
    return this.#asked(async () => {
      const last = await this.ledger.terminate();
      this.#disconnectProducers(new BrokerError(ServerError.TopicTerminatedError, "Topic was already terminated"));
      for (const subscription of this.#subscriptions.byName.values()) subscription.topicTerminated();
      return last;
    });
  }

  close(options: CloseTopicOptions = {}): Promise<void> {
    if (this.#state.kind === "closing") return this.#state.closed;
    if (this.#state.kind === "closed") return Promise.resolve();
    const closed = this.#close(options).finally(() => {
      this.#state = { kind: "closed" };
    });
    this.#state = { kind: "closing", closed };
    return closed;
  }

  async delete(force: boolean): Promise<void> {
    const attached = this.#producers.byName.size + this.#subscriptions.consumerCount;
    if (!force && attached > 0) throw notAllowed(`Topic has ${attached} connected producers/consumers`);
    for (const watch of this.#watches) watch[Symbol.dispose]();
    const closed = this.#delete().finally(() => {
      this.#state = { kind: "closed" };
    });
    this.#state = { kind: "closing", closed };
    await closed;
  }

  async #close({ assignedBroker }: CloseTopicOptions): Promise<void> {
    for (const watch of this.#watches) watch[Symbol.dispose]();
    this.#disconnectProducers(new BrokerError(ServerError.ServiceNotReady, "Topic is closing"), assignedBroker);
    try {
      await this.#subscriptions.closeAll();
    } catch (error) {
      // a cursor that another owner took over has nothing left to store here
      if (!(error instanceof ManagedLedgerError && error.code === "Fenced")) throw error;
    } finally {
      // a ledger left open would be the next life's too, with the cursors that were closed
      // no snapshot of the deduplication table: the next owner reads the entries since the last one, as after a crash
      await this.ledger.close();
    }
  }

  async #delete(): Promise<void> {
    const { resources } = this.#context;
    this.#disconnectProducers(new BrokerError(ServerError.ServiceNotReady, "Topic is being deleted"));
    await this.#subscriptions.closeAll();
    await this.ledger.delete();
    await resources.topicEpochs.delete(this.name);
    if (this.name.partitionIndex < 0) {
      await resources.schemas.purge(this.name);
      await resources.topicPolicies.delete(this.name);
    }
  }

  #disconnectProducers(error: BrokerError, assigned?: CloseTopicOptions["assignedBroker"]): void {
    for (const producer of this.#producers.removeAll(error)) producer.session.closeProducer(producer, assigned);
  }

  #writeFailed(error: ManagedLedgerError): void {
    if (this.#state.kind !== "open") return;
    this.#state = { kind: "recovering" };
    this.#disconnectProducers(toBrokerError(error));
    // one that was taken over says so itself
    if (error.code === "Closed") this.#context.onFenced(this);
  }

  #drained(): void {
    if (this.#state.kind === "recovering") this.#state = { kind: "open" };
  }

  async #openDeduplication(): Promise<void> {
    const wanted = this.#policies.deduplicationEnabled && this.ledger.terminatedAt === undefined;
    if (wanted && this.#publisher.deduplication === undefined) {
      const { settings } = this.#context;
      this.#publisher.deduplication = await Deduplication.open({
        ledger: this.ledger,
        entriesInterval: settings.brokerDeduplicationEntriesInterval,
        producersMax: settings.brokerDeduplicationMaxNumberOfProducers,
      });
    } else if (!this.#policies.deduplicationEnabled && this.ledger.cursors.has(DEDUPLICATION_CURSOR)) {
      this.#publisher.deduplication = undefined;
      await this.ledger.deleteCursor(DEDUPLICATION_CURSOR);
    }
  }

  /** Nobody used it yet: the first schema that comes is the topic's. */
  get #idle(): boolean {
    const attached = this.#producers.byName.size + this.#subscriptions.consumerCount;
    return attached === 0 && this.ledger.entryCount === 0;
  }

  #checkOpen(): void {
    if (this.#state.kind === "open") return;
    throw new BrokerError(ServerError.ServiceNotReady, `Topic ${this.name} is temporarily unavailable`);
  }

  #checkNotTerminated(): void {
    if (this.ledger.terminatedAt === undefined) return;
    throw new BrokerError(ServerError.TopicTerminatedError, "Topic was already terminated");
  }

  /** Runs what somebody asked of an open topic, with failures from below as BrokerErrors. */
  async #asked<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    try {
      return await work();
    } catch (error) {
      throw toBrokerError(error);
    }
  }
}

/**
 * Housekeeping failed: the next snapshot, the next check, or the next consumer that goes tries again. A ledger that was
 * taken over says so itself; one that is closed fails the next publish too.
 */
function tryAgainLater(): void {
  // nothing is lost
}

function notAllowed(message: string): BrokerError {
  return new BrokerError(ServerError.NotAllowedError, message);
}
