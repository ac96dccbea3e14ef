import type { TopicName } from "@pulsewire/protocol";
import type { Clock, Codec } from "@pulsewire/runtime";
import type { BookieRackGroups } from "../bookkeeper/index.ts";
import type { BrokerSettings } from "../broker/broker-settings.ts";
import type { Resources } from "../broker/resources/resources.ts";
import type { Subscription } from "../broker/subscription/contracts.ts";
import type { Topic } from "../broker/topic/topic.ts";
import type { ManagedLedger, Position } from "../managed-ledger/index.ts";

/** One broker of the cluster, as administration sees it. */
export interface BrokerAddress {
  /** `host:port` of its web service, which names it. */
  brokerId: string;
  serviceUrl: string;
  serviceUrlTls: string | undefined;
  webServiceUrl: string;
}

/** Where a new subscription stands: an end of the log, or the first entry at or after a position. */
export type SubscriptionStart = "earliest" | "latest" | Position;

/** A persistent topic, as administration sees it. */
export interface AdminTopic extends Topic {
  readonly ledger: ManagedLedger;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Rejects with a BrokerError when there is one of that name. */
  createSubscription(
    name: string,
    start: SubscriptionStart,
    properties?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Answers the id of the last message. */
  terminate(): Promise<Position>;
}

/** What the admin REST is written over: the cluster as a whole, whichever broker was asked. */
export interface AdminContext {
  readonly clusterName: string;
  readonly settings: BrokerSettings;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly codec: Codec;
  readonly brokers: readonly BrokerAddress[];
  /** Ids of the bookies there are. */
  readonly bookies: readonly string[];
  /** Where bookies stand. Rejects with a ResourceError. */
  readonly bookieRacks: {
    all(): Promise<BookieRackGroups>;
    update(change: (groups: BookieRackGroups) => BookieRackGroups): Promise<void>;
  };
  /** Whether racks are `/region/rack`. */
  readonly regionAware: boolean;
  /** The broker that owns a topic's bundle; assigns one when none does. */
  lookup(topic: TopicName): Promise<BrokerAddress>;
  /** `0x..._0x...`, the bundle of a topic. */
  bundleOf(topic: TopicName): Promise<string>;
  /** The topic, loaded at its owner; undefined when there is none and `create` is false. */
  topic(name: TopicName, create: boolean): Promise<AdminTopic | undefined>;
  /** Disconnects everybody and deletes what is stored. `force` false: rejects while somebody is attached. */
  deleteTopic(name: TopicName, force: boolean): Promise<void>;
  /** Disconnects everybody and lets the topic go; it loads again where it is next asked for. */
  unloadTopic(name: TopicName): Promise<void>;
  unloadBundle(namespace: string, bundle: string): Promise<void>;
  unloadNamespace(namespace: string): Promise<void>;
}
