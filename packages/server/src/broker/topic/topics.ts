import { ServerError, TopicName } from "@pulsewire/protocol";
import type { ManagedLedgerFactory } from "../../managed-ledger/managed-ledger.ts";
import { BrokerError } from "../broker-error.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import { managedLedgerName } from "../resources/names.ts";
import { ledgerOptionsOf } from "./ledger-options.ts";
import { NonPersistentTopic } from "./non-persistent-topic.ts";
import { PersistentTopic } from "./persistent-topic.ts";
import { toBrokerError } from "./storage-error.ts";
import type { CloseTopicOptions, Topic } from "./topic.ts";
import type { TopicContext } from "./topic-context.ts";

/** Whether asking for a topic that is not there makes it: as auto-creation policies say, or in any case. */
export type TopicCreation = "never" | "by-policy" | "always";

export interface TopicsOptions {
  context: TopicContext;
  ledgers: ManagedLedgerFactory;
  /** Rejects with ServiceNotReady when this broker does not own the topic. */
  checkOwnership(topic: TopicName): Promise<void>;
}

/**
 * The topics of one broker, loaded on first use. One load at a time for each topic: those who ask meanwhile share it.
 * A topic that closes is waited for before it is loaded again.
 */
export class Topics {
  readonly #options: TopicsOptions;
  readonly #loaded = new Map<string, Topic>();
  readonly #loading = new Map<string, Promise<Topic>>();
  readonly #closing = new Map<string, Promise<void>>();

  constructor(options: TopicsOptions) {
    this.#options = options;
  }

  get loaded(): ReadonlyMap<string, Topic> {
    return this.#loaded;
  }

  /** The topic if it is loaded. */
  get(name: string): Topic | undefined {
    return this.#loaded.get(name);
  }

  /**
   * The topic, loaded when it is not yet.
   * Rejects with a BrokerError: ServiceNotReady (not the owner), TopicNotFound, NotAllowedError, TooManyRequests, ...
   */
  load(name: TopicName, creation: TopicCreation): Promise<Topic> {
    const key = name.toString();
    const loaded = this.#loaded.get(key);
    if (loaded !== undefined) return Promise.resolve(loaded);
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return this.#joined(underWay, name, creation);
    const { maxConcurrentTopicLoadRequest } = this.#options.context.settings;
    if (this.#loading.size >= maxConcurrentTopicLoadRequest) {
      return Promise.reject(new BrokerError(ServerError.TooManyRequests, "Too many topics are loading"));
    }
    const loading = this.#load(name, creation).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  // a load that may not create fails for a missing topic; who may create and only shared that load tries on its own
  async #joined(underWay: Promise<Topic>, name: TopicName, creation: TopicCreation): Promise<Topic> {
    try {
      return await underWay;
    } catch (error) {
      if (creation === "never" || !(error instanceof BrokerError) || error.code !== ServerError.TopicNotFound)
        throw error;
      return this.load(name, creation);
    }
  }

  /** Whether the topic is there: stored, or (non-persistent) loaded. */
  async exists(name: TopicName): Promise<boolean> {
    if (this.#loaded.has(name.toString())) return true;
    return name.persistent && (await this.#options.ledgers.exists(managedLedgerName(name)));
  }

  /** Disconnects everybody from a topic and lets it go; the next who asks loads it again. */
  async unload(name: string, options?: CloseTopicOptions): Promise<void> {
    const topic = this.#loaded.get(name) ?? (await this.#loading.get(name)?.catch(() => undefined));
    if (topic === undefined) return;
    await this.#close(topic, options);
  }

  /** Takes out a topic that can serve no more, since another broker has its ledger. */
  fenced(topic: Topic): Promise<void> {
    return this.#close(topic);
  }

  /** Deletes a topic, loaded or not. Missing: TopicNotFound. */
  async delete(name: TopicName, force: boolean): Promise<void> {
    const topic = await this.load(name, "never");
    await topic.delete(force);
    if (this.#loaded.get(name.toString()) === topic) this.#loaded.delete(name.toString());
  }

  /** Unloads every topic for which `matches` holds. */
  async unloadAll(matches: (name: TopicName) => boolean = () => true, options?: CloseTopicOptions): Promise<void> {
    await Promise.allSettled(this.#loading.values());
    const going = [...this.#loaded.values()].filter((topic) => matches(topic.name));
    await Promise.all(going.map((topic) => this.#close(topic, options)));
  }

  async #close(topic: Topic, options?: CloseTopicOptions): Promise<void> {
    const key = topic.name.toString();
    if (this.#loaded.get(key) === topic) this.#loaded.delete(key);
    const closing = topic.close(options);
    this.#closing.set(key, closing);
    try {
      await closing;
    } finally {
      if (this.#closing.get(key) === closing) this.#closing.delete(key);
    }
  }

  async #load(name: TopicName, creation: TopicCreation): Promise<Topic> {
    const { context, checkOwnership } = this.#options;
    const key = name.toString();
    try {
      // how the earlier life of the topic ended is told to whoever ended it
      await this.#closing.get(key)?.catch(() => undefined);
      await checkOwnership(name);
      const policies = await context.policiesOf(name);
      if (!(await this.exists(name))) await this.#checkMayCreate(name, creation, policies);
      const topic = name.persistent
        ? await this.#openPersistent(name, policies)
        : await NonPersistentTopic.open(name, context);
      await this.#checkStillOwned(topic);
      this.#loaded.set(key, topic);
      return topic;
    } catch (error) {
      throw toBrokerError(error);
    }
  }

  // the bundle may have been let go while the ledger was opening: the new owner must not find us writing
  async #checkStillOwned(topic: Topic): Promise<void> {
    try {
      await this.#options.checkOwnership(topic.name);
    } catch (error) {
      await topic.close();
      throw error;
    }
  }

  async #openPersistent(name: TopicName, policies: EffectivePolicies): Promise<Topic> {
    const { ledgers, context } = this.#options;
    const ledger = await ledgers.open(managedLedgerName(name), ledgerOptionsOf(context.settings, policies));
    try {
      return await PersistentTopic.open(name, ledger, context);
    } catch (error) {
      await ledger.close();
      throw error;
    }
  }

  async #checkMayCreate(name: TopicName, creation: TopicCreation, policies: EffectivePolicies): Promise<void> {
    const { partitionedTopics, topics } = this.#options.context.resources;
    if (name.partitionIndex >= 0) {
      const partitions = await partitionedTopics.partitions(TopicName.parse(name.partitionedTopicName));
      if (name.partitionIndex < partitions) return;
      if (partitions > 0) throw notFound(`Topic not found ${name}`);
      throw new BrokerError(
        ServerError.NotAllowedError,
        `Partition metadata not found for the partitioned topic: ${name}`,
      );
    }
    if ((await partitionedTopics.partitions(name)) > 0) {
      const message = `Found partitioned metadata for non-partitioned topic: ${name}`;
      throw new BrokerError(ServerError.NotAllowedError, message);
    }
    const { allowAutoTopicCreation } = policies.autoTopicCreation;
    if (creation === "never" || (creation === "by-policy" && !allowAutoTopicCreation))
      throw notFound(`Topic ${name} does not exist`);
    const { maxTopicsPerNamespace } = policies;
    if (maxTopicsPerNamespace > 0 && (await topics.list(name.namespace)).length >= maxTopicsPerNamespace) {
      throw new BrokerError(ServerError.NotAllowedError, `Exceed maximum number of topics in namespace`);
    }
  }
}

function notFound(message: string): BrokerError {
  return new BrokerError(ServerError.TopicNotFound, message);
}
