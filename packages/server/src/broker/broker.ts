import { type CommandGetTopicsOfNamespaceMode, ServerError, type TopicName } from "@pulsewire/protocol";
import type { Channel, Clock } from "@pulsewire/runtime";
import {
  type EntryCacheInfo,
  ManagedLedgerError,
  type ManagedLedgerFactory,
} from "../managed-ledger/managed-ledger.ts";
import { MetadataError, type MetadataStore } from "../metadata/metadata-store.ts";
import { Registration } from "../metadata/registration.ts";
import type { BrokerDirectory } from "./broker-directory.ts";
import { BrokerError } from "./broker-error.ts";
import type { BrokerSettings } from "./broker-settings.ts";
import { BrokerConnection } from "./connection/broker-connection.ts";
import type { Authenticator, BrokerContext } from "./connection/broker-context.ts";
import type { CommandInterceptor } from "./connection/command-interceptor.ts";
import { COMMANDS } from "./connection/command-table.ts";
import { RequestLimit } from "./connection/request-limit.ts";
import { BrokerRegistry, type BrokerUrls } from "./ownership/broker-registry.ts";
import type { Bundle } from "./ownership/bundle.ts";
import { BundleOwnership } from "./ownership/bundle-ownership.ts";
import { NamespaceBundles } from "./ownership/namespace-bundles.ts";
import { type LookupAnswer, TopicLookup } from "./ownership/topic-lookup.ts";
import { PolicyWatch } from "./policy-watch.ts";
import { type EffectivePolicies, effectivePolicies } from "./resources/effective-policies.ts";
import { Resources } from "./resources/resources.ts";
import { ProducerNames } from "./topic/producer-names.ts";
import type { Topic } from "./topic/topic.ts";
import type { SubscriptionFactory, TopicContext } from "./topic/topic-context.ts";
import { Topics } from "./topic/topics.ts";

/** Topics of the broker's own making, which clients are not told of. */
const SYSTEM_TOPIC = /^(__change_events|__transaction_.*|transaction_coordinator_assign.*)$/;

export interface BrokerOptions {
  clusterName: string;
  urls: BrokerUrls;
  settings: BrokerSettings;
  clock: Clock;
  /** A session of the broker's own; the broker closes it. */
  metadata: MetadataStore;
  /** The broker closes it. */
  ledgers: ManagedLedgerFactory;
  createSubscription: SubscriptionFactory;
  directory: BrokerDirectory;
  authenticator?: Authenticator | undefined;
  /** Keeps commands, for faults on purpose. Default: none. */
  interceptor?: CommandInterceptor | undefined;
  /** Housekeeping that failed and will be tried again. Default: nobody is told. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Serves topics: who owns which, the topics that are loaded, the connections of their clients. */
export class Broker implements BrokerContext, AsyncDisposable {
  readonly urls: BrokerUrls;
  readonly settings: BrokerSettings;
  readonly clock: Clock;
  readonly resources: Resources;
  readonly bundles: NamespaceBundles;
  readonly ownership: BundleOwnership;
  readonly lookup: TopicLookup;
  readonly topics: Topics;
  readonly lookups: RequestLimit;
  readonly connections: Set<BrokerConnection> = new Set();
  readonly authenticator: Authenticator | undefined;
  readonly interceptor: CommandInterceptor | undefined;
  readonly #options: BrokerOptions;
  readonly #registry: BrokerRegistry;
  readonly #watches: Disposable[] = [];
  #closing: Promise<void> | undefined;
  /** The topics of a session that ended, on their way out. */
  #unloading: Promise<void> = Promise.resolve();

  private constructor(options: BrokerOptions) {
    const { urls, settings, clock, metadata } = options;
    this.#options = options;
    this.urls = urls;
    this.settings = settings;
    this.clock = clock;
    this.authenticator = options.authenticator;
    this.interceptor = options.interceptor;
    this.resources = new Resources(metadata, clock);
    this.bundles = new NamespaceBundles(this.resources.namespaces);
    this.ownership = new BundleOwnership(metadata, urls, clock);
    this.#registry = new BrokerRegistry(metadata);
    this.lookup = new TopicLookup({
      urls,
      bundles: this.bundles,
      ownership: this.ownership,
      registry: this.#registry,
    });
    this.lookups = new RequestLimit(settings.maxConcurrentLookupRequest);
    this.topics = new Topics({
      context: this.#topicContext(),
      ledgers: options.ledgers,
      checkOwnership: (topic) => this.#checkOwnership(topic),
    });
  }

  /** Joins the cluster. Rejects with a MetadataError. */
  static async start(options: BrokerOptions): Promise<Broker> {
    const broker = new Broker(options);
    await broker.#registry.register(options.urls);
    options.directory.add(broker);
    const { settings } = options;
    broker.#watches.push(
      broker.#everyTopic(settings.brokerDeduplicationSnapshotIntervalSeconds, (topic) => topic.takeSnapshot()),
      broker.#everyTopic(settings.retentionCheckIntervalInSeconds, (topic) => topic.checkRetention()),
      broker.#everyTopic(settings.messageExpiryCheckIntervalInMinutes * 60, (topic) => topic.checkMessageExpiry()),
      options.metadata.onSessionExpired(() => broker.#sessionExpired()),
      new Registration({
        metadata: options.metadata,
        clock: options.clock,
        register: () => broker.#registerAgain(),
        onError: (error) => broker.#lost(error),
      }),
      new PolicyWatch({
        namespaces: broker.resources.namespaces,
        metadata: options.metadata,
        loaded: () => broker.topics.loaded.values(),
        onError: (error) => broker.#lost(error),
      }),
    );
    return broker;
  }

  /** Does something to each loaded topic every so often. */
  #everyTopic(seconds: number, work: (topic: Topic) => void): Disposable {
    const ticker = this.clock.setTicker(seconds * 1000, () => {
      for (const topic of this.topics.loaded.values()) work(topic);
    });
    return { [Symbol.dispose]: () => ticker.cancel() };
  }

  /** The memory its topics share for recent entries. */
  get entryCache(): EntryCacheInfo {
    return this.#options.ledgers.cache;
  }

  get throughServiceUrl(): boolean {
    return this.#options.directory.all.length === 1;
  }

  /** Serves a client's connection. `proxy`: one that cannot reach brokers itself. */
  accept(channel: Channel, proxy = false): void {
    const { brokerMaxConnections } = this.settings;
    if (this.#closing !== undefined || (brokerMaxConnections > 0 && this.connections.size >= brokerMaxConnections)) {
      channel.destroy(new Error("the broker takes no more connections"));
      return;
    }
    BrokerConnection.accept({ channel, broker: this, commands: COMMANDS, proxy });
  }

  peer(address: string): BrokerContext | undefined {
    return this.#options.directory.find(address);
  }

  /** Where a topic is served; the HTTP lookup asks here. Rejects with a BrokerError. */
  lookupTopic(topic: TopicName, authoritative = false): Promise<LookupAnswer> {
    return this.lookup.lookup(topic, authoritative);
  }

  async policiesOf(topic: TopicName): Promise<EffectivePolicies> {
    const [namespace, own] = await Promise.all([
      this.resources.namespaces.get(topic.namespace),
      this.resources.topicPolicies.get(topic),
    ]);
    return effectivePolicies(this.settings, namespace, own);
  }

  async topicsOf(namespace: string, mode: CommandGetTopicsOfNamespaceMode): Promise<string[]> {
    const topics = mode === 1 ? [] : await this.resources.topics.list(namespace);
    if (mode !== 0) topics.push(...this.#nonPersistentTopicsOf(namespace));
    return topics.filter((name) => !SYSTEM_TOPIC.test(name.slice(name.lastIndexOf("/") + 1))).sort();
  }

  /** Lets a bundle go: its topics are closed, then anybody may take it. */
  async unloadBundle(bundle: Bundle): Promise<void> {
    if (!this.ownership.owns(bundle)) return;
    await this.ownership.disable(bundle);
    try {
      const names = [...this.topics.loaded.values()].map((topic) => topic.name);
      const inside = new Set<string>();
      for (const name of names) {
        if ((await this.bundles.bundleOf(name)).name === bundle.name) inside.add(name.toString());
      }
      await this.topics.unloadAll((name) => inside.has(name.toString()));
    } finally {
      await this.ownership.release(bundle);
    }
  }

  /** Hands its bundles over, ends its connections, and leaves the cluster. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Is gone at once, as after a crash: its connections end, nothing is handed over, and nobody is told. */
  abandon(): void {
    this.#closing ??= Promise.resolve();
    this.#options.directory.remove(this);
    for (const watch of this.#watches) watch[Symbol.dispose]();
    for (const connection of [...this.connections]) connection.fail("the broker is gone");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { directory, metadata, ledgers, urls } = this.#options;
    this.ownership.close();
    for (const watch of this.#watches) watch[Symbol.dispose]();
    this.bundles[Symbol.dispose]();
    try {
      // first nobody chooses this broker any more, then its bundles go: each is disabled before its topics close, so
      // that clients that come back at once are not served here again
      await this.#handOver([this.#registry.unregister(urls)]);
      const owned = [...this.ownership.owned.values()];
      await this.#handOver(owned.map((bundle) => this.unloadBundle(bundle)));
      await this.#handOver([this.topics.unloadAll()]);
    } finally {
      directory.remove(this);
      for (const connection of [...this.connections]) connection.close();
      await this.#handOver([ledgers.close()]);
      await metadata.close();
    }
  }

  /** What cannot be handed over in order is taken as after a crash: that is told, and no reason to stay. */
  async #handOver(steps: readonly Promise<unknown>[]): Promise<void> {
    for (const step of await Promise.allSettled(steps)) {
      if (step.status === "fulfilled" || isAway(step.reason)) continue;
      if (!(step.reason instanceof MetadataError || step.reason instanceof ManagedLedgerError)) throw step.reason;
      this.#lost(step.reason);
    }
  }

  async #checkOwnership(topic: TopicName): Promise<void> {
    const bundle = await this.bundles.bundleOf(topic);
    if (this.ownership.owns(bundle)) return;
    throw new BrokerError(
      ServerError.ServiceNotReady,
      `Namespace bundle (${bundle.name}) for topic (${topic}) not served by this instance:${this.urls.brokerId}. ` +
        "Please redo the lookup.",
    );
  }

  #topicContext(): TopicContext {
    const { metadata, clusterName, createSubscription, settings, clock } = this.#options;
    return {
      settings,
      clock,
      resources: this.resources,
      producerNames: new ProducerNames(metadata, clusterName),
      createSubscription,
      policiesOf: (topic) => this.policiesOf(topic),
      onFenced: (topic) => {
        this.topics.fenced(topic).catch((error: unknown) => this.#lost(error));
      },
      onError: (error) => this.#lost(error),
    };
  }

  #nonPersistentTopicsOf(namespace: string): string[] {
    const brokers = this.#options.directory.all;
    const loaded = brokers.flatMap((broker) => [...broker.topics.loaded.values()].map((topic) => topic.name));
    return loaded.filter((name) => !name.persistent && name.namespace === namespace).map(String);
  }

  // the metadata store has given this broker up: others take its bundles, so its topics go
  #sessionExpired(): void {
    this.ownership.forgetAll();
    this.bundles.forgetAll();
    this.#unloading = this.topics.unloadAll().catch((error: unknown) => this.#lost(error));
  }

  // with another session it may have bundles again, once the topics of the session before are gone
  async #registerAgain(): Promise<void> {
    await this.#unloading;
    this.bundles.forgetAll();
    if (this.#closing === undefined) await this.#registry.register(this.urls);
  }

  #lost(error: unknown): void {
    this.#options.onError?.(error);
  }
}

/**
 * Keys that went with their session need no removal, and those that cannot be reached go with it. What cursors could not
 * store is delivered again.
 */
function isAway(error: unknown): boolean {
  if (error instanceof MetadataError) return error.code === "SessionExpired" || error.code === "Unavailable";
  return error instanceof ManagedLedgerError && error.code === "MetadataUnavailable";
}
