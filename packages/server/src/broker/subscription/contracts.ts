import type { CommandSubscribe, KeySharedMeta, MessageIdData, Schema } from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { Entry, ManagedCursor, ManagedLedger, Position } from "../../managed-ledger/index.ts";
import type { AckSet } from "../../managed-ledger/managed-ledger.ts";

/** Pulsar's subscription types by the numbers of CommandSubscribe.SubType. */
export type SubscriptionType = CommandSubscribe["subType"];

/** One entry on its way to a consumer. */
export interface Delivery {
  entry: Entry;
  redeliveryCount: number;
  /** What is left of a batch that is acknowledged in part. */
  ackSet: AckSet | undefined;
}

/**
 * The side of a consumer that faces its connection. The connection implements it; delivery calls it.
 * No method throws, and none calls back into the subscription before it returned.
 */
export interface ConsumerSession {
  readonly remoteAddress: string;
  readonly clientVersion: string;
  /** False while the socket has more queued than its high-water mark: hold deliveries until `onWritable`. */
  readonly writable: boolean;
  /** Writes MESSAGE frames for the deliveries, in order. */
  deliver(consumerId: number, deliveries: readonly Delivery[], consumerEpoch: number | undefined): void;
  /** ACTIVE_CONSUMER_CHANGE, for clients that know it. */
  activeConsumerChanged(consumerId: number, active: boolean): void;
  /** Whether the connection still answers; asked before another is refused what this one's consumer holds. */
  checkAlive(): Promise<boolean>;
  /** REACHED_END_OF_TOPIC. */
  reachedEndOfTopic(consumerId: number): void;
  /** CLOSE_CONSUMER: the client connects again by itself. */
  closeConsumer(consumerId: number): void;
}

/** What SUBSCRIBE said of a consumer. */
export interface ConsumerOptions {
  consumerId: number;
  consumerName: string;
  type: SubscriptionType;
  /** Lower is served first. Default 0. */
  priorityLevel: number;
  metadata: Readonly<Record<string, string>>;
  readCompacted: boolean;
  keySharedMeta: KeySharedMeta | undefined;
  startMessageId: MessageIdData | undefined;
  schema: Schema | undefined;
  consumerEpoch: number | undefined;
  session: ConsumerSession;
}

/** One message id of an ACK. */
export interface AckRequest {
  position: Position;
  /** Bits 0 are acknowledged; undefined acknowledges the entry. */
  ackSet: AckSet | undefined;
}

export interface ConsumerStats {
  consumerName: string;
  availablePermits: number;
  unackedMessages: number;
  blockedOnUnackedMessages: boolean;
  msgOutCounter: number;
  bytesOutCounter: number;
  messageAckCounter: number;
  redeliveredCounter: number;
  connectedSinceMs: number;
  address: string;
  clientVersion: string;
  metadata: Readonly<Record<string, string>>;
  keyHashRanges: readonly string[] | undefined;
}

/** One attached consumer, as the connection holds it. */
export interface BrokerConsumer {
  readonly options: ConsumerOptions;
  readonly subscription: Subscription;
  /** FLOW: this many more messages may be pushed. */
  flow(messages: number): void;
  /** ACK individual. Rejects nothing: what is already acknowledged is fine. */
  acknowledge(acks: readonly AckRequest[]): void;
  /** ACK cumulative. Throws a BrokerError where the subscription type does not allow it. */
  acknowledgeCumulative(ack: AckRequest): void;
  /** Resolves when what was acknowledged until now is stored. */
  flushAcknowledgements(): Promise<void>;
  /** REDELIVER_UNACKNOWLEDGED_MESSAGES; no positions means all that this consumer holds. */
  redeliver(positions: readonly Position[] | undefined, consumerEpoch: number | undefined): void;
  /** The socket has room again. */
  onWritable(): void;
  /** The consumer goes (closed, or its connection did); what it holds is delivered again. */
  close(): void;
  stats(): ConsumerStats;
}

export interface SubscriptionStats {
  name: string;
  type: SubscriptionType | undefined;
  msgBacklog: number;
  backlogEntries: number;
  unackedMessages: number;
  msgOutCounter: number;
  bytesOutCounter: number;
  redeliveredCounter: number;
  blockedOnUnackedMessages: boolean;
  msgDelayed: number;
  activeConsumerName: string | undefined;
  durable: boolean;
  /** Reads of entries for its consumers that failed. */
  readFailures: number;
  properties: Readonly<Record<string, string>>;
  consumers: readonly ConsumerStats[];
  lastConsumedTimestamp: number;
  lastAckedTimestamp: number;
}

/** A subscription of a persistent topic: a cursor, the consumers attached to it, and the dispatcher between them. */
export interface Subscription {
  readonly name: string;
  readonly cursor: ManagedCursor;
  readonly consumers: readonly BrokerConsumer[];
  /** The type of the consumers attached; undefined while there is none. */
  readonly type: SubscriptionType | undefined;
  /** Throws a BrokerError: ConsumerBusy, ConsumerAssignError, ... */
  addConsumer(options: ConsumerOptions): BrokerConsumer;
  /** New entries may be there. Cheap, called after appends. */
  notify(): void;
  /** The topic was terminated; tells consumers that have read everything. */
  topicTerminated(): void;
  /** Disconnects all consumers (CLOSE_CONSUMER), then moves the cursor: the next delivery is at or after `position`. */
  seek(position: Position): Promise<void>;
  /** CLOSE_CONSUMER to all. */
  disconnectConsumers(): void;
  /** Acknowledges the next `count` unacknowledged entries. */
  skip(count: number): void;
  /** Acknowledges everything. */
  clearBacklog(): void;
  /** Acknowledges what was published before a time, in ms since 1970. Answers when it is done. */
  expireBefore(timestampMs: number): Promise<void>;
  stats(): SubscriptionStats;
  close(): Promise<void>;
}

/** What a subscription needs from around it. */
export interface SubscriptionContext {
  clock: Clock;
  ledger: ManagedLedger;
  topicName: string;
  /** `maxUnackedMessagesPerConsumer`. Default 50,000; 0 without limit. */
  maxUnackedMessagesPerConsumer: number;
  /** `maxUnackedMessagesPerSubscription`. Default 200,000; 0 without limit. */
  maxUnackedMessagesPerSubscription: number;
  /** `activeConsumerFailoverDelayTimeMillis`. Default 1,000 ms. */
  failoverDelayMs: number;
  /** Told what keeps it from being served. Default: nobody is. */
  onError?: (error: unknown) => void;
}
