import { type Decoded, type Int64, type MessageMetadata, ServerError, type TopicName } from "@pulsewire/protocol";
import { Entry } from "../../managed-ledger/index.ts";
import { BrokerError } from "../broker-error.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import type { SubscriptionStats } from "../subscription/contracts.ts";
import { addUnlessHeld } from "../subscription/held-error.ts";
import { consumerOptionsOf } from "./consumer-options.ts";
import { DeliveredBefore } from "./delivered-before.ts";
import { NonPersistentSubscription } from "./non-persistent-subscription.ts";
import { TopicProducer } from "./producer.ts";
import { Producers } from "./producers.ts";
import { toBrokerError } from "./storage-error.ts";
import type {
  CloseTopicOptions,
  ConsumerHandle,
  LastMessageId,
  ProducerGrant,
  ProducerRequest,
  SubscribeRequest,
  Topic,
  TopicStats,
} from "./topic.ts";
import type { TopicContext } from "./topic-context.ts";
import { admitConsumerSchema, admitProducerSchema } from "./topic-schemas.ts";
import { producerStatsOf } from "./topic-statistics.ts";

/** A topic that keeps nothing: a message goes to the consumers that are there and have permits, or nowhere. */
export class NonPersistentTopic implements Topic {
  readonly name: TopicName;
  readonly #context: TopicContext;
  readonly #producers: Producers;
  readonly #subscriptions = new Map<string, NonPersistentSubscription>();
  readonly #deliveredBefore = new DeliveredBefore();
  readonly #createdMs: number;
  #policies: EffectivePolicies;
  #closed = false;
  #msgInCounter = 0;
  #bytesInCounter = 0;

  private constructor(name: TopicName, context: TopicContext, policies: EffectivePolicies) {
    this.name = name;
    this.#context = context;
    this.#policies = policies;
    this.#createdMs = context.clock.now();
    this.#producers = new Producers({
      topic: name,
      producersMax: () => this.#policies.maxProducers,
      storeEpoch: () => Promise.resolve(),
      topicEpoch: undefined,
    });
  }

  static async open(name: TopicName, context: TopicContext): Promise<NonPersistentTopic> {
    return new NonPersistentTopic(name, context, await context.policiesOf(name));
  }

  get producers(): ReadonlyMap<string, TopicProducer> {
    return this.#producers.byName;
  }

  async addProducer(request: ProducerRequest): Promise<ProducerGrant> {
    try {
      const { resources, producerNames, clock } = this.#context;
      const schemaVersion = await admitProducerSchema(resources.schemas, this.name, request.schema, this.#policies);
      const name = request.producerName === "" ? await producerNames.next() : request.producerName;
      this.#checkOpen();
      const producer = new TopicProducer({ ...request, topic: this, name, connectedSinceMs: clock.now() });
      const { waiting } = await this.#producers.add(producer, request.topicEpoch);
      return { producer, lastSequenceId: -1, schemaVersion, ready: waiting };
    } catch (error) {
      throw toBrokerError(error);
    }
  }

  publish(
    producer: TopicProducer,
    sequenceId: Int64,
    highest: Int64,
    metadata: Decoded<MessageMetadata>,
    data: Uint8Array,
  ): void {
    if (!producer.attached) {
      producer.session.publishDropped(producer);
      return;
    }
    const messages = metadata.numMessagesInBatch ?? 1;
    this.#msgInCounter += messages;
    this.#bytesInCounter += data.length;
    producer.msgInCounter += messages;
    producer.bytesInCounter += data.length;
    if (metadata.chunkId !== undefined) producer.chunkedMessageCounter++;
    if (this.#subscriptions.size > 0) {
      const entry = new Entry(0, 0, data);
      for (const subscription of this.#subscriptions.values()) subscription.dispatch(entry);
    }
    producer.session.published(producer, sequenceId, highest, 0, 0);
  }

  removeProducer(producer: TopicProducer): void {
    this.#producers.remove(producer);
  }

  async subscribe(request: SubscribeRequest): Promise<ConsumerHandle> {
    try {
      const { command } = request;
      if (command.subscription === "") throw new BrokerError(ServerError.ProducerBusy, "Empty subscription name");
      const { resources, clock } = this.#context;
      const idle = this.#producers.byName.size === 0 && this.#subscriptions.size === 0;
      await admitConsumerSchema(resources.schemas, this.name, command.schema, this.#policies, idle);
      this.#checkOpen();
      const name = command.subscription;
      return await addUnlessHeld(request.session, () => {
        this.#checkOpen();
        const subscription =
          this.#subscriptions.get(name) ?? new NonPersistentSubscription(name, this.name.toString(), clock);
        const consumer = subscription.add(consumerOptionsOf(request));
        this.#subscriptions.set(name, subscription);
        return consumer;
      });
    } catch (error) {
      throw toBrokerError(error);
    }
  }

  removeConsumer(name: string, consumer: ConsumerHandle): void {
    consumer.close();
    const subscription = this.#subscriptions.get(name);
    if (subscription?.consumers.length === 0) this.#forget(subscription);
  }

  async unsubscribe(name: string, consumer: ConsumerHandle | undefined, force: boolean): Promise<void> {
    const subscription = this.#subscriptions.get(name);
    if (subscription === undefined) {
      throw new BrokerError(ServerError.SubscriptionNotFound, `Subscription ${name} not found`);
    }
    if (!force && subscription.consumers.some((c) => c !== consumer)) {
      throw new BrokerError(ServerError.MetadataError, "Unconnected or shared consumer attempting to unsubscribe");
    }
    consumer?.close();
    subscription.disconnectConsumers();
    this.#forget(subscription);
  }

  #forget(subscription: NonPersistentSubscription): void {
    this.#subscriptions.delete(subscription.name);
    this.#deliveredBefore.add(subscription.stats());
  }

  async seek(): Promise<void> {
    // there is nothing to move to; a real broker says yes to it too
  }

  async lastMessageId(): Promise<LastMessageId> {
    throw new BrokerError(ServerError.NotAllowedError, "A non-persistent topic keeps no messages and has no last one");
  }

  subscriptionStats(name: string): SubscriptionStats | undefined {
    return this.#subscriptions.get(name)?.stats();
  }

  stats(): TopicStats {
    const subscriptions = new Map([...this.#subscriptions].map(([name, s]) => [name, s.stats()]));
    return {
      name: this.name.toString(),
      persistent: false,
      msgInCounter: this.#msgInCounter,
      bytesInCounter: this.#bytesInCounter,
      publishers: [...this.#producers.byName.values()].map(producerStatsOf),
      subscriptions,
      ...this.#deliveredBefore.with(subscriptions.values()),
      storageSize: 0,
      storedBytes: 0,
      backlogSize: 0,
      topicEpoch: this.#producers.topicEpoch,
      deduplicationStatus: "Disabled",
      createdMs: this.#createdMs,
    };
  }

  takeSnapshot(): void {
    // nothing is remembered
  }

  checkRetention(): void {
    // nothing is kept
  }

  checkMessageExpiry(): void {
    // nothing waits
  }

  async policiesChanged(): Promise<void> {
    this.#policies = await this.#context.policiesOf(this.name);
  }

  async close(options: CloseTopicOptions = {}): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const gone = this.#producers.removeAll(new BrokerError(ServerError.ServiceNotReady, "Topic is closing"));
    for (const producer of gone) producer.session.closeProducer(producer, options.assignedBroker);
    for (const subscription of this.#subscriptions.values()) subscription.disconnectConsumers();
    this.#subscriptions.clear();
  }

  async delete(force: boolean): Promise<void> {
    if (!force && this.#producers.byName.size + this.#subscriptions.size > 0) {
      throw new BrokerError(ServerError.NotAllowedError, "Topic has connected producers/consumers");
    }
    await this.close();
  }

  #checkOpen(): void {
    if (!this.#closed) return;
    throw new BrokerError(ServerError.ServiceNotReady, `Topic ${this.name} is temporarily unavailable`);
  }
}
