import {
  compareMessageIds,
  deserializeMessageId,
  EARLIEST,
  LATEST,
  type MessageIdData,
  serializeMessageId,
} from "@pulsewire/protocol";
import { describe, text } from "./check-options.ts";
import { InvalidConfigurationError, toPulsarError } from "./errors.ts";

/** Where one chunk of a chunked message is. */
export interface ChunkPlace {
  readonly ledgerId: number;
  readonly entryId: number;
}

/** What a MessageId is made of. Absent numbers are -1, absent sizes 0. */
export interface MessageIdFields {
  ledgerId: number;
  entryId: number;
  partition?: number;
  batchIndex?: number;
  batchSize?: number;
  topic?: string;
}

/**
 * Where a message is: ledger and entry, the partition, and its index where it came in a batch.
 * Ids of one partition are ordered as their messages are.
 */
export class MessageId {
  /** Before the first message of a topic. */
  static readonly earliest: MessageId = new MessageId(EARLIEST.ledgerId, EARLIEST.entryId, -1, -1, 0, undefined);
  /** Behind the last message of a topic. */
  static readonly latest: MessageId = new MessageId(LATEST.ledgerId, LATEST.entryId, -1, -1, 0, undefined);

  readonly ledgerId: number;
  readonly entryId: number;
  /** The partition's number, or -1 for a topic without partitions. */
  readonly partition: number;
  /** The index inside a batch, or -1 for a message that came alone. */
  readonly batchIndex: number;
  /** How many messages the batch has; 0 where there is no batch or its size is not known. */
  readonly batchSize: number;
  /** The topic (the partition's full name), where the id came from a producer or a consumer. Not serialised. */
  readonly topic: string | undefined;
  /**
   * Of a message that was sent in chunks: where they are, in order; the last is this id's own place. An id that was
   * serialised keeps the first and the last.
   */
  readonly chunks: readonly ChunkPlace[] | undefined;

  constructor(
    ledgerId: number,
    entryId: number,
    partition: number,
    batchIndex: number,
    batchSize: number,
    topic: string | undefined,
    chunks?: readonly ChunkPlace[],
  ) {
    this.ledgerId = ledgerId;
    this.entryId = entryId;
    this.partition = partition;
    this.batchIndex = batchIndex;
    this.batchSize = batchSize;
    this.topic = topic;
    this.chunks = chunks;
  }

  /** Throws an InvalidConfigurationError for numbers that no message has. */
  static of(fields: MessageIdFields): MessageId {
    if (typeof fields !== "object" || fields === null) {
      throw new InvalidConfigurationError(`a message id takes { ledgerId, entryId }, not ${describe(fields)}`);
    }
    const { ledgerId, entryId, partition = -1, batchIndex = -1, batchSize = 0, topic } = fields;
    checkNumber("ledgerId", ledgerId, -1, LONG_MAX);
    checkNumber("entryId", entryId, -1, LONG_MAX);
    checkNumber("partition", partition, -1, INT_MAX);
    checkNumber("batchSize", batchSize, 0, INT_MAX);
    checkNumber("batchIndex", batchIndex, -1, batchSize > 0 ? batchSize - 1 : INT_MAX);
    if (topic !== undefined) text("a message id's topic", topic);
    return new MessageId(ledgerId, entryId, partition, batchIndex, batchSize, topic);
  }

  /** The id as every official client serialises it. */
  toBytes(): Uint8Array {
    return serializeMessageId(this.#data());
  }

  /** Reads what `toBytes` of this or of another client wrote. Throws a PulsarError on broken bytes. */
  static fromBytes(bytes: Uint8Array): MessageId {
    try {
      return messageIdOf(deserializeMessageId(bytes), undefined);
    } catch (error) {
      throw toPulsarError(error);
    }
  }

  equals(other: MessageId): boolean {
    return this.compareTo(other) === 0;
  }

  /** Negative where this id comes first, by ledger, entry, partition and batch index. */
  compareTo(other: MessageId): number {
    return compareMessageIds(this, other);
  }

  /** `ledger:entry:partition`, and `:index` behind it for a message of a batch. */
  toString(): string {
    const place = `${this.ledgerId}:${this.entryId}:${this.partition}`;
    return this.batchIndex < 0 ? place : `${place}:${this.batchIndex}`;
  }

  #data(): MessageIdData {
    const { ledgerId, entryId, partition, batchIndex, batchSize } = this;
    const data: MessageIdData = { ledgerId, entryId };
    if (partition >= 0) data.partition = partition;
    if (batchIndex >= 0) data.batchIndex = batchIndex;
    if (batchSize > 0) data.batchSize = batchSize;
    const first = this.chunks?.[0];
    if (first !== undefined) data.firstChunkMessageId = { ledgerId: first.ledgerId, entryId: first.entryId };
    return data;
  }
}

const INT_MAX = 2 ** 31 - 1;
/** The end of a topic in the admin REST; rounded up, as a JavaScript number has it. */
const LONG_MAX = 2 ** 63;

function checkNumber(name: string, value: unknown, min: number, max: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return;
  throw new InvalidConfigurationError(
    `a message id's ${name} takes a whole number from ${min} to ${max}, not ${describe(value)}`,
  );
}

/** The id of the protocol as the application sees it. */
export function messageIdOf(data: MessageIdData, topic: string | undefined): MessageId {
  const { ledgerId, entryId, partition = -1, batchIndex = -1, batchSize = 0, firstChunkMessageId: first } = data;
  const chunks =
    first === undefined
      ? undefined
      : [
          { ledgerId: first.ledgerId, entryId: first.entryId },
          { ledgerId, entryId },
        ];
  return new MessageId(ledgerId, entryId, partition, batchIndex, batchSize, topic, chunks);
}
