import { type Decoded, decodeMessageIdData, encodeMessageIdData, type MessageIdData } from "./messages.ts";
import { decodeMessage } from "./protobuf-runtime.ts";
import { Writer } from "./protobufjs.ts";

/** The id before the first message of every topic. */
export const EARLIEST: Readonly<MessageIdData> = Object.freeze({ ledgerId: -1, entryId: -1, partition: -1 });
/** The id behind the last message of every topic; Java's `Long.MAX_VALUE`, which the codec keeps exact. */
export const LATEST: Readonly<MessageIdData> = Object.freeze({ ledgerId: 2 ** 63, entryId: 2 ** 63, partition: -1 });

/** A message id as bytes, as every official client writes it (`MessageId.toByteArray`). */
export function serializeMessageId(id: MessageIdData): Uint8Array {
  return encodeMessageIdData(id, Writer.create()).finish();
}

/** The message id in such bytes. Throws a ProtocolError when they are broken. */
export function deserializeMessageId(bytes: Uint8Array): Decoded<MessageIdData> {
  return decodeMessage(decodeMessageIdData, bytes);
}

/** Orders ids by ledger, entry, partition and batch index; absent means -1. Negative: `a` comes first. */
export function compareMessageIds(a: MessageIdData, b: MessageIdData): number {
  return (
    a.ledgerId - b.ledgerId ||
    a.entryId - b.entryId ||
    (a.partition ?? -1) - (b.partition ?? -1) ||
    (a.batchIndex ?? -1) - (b.batchIndex ?? -1)
  );
}
