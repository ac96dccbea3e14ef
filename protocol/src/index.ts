export { type BatchedMessage, decodeBatch, encodeBatch, encodeBatchedHead } from "./batch.ts";
export { crc32c } from "./crc32c.ts";
export { type ParsedEntry, parseEntry, parseMetadata, verifyChecksum } from "./entry.ts";
export { FrameDecoder, type FrameDecoderOptions, type FrameSink } from "./frame-decoder.ts";
export {
  encodeEntry,
  encodeEntryHead,
  encodeFrame,
  encodeMessageFrame,
  MAGIC_BROKER_ENTRY_METADATA,
  MAGIC_CHECKSUM,
} from "./frame-encoder.ts";
export { javaStringHash, murmur3, murmur3Hash } from "./hash.ts";
export { FRAME_PADDING, MAX_MESSAGE_SIZE_DEFAULT, PROTOCOL_VERSION } from "./limits.ts";
export { compareMessageIds, deserializeMessageId, EARLIEST, LATEST, serializeMessageId } from "./message-id.ts";
export * from "./messages.ts";
export { ProtocolError, type ProtocolErrorCode } from "./protocol-error.ts";
export { SERVER_ERRORS, type ServerErrorInfo, serverErrorName } from "./server-error.ts";
export { partitionIndexOf, type TopicDomain, TopicName } from "./topic-name.ts";
