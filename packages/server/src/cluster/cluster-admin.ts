import { ServerError, type TopicName } from "@pulsewire/protocol";
import type { Clock, Codec } from "@pulsewire/runtime";
import type { AdminContext, AdminTopic, BrokerAddress } from "../admin/admin-context.ts";
import type { Broker } from "../broker/broker.ts";
import type { BrokerDirectory } from "../broker/broker-directory.ts";
import { BrokerError } from "../broker/broker-error.ts";
import type { BrokerSettings } from "../broker/broker-settings.ts";
import { bundleOf, bundlesOf } from "../broker/ownership/bundle.ts";
import type { Resources } from "../broker/resources/resources.ts";
import { PersistentTopic } from "../broker/topic/persistent-topic.ts";

const REDIRECTS_MAX = 20;

export interface ClusterAdminOptions {
  clusterName: string;
  settings: BrokerSettings;
  resources: Resources;
  clock: Clock;
  codec: Codec;
  directory: BrokerDirectory;
  bookies: () => readonly string[];
  bookieRacks: AdminContext["bookieRacks"];
  regionAware: boolean;
}

/** The cluster as a whole for the admin REST: whichever broker was asked, the owner does it. */
export class ClusterAdmin implements AdminContext {
  readonly clusterName: string;
  readonly settings: BrokerSettings;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly codec: Codec;
  readonly bookieRacks: AdminContext["bookieRacks"];
  readonly regionAware: boolean;
  readonly #directory: BrokerDirectory;
  readonly #bookies: () => readonly string[];

  constructor(options: ClusterAdminOptions) {
    this.clusterName = options.clusterName;
    this.settings = options.settings;
    this.resources = options.resources;
    this.clock = options.clock;
    this.codec = options.codec;
    this.#bookies = options.bookies;
    this.bookieRacks = options.bookieRacks;
    this.regionAware = options.regionAware;
    this.#directory = options.directory;
  }

  get bookies(): readonly string[] {
    return this.#bookies();
  }

  get brokers(): readonly BrokerAddress[] {
    return this.#directory.all.map((broker) => broker.urls);
  }

  async lookup(topic: TopicName): Promise<BrokerAddress> {
    return (await this.ownerOf(topic)).urls;
  }

  async bundleOf(topic: TopicName): Promise<string> {
    return bundleOf(topic, await this.#boundariesOf(topic.namespace)).range;
  }

  async topic(name: TopicName, create: boolean): Promise<AdminTopic | undefined> {
    const owner = await this.ownerOf(name);
    if (!create && !(await owner.topics.exists(name))) return undefined;
    const topic = await owner.topics.load(name, create ? "always" : "never");
    return topic instanceof PersistentTopic ? topic : undefined;
  }

  async deleteTopic(name: TopicName, force: boolean): Promise<void> {
    await (await this.ownerOf(name)).topics.delete(name, force);
  }

  async unloadTopic(name: TopicName): Promise<void> {
    await (await this.ownerOf(name)).topics.unload(name.toString());
  }

  async unloadBundle(namespace: string, range: string): Promise<void> {
    const bundle = bundlesOf(namespace, await this.#boundariesOf(namespace)).find((b) => b.range === range);
    if (bundle === undefined) throw new BrokerError(ServerError.TopicNotFound, `Bundle ${range} does not exist`);
    await Promise.all(this.#directory.all.map((broker) => broker.unloadBundle(bundle)));
  }

  async unloadNamespace(namespace: string): Promise<void> {
    const bundles = bundlesOf(namespace, await this.#boundariesOf(namespace));
    for (const bundle of bundles) await this.unloadBundle(namespace, bundle.range);
  }

  /** The broker that owns a topic's bundle; takes one when none does. */
  async ownerOf(topic: TopicName): Promise<Broker> {
    let broker = this.#directory.all[0];
    let authoritative = false;
    for (let hop = 0; broker !== undefined && hop < REDIRECTS_MAX; hop++) {
      const answer = await broker.lookupTopic(topic, authoritative);
      if (answer.kind === "connect") return broker;
      broker = this.#directory.find(answer.broker.brokerId);
      authoritative = answer.authoritative;
    }
    throw new BrokerError(ServerError.ServiceNotReady, `No broker owns ${topic} at the moment`);
  }

  async #boundariesOf(namespace: string): Promise<readonly string[]> {
    const policies = await this.resources.namespaces.get(namespace);
    if (policies === undefined) throw new BrokerError(ServerError.TopicNotFound, "Namespace does not exist");
    return policies.bundles.boundaries;
  }
}
