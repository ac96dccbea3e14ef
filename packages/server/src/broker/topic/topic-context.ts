import type { Clock } from "@pulsewire/runtime";
import type { ManagedCursor } from "../../managed-ledger/index.ts";
import type { BrokerSettings } from "../broker-settings.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import type { Resources } from "../resources/resources.ts";
import type { Subscription, SubscriptionContext } from "../subscription/contracts.ts";
import type { ProducerNames } from "./producer-names.ts";
import type { Topic } from "./topic.ts";

/** Makes the subscription of a cursor. */
export type SubscriptionFactory = (context: SubscriptionContext, name: string, cursor: ManagedCursor) => Subscription;

/** What topics need from around them. */
export interface TopicContext {
  readonly settings: BrokerSettings;
  readonly clock: Clock;
  readonly resources: Resources;
  readonly producerNames: ProducerNames;
  readonly createSubscription: SubscriptionFactory;
  /** The topic's policies as they are now. */
  policiesOf(topic: Topic["name"]): Promise<EffectivePolicies>;
  /** The topic can serve no more (another broker has its ledger): take it out. */
  onFenced(topic: Topic): void;
  /** Told what keeps a topic's subscriptions from being served. */
  onError(error: unknown): void;
}
