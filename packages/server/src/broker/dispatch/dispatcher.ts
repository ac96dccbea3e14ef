import type { Position } from "../../managed-ledger/position.ts";
import type { AttachedConsumer } from "../subscription/consumer.ts";
import type { SubscriptionType } from "../subscription/contracts.ts";

/** Entries read at once (`dispatcherMaxReadBatchSize`). */
export const READ_BATCH_ENTRIES: number = 100;
/** Bytes read at once (`dispatcherMaxReadSizeBytes`): 5 MiB. */
export const READ_BATCH_BYTES: number = 5 * 1024 * 1024;

/** Brings entries from the cursor to the consumers of one subscription, by the rules of its type. */
export interface Dispatcher {
  readonly type: SubscriptionType;
  readonly consumers: readonly AttachedConsumer[];
  readonly activeConsumer: AttachedConsumer | undefined;
  readonly totalUnackedMessages: number;
  readonly blockedOnUnackedMessages: boolean;
  readonly delayedMessages: number;
  /** Throws a BrokerError when the consumer cannot join. */
  addConsumer(consumer: AttachedConsumer): void;
  removeConsumer(consumer: AttachedConsumer): void;
  /** A consumer can take more: it gave permits, acknowledged, or its socket has room again. */
  consumerReady(consumer: AttachedConsumer): void;
  /** Everything the consumer holds is to be delivered again. */
  redeliverAll(consumer: AttachedConsumer): void;
  /** These entries, which the consumer held, are to be delivered again. */
  redeliver(consumer: AttachedConsumer, positions: readonly Position[]): void;
  /** `messages` of an entry that was out with a key hash were acknowledged; `done` when they were the last of it. */
  acknowledged(position: Position, hash: number, messages: number, done: boolean): void;
  /** Entries were acknowledged past the consumers (skipped, expired): forget those that are. */
  acknowledgedElsewhere(): void;
  /** New entries may be there. */
  notify(): void;
  /** The cursor was moved: nothing that was planned holds any more. */
  reset(): void;
  keyHashRanges(consumer: AttachedConsumer): readonly string[] | undefined;
}
