import { crc32c } from "./crc32c.ts";
import { MAGIC_BROKER_ENTRY_METADATA, MAGIC_CHECKSUM } from "./frame-encoder.ts";
import {
  type BrokerEntryMetadata,
  type Decoded,
  decodeBrokerEntryMetadata,
  decodeMessageMetadata,
  type MessageMetadata,
} from "./messages.ts";
import { Reader } from "./protobufjs.ts";
import { ProtocolError } from "./protocol-error.ts";

/** An entry taken apart. `payload` is a view. */
export interface ParsedEntry {
  metadata: Decoded<MessageMetadata>;
  payload: Uint8Array;
  brokerEntryMetadata: BrokerEntryMetadata | undefined;
}

const uint16 = (b: Uint8Array, o: number): number => ((b[o] as number) << 8) | (b[o + 1] as number);
const uint32 = (b: Uint8Array, o: number): number => ((uint16(b, o) << 16) | uint16(b, o + 2)) >>> 0;

function hasMagic(entry: Uint8Array, offset: number, magic: number): boolean {
  return entry.length >= offset + 6 && uint16(entry, offset) === magic;
}

/** Where the checksum part starts: behind the broker's entry metadata, if there is one. */
function checksumOffset(entry: Uint8Array): number {
  return hasMagic(entry, 0, MAGIC_BROKER_ENTRY_METADATA) ? 6 + uint32(entry, 2) : 0;
}

/** Whether the checksum an entry carries is right. An entry may carry none, which counts as right. */
export function verifyChecksum(entry: Uint8Array): boolean {
  const offset = checksumOffset(entry);
  if (!hasMagic(entry, offset, MAGIC_CHECKSUM)) return true;
  return uint32(entry, offset + 2) === crc32c(entry, offset + 6);
}

/** Takes an entry apart without looking at its checksum. Throws a ProtocolError when it is broken. */
export function parseEntry(entry: Uint8Array): ParsedEntry {
  let offset = checksumOffset(entry);
  let brokerEntryMetadata: BrokerEntryMetadata | undefined;
  const reader = Reader.create(entry);
  try {
    if (offset > 0) {
      reader.pos = 6;
      brokerEntryMetadata = decodeBrokerEntryMetadata(reader, offset - 6);
    }
    if (hasMagic(entry, offset, MAGIC_CHECKSUM)) offset += 6;
    if (entry.length < offset + 4) throw new ProtocolError("Truncated", "an entry without metadata");
    reader.pos = offset + 4;
    const metadata = decodeMessageMetadata(reader, uint32(entry, offset));
    return { metadata, payload: entry.subarray(reader.pos), brokerEntryMetadata };
  } catch (error) {
    throw ProtocolError.from(error);
  }
}

/** The metadata of an entry alone. Throws a ProtocolError when it is broken. */
export function parseMetadata(entry: Uint8Array): Decoded<MessageMetadata> {
  return parseEntry(entry).metadata;
}
