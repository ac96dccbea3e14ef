import { CommandSubscribeSubType, murmur3Hash, ServerError } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { Entry } from "../../managed-ledger/index.ts";
import { BrokerError } from "../broker-error.ts";
import type { ConsumerOptions, SubscriptionStats, SubscriptionType } from "../subscription/contracts.ts";
import { HeldError } from "../subscription/held-error.ts";
import { NonPersistentConsumer } from "./non-persistent-consumer.ts";

const { Exclusive, Failover, Shared, Key_Shared } = CommandSubscribeSubType;

/** The consumers of one subscription of a non-persistent topic, and which of them gets a message. */
export class NonPersistentSubscription {
  readonly name: string;
  readonly #clock: Clock;
  readonly #consumers: NonPersistentConsumer[] = [];
  #type: SubscriptionType | undefined;
  #turn = 0;
  #dropped = 0;

  constructor(name: string, clock: Clock) {
    this.name = name;
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
    if (options.type === Failover) this.#tellActive(first);
    return consumer;
  }

  remove(consumer: NonPersistentConsumer): void {
    const at = this.#consumers.indexOf(consumer);
    if (at < 0) return;
    const before = this.#consumers[0];
    this.#consumers.splice(at, 1);
    if (this.#type === Failover) this.#tellActive(before);
  }

  dispatch(entry: Entry): void {
    const consumer = this.#choose(entry);
    if (consumer?.ready) consumer.deliver(entry);
    else this.#dropped++;
  }

  disconnectConsumers(): void {
    for (const { options } of this.#consumers.splice(0)) options.session.closeConsumer(options.consumerId);
  }

  stats(): SubscriptionStats {
    const consumers = this.#consumers.map((c) => c.stats());
    return {
      name: this.name,
      type: this.#type,
      msgBacklog: 0,
      backlogEntries: 0,
      unackedMessages: 0,
      msgOutCounter: consumers.reduce((sum, c) => sum + c.msgOutCounter, 0),
      bytesOutCounter: consumers.reduce((sum, c) => sum + c.bytesOutCounter, 0),
      redeliveredCounter: 0,
      blockedOnUnackedMessages: false,
      msgDelayed: 0,
      activeConsumerName: this.#type === Failover ? consumers[0]?.consumerName : undefined,
      durable: false,
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
    return this.#consumers[0];
  }

  #tellActive(before: NonPersistentConsumer | undefined): void {
    const active = this.#consumers[0];
    if (active === before) {
      const last = this.#consumers.at(-1);
      if (last !== undefined && last !== active) tell(last, false);
      return;
    }
    if (active !== undefined) tell(active, true);
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
