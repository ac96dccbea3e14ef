import {
  type Bits64,
  CommandAckValidationError,
  type CommandMessage,
  CompressionType,
  type ParsedEntry,
  parseEntry,
  verifyChecksum,
} from "@pulsewire/protocol";
import type { Codec, CompressionName } from "@pulsewire/runtime";
import { type EntryContext, Message } from "../message.ts";
import type { ChunkPlace } from "../message-id.ts";
import type { ValueReader } from "../schema/value-reader.ts";
import { hasBit } from "./ack-set.ts";
import { BatchReader } from "./batch-reader.ts";

/** An entry nothing can be read of. */
export class BrokenEntryError extends Error {
  /** Told to the broker by an ACK. Undefined: it is this client that cannot, so the entry stays for others. */
  readonly reason: CommandAckValidationError | undefined;
  /** Of a message that was put together: where its chunks are, none of which is of any use either. */
  readonly chunks: readonly ChunkPlace[] | undefined;

  constructor(
    reason: CommandAckValidationError | undefined,
    detail: string,
    options: ErrorOptions & { readonly chunks?: readonly ChunkPlace[] | undefined } = {},
  ) {
    super(detail, options);
    this.name = "BrokenEntryError";
    this.reason = reason;
    this.chunks = options.chunks;
  }
}

const COMPRESSION_NAMES: readonly CompressionName[] = ["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"];

/** An entry whose checksum is right, with its payload as it came. */
export interface ReceivedEntry {
  readonly command: CommandMessage;
  readonly parsed: ParsedEntry;
  /** Of a message that was put together: where its chunks are. The rest is of the last one. */
  readonly chunks?: readonly ChunkPlace[];
  /** It could not be decrypted, and is to be delivered as it is. */
  readonly encrypted?: boolean;
}

/** Checks and opens an entry. Throws a BrokenEntryError. */
export function receiveEntry(command: CommandMessage, bytes: Uint8Array): ReceivedEntry {
  if (!verifyChecksum(bytes)) {
    throw new BrokenEntryError(CommandAckValidationError.ChecksumMismatch, "its checksum is wrong");
  }
  try {
    return { command, parsed: parseEntry(bytes) };
  } catch (error) {
    throw new BrokenEntryError(CommandAckValidationError.BatchDeSerializeError, String(error), { cause: error });
  }
}

/**
 * What one entry, or one chunked message, may become when it is uncompressed, in bytes. Pulsar bounds what is sent and not
 * what it was before, so this bounds memory only: a payload that compresses well may be far above the broker's limit.
 */
export const UNCOMPRESSED_BYTES_MAX: number = 256 * 1024 * 1024;

/** The payload as it was before compression. Throws, or rejects with, a BrokenEntryError. */
export function uncompress(entry: ReceivedEntry, payload: Uint8Array, codec: Codec): Uint8Array | Promise<Uint8Array> {
  const { metadata } = entry.parsed;
  const { chunks } = entry;
  const compression = metadata.compression ?? CompressionType.NONE;
  if (compression === CompressionType.NONE) return payload;
  const size = metadata.uncompressedSize ?? 0;
  if (size > UNCOMPRESSED_BYTES_MAX) {
    const detail = `it says to have ${size} bytes before compression, at most ${UNCOMPRESSED_BYTES_MAX} are taken`;
    throw new BrokenEntryError(CommandAckValidationError.UncompressedSizeCorruption, detail, { chunks });
  }
  const name = COMPRESSION_NAMES[compression];
  if (name === undefined || !codec.compressions.has(name)) {
    throw new BrokenEntryError(undefined, `this platform cannot undo compression ${name ?? compression}`, { chunks });
  }
  const fail = (error: unknown): never => {
    throw new BrokenEntryError(CommandAckValidationError.DecompressionError, String(error), { cause: error, chunks });
  };
  try {
    const bytes = codec.decompress(name, payload, size);
    return bytes instanceof Promise ? bytes.catch(fail) : bytes;
  } catch (error) {
    return fail(error);
  }
}

export interface EntryOrigin {
  readonly owner: object;
  readonly topic: string;
  readonly partition: number;
  readonly values?: ValueReader | undefined;
}

/** Throws a BrokenEntryError where the entry says to be a batch of no messages, or of fewer. */
export function checkBatchSize(entry: ReceivedEntry): void {
  const { numMessagesInBatch } = entry.parsed.metadata;
  if (numMessagesInBatch === undefined || numMessagesInBatch > 0) return;
  const detail = `it says to be a batch of ${numMessagesInBatch} messages`;
  throw new BrokenEntryError(CommandAckValidationError.BatchDeSerializeError, detail);
}

/** How many messages the entry's batch has; 0 where it is one message that came alone. */
export function batchSizeOf(entry: ReceivedEntry): number {
  return entry.encrypted === true ? 0 : (entry.parsed.metadata.numMessagesInBatch ?? 0);
}

/** Whether a message of the entry is wanted; those that are not are left out. */
export type Wanted = (batchIndex: number) => boolean;

/** The messages of an entry that are wanted and not acknowledged. Throws a BrokenEntryError. */
export function messagesOf(entry: ReceivedEntry, payload: Uint8Array, origin: EntryOrigin, wanted: Wanted): Message[] {
  const { command, parsed } = entry;
  const { metadata, brokerEntryMetadata } = parsed;
  const { ledgerId, entryId } = command.messageId;
  const batchSize = batchSizeOf(entry);
  const context: EntryContext = {
    owner: origin.owner,
    topic: origin.topic,
    partition: origin.partition,
    ledgerId,
    entryId,
    redeliveryCount: command.redeliveryCount ?? 0,
    metadata,
    brokerEntryMetadata,
    batchSize,
    batch: batchSize > 0 ? payload : NOTHING,
    chunks: entry.chunks,
    encrypted: entry.encrypted === true,
    values: origin.values,
  };
  if (batchSize === 0) return wanted(-1) ? [new Message(context, -1, payload, 0)] : [];
  return batchedMessages(context, command.ackSet ?? [], wanted);
}

function batchedMessages(context: EntryContext, ackSet: readonly Bits64[], wanted: Wanted): Message[] {
  const { batch, batchSize } = context;
  const reader = new BatchReader(batch);
  const messages: Message[] = [];
  try {
    for (let index = 0; index < batchSize; index++) {
      reader.next();
      if (reader.compactedOut || (ackSet.length > 0 && !hasBit(ackSet, index)) || !wanted(index)) continue;
      const data = batch.subarray(reader.metadataEnd, reader.payloadEnd);
      messages.push(new Message(context, index, data, reader.metadataStart));
    }
  } catch (error) {
    throw new BrokenEntryError(CommandAckValidationError.BatchDeSerializeError, String(error), {
      cause: error,
      chunks: context.chunks,
    });
  }
  return messages;
}

/**
 * How many messages of a delivered entry the broker has taken off the permits. It takes the producer's word for it: below 0
 * it has added to them.
 */
export function permitsOf(entry: ReceivedEntry): number {
  const { numMessagesInBatch } = entry.parsed.metadata;
  if (numMessagesInBatch === undefined) return 1;
  const ackSet = entry.command.ackSet ?? [];
  if (ackSet.length === 0 || numMessagesInBatch < 1) return numMessagesInBatch;
  let left = 0;
  const known = Math.min(numMessagesInBatch, ackSet.length * 64);
  for (let index = 0; index < known; index++) if (hasBit(ackSet, index)) left++;
  return left;
}

const NOTHING = new Uint8Array(0);
