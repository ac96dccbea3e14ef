/** One producer of a topic's statistics. */
export interface PublisherStats {
  readonly producerId: number;
  readonly producerName?: string;
  readonly accessMode?: string;
  readonly address?: string;
  readonly connectedSince?: string;
  readonly clientVersion?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** One consumer of a subscription's statistics. */
export interface ConsumerStats {
  readonly consumerName?: string;
  readonly availablePermits: number;
  readonly unackedMessages: number;
  readonly blockedConsumerOnUnackedMsgs: boolean;
  readonly msgOutCounter: number;
  readonly bytesOutCounter: number;
  readonly address?: string;
  readonly connectedSince?: string;
  readonly clientVersion?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface SubscriptionStats {
  /** Messages that are not acknowledged. */
  readonly msgBacklog: number;
  readonly msgBacklogNoDelayed: number;
  readonly msgDelayed: number;
  readonly unackedMessages: number;
  readonly blockedSubscriptionOnUnackedMsgs: boolean;
  readonly msgOutCounter: number;
  readonly bytesOutCounter: number;
  readonly type: string;
  readonly activeConsumerName?: string;
  readonly consumers: readonly ConsumerStats[];
  readonly subscriptionProperties?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** `topics.stats`. Rates are a second's; fields that a version has beside these are there too. */
export interface TopicStats {
  readonly msgRateIn: number;
  readonly msgThroughputIn: number;
  readonly msgRateOut: number;
  readonly msgThroughputOut: number;
  readonly msgInCounter: number;
  readonly bytesInCounter: number;
  readonly msgOutCounter: number;
  readonly bytesOutCounter: number;
  readonly averageMsgSize: number;
  readonly storageSize: number;
  readonly backlogSize: number;
  readonly publishers: readonly PublisherStats[];
  readonly subscriptions: Readonly<Record<string, SubscriptionStats>>;
  readonly deduplicationStatus?: string;
  readonly ownerBroker?: string;
  readonly [field: string]: unknown;
}

export interface PartitionedTopicStats extends TopicStats {
  readonly metadata: { readonly partitions: number };
  /** By the partitions' names; empty where they were not asked for. */
  readonly partitions: Readonly<Record<string, TopicStats>>;
}

export interface LedgerStats {
  readonly ledgerId: number;
  readonly entries: number;
  readonly size: number;
  readonly offloaded: boolean;
  readonly [field: string]: unknown;
}

export interface CursorStats {
  readonly markDeletePosition: string;
  readonly readPosition: string;
  readonly individuallyDeletedMessages: string;
  readonly state: string;
  readonly [field: string]: unknown;
}

/** `topics.internalStats`: the topic's managed ledger. */
export interface InternalStats {
  readonly entriesAddedCounter: number;
  readonly numberOfEntries: number;
  readonly totalSize: number;
  readonly currentLedgerEntries: number;
  readonly currentLedgerSize: number;
  readonly lastConfirmedEntry: string;
  readonly state: string;
  readonly ledgers: readonly LedgerStats[];
  readonly cursors: Readonly<Record<string, CursorStats>>;
  readonly [field: string]: unknown;
}
