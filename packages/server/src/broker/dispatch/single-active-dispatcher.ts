import { CommandSubscribeSubType, ServerError } from "@pulsewire/protocol";
import type { Timer } from "@pulsewire/runtime";
import type { Entry } from "../../managed-ledger/index.ts";
import type { AttachedConsumer } from "../subscription/consumer.ts";
import type { Delivery, SubscriptionType } from "../subscription/contracts.ts";
import { HeldError } from "../subscription/held-error.ts";
import type { PersistentSubscription } from "../subscription/subscription.ts";
import { chooseActive } from "./active-consumer.ts";
import { type Dispatcher, READ_BATCH_BYTES } from "./dispatcher.ts";
import { stickyKeyHash } from "./sticky-key.ts";

/** Exclusive and Failover: one consumer at a time gets everything, in order. */
export class SingleActiveDispatcher implements Dispatcher {
  readonly type: SubscriptionType;
  readonly totalUnackedMessages: number = 0;
  readonly blockedOnUnackedMessages: boolean = false;
  readonly delayedMessages: number = 0;
  readonly #subscription: PersistentSubscription;
  #consumers: AttachedConsumer[] = [];
  #active: AttachedConsumer | undefined;
  /** Set while a new active consumer waits for what its predecessor still acknowledges. */
  #switching: Timer | undefined;
  #reading = false;
  /** Each rewind starts a new one; what an earlier one still reads is dropped. */
  #generation = 0;
  /** Messages an entry holds, smoothed, to translate permits into entries. */
  #messagesPerEntry = 1;

  constructor(subscription: PersistentSubscription, type: SubscriptionType) {
    this.#subscription = subscription;
    this.type = type;
  }

  get consumers(): readonly AttachedConsumer[] {
    return this.#consumers;
  }

  get activeConsumer(): AttachedConsumer | undefined {
    return this.#active;
  }

  addConsumer(consumer: AttachedConsumer): void {
    const [holder] = this.#consumers;
    if (this.type === CommandSubscribeSubType.Exclusive && holder !== undefined) {
      throw new HeldError(ServerError.ConsumerBusy, "Exclusive consumer is already connected", holder);
    }
    this.#consumers.push(consumer);
    if (!this.#pickActive()) this.#tell(consumer);
  }

  removeConsumer(consumer: AttachedConsumer): void {
    this.#consumers = this.#consumers.filter((c) => c !== consumer);
    this.#pickActive();
  }

  consumerReady(consumer: AttachedConsumer): void {
    if (consumer === this.#active) this.#pump();
  }

  redeliverAll(consumer: AttachedConsumer): void {
    if (consumer !== this.#active || this.#switching !== undefined) return;
    this.#rewind();
    this.#pump();
  }

  // single messages cannot come again without breaking the order: everything after the first of them does
  redeliver(consumer: AttachedConsumer): void {
    this.redeliverAll(consumer);
  }

  acknowledged(): void {
    // nothing is held per message
  }

  acknowledgedElsewhere(): void {
    // nothing is held per message
  }

  notify(): void {
    this.#pump();
  }

  reset(): void {
    this.#rewind();
  }

  keyHashRanges(): undefined {
    return undefined;
  }

  /** Answers whether the active consumer is another one than before. */
  #pickActive(): boolean {
    const before = this.#active;
    const next = this.#choose();
    if (next === before) return false;
    this.#active = next;
    this.#switching?.cancel();
    this.#switching = undefined;
    // a holds 3 and 4, and 5 is being read; a leaves; 5 must not reach b before 3 and 4
    this.#rewind();
    if (next === undefined) return true;
    const delayMs = this.type === CommandSubscribeSubType.Failover ? this.#subscription.context.failoverDelayMs : 0;
    if (delayMs === 0) this.#activate();
    else {
      // the old consumer's last acknowledgements may still be on their way
      this.#switching = this.#subscription.context.clock.setTimer(delayMs, () => this.#activate());
    }
    return true;
  }

  #choose(): AttachedConsumer | undefined {
    if (this.type === CommandSubscribeSubType.Exclusive) return this.#consumers[0];
    return chooseActive(this.#consumers, this.#subscription.context.topicName);
  }

  #activate(): void {
    this.#switching = undefined;
    this.#rewind();
    for (const consumer of this.#consumers) this.#tell(consumer);
    this.#pump();
  }

  /** Only Failover consumers are told; an exclusive one is active by being there. */
  #tell(consumer: AttachedConsumer): void {
    if (this.type !== CommandSubscribeSubType.Failover) return;
    consumer.options.session.activeConsumerChanged(consumer.options.consumerId, consumer === this.#active);
  }

  #rewind(): void {
    this.#generation++;
    if (!this.#reading) this.#subscription.cursor.rewind();
  }

  #pump(): void {
    const { cursor, reads } = this.#subscription;
    while (!this.#reading && !reads.paused && this.#switching === undefined && this.#active?.available === true) {
      if (!cursor.hasMoreEntries()) {
        this.#subscription.checkEndOfTopic();
        return;
      }
      const entriesMax = Math.max(1, Math.ceil(this.#active.permits / this.#messagesPerEntry));
      const entries = cursor.read(Math.min(entriesMax, reads.entriesMax), READ_BATCH_BYTES);
      if (Array.isArray(entries)) {
        if (entries.length === 0) return;
        this.#send(entries);
      } else {
        this.#await(entries);
        return;
      }
    }
  }

  #await(read: Promise<Entry[]>): void {
    this.#reading = true;
    const generation = this.#generation;
    read.then(
      (entries) => {
        this.#reading = false;
        this.#subscription.reads.succeeded();
        if (generation === this.#generation) this.#send(entries);
        // rewound meanwhile: the read moved the cursor after that, so it has to go back once more
        else this.#subscription.cursor.rewind();
        this.#pump();
      },
      (error: unknown) => {
        this.#reading = false;
        if (generation !== this.#generation) this.#subscription.cursor.rewind();
        this.#subscription.readFailed(error);
      },
    );
  }

  #send(entries: readonly Entry[]): void {
    const active = this.#active;
    if (active === undefined) return;
    const deliveries: Delivery[] = [];
    let messages = 0;
    for (const entry of entries) {
      if (this.#subscription.filter(entry) || this.#leavesOut(active, entry)) continue;
      messages += entry.messageCount;
      deliveries.push({ entry, redeliveryCount: 0, ackSet: this.#subscription.cursor.ackSetOf(entry) });
    }
    if (deliveries.length === 0) return;
    this.#messagesPerEntry = Math.max(1, this.#messagesPerEntry * 0.9 + (messages / deliveries.length) * 0.1);
    active.send(deliveries);
  }

  /** An exclusive consumer may want some of the key hashes only, as a reader can; the others count as acknowledged. */
  #leavesOut(consumer: AttachedConsumer, entry: Entry): boolean {
    const ranges = consumer.options.keySharedMeta?.hashRanges ?? [];
    if (ranges.length === 0 || this.type !== CommandSubscribeSubType.Exclusive) return false;
    const hash = stickyKeyHash(entry.metadata);
    if (ranges.some(({ start, end }) => start <= hash && hash <= end)) return false;
    this.#subscription.cursor.acknowledge(entry);
    return true;
  }
}
