import {
  CommandType,
  CompressionType,
  type EncryptionKeys,
  encodeMessageFrame,
  type MessageMetadata,
} from "@pulsewire/protocol";
import type { Clock, CompressionName } from "@pulsewire/runtime";
import type { PendingSend } from "./pending-send.ts";
import { keyBytes, type ProducerMessage, type VersionedMessage, wireKey } from "./producer-message.ts";

/** What the frames of one producer have in common. */
export interface FrameSource {
  readonly producerId: number;
  readonly producerName: string;
  readonly schemaVersion: Uint8Array | undefined;
  readonly compression: CompressionName;
  readonly clock: Clock;
}

/** Replication to no other cluster, as the wire says it. */
const LOCAL_ONLY: readonly string[] = ["__local__"];

/** Which part of a message an entry holds. */
export interface ChunkPart {
  readonly uuid: string;
  readonly index: number;
  readonly count: number;
  /** Of all chunks together, in bytes. */
  readonly totalBytes: number;
}

/** What an entry's metadata tells of how its payload was encrypted. */
export interface Seal {
  readonly keys: readonly EncryptionKeys[];
  readonly param: Uint8Array;
}

/**
 * The head of an entry's frame. `body` is the payload as it goes over the wire: compressed where the source says so,
 * encrypted where there is a seal, the part of a message where there is a chunk.
 */
export function frameHead(
  send: PendingSend,
  body: Uint8Array,
  source: FrameSource,
  chunk: ChunkPart | undefined,
  seal: Seal | undefined,
): Uint8Array {
  const batched = send.single === undefined;
  const transaction = send.first?.transaction;
  const command = {
    type: CommandType.SEND,
    body: {
      producerId: source.producerId,
      sequenceId: send.sequenceId,
      numMessages: batched ? send.count : undefined,
      highestSequenceId: batched ? send.highestSequenceId : undefined,
      txnidLeastBits: transaction?.id.leastSigBits,
      txnidMostBits: transaction?.id.mostSigBits,
      isChunk: chunk === undefined ? undefined : true,
    },
  };
  const metadata = metadataOf(send, source);
  if (chunk !== undefined) {
    metadata.uuid = chunk.uuid;
    metadata.chunkId = chunk.index;
    metadata.numChunksFromMsg = chunk.count;
    metadata.totalChunkMsgSize = chunk.totalBytes;
  }
  if (seal !== undefined) {
    metadata.encryptionKeys = seal.keys;
    metadata.encryptionParam = seal.param;
  }
  return encodeMessageFrame(command, metadata, body);
}

function metadataOf(send: PendingSend, source: FrameSource): MessageMetadata {
  const metadata: MessageMetadata = {
    producerName: source.producerName,
    sequenceId: send.sequenceId,
    publishTime: source.clock.now(),
    schemaVersion: (send.first as VersionedMessage | undefined)?.schemaVersion ?? source.schemaVersion,
  };
  const transaction = send.first?.transaction;
  if (transaction !== undefined) {
    metadata.txnidLeastBits = transaction.id.leastSigBits;
    metadata.txnidMostBits = transaction.id.mostSigBits;
  }
  if (source.compression !== "NONE") {
    metadata.compression = CompressionType[source.compression];
    metadata.uncompressedSize = send.payload.length;
  }
  if (send.single !== undefined) {
    addMessage(metadata, send.single, source.clock);
    return metadata;
  }
  metadata.numMessagesInBatch = send.count;
  metadata.highestSequenceId = send.highestSequenceId;
  // the broker dispatches a batch by the key of its first message, which it takes from here
  if (send.first !== undefined) addKeys(metadata, send.first);
  return metadata;
}

function addMessage(metadata: MessageMetadata, message: ProducerMessage, clock: Clock): void {
  const { properties, eventTime, deliverAt, deliverAfterMs, replicationClusters, disableReplication } = message;
  addKeys(metadata, message);
  if (properties !== undefined) {
    metadata.properties = Object.entries(properties).map(([key, value]) => ({ key, value }));
  }
  if (eventTime !== undefined) metadata.eventTime = eventTime;
  if (message.data === null) metadata.nullValue = true;
  if (deliverAt !== undefined) metadata.deliverAtTime = deliverAt;
  else if (deliverAfterMs !== undefined) metadata.deliverAtTime = clock.now() + deliverAfterMs;
  if (disableReplication === true) metadata.replicateTo = LOCAL_ONLY;
  else if (replicationClusters !== undefined) metadata.replicateTo = replicationClusters;
}

function addKeys(metadata: MessageMetadata, message: ProducerMessage): void {
  const { key, orderingKey } = message;
  if (key !== undefined) {
    const wire = wireKey(key);
    metadata.partitionKey = wire.text;
    if (wire.base64) metadata.partitionKeyB64Encoded = true;
  }
  if (orderingKey !== undefined) metadata.orderingKey = keyBytes(orderingKey);
}
