import { CommandSubscribeSubType, ServerError } from "@pulsewire/protocol";
import type { Position } from "../../managed-ledger/position.ts";
import { BrokerError } from "../broker-error.ts";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { PositionMap } from "../dispatch/position-map.ts";
import { NO_HASH } from "../dispatch/replay-queue.ts";
import type { AckRequest, BrokerConsumer, ConsumerOptions, ConsumerStats, Delivery } from "./contracts.ts";
import type { PersistentSubscription } from "./subscription.ts";

/** An entry a consumer holds and has not acknowledged as a whole. */
export interface PendingAck {
  /** Messages of it that are not acknowledged. */
  messages: number;
  readonly batchSize: number;
  /** Its key hash, or NO_HASH. */
  readonly hash: number;
}

/** One consumer attached to a subscription: its permits, what it holds, and what it did. */
export class AttachedConsumer implements BrokerConsumer {
  readonly options: ConsumerOptions;
  readonly subscription: PersistentSubscription;
  /** What it holds; kept only where messages are acknowledged one by one. */
  readonly pendingAcks: PositionMap<PendingAck> = new PositionMap();
  readonly #dispatcher: Dispatcher;
  readonly #connectedSinceMs: number;
  #permits = 0;
  #permitsWhileBlocked = 0;
  #unackedMessages = 0;
  #blocked = false;
  #epoch: number | undefined;
  #endOfTopicTold = false;
  #closed = false;
  #messagesOut = 0;
  #bytesOut = 0;
  #messagesAcked = 0;
  #redelivered = 0;

  constructor(subscription: PersistentSubscription, dispatcher: Dispatcher, options: ConsumerOptions) {
    this.subscription = subscription;
    this.options = options;
    this.#dispatcher = dispatcher;
    this.#epoch = options.consumerEpoch;
    this.#connectedSinceMs = subscription.context.clock.now();
  }

  /** Whether messages are acknowledged one by one, so that each that is out is accounted for. */
  get individual(): boolean {
    const { type } = this.options;
    return type === CommandSubscribeSubType.Shared || type === CommandSubscribeSubType.Key_Shared;
  }

  get permits(): number {
    return this.#permits;
  }

  get unackedMessages(): number {
    return this.#unackedMessages;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Whether entries may be sent to it now. */
  get available(): boolean {
    return this.#permits > 0 && !this.#blocked && this.options.session.writable && !this.#closed;
  }

  flow(messages: number): void {
    if (messages <= 0 || this.#closed) return;
    if (this.#blocked) this.#permitsWhileBlocked += messages;
    else {
      this.#permits += messages;
      this.#dispatcher.consumerReady(this);
    }
  }

  onWritable(): void {
    if (!this.#closed) this.#dispatcher.consumerReady(this);
  }

  /** Sends entries and accounts for them. `hashes` runs beside `deliveries` where keys matter. */
  send(deliveries: readonly Delivery[], hashes?: readonly number[]): void {
    let messages = 0;
    for (const [i, { entry, ackSet }] of deliveries.entries()) {
      const batchSize = entry.messageCount;
      const count = ackSet === undefined ? batchSize : countBits(ackSet);
      messages += count;
      this.#bytesOut += entry.data.length;
      if (this.individual) {
        const hash = hashes?.[i] ?? NO_HASH;
        this.pendingAcks.set(entry, { messages: count, batchSize, hash });
      }
    }
    this.#messagesOut += messages;
    this.#permits -= messages;
    if (this.individual) this.#addUnacked(messages);
    this.subscription.delivered();
    this.options.session.deliver(this.options.consumerId, deliveries, this.#epoch);
  }

  acknowledge(acks: readonly AckRequest[]): void {
    for (const { position, ackSet } of acks) this.#acknowledgeOne(position, ackSet);
    this.subscription.acknowledged();
  }

  #acknowledgeOne(position: Position, ackSet: AckRequest["ackSet"]): void {
    const owner = this.pendingAcks.has(position) ? this : (this.subscription.ownerOf(position) ?? this);
    const pending = owner.pendingAcks.get(position);
    const outcome = this.subscription.cursor.acknowledge(position, ackSet, pending?.batchSize);
    this.#messagesAcked += outcome.messages;
    if (pending === undefined) {
      if (outcome.completed) this.#dispatcher.acknowledged(position, NO_HASH, 0, true);
      return;
    }
    const done = outcome.completed || this.subscription.cursor.isAcknowledged(position);
    const messages = done ? pending.messages : Math.min(outcome.messages, pending.messages);
    owner.settle(position, pending, messages, done);
  }

  /** Messages of an entry this consumer held are acknowledged. */
  settle(position: Position, pending: PendingAck, messages: number, done: boolean): void {
    pending.messages -= messages;
    if (done) this.pendingAcks.delete(position);
    this.#removeUnacked(messages);
    this.#dispatcher.acknowledged(position, pending.hash, messages, done);
    this.#unblock();
  }

  acknowledgeCumulative({ position, ackSet }: AckRequest): void {
    if (this.individual) {
      throw new BrokerError(
        ServerError.NotAllowedError,
        `Cumulative acknowledgement is not allowed on the shared subscription ${this.subscription.name}`,
      );
    }
    this.subscription.cursor.acknowledgeCumulative(position, ackSet);
    this.subscription.acknowledged();
  }

  flushAcknowledgements(): Promise<void> {
    return this.subscription.cursor.flush();
  }

  redeliver(positions: readonly Position[] | undefined, consumerEpoch: number | undefined): void {
    if (this.#closed) return;
    if (consumerEpoch !== undefined) this.#epoch = consumerEpoch;
    this.#blocked = false;
    if (positions === undefined) {
      this.#redelivered += this.#unackedMessages;
      this.#dispatcher.redeliverAll(this);
    } else {
      this.#redelivered += positions.length;
      this.#dispatcher.redeliver(this, positions);
    }
    this.#releaseBlockedPermits();
  }

  /** Forgets an entry it held without acknowledging it. Answers what it was. */
  release(position: Position): PendingAck | undefined {
    const pending = this.pendingAcks.get(position);
    if (pending === undefined) return undefined;
    this.pendingAcks.delete(position);
    this.#removeUnacked(pending.messages);
    return pending;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.subscription.removeConsumer(this);
  }

  /** CLOSE_CONSUMER: the client is told to connect again. */
  disconnect(): void {
    if (this.#closed) return;
    this.options.session.closeConsumer(this.options.consumerId);
    this.close();
  }

  tellEndOfTopic(): void {
    if (this.#endOfTopicTold || this.#closed) return;
    this.#endOfTopicTold = true;
    this.options.session.reachedEndOfTopic(this.options.consumerId);
  }

  stats(): ConsumerStats {
    const { options } = this;
    return {
      consumerName: options.consumerName,
      availablePermits: this.#permits,
      unackedMessages: this.#unackedMessages,
      blockedOnUnackedMessages: this.#blocked,
      msgOutCounter: this.#messagesOut,
      bytesOutCounter: this.#bytesOut,
      messageAckCounter: this.#messagesAcked,
      redeliveredCounter: this.#redelivered,
      connectedSinceMs: this.#connectedSinceMs,
      address: options.session.remoteAddress,
      clientVersion: options.session.clientVersion,
      metadata: options.metadata,
      keyHashRanges: this.#dispatcher.keyHashRanges(this),
    };
  }

  #addUnacked(messages: number): void {
    this.#unackedMessages += messages;
    const max = this.subscription.context.maxUnackedMessagesPerConsumer;
    if (max > 0 && this.#unackedMessages >= max) this.#blocked = true;
  }

  #removeUnacked(messages: number): void {
    this.#unackedMessages = Math.max(0, this.#unackedMessages - messages);
  }

  #unblock(): void {
    const max = this.subscription.context.maxUnackedMessagesPerConsumer;
    if (!this.#blocked || (max > 0 && this.#unackedMessages > max / 2)) return;
    this.#blocked = false;
    this.#releaseBlockedPermits();
  }

  #releaseBlockedPermits(): void {
    this.#permits += this.#permitsWhileBlocked;
    this.#permitsWhileBlocked = 0;
    this.#dispatcher.consumerReady(this);
  }
}

function countBits(words: readonly { low: number; high: number }[]): number {
  let count = 0;
  for (const { low, high } of words) count += popCount(low) + popCount(high);
  return count;
}

function popCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
