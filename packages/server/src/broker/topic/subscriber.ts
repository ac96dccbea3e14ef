import { type CommandSubscribe, ServerError } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { ManagedLedger } from "../../managed-ledger/index.ts";
import { BrokerError } from "../broker-error.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import type { Subscription } from "../subscription/contracts.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { startOfReader } from "./topic-positions.ts";

export interface SubscriberOptions {
  ledger: ManagedLedger;
  clock: Clock;
  subscriptions: Subscriptions;
}

/** Finds or makes the subscription that a SUBSCRIBE is for: durable, or a reader's that goes with it. */
export class Subscriber {
  readonly #options: SubscriberOptions;

  constructor(options: SubscriberOptions) {
    this.#options = options;
  }

  /** Rejects with a BrokerError where policies, limits or a subscription of another kind are in the way. */
  async open(command: CommandSubscribe, policies: EffectivePolicies): Promise<Subscription> {
    const subscription = await (command.durable === false
      ? this.#openReader(command)
      : this.#openDurable(command, policies));
    this.#checkRoom(subscription, policies);
    return subscription;
  }

  async #openDurable(command: CommandSubscribe, policies: EffectivePolicies): Promise<Subscription> {
    const { subscriptions } = this.#options;
    const name = command.subscription;
    const existing = subscriptions.byName.get(name);
    if (existing?.cursor.durable === false) {
      throw new BrokerError(ServerError.NotAllowedError, `Subscription ${name} is a reader's, which is not durable`);
    }
    if (existing === undefined && !policies.autoSubscriptionCreation) {
      throw new BrokerError(ServerError.SubscriptionNotFound, "Subscription does not exist");
    }
    const properties = Object.fromEntries((command.subscriptionProperties ?? []).map((p) => [p.key, p.value]));
    return subscriptions.open(name, command.initialPosition === 1 ? "earliest" : "latest", properties);
  }

  async #openReader(command: CommandSubscribe): Promise<Subscription> {
    const { ledger, clock, subscriptions } = this.#options;
    const name = command.subscription;
    if (subscriptions.byName.get(name)?.cursor.durable) {
      throw new BrokerError(ServerError.NotAllowedError, "Durable subscription with the same name already exists.");
    }
    const start = await startOfReader(ledger, command, clock.now());
    // one of the same name may have come meanwhile, or be left from before a seek: then that is it
    return subscriptions.byName.get(name) ?? subscriptions.addNonDurable(name, ledger.newNonDurableCursor(name, start));
  }

  #checkRoom(subscription: Subscription, policies: EffectivePolicies): void {
    const { maxConsumers, maxConsumersPerSubscription } = policies;
    if (maxConsumersPerSubscription > 0 && subscription.consumers.length >= maxConsumersPerSubscription) {
      throw new BrokerError(ServerError.ConsumerBusy, "Subscription reached max consumers limit");
    }
    if (maxConsumers > 0 && this.#options.subscriptions.consumerCount >= maxConsumers) {
      throw new BrokerError(ServerError.ConsumerBusy, "Topic reached max consumers limit");
    }
  }
}
