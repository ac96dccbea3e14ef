import type {
  CommandSubscribe,
  Decoded,
  Int64,
  MessageIdData,
  MessageMetadata,
  Schema,
  TopicName,
} from "@pulsewire/protocol";
import type { Position } from "../../managed-ledger/index.ts";
import type { BrokerConsumer, ConsumerSession, SubscriptionStats } from "../subscription/contracts.ts";
import type { ProducerSession, TopicProducer } from "./producer.ts";

/** A consumer as its connection holds it, on a persistent topic or not. */
export type ConsumerHandle = Omit<BrokerConsumer, "subscription">;

/** What PRODUCER asks of a topic. */
export interface ProducerRequest {
  producerId: number;
  /** Empty: the broker makes one up. */
  producerName: string;
  userProvidedName: boolean;
  /** Of the producer, growing with each reconnect. */
  epoch: number;
  /** A ProducerAccessMode. */
  accessMode: number;
  topicEpoch: number | undefined;
  metadata: Readonly<Record<string, string>>;
  schema: Schema | undefined;
  initialSubscriptionName: string | undefined;
  session: ProducerSession;
}

/** What a new producer got. */
export interface ProducerGrant {
  producer: TopicProducer;
  /** -1 where nothing is known. */
  lastSequenceId: Int64;
  /** Empty without a schema. */
  schemaVersion: Uint8Array;
  /** Resolves once the producer may publish; undefined when it may at once (WaitForExclusive waits). */
  ready: Promise<void> | undefined;
}

/** What SUBSCRIBE asks of a topic. */
export interface SubscribeRequest {
  command: CommandSubscribe;
  consumerName: string;
  session: ConsumerSession;
}

/** Where a seek goes. */
export type SeekTarget =
  | { kind: "id"; messageId: MessageIdData }
  /** ms since 1970: the first message published at or after it. */
  | { kind: "time"; publishTimeMs: number };

export interface LastMessageId {
  position: Position;
  /** Index of the last message in its batch, -1 for one that is none. */
  batchIndex: number;
  markDeleted: Position | undefined;
}

export interface ProducerStats {
  producerId: number;
  producerName: string;
  accessMode: number;
  address: string;
  clientVersion: string;
  connectedSinceMs: number;
  metadata: Readonly<Record<string, string>>;
  msgInCounter: number;
  bytesInCounter: number;
  chunkedMessageCounter: number;
}

export interface TopicStats {
  name: string;
  persistent: boolean;
  msgInCounter: number;
  bytesInCounter: number;
  publishers: readonly ProducerStats[];
  subscriptions: ReadonlyMap<string, SubscriptionStats>;
  /** Delivered since the topic was loaded, to subscriptions that are gone too. */
  msgOutCounter: number;
  bytesOutCounter: number;
  /** Of one copy. */
  storageSize: number;
  /** Of all copies. */
  storedBytes: number;
  /** Bytes from the first ledger on that the slowest subscription still needs: what it pins. */
  backlogSize: number;
  topicEpoch: number | undefined;
  deduplicationStatus: "Enabled" | "Disabled";
  createdMs: number;
}

/** Why a topic disconnects those attached to it. */
export interface CloseTopicOptions {
  /** Where clients find the topic next, when that is known: spared a lookup. */
  assignedBroker?: { serviceUrl: string; serviceUrlTls: string | undefined };
}

/** A topic that is loaded in this broker. Rejections are BrokerErrors. */
export interface Topic {
  readonly name: TopicName;
  readonly producers: ReadonlyMap<string, TopicProducer>;

  addProducer(request: ProducerRequest): Promise<ProducerGrant>;
  /** Stores or delivers one entry; the outcome goes to the producer's session. Called for each message. */
  publish(
    producer: TopicProducer,
    sequenceId: Int64,
    highestSequenceId: Int64,
    metadata: Decoded<MessageMetadata>,
    entry: Uint8Array,
  ): void;
  removeProducer(producer: TopicProducer): void;

  subscribe(request: SubscribeRequest): Promise<ConsumerHandle>;
  /** `force` also disconnects other consumers. */
  unsubscribe(subscription: string, consumer: ConsumerHandle | undefined, force: boolean): Promise<void>;
  /** The consumer was closed by its client, or its connection is gone. */
  removeConsumer(subscription: string, consumer: ConsumerHandle): void;
  /** Disconnects the consumers, then moves the cursor. */
  seek(subscription: string, target: SeekTarget): Promise<void>;
  lastMessageId(subscription: string): Promise<LastMessageId>;
  subscriptionStats(subscription: string): SubscriptionStats | undefined;

  /** Writes the deduplication table, where there is one and it changed. Called every so often. */
  takeSnapshot(): void;
  /** Lets go of what is stored and not needed. Called every so often. */
  checkRetention(): void;
  /** Acknowledges messages past their time to live. Called every so often. */
  checkMessageExpiry(): void;
  /** Policies of the namespace or the topic changed. */
  policiesChanged(): Promise<void>;
  stats(): TopicStats;
  /** Disconnects everybody and lets the storage go; what is stored stays. */
  close(options?: CloseTopicOptions): Promise<void>;
  /** Disconnects everybody and deletes what is stored. `force` false: NotAllowedError while somebody is attached. */
  delete(force: boolean): Promise<void>;
}
