import type { Clock } from "@pulsewire/runtime";
import type { Entry } from "../../managed-ledger/index.ts";
import type { ConsumerOptions, ConsumerStats, Delivery } from "../subscription/contracts.ts";
import type { NonPersistentSubscription } from "./non-persistent-subscription.ts";
import type { ConsumerHandle } from "./topic.ts";

/** A consumer of a non-persistent topic: it gets a message while it has permits, or never. */
export class NonPersistentConsumer implements ConsumerHandle {
  readonly options: ConsumerOptions;
  readonly #subscription: NonPersistentSubscription;
  readonly #connectedSinceMs: number;
  #permits = 0;
  #messages = 0;
  #bytes = 0;

  constructor(subscription: NonPersistentSubscription, options: ConsumerOptions, clock: Clock) {
    this.#subscription = subscription;
    this.options = options;
    this.#connectedSinceMs = clock.now();
  }

  get ready(): boolean {
    return this.#permits > 0 && this.options.session.writable;
  }

  deliver(entry: Entry): void {
    const delivery: Delivery = { entry, redeliveryCount: 0, ackSet: undefined };
    this.#permits -= entry.messageCount;
    this.#messages += entry.messageCount;
    this.#bytes += entry.data.length;
    const { session, consumerId, consumerEpoch } = this.options;
    session.deliver(consumerId, [delivery], consumerEpoch);
  }

  flow(messages: number): void {
    this.#permits += messages;
  }

  acknowledge(): void {
    // nothing is kept, so there is nothing to acknowledge
  }

  acknowledgeCumulative(): void {
    // as above
  }

  async flushAcknowledgements(): Promise<void> {
    await undefined;
  }

  redeliver(): void {
    // what was delivered is gone
  }

  onWritable(): void {
    // what came while the socket was full was dropped
  }

  close(): void {
    this.#subscription.remove(this);
  }

  stats(): ConsumerStats {
    const { consumerName, metadata, session } = this.options;
    return {
      consumerName,
      metadata,
      availablePermits: this.#permits,
      unackedMessages: 0,
      blockedOnUnackedMessages: false,
      msgOutCounter: this.#messages,
      bytesOutCounter: this.#bytes,
      messageAckCounter: 0,
      redeliveredCounter: 0,
      connectedSinceMs: this.#connectedSinceMs,
      address: session.remoteAddress,
      clientVersion: session.clientVersion,
      keyHashRanges: undefined,
    };
  }
}
