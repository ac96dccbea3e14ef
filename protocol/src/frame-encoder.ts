import { type Command, encodeCommand, encodeMessageMetadata, type MessageMetadata } from "../gen/pulsar-api.ts";
import { crc32c } from "./crc32c.ts";
import { Writer } from "./protobufjs.ts";

/** Marks the checksum before the metadata. */
export const MAGIC_CHECKSUM = 0x0e01;
/** Marks the broker's own metadata before everything else of an entry. */
export const MAGIC_BROKER_ENTRY_METADATA = 0x0e02;

/** Writes four bytes, big endian. */
export function writeUint32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

/**
 * The head of a frame: sizes and command. What follows it (`entrySize` bytes: checksum, metadata and payload) is
 * written after it as it is, so that a payload is never copied.
 * Layout: `totalSize u32, commandSize u32, BaseCommand`.
 */
export function encodeFrame(command: Command, entrySize = 0): Uint8Array {
  const writer = Writer.create().fixed32(0).fixed32(0);
  const frame = encodeCommand(command, writer).finish();
  writeUint32(frame, 0, frame.length - 4 + entrySize);
  writeUint32(frame, 4, frame.length - 8);
  return frame;
}

/**
 * The head of an entry, up to where the payload starts: `0x0e01, crc32c u32, metadataSize u32, MessageMetadata`.
 * The checksum covers everything behind it, the payload included.
 */
export function encodeEntryHead(metadata: MessageMetadata, payload: Uint8Array): Uint8Array {
  const writer = Writer.create().fixed32(0).fixed32(0).uint32(0).uint32(0);
  const head = encodeMessageMetadata(metadata, writer).finish();
  head[0] = MAGIC_CHECKSUM >>> 8;
  head[1] = MAGIC_CHECKSUM & 255;
  writeUint32(head, 6, head.length - 10);
  writeUint32(head, 2, crc32c(payload, 0, payload.length, crc32c(head, 6)));
  return head;
}

/** A whole entry in one piece of memory; for tests and for entries the broker itself writes. */
export function encodeEntry(metadata: MessageMetadata, payload: Uint8Array): Uint8Array {
  const head = encodeEntryHead(metadata, payload);
  const entry = new Uint8Array(head.length + payload.length);
  entry.set(head);
  entry.set(payload, head.length);
  return entry;
}

/**
 * Everything of a frame that carries an entry, up to where the payload starts: the heads of `encodeFrame` and
 * `encodeEntryHead` in one piece, so that a sender writes two pieces a frame.
 */
export function encodeMessageFrame(command: Command, metadata: MessageMetadata, payload: Uint8Array): Uint8Array {
  const writer = encodeCommand(command, Writer.create().fixed32(0).fixed32(0));
  const entry = writer.len;
  const head = encodeMessageMetadata(metadata, writer.fixed32(0).fixed32(0).uint32(0).uint32(0)).finish();
  writeUint32(head, 0, head.length - 4 + payload.length);
  writeUint32(head, 4, entry - 8);
  head[entry] = MAGIC_CHECKSUM >>> 8;
  head[entry + 1] = MAGIC_CHECKSUM & 255;
  writeUint32(head, entry + 6, head.length - entry - 10);
  writeUint32(head, entry + 2, crc32c(payload, 0, payload.length, crc32c(head, entry + 6)));
  return head;
}
