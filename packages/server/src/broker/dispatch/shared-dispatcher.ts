import { CommandSubscribeSubType } from "@pulsewire/protocol";
import type { Entry } from "../../managed-ledger/index.ts";
import type { AttachedConsumer } from "../subscription/consumer.ts";
import type { Delivery, SubscriptionType } from "../subscription/contracts.ts";
import { QueueDispatcher } from "./queue-dispatcher.ts";
import { NO_HASH } from "./replay-queue.ts";

/** Entries one consumer gets before it is the next one's turn (`dispatcherMaxRoundRobinBatchSize`). */
const ROUND_ROBIN_ENTRIES = 20;

/** Shared: whoever has permits gets the next entries, in turn, those of better priority first. */
export class SharedDispatcher extends QueueDispatcher {
  readonly type: SubscriptionType = CommandSubscribeSubType.Shared;
  protected readonly mayReadAhead: boolean = true;
  #turn = 0;

  keyHashRanges(): undefined {
    return undefined;
  }

  protected join(): void {
    // everyone may
  }

  protected leave(): void {
    // nothing is tied to a consumer
  }

  protected settled(): boolean {
    return false;
  }

  protected deliverable(): boolean {
    return true;
  }

  protected hashOf(): number {
    return NO_HASH;
  }

  protected dispatch(entries: readonly Entry[]): void {
    let i = 0;
    while (i < entries.length) {
      const consumer = this.#next();
      if (consumer === undefined) break;
      const deliveries: Delivery[] = [];
      let messages = 0;
      while (i < entries.length && deliveries.length < ROUND_ROBIN_ENTRIES && messages < consumer.permits) {
        const entry = entries[i++] as Entry;
        deliveries.push(this.deliveryOf(entry));
        messages += entry.messageCount;
      }
      const before = consumer.unackedMessages;
      consumer.send(deliveries);
      this.sent(consumer.unackedMessages - before, deliveries.length);
    }
    for (; i < entries.length; i++) this.replay.add(entries[i] as Entry, NO_HASH);
  }

  /** The next consumer in turn among those of the best priority that can take something. */
  #next(): AttachedConsumer | undefined {
    const { consumers } = this;
    const best = consumers.find((c) => c.available);
    if (best === undefined) return undefined;
    const level = best.options.priorityLevel;
    const peers = consumers.filter((c) => c.options.priorityLevel === level);
    for (let k = 0; k < peers.length; k++) {
      const index = (this.#turn + k) % peers.length;
      const consumer = peers[index] as AttachedConsumer;
      if (!consumer.available) continue;
      this.#turn = index + 1;
      return consumer;
    }
    return undefined;
  }
}
