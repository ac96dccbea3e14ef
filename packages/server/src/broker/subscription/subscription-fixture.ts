import { CommandSubscribeSubType, encodeBatch, encodeEntry, type MessageMetadata } from "@pulsewire/protocol";
import { deferred, type ManualClock } from "@pulsewire/runtime";
import type { ManagedLedger, Position } from "../../managed-ledger/index.ts";
import { StorageFixture } from "../../managed-ledger/storage-fixture.ts";
import type { BrokerConsumer, ConsumerOptions, ConsumerSession, Delivery, Subscription } from "./contracts.ts";
import { createSubscription } from "./subscription.ts";

const utf8 = new TextEncoder();

/** One delivery, as a client would see it. */
export interface Got {
  text: string;
  position: Position;
  redeliveryCount: number;
  ackSet: Delivery["ackSet"];
}

/** A consumer's connection that writes down what it is told. */
export class RecordingSession implements ConsumerSession {
  readonly remoteAddress: string = "memory:1";
  readonly clientVersion: string = "test";
  writable = true;
  readonly got: Got[] = [];
  readonly events: string[] = [];

  deliver(_consumerId: number, deliveries: readonly Delivery[]): void {
    for (const { entry, redeliveryCount, ackSet } of deliveries) {
      const position = { ledgerId: entry.ledgerId, entryId: entry.entryId };
      this.got.push({ text: entry.metadata.uuid ?? "", position, redeliveryCount, ackSet });
    }
  }

  activeConsumerChanged(_consumerId: number, active: boolean): void {
    this.events.push(active ? "active" : "inactive");
  }

  reachedEndOfTopic(): void {
    this.events.push("end");
  }

  closeConsumer(): void {
    this.events.push("closed");
  }

  checkAlive(): Promise<boolean> {
    return Promise.resolve(true);
  }

  get texts(): string[] {
    return this.got.map((g) => g.text);
  }

  /** What came since the last call. */
  take(): Got[] {
    return this.got.splice(0);
  }
}

export interface Attached {
  session: RecordingSession;
  consumer: BrokerConsumer;
}

/** A subscription over a managed ledger in memory, with a clock moved by hand. */
export class SubscriptionFixture {
  readonly clock: ManualClock;
  readonly ledger: ManagedLedger;
  readonly subscription: Subscription;
  #nextId = 1;
  #sequenceId = 0;

  private constructor(clock: ManualClock, ledger: ManagedLedger, subscription: Subscription) {
    this.clock = clock;
    this.ledger = ledger;
    this.subscription = subscription;
  }

  static async start(limits: { perConsumer?: number; perSubscription?: number } = {}): Promise<SubscriptionFixture> {
    const storage = await StorageFixture.start();
    const { clock } = storage;
    const ledger = await storage.open();
    const cursor = await ledger.openCursor("s");
    const context = {
      clock,
      ledger,
      topicName: "persistent://public/default/t",
      maxUnackedMessagesPerConsumer: limits.perConsumer ?? 50_000,
      maxUnackedMessagesPerSubscription: limits.perSubscription ?? 200_000,
      failoverDelayMs: 1000,
    };
    const subscription = createSubscription(context, "s", cursor);
    ledger.onAdvance(() => subscription.notify());
    return new SubscriptionFixture(clock, ledger, subscription);
  }

  join(type: keyof typeof CommandSubscribeSubType, permits = 1000, more: Partial<ConsumerOptions> = {}): Attached {
    const session = new RecordingSession();
    const consumerId = this.#nextId++;
    const consumer = this.subscription.addConsumer({
      consumerId,
      consumerName: `c${consumerId}`,
      type: CommandSubscribeSubType[type],
      priorityLevel: 0,
      metadata: {},
      readCompacted: false,
      keySharedMeta: undefined,
      startMessageId: undefined,
      schema: undefined,
      consumerEpoch: undefined,
      session,
      ...more,
    });
    if (permits > 0) consumer.flow(permits);
    return { session, consumer };
  }

  /** Publishes one message whose text the sessions write down. */
  async publish(text: string, more: Partial<MessageMetadata> = {}): Promise<Position> {
    const metadata = { producerName: "p", sequenceId: this.#sequenceId++, publishTime: this.clock.now(), uuid: text };
    const data = encodeEntry({ ...metadata, ...more }, utf8.encode(text));
    const { promise, resolve, reject } = deferred<Position>();
    this.ledger.append(data, { onAppended: resolve, onAppendFailed: reject });
    await this.clock.settle();
    return promise;
  }

  async publishAll(from: number, to: number, key?: (i: number) => string): Promise<Position[]> {
    const positions: Position[] = [];
    for (let i = from; i < to; i++) {
      positions.push(await this.publish(String(i), key === undefined ? {} : { partitionKey: key(i) }));
    }
    return positions;
  }

  /** Publishes one entry of several messages. */
  publishBatch(text: string, count: number): Promise<Position> {
    const payload = utf8.encode("m");
    const batch = encodeBatch(Array.from({ length: count }, () => ({ metadata: { payloadSize: 1 }, payload })));
    return this.publish(text, { numMessagesInBatch: count, uncompressedSize: batch.length });
  }
}

export function ack({ consumer }: Attached, ...positions: Position[]): void {
  consumer.acknowledge(positions.map((position) => ({ position, ackSet: undefined })));
}

export function range(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => String(from + i));
}
