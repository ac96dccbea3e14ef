import { CommandSubscribeSubType, murmur3Hash, ServerError } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { Entry } from "../../managed-ledger/index.ts";
import { BrokerError } from "../broker-error.ts";
import { chooseActive } from "../dispatch/active-consumer.ts";
import type { ConsumerOptions, SubscriptionStats, SubscriptionType } from "../subscription/contracts.ts";
import { HeldError } from "../subscription/held-error.ts";
import { DeliveredBefore } from "./delivered-before.ts";
import { NonPersistentConsumer } from "./non-persistent-consumer.ts";

const { Exclusive, Failover, Shared, Key_Shared } = CommandSubscribeSubType;

/** The consumers of one subscription of a non-persistent topic, and which of them gets a message. */
export class NonPersistentSubscription {
  readonly name: string;
  readonly #topicName: string;
  readonly #clock: Clock;
  readonly #consumers: NonPersistentConsumer[] = [];
  #type: SubscriptionType | undefined;
  /** The one that gets everything, where one does. */
  #active: NonPersistentConsumer | undefined;
  #turn = 0;
  #dropped = 0;
  readonly #deliveredBefore = new DeliveredBefore();

  constructor(name: string, topicName: string, clock: Clock) {
    this.name = name;
    this.#topicName = topicName;
    this.#clock = clock;
  }

  get consumers(): readonly NonPersistentConsumer[] {
    return this.#consumers;
  }

  /** Messages that no consumer had a permit for. */
  get dropped(): number {
    return this.#dropped;
  }

  add(options: ConsumerOptions): NonPersistentConsumer {
    const [first] = this.#consumers;
    if (first !== undefined && options.type !== this.#type) throw busy("Subscription is of different type");
    if (first !== undefined && options.type === Exclusive) {
      throw new HeldError(ServerError.ConsumerBusy, "Exclusive consumer is already connected", first);
    }
    this.#type = options.type;
    const consumer = new NonPersistentConsumer(this, options, this.#clock);
    this.#consumers.push(consumer);
    if (!this.#pickActive() && options.type === Failover) tell(consumer, false);
    return consumer;
  }

  remove(consumer: NonPersistentConsumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at < 0) return;
    this.#consumers.splice(at, 1);
    this.#deliveredBefore.add(consumer.stats());
    this.#pickActive();
  }

  dispatch(entry: Entry): void {
    const consumer = this.#choose(entry);
    if (consumer?.ready) consumer.deliver(entry);
    else this.#dropped++;
  }

  disconnectConsumers(): void {
    this.#active = undefined;
    for (const consumer of this.#consumers.splice(0)) {
      this.#deliveredBefore.add(consumer.stats());
      consumer.options.session.closeConsumer(consumer.options.consumerId);
    }
  }

  stats(): SubscriptionStats {
    const consumers = this.#consumers.map((c) => c.stats());
    return {
      name: this.name,
      type: this.#type,
      msgBacklog: 0,
      backlogEntries: 0,
      unackedMessages: 0,
      ...this.#deliveredBefore.with(consumers),
      redeliveredCounter: 0,
      blockedOnUnackedMessages: false,
      msgDelayed: 0,
      activeConsumerName: undefined,
      durable: false,
      readFailures: 0,
      properties: {},
      consumers,
      lastConsumedTimestamp: 0,
      lastAckedTimestamp: 0,
    };
  }

  #choose(entry: Entry): NonPersistentConsumer | undefined {
    const { length } = this.#consumers;
    if (this.#type === Shared) {
      for (let i = 0; i < length; i++) {
        const consumer = this.#consumers[this.#turn++ % length];
        if (consumer?.ready) return consumer;
      }
      return undefined;
    }
    if (this.#type === Key_Shared) return this.#consumers[keyHash(entry) % length];
    return this.#active;
  }

  /** Answers whether it is another one than before; all are told then, as Pulsar does. */
  #pickActive(): boolean {
    const before = this.#active;
    this.#active = this.#type === Failover ? chooseActive(this.#consumers, this.#topicName) : this.#consumers[0];
    if (this.#active === before) return false;
    if (this.#type === Failover) for (const consumer of this.#consumers) tell(consumer, consumer === this.#active);
    return true;
  }
}

function tell({ options }: NonPersistentConsumer, active: boolean): void {
  options.session.activeConsumerChanged(options.consumerId, active);
}

function keyHash({ metadata }: Entry): number {
  if (metadata.orderingKey !== undefined) return murmur3Hash(metadata.orderingKey);
  return murmur3Hash(metadata.partitionKey ?? "");
}

function busy(message: string): BrokerError {
  return new BrokerError(ServerError.ConsumerBusy, message);
}
