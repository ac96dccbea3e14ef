import { CommandSubscribeSubType, KeySharedMode, ServerError } from "@pulsewire/protocol";
import type { Entry } from "../../managed-ledger/index.ts";
import { BrokerError } from "../broker-error.ts";
import type { AttachedConsumer } from "../subscription/consumer.ts";
import type { Delivery, SubscriptionType } from "../subscription/contracts.ts";
import { createKeySelector, type KeySelector } from "./key-selector.ts";
import { QueueDispatcher } from "./queue-dispatcher.ts";
import { stickyKeyHash } from "./sticky-key.ts";

/** `keySharedLookAheadMsgInReplayThresholdPerConsumer` and `...PerSubscription`. */
const LOOK_AHEAD_PER_CONSUMER = 2_000;
const LOOK_AHEAD_PER_SUBSCRIPTION = 20_000;

/** Who holds entries of a key hash, and how many. */
interface HeldHash {
  owner: AttachedConsumer;
  entries: number;
}

interface Share {
  deliveries: Delivery[];
  hashes: number[];
  messages: number;
}

/**
 * Key_Shared: every key hash belongs to one consumer. While one consumer still holds entries of a hash, no other gets
 * any of it, so a hash that changes owner drains first (PIP-379) and the order of each key holds.
 */
export class KeySharedDispatcher extends QueueDispatcher {
  readonly type: SubscriptionType = CommandSubscribeSubType.Key_Shared;
  readonly #held = new Map<number, HeldHash>();
  #selector: KeySelector | undefined;
  #outOfOrderAllowed = false;

  keyHashRanges(consumer: AttachedConsumer): readonly string[] | undefined {
    return this.#selector?.rangesOf(consumer);
  }

  protected get mayReadAhead(): boolean {
    const limit = Math.min(LOOK_AHEAD_PER_SUBSCRIPTION, LOOK_AHEAD_PER_CONSUMER * this.consumers.length);
    return this.replay.size < limit;
  }

  protected join(consumer: AttachedConsumer): void {
    const meta = consumer.options.keySharedMeta;
    if (this.consumers.length === 0) this.#selector = undefined;
    const selector = this.#selector ?? createKeySelector(meta);
    if (selector.mode !== (meta?.keySharedMode ?? KeySharedMode.AUTO_SPLIT)) {
      throw new BrokerError(ServerError.ConsumerBusy, "Subscription is of different type");
    }
    selector.add(consumer);
    this.#selector = selector;
    this.#outOfOrderAllowed = meta?.allowOutOfOrderDelivery === true;
  }

  protected leave(consumer: AttachedConsumer): void {
    this.#selector?.remove(consumer);
  }

  protected settled(hash: number): boolean {
    const held = this.#held.get(hash);
    if (held === undefined) return false;
    held.entries--;
    if (held.entries > 0) return false;
    this.#held.delete(hash);
    return this.replay.hasHash(hash);
  }

  protected hashOf(entry: Entry): number {
    return stickyKeyHash(entry.metadata);
  }

  override reset(): void {
    super.reset();
    this.#held.clear();
  }

  protected deliverable(hash: number): boolean {
    const consumer = this.#selector?.select(hash);
    return consumer?.available === true && this.#mayTake(hash, consumer);
  }

  #mayTake(hash: number, consumer: AttachedConsumer): boolean {
    if (this.#outOfOrderAllowed) return true;
    const held = this.#held.get(hash);
    return held === undefined || held.owner === consumer;
  }

  protected dispatch(entries: readonly Entry[]): void {
    const shares = new Map<AttachedConsumer, Share>();
    for (const entry of entries) {
      const hash = this.hashOf(entry);
      const consumer = this.#selector?.select(hash);
      if (consumer === undefined || !this.#canSend(hash, consumer, shares.get(consumer), entry)) {
        this.replay.add(entry, hash);
        continue;
      }
      let share = shares.get(consumer);
      if (share === undefined) {
        share = { deliveries: [], hashes: [], messages: 0 };
        shares.set(consumer, share);
      }
      share.deliveries.push(this.deliveryOf(entry));
      share.hashes.push(hash);
      share.messages += entry.messageCount;
      this.#hold(hash, consumer);
    }
    for (const [consumer, { deliveries, hashes }] of shares) {
      const before = consumer.unackedMessages;
      consumer.send(deliveries, hashes);
      this.sent(consumer.unackedMessages - before, deliveries.length);
    }
  }

  #canSend(hash: number, consumer: AttachedConsumer, share: Share | undefined, entry: Entry): boolean {
    if (!consumer.available || (share?.messages ?? 0) >= consumer.permits) return false;
    if (this.#outOfOrderAllowed) return true;
    // an earlier entry of the key that waits goes first; the entry itself is not in the queue while it is dispatched
    return this.#mayTake(hash, consumer) && !this.replay.hasBefore(hash, entry);
  }

  #hold(hash: number, owner: AttachedConsumer): void {
    const held = this.#held.get(hash);
    if (held === undefined) this.#held.set(hash, { owner, entries: 1 });
    else {
      held.owner = owner;
      held.entries++;
    }
  }
}
