import { CommandSubscribeSubType, ProducerAccessMode } from "@pulsewire/protocol";
import type { ConsumerStats, SubscriptionStats } from "../broker/subscription/contracts.ts";
import type { ProducerStats, TopicStats } from "../broker/topic/topic.ts";
import { comparePositions, formatPosition, type ManagedCursor, type ManagedLedger } from "../managed-ledger/index.ts";
import type { AdminTopic, BrokerAddress } from "./admin-context.ts";

/** Rates in messages and bytes per second, as a sampler knows them. */
export interface Rates {
  msgRateIn: number;
  msgThroughputIn: number;
  msgRateOut: number;
  msgThroughputOut: number;
}

type Json = Record<string, unknown>;

const nameOf = (values: Record<string, number>, value: number | undefined): string =>
  Object.entries(values).find(([, v]) => v === value)?.[0] ?? "None";

const isoTime = (ms: number): string => new Date(ms).toISOString();

function publisherJson(p: ProducerStats): Json {
  return {
    accessMode: nameOf(ProducerAccessMode, p.accessMode),
    producerId: p.producerId,
    producerName: p.producerName,
    address: p.address,
    connectedSince: isoTime(p.connectedSinceMs),
    clientVersion: p.clientVersion,
    metadata: p.metadata,
    supportsPartialProducer: false,
    averageMsgSize: p.msgInCounter === 0 ? 0 : p.bytesInCounter / p.msgInCounter,
  };
}

function consumerJson(c: ConsumerStats): Json {
  return {
    consumerName: c.consumerName,
    availablePermits: c.availablePermits,
    unackedMessages: c.unackedMessages,
    blockedConsumerOnUnackedMsgs: c.blockedOnUnackedMessages,
    msgOutCounter: c.msgOutCounter,
    bytesOutCounter: c.bytesOutCounter,
    address: c.address,
    connectedSince: isoTime(c.connectedSinceMs),
    clientVersion: c.clientVersion,
    metadata: c.metadata,
    ...(c.keyHashRanges === undefined ? {} : { keyHashRanges: c.keyHashRanges }),
  };
}

function subscriptionJson(s: SubscriptionStats, cursor: ManagedCursor | undefined, backlogBytes: number): Json {
  return {
    msgOutCounter: s.msgOutCounter,
    bytesOutCounter: s.bytesOutCounter,
    msgBacklog: s.msgBacklog,
    msgBacklogNoDelayed: s.msgBacklog - s.msgDelayed,
    backlogSize: backlogBytes,
    blockedSubscriptionOnUnackedMsgs: s.blockedOnUnackedMessages,
    msgDelayed: s.msgDelayed,
    unackedMessages: s.unackedMessages,
    type: nameOf(CommandSubscribeSubType, s.type),
    ...(s.activeConsumerName === undefined ? {} : { activeConsumerName: s.activeConsumerName }),
    lastConsumedTimestamp: s.lastConsumedTimestamp,
    lastAckedTimestamp: s.lastAckedTimestamp,
    consumers: s.consumers.map(consumerJson),
    isDurable: s.durable,
    durable: s.durable,
    isReplicated: false,
    replicated: false,
    nonContiguousDeletedMessagesRanges: cursor?.deletedRanges.length ?? 0,
    subscriptionProperties: s.properties,
  };
}

/** Bytes a cursor has not acknowledged, estimated from its share of the entries. */
function backlogBytes(ledger: ManagedLedger, entries: number): number {
  return ledger.entryCount === 0 ? 0 : Math.round((ledger.sizeBytes * entries) / ledger.entryCount);
}

/** A topic's statistics as `/stats` shows them. */
export function topicStatsJson(topic: AdminTopic, owner: BrokerAddress, rates: Rates): Json {
  const stats: TopicStats = topic.stats();
  const { ledger } = topic;
  const subscriptions: Record<string, Json> = {};
  let backlogSize = 0;
  for (const [name, s] of stats.subscriptions) {
    const bytes = stats.persistent ? backlogBytes(ledger, s.backlogEntries) : 0;
    subscriptions[name] = subscriptionJson(
      s,
      stats.persistent ? topic.subscriptions.get(name)?.cursor : undefined,
      bytes,
    );
    backlogSize = Math.max(backlogSize, bytes);
  }
  return {
    ...rates,
    bytesInCounter: stats.bytesInCounter,
    msgInCounter: stats.msgInCounter,
    bytesOutCounter: stats.bytesOutCounter,
    msgOutCounter: stats.msgOutCounter,
    averageMsgSize: stats.msgInCounter === 0 ? 0 : stats.bytesInCounter / stats.msgInCounter,
    msgChunkPublished: stats.publishers.some((p) => p.chunkedMessageCounter > 0),
    storageSize: stats.storageSize,
    backlogSize,
    publishers: stats.publishers.map(publisherJson),
    subscriptions,
    replication: {},
    deduplicationStatus: stats.deduplicationStatus,
    ...(stats.topicEpoch === undefined ? {} : { topicEpoch: stats.topicEpoch }),
    ownerBroker: owner.brokerId,
    topicCreationTimeStamp: stats.createdMs,
  };
}

const SUMMED = [
  "msgRateIn",
  "msgThroughputIn",
  "msgRateOut",
  "msgThroughputOut",
  "bytesInCounter",
  "msgInCounter",
  "bytesOutCounter",
  "msgOutCounter",
  "storageSize",
  "backlogSize",
];

const SUMMED_OF_SUBSCRIPTION = [
  "msgOutCounter",
  "bytesOutCounter",
  "msgBacklog",
  "msgBacklogNoDelayed",
  "backlogSize",
  "unackedMessages",
  "msgDelayed",
];

function addInto(total: Json, more: Json, fields: readonly string[]): void {
  for (const field of fields) total[field] = Number(total[field] ?? 0) + Number(more[field] ?? 0);
}

/** What `/partitioned-stats` shows: the sums of the partitions' statistics, and those themselves. */
export function partitionedStatsJson(partitions: ReadonlyMap<string, Json>, perPartition: boolean): Json {
  const total: Json = { publishers: [], subscriptions: {}, replication: {} };
  const subscriptions = total.subscriptions as Record<string, Json>;
  for (const stats of partitions.values()) {
    addInto(total, stats, SUMMED);
    (total.publishers as unknown[]).push(...(stats.publishers as unknown[]));
    for (const [name, s] of Object.entries(stats.subscriptions as Record<string, Json>)) {
      const sum = subscriptions[name];
      if (sum === undefined) subscriptions[name] = { ...s, consumers: [...(s.consumers as unknown[])] };
      else {
        addInto(sum, s, SUMMED_OF_SUBSCRIPTION);
        (sum.consumers as unknown[]).push(...(s.consumers as unknown[]));
      }
    }
  }
  total.averageMsgSize = total.msgInCounter === 0 ? 0 : Number(total.bytesInCounter) / Number(total.msgInCounter);
  total.metadata = { partitions: partitions.size, deleted: false };
  total.partitions = perPartition ? Object.fromEntries(partitions) : {};
  return total;
}

function cursorJson(cursor: ManagedCursor): Json {
  const ranges = cursor.deletedRanges.map(
    (r) => `(${formatPosition(r.lowerExclusive)}..${formatPosition(r.upperInclusive)}]`,
  );
  const { ledger } = cursor;
  return {
    markDeletePosition: formatPosition(cursor.markDeleted),
    readPosition: formatPosition(cursor.readPosition),
    individuallyDeletedMessages: `[${ranges.join(",")}]`,
    totalNonContiguousDeletedMessagesRange: ranges.length,
    numberOfEntriesSinceFirstNotAckedMessage:
      comparePositions(cursor.readPosition, cursor.markDeleted) > 0
        ? ledger.countEntries(cursor.markDeleted, ledger.previousPosition(cursor.readPosition)) + 1
        : 0,
    state: "Open",
    properties: cursor.properties,
  };
}

/** A managed ledger's state as `/internalStats` shows it. */
export function internalStatsJson(ledger: ManagedLedger): Json {
  const current = ledger.ledgers.at(-1);
  return {
    entriesAddedCounter: ledger.entriesAdded,
    numberOfEntries: ledger.entryCount,
    totalSize: ledger.sizeBytes,
    currentLedgerEntries: current?.entries ?? 0,
    currentLedgerSize: current?.sizeBytes ?? 0,
    lastConfirmedEntry: formatPosition(ledger.lastConfirmed),
    state: ledger.terminatedAt === undefined ? "LedgerOpened" : "Terminated",
    ledgers: ledger.ledgers.map((l) => ({
      ledgerId: l.ledgerId,
      // Pulsar shows the open ledger with no entries yet
      entries: l.closedAtMs === undefined ? 0 : l.entries,
      size: l.closedAtMs === undefined ? 0 : l.sizeBytes,
      offloaded: false,
      underReplicated: false,
    })),
    cursors: Object.fromEntries([...ledger.cursors].filter(([, c]) => c.durable).map(([n, c]) => [n, cursorJson(c)])),
    properties: {},
    schemaLedgers: [],
    compactedLedger: { ledgerId: -1, entries: -1, size: -1, offloaded: false, underReplicated: false },
  };
}
