import type { Entry } from "../../managed-ledger/index.ts";
import type { Position } from "../../managed-ledger/position.ts";
import type { AttachedConsumer } from "../subscription/consumer.ts";
import type { Delivery, SubscriptionType } from "../subscription/contracts.ts";
import type { PersistentSubscription } from "../subscription/subscription.ts";
import { DelayedMessages } from "./delayed-messages.ts";
import { type Dispatcher, READ_BATCH_BYTES } from "./dispatcher.ts";
import { PositionMap } from "./position-map.ts";
import { NO_HASH, ReplayQueue } from "./replay-queue.ts";

interface Read {
  kind: "new" | "replay";
  entries: Entry[] | Promise<Entry[]>;
  /** What it took out of the queue for that. */
  taken: readonly { position: Position; hash: number }[];
}

/**
 * What Shared and Key_Shared have in common: many consumers, messages acknowledged one by one, a queue of what has to
 * be delivered again. Subclasses decide who gets an entry.
 */
export abstract class QueueDispatcher implements Dispatcher {
  abstract readonly type: SubscriptionType;
  protected readonly subscription: PersistentSubscription;
  protected readonly replay: ReplayQueue = new ReplayQueue();
  readonly #delayed: DelayedMessages;
  readonly #redeliveries = new PositionMap<number>();
  #consumers: AttachedConsumer[] = [];
  #reading = false;
  #pumping = false;
  #pumpAgain = false;
  #generation = 0;
  #unackedMessages = 0;
  #blocked = false;
  #messagesPerEntry = 1;

  constructor(subscription: PersistentSubscription) {
    this.subscription = subscription;
    this.#delayed = new DelayedMessages(subscription.context.clock, (due) => {
      for (const { position, hash } of due) this.replay.add(position, hash);
      this.pump();
    });
  }

  get consumers(): readonly AttachedConsumer[] {
    return this.#consumers;
  }

  get activeConsumer(): undefined {
    return undefined;
  }

  get totalUnackedMessages(): number {
    return this.#unackedMessages;
  }

  get blockedOnUnackedMessages(): boolean {
    return this.#blocked;
  }

  get delayedMessages(): number {
    return this.#delayed.size;
  }

  addConsumer(consumer: AttachedConsumer): void {
    this.join(consumer);
    if (this.#consumers.length === 0) this.#startOver();
    this.#consumers.push(consumer);
    // stable: consumers of one priority stay in the order they came
    this.#consumers.sort((a, b) => a.options.priorityLevel - b.options.priorityLevel);
  }

  removeConsumer(consumer: AttachedConsumer): void {
    this.leave(consumer);
    this.#consumers = this.#consumers.filter((c) => c !== consumer);
    this.#takeBack(consumer, false);
    if (this.#consumers.length === 0) this.#startOver();
    else this.pump();
  }

  consumerReady(): void {
    this.pump();
  }

  redeliverAll(consumer: AttachedConsumer): void {
    this.#takeBack(consumer, true);
    this.pump();
  }

  redeliver(consumer: AttachedConsumer, positions: readonly Position[]): void {
    for (const position of positions) {
      const pending = consumer.release(position);
      if (pending === undefined) continue;
      this.#returned(position, pending.messages, pending.hash);
      this.#countRedelivery(position);
    }
    this.pump();
  }

  acknowledged(position: Position, hash: number, messages: number, done: boolean): void {
    const unblocked = this.#removeUnacked(messages);
    let mayGoOn = unblocked;
    if (done) {
      this.#redeliveries.delete(position);
      this.replay.remove(position);
      if (hash !== NO_HASH && this.settled(hash)) mayGoOn = true;
    }
    if (mayGoOn) this.pump();
  }

  acknowledgedElsewhere(): void {
    for (const consumer of this.#consumers) {
      for (const [position, pending] of [...consumer.pendingAcks.entries()]) {
        if (!this.subscription.cursor.isAcknowledged(position)) continue;
        consumer.settle(position, pending, pending.messages, true);
      }
    }
    for (const position of this.replay.peek(Number.POSITIVE_INFINITY, () => true)) {
      if (this.subscription.cursor.isAcknowledged(position)) this.replay.remove(position);
    }
    this.pump();
  }

  notify(): void {
    this.pump();
  }

  reset(): void {
    this.#startOver();
    this.#redeliveries.clear();
  }

  abstract keyHashRanges(consumer: AttachedConsumer): readonly string[] | undefined;

  /** A consumer joins or leaves; `join` may refuse by throwing a BrokerError. */
  protected abstract join(consumer: AttachedConsumer): void;
  protected abstract leave(consumer: AttachedConsumer): void;
  /** Sends what can be sent; the rest goes to the replay queue. */
  protected abstract dispatch(entries: readonly Entry[]): void;
  /** Whether an entry of the replay queue with this hash could go to somebody now. */
  protected abstract deliverable(hash: number): boolean;
  /** Whether further entries may be read while the replay queue holds some that cannot go out. */
  protected abstract readonly mayReadAhead: boolean;
  /** An entry that was out with this hash is out no more. Answers whether others that waited may go now. */
  protected abstract settled(hash: number): boolean;
  /** The key hash of an entry, or NO_HASH where keys do not matter. */
  protected abstract hashOf(entry: Entry): number;

  /** What an entry looks like to a consumer. */
  protected deliveryOf(entry: Entry): Delivery {
    return {
      entry,
      redeliveryCount: this.#redeliveries.get(entry) ?? 0,
      ackSet: this.subscription.cursor.ackSetOf(entry),
    };
  }

  protected sent(messages: number, entries: number): void {
    this.#unackedMessages += messages;
    this.#messagesPerEntry = Math.max(1, this.#messagesPerEntry * 0.9 + (messages / entries) * 0.1);
    const max = this.subscription.context.maxUnackedMessagesPerSubscription;
    if (max > 0 && this.#unackedMessages >= max) this.#blocked = true;
  }

  /** Whether an entry has to wait for its time; if so it is kept for then. */
  protected delay(entry: Entry): boolean {
    const { deliverAtTime } = entry.metadata;
    if (deliverAtTime === undefined || deliverAtTime <= this.subscription.context.clock.now()) return false;
    this.#delayed.add(entry, deliverAtTime, this.hashOf(entry));
    return true;
  }

  /** Reads and dispatches for as long as somebody can take something. */
  protected pump(): void {
    if (this.#pumping) {
      this.#pumpAgain = true;
      return;
    }
    this.#pumping = true;
    do {
      this.#pumpAgain = false;
      while (this.#step()) {
        // on until nothing moves
      }
    } while (this.#pumpAgain);
    this.#pumping = false;
  }

  /** One read and its dispatch. Answers whether there may be more to do at once. */
  #step(): boolean {
    if (this.#reading || this.#blocked || this.subscription.reads.paused) return false;
    let permits = 0;
    for (const consumer of this.#consumers) if (consumer.available) permits += consumer.permits;
    if (permits === 0) return false;
    const { entriesMax: readable } = this.subscription.reads;
    const entriesMax = Math.min(readable, Math.max(1, Math.ceil(permits / this.#messagesPerEntry)));
    const read = this.#read(entriesMax);
    if (read === undefined) return false;
    if (Array.isArray(read.entries)) return this.#dispatchRead(read.kind, read.entries);
    this.#await(read, read.entries);
    return false;
  }

  #read(entriesMax: number): Read | undefined {
    const { cursor } = this.subscription;
    if (this.replay.size > 0) {
      const positions = this.replay.peek(entriesMax, (hash) => this.deliverable(hash));
      if (positions.length > 0) {
        const taken = positions.map((position) => ({ position, hash: this.replay.remove(position) }));
        return { kind: "replay", entries: cursor.readAt(positions), taken };
      }
      if (!this.mayReadAhead) return undefined;
    }
    if (!cursor.hasMoreEntries()) {
      this.subscription.checkEndOfTopic();
      return undefined;
    }
    return { kind: "new", entries: cursor.read(entriesMax, READ_BATCH_BYTES), taken: [] };
  }

  #await({ kind, taken }: Read, reading: Promise<Entry[]>): void {
    this.#reading = true;
    const generation = this.#generation;
    reading.then(
      (entries) => {
        this.#reading = false;
        this.subscription.reads.succeeded();
        if (generation === this.#generation) this.#dispatchRead(kind, entries);
        // everybody left meanwhile, and others came: what was read or to be read again is the cursor's to say, from its start
        else this.subscription.cursor.rewind();
        this.pump();
      },
      (error: unknown) => {
        this.#reading = false;
        if (generation !== this.#generation) this.subscription.cursor.rewind();
        // else they would come only once everybody has left
        else for (const { position, hash } of taken) this.replay.add(position, hash);
        this.subscription.readFailed(error);
      },
    );
  }

  #dispatchRead(kind: Read["kind"], entries: readonly Entry[]): boolean {
    if (entries.length === 0) return kind === "replay";
    const wanted = entries.filter((entry) => !this.subscription.filter(entry) && !this.delay(entry));
    if (wanted.length > 0) this.dispatch(wanted);
    return true;
  }

  /** Puts all that a consumer holds back into the queue. */
  #takeBack(consumer: AttachedConsumer, counted: boolean): void {
    for (const position of consumer.pendingAcks.sortedPositions()) {
      const pending = consumer.release(position);
      if (pending === undefined) continue;
      this.#returned(position, pending.messages, pending.hash);
      if (counted) this.#countRedelivery(position);
    }
  }

  #returned(position: Position, messages: number, hash: number): void {
    this.#removeUnacked(messages);
    // into the queue first: what waits for the key must find this one before itself
    this.replay.add(position, hash);
    if (hash !== NO_HASH) this.settled(hash);
  }

  /** Answers whether the subscription was blocked by unacknowledged messages and is no more. */
  #removeUnacked(messages: number): boolean {
    this.#unackedMessages = Math.max(0, this.#unackedMessages - messages);
    const max = this.subscription.context.maxUnackedMessagesPerSubscription;
    if (!this.#blocked || this.#unackedMessages >= max / 2) return false;
    this.#blocked = false;
    return true;
  }

  #countRedelivery(position: Position): void {
    this.#redeliveries.set(position, (this.#redeliveries.get(position) ?? 0) + 1);
  }

  /** Nobody holds anything: the cursor itself says what is left, so it starts from its first unacknowledged entry. */
  #startOver(): void {
    this.#generation++;
    this.replay.clear();
    this.#delayed.clear();
    this.#unackedMessages = 0;
    this.#blocked = false;
    if (!this.#reading) this.subscription.cursor.rewind();
  }
}
