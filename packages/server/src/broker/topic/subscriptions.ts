import { ServerError, type TopicName } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import { type ManagedCursor, type ManagedLedger, ManagedLedgerError } from "../../managed-ledger/index.ts";
import type { InitialPosition } from "../../managed-ledger/managed-ledger.ts";
import { BrokerError } from "../broker-error.ts";
import type { BrokerSettings } from "../broker-settings.ts";
import type { EffectivePolicies } from "../resources/effective-policies.ts";
import type { Subscription, SubscriptionContext } from "../subscription/contracts.ts";
import { DeliveredBefore } from "./delivered-before.ts";
import type { SubscriptionFactory } from "./topic-context.ts";

/** A reader that was disconnected by a seek has this long to come back before its subscription goes, in ms. */
const READER_RETURN_MS = 30_000;
/** Cursors whose names start so belong to the broker. */
const INTERNAL_PREFIX = "pulsar.";

export interface SubscriptionsOptions {
  topic: TopicName;
  ledger: ManagedLedger;
  clock: Clock;
  settings: BrokerSettings;
  factory: SubscriptionFactory;
  /** Asked each time, since policies change. */
  policies: () => EffectivePolicies;
  /** Told what keeps one from being served. */
  onError: (error: unknown) => void;
}

/** The subscriptions of one persistent topic, by name. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #byName = new Map<string, Subscription>();
  /** Of subscriptions that are gone. */
  readonly deliveredBefore: DeliveredBefore = new DeliveredBefore();
  readonly #opening = new Map<string, Promise<Subscription>>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Takes up the subscriptions that storage knows. */
  recover(): void {
    for (const [name, cursor] of this.#options.ledger.cursors) {
      if (!name.startsWith(INTERNAL_PREFIX) && !this.#byName.has(name)) this.#add(name, cursor);
    }
  }

  get byName(): ReadonlyMap<string, Subscription> {
    return this.#byName;
  }

  /** Consumers of all of them. */
  get consumerCount(): number {
    let count = 0;
    for (const subscription of this.#byName.values()) count += subscription.consumers.length;
    return count;
  }

  /** Throws SubscriptionNotFound. */
  get(name: string): Subscription {
    const found = this.#byName.get(name);
    if (found === undefined) throw new BrokerError(ServerError.SubscriptionNotFound, `Subscription ${name} not found`);
    return found;
  }

  /** The durable subscription of a name, made when there is none. Those who ask meanwhile share the making. */
  open(
    name: string,
    initialPosition: InitialPosition,
    properties: Readonly<Record<string, string>> = {},
  ): Promise<Subscription> {
    const found = this.#byName.get(name);
    if (found !== undefined) return Promise.resolve(found);
    const underWay = this.#opening.get(name);
    if (underWay !== undefined) return underWay;
    const opening = this.#open(name, initialPosition, properties).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #open(
    name: string,
    initialPosition: InitialPosition,
    properties: Readonly<Record<string, string>>,
  ): Promise<Subscription> {
    this.#checkRoom();
    const cursor = await this.#options.ledger.openCursor(name, { initialPosition, properties });
    return this.#add(name, cursor);
  }

  /** A subscription that goes with its last consumer. */
  addNonDurable(name: string, cursor: ManagedCursor): Subscription {
    this.#checkRoom();
    return this.#add(name, cursor);
  }

  notifyAll(): void {
    for (const subscription of this.#byName.values()) subscription.notify();
  }

  /** Forgets a subscription and deletes its cursor. */
  async delete(name: string): Promise<void> {
    const subscription = this.get(name);
    this.#byName.delete(name);
    subscription.disconnectConsumers();
    this.deliveredBefore.add(subscription.stats());
    await subscription.close();
    if (!subscription.cursor.durable) return;
    try {
      await this.#options.ledger.deleteCursor(name);
    } catch (error) {
      if (!(error instanceof ManagedLedgerError) || error.code !== "CursorNotFound") throw error;
    }
  }

  /** A consumer went: a reader's subscription goes with its last. */
  async consumerGone(name: string): Promise<void> {
    const subscription = this.#byName.get(name);
    if (subscription === undefined || subscription.cursor.durable || subscription.consumers.length > 0) return;
    this.#byName.delete(name);
    this.deliveredBefore.add(subscription.stats());
    await subscription.close();
    await subscription.cursor.close();
  }

  /** After a seek a reader connects again, to the position it asked for; if it does not, its subscription goes. */
  expectReturn(name: string, onError: (error: unknown) => void): void {
    this.#options.clock.setTimer(READER_RETURN_MS, () => {
      this.consumerGone(name).catch(onError);
    });
  }

  disconnectAll(): void {
    for (const subscription of this.#byName.values()) subscription.disconnectConsumers();
  }

  async closeAll(): Promise<void> {
    const all = [...this.#byName.values()];
    this.#byName.clear();
    for (const subscription of all) subscription.disconnectConsumers();
    const closing = await Promise.allSettled(all.map((subscription) => subscription.close()));
    const failed = closing.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    // that another owner took a cursor over is to be expected; any other failure is told first
    const isFenced = (error: unknown): boolean => error instanceof ManagedLedgerError && error.code === "Fenced";
    if (failed.length > 0) throw failed.find((error) => !isFenced(error)) ?? failed[0];
  }

  #add(name: string, cursor: ManagedCursor): Subscription {
    const subscription = this.#options.factory(this.#context(), name, cursor);
    this.#byName.set(name, subscription);
    return subscription;
  }

  #context(): SubscriptionContext {
    const { ledger, clock, settings, topic, policies, onError } = this.#options;
    return {
      clock,
      ledger,
      topicName: topic.toString(),
      get maxUnackedMessagesPerConsumer() {
        return policies().maxUnackedMessagesPerConsumer;
      },
      get maxUnackedMessagesPerSubscription() {
        return policies().maxUnackedMessagesPerSubscription;
      },
      failoverDelayMs: settings.activeConsumerFailoverDelayTimeMillis,
      onError,
    };
  }

  #checkRoom(): void {
    const { maxSubscriptions } = this.#options.policies();
    if (maxSubscriptions > 0 && this.#byName.size >= maxSubscriptions) {
      const message = `Exceed the maximum number of subscriptions of the topic: ${this.#options.topic}`;
      throw new BrokerError(ServerError.NotAllowedError, message);
    }
  }
}
