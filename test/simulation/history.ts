import type { Message, MessageId } from "@pulsewire/client";

/** A place in a topic's log, for comparison and for reading. */
export interface Place {
  ledgerId: number;
  entryId: number;
  batchIndex: number;
}

export function placeOf({ ledgerId, entryId, batchIndex }: MessageId): Place {
  return { ledgerId, entryId, batchIndex };
}

export function textOfPlace({ ledgerId, entryId, batchIndex }: Place): string {
  return batchIndex < 0 ? `${ledgerId}:${entryId}` : `${ledgerId}:${entryId}:${batchIndex}`;
}

export function comparePlaces(a: Place, b: Place): number {
  return a.ledgerId - b.ledgerId || a.entryId - b.entryId || a.batchIndex - b.batchIndex;
}

/** One send, in the order of the calls. */
export interface Sent {
  topic: string;
  producer: string;
  text: string;
  key: string;
  /** Sends of one lane are stored in the order of their calls. */
  lane: string;
  outcome: { kind: "pending" } | { kind: "stored"; place: Place } | { kind: "failed"; why: string };
}

/** A message as somebody got it. */
export interface Seen {
  topic: string;
  place: Place;
  text: string;
  key: string;
  atMs: number;
}

/** A message that a consumer of a subscription got. */
export interface Delivered extends Seen {
  subscription: string;
  consumer: string;
  /** When the consumer began to subscribe: nothing can have lain in its queue before. Default: always there. */
  openedMs?: number;
}

/** The broker confirmed an acknowledgement of this message. */
export interface Receipt {
  topic: string;
  subscription: string;
  place: Place;
  atMs: number;
}

/** One ledger of a topic's list, and what its own metadata says, where there is any. */
export interface StoredLedger {
  ledgerId: number;
  listedEntries: number;
  state?: "OPEN" | "IN_RECOVERY" | "CLOSED";
  lastEntryId?: number;
  ensembleSize?: number;
  writeQuorum?: number;
  fragments?: readonly { firstEntryId: number; bookies: readonly string[] }[];
  /** Of a closed one: entries of which a bookie that should have a copy has none, after lost copies were made again. */
  entriesLackingCopies?: number;
}

/** What happened in one run, as those saw it who use the cluster. Checkers judge it, knowing nothing of the cluster. */
export class History {
  readonly sent: Sent[] = [];
  readonly delivered: Delivered[] = [];
  readonly receipts: Receipt[] = [];
  /** What readers that followed a topic saw, by reader. */
  readonly followed: Map<string, Seen[]> = new Map();
  /** The log of each topic, read after the end. */
  readonly logs: Map<string, Seen[]> = new Map();
  /** The ledgers of each topic, read after the end. */
  readonly ledgers: Map<string, StoredLedger[]> = new Map();
  /** Parts of files that could not be read, of bookies whose disks keep what was synced, one line each. */
  readonly damage: string[] = [];
  /** What belongs to nothing in the end, one line each. */
  readonly orphans: string[] = [];
}

export function seenOf(topic: string, message: Message, atMs: number): Seen {
  return { topic, place: placeOf(message.messageId), text: message.text(), key: message.key ?? "", atMs };
}
