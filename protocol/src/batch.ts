import { writeUint32 } from "./frame-encoder.ts";
import {
  type Decoded,
  decodeSingleMessageMetadata,
  encodeSingleMessageMetadata,
  type SingleMessageMetadata,
} from "./messages.ts";
import { Reader, Writer } from "./protobufjs.ts";
import { ProtocolError } from "./protocol-error.ts";

/** One message inside a batch. `payload` is a view of the batch. */
export interface BatchedMessage {
  metadata: Decoded<SingleMessageMetadata>;
  payload: Uint8Array;
}

/** What goes before one message of a batch: `metadataSize u32, SingleMessageMetadata`. The payload follows. */
export function encodeBatchedHead(metadata: SingleMessageMetadata): Uint8Array {
  const head = encodeSingleMessageMetadata(metadata, Writer.create().fixed32(0)).finish();
  writeUint32(head, 0, head.length - 4);
  return head;
}

/** A batch's payload from its messages; `payloadSize` of each metadata must be the length of its payload. */
export function encodeBatch(messages: readonly { metadata: SingleMessageMetadata; payload: Uint8Array }[]): Uint8Array {
  const parts = messages.flatMap((m) => [encodeBatchedHead(m.metadata), m.payload]);
  const batch = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    batch.set(part, offset);
    offset += part.length;
  }
  return batch;
}

/**
 * Takes the payload of a batch apart, after decompression.
 * @param count `num_messages_in_batch` of the entry's metadata.
 */
export function decodeBatch(payload: Uint8Array, count: number): BatchedMessage[] {
  const reader = Reader.create(payload);
  const messages: BatchedMessage[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const size = new DataView(payload.buffer, payload.byteOffset + reader.pos).getUint32(0);
      reader.pos += 4;
      const metadata = decodeSingleMessageMetadata(reader, size);
      const end = reader.pos + metadata.payloadSize;
      if (metadata.payloadSize < 0 || end > payload.length) {
        throw new ProtocolError("Truncated", `message ${i} of ${count} in a batch is cut off`);
      }
      messages.push({ metadata, payload: payload.subarray(reader.pos, end) });
      reader.pos = end;
    }
  } catch (error) {
    throw ProtocolError.from(error);
  }
  return messages;
}
